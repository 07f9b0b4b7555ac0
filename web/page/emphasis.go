package page

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// CommonMark decides by spaces and punctuation whether ** opens or closes: in 限流**“背压”**机制 it does neither, because the quote is
// punctuation and what stands beside it is not. Chinese has no spaces to help. The rule here is CommonMark's with two changes:
// punctuation that is Chinese itself (such as ）and 。) does not count as punctuation, and a Chinese character on the other side is
// as good as a space. It is the rule that github.com/tats-u/markdown-cjk-friendly specifies; what it gives for text without Chinese
// is exactly CommonMark. Underscores keep CommonMark's rule.

// emphasisParser reads runs of * and _.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*', '_'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, emphasis)
	if d == nil {
		return nil
	}
	if d.Char == '*' {
		after := '\n'
		if d.OriginalLength < len(line) {
			after = util.ToRune(line, d.OriginalLength)
		}
		d.CanOpen = flanking(before, after)
		d.CanClose = flanking(after, before)
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// flanking is true when a run of delimiters leans on inner, with outer on its other side.
func flanking(outer, inner rune) bool {
	if util.IsSpaceRune(inner) {
		return false
	}
	if isChinese(inner) || !util.IsPunctRune(inner) {
		return true
	}
	return util.IsSpaceRune(outer) || util.IsPunctRune(outer) || isChinese(outer)
}

// isChinese is true for characters that are written without spaces between words: Han, kana, bopomofo, their punctuation and their
// full-width forms. Hangul is not among them: Korean has spaces. Curly quotes and dashes are not either: they are shared with Latin.
func isChinese(r rune) bool {
	return r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF)
}

// delimiters says what a matched pair becomes.
type delimiters struct{}

var emphasis = delimiters{}

func (delimiters) IsDelimiter(b byte) bool { return b == '*' || b == '_' }

func (delimiters) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (delimiters) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// prose reports stars that stayed visible.
func (c *collector) prose(n *ast.Text) {
	value := n.Value(c.source)
	for i := 0; i+1 < len(value); i++ {
		if value[i] == '\\' {
			i++
			continue
		}
		if value[i] == '*' && value[i+1] == '*' {
			c.problem(c.at(n.Segment.Start+i), "** stays visible here: it opens or closes nothing; pair it, or write \\*\\*")
			return
		}
	}
}
