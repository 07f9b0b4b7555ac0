package page

import (
	"bytes"
	"strconv"
)

// Bounds on what is parsed: the parser's time grows with the square of either, and nobody who writes for readers comes near.
const (
	mostNested = 200  // bytes of indentation, quotes and bullets before the text of a line
	mostLinks  = 2000 // openings of links in lines without an empty one between them
)

// outOfBounds finds the first line, from 0, that is too much for the parser, and says why; "" when none is. Its time is proportional to
// the text's length.
func outOfBounds(source []byte) (line int, why string) {
	links := 0
	for text := range bytes.Lines(source) {
		if nested(text) > mostNested {
			return line, "is nested by more than " + strconv.Itoa(mostNested) + " characters; write it less deeply"
		}
		if len(bytes.TrimSpace(text)) == 0 {
			links = 0
		}
		if links += bytes.Count(text, []byte("](")); links > mostLinks {
			return line, "is in a paragraph with more than " + strconv.Itoa(mostLinks) + " links; put an empty line between some"
		}
		line++
	}
	return 0, ""
}

// nested is how many bytes of a line say in which lists and quotes it stands.
func nested(line []byte) int {
	if len(bytes.TrimSpace(line)) == 0 {
		return 0
	}
	for i, b := range line {
		switch b {
		case ' ', '\t', '>':
		case '-', '*', '+':
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\n' {
				return i // a rule, emphasis, a sign
			}
		default:
			return i
		}
	}
	return len(line)
}
