package page

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

var textWriter = markup.NewWriter(markup.WithEscapedSpace())

// text writes a piece of prose. A line break in the source is a space between words, but nothing between Chinese characters and
// whatever stands on the other side: Chinese has no spaces, and the browser sets the gap to Latin (text-autospace). The characters
// on both sides are looked for in the text as it shows, across the borders of emphasis, links and terms. Where no line may end, its
// spaces are no-break ones (unbroken).
func (w *writer) text(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t := n.(*ast.Text)
	value := t.Segment.Value(source)
	if t.IsRaw() {
		textWriter.RawWrite(out, value)
	} else {
		before := rune(0)
		if bytes.HasPrefix(value, []byte(" ")) {
			before = edge(t, source, false)
		}
		textWriter.Write(out, []byte(unbroken(string(value), before)))
	}
	switch {
	case t.HardLineBreak():
		_, err := out.WriteString("<br>\n")
		return ast.WalkContinue, err
	case t.SoftLineBreak():
		before, _ := utf8.DecodeLastRune(value)
		if len(value) == 0 {
			before = edge(t, source, false)
		}
		after := edge(t, source, true)
		if !isChinese(before) && !isChinese(after) {
			return ast.WalkContinue, out.WriteByte('\n')
		}
	}
	return ast.WalkContinue, nil
}

// edge is the character that shows next to a node, before or after it; 0 when its block ends there.
func edge(n ast.Node, source []byte, after bool) rune {
	for ; n != nil && n.Type() == ast.TypeInline; n = n.Parent() {
		for s := step(n, after); s != nil; s = step(s, after) {
			if r := within1(s, source, after); r != 0 {
				return r
			}
		}
	}
	return 0
}

func step(n ast.Node, after bool) ast.Node {
	if after {
		return n.NextSibling()
	}
	return n.PreviousSibling()
}

// within1 is a node's first or last character that shows.
func within1(n ast.Node, source []byte, first bool) rune {
	s := plain(n, source)
	if s == "" {
		if _, isNumber := n.(*numberNode); isNumber {
			return '0'
		}
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	if first {
		r, _ = utf8.DecodeRuneInString(s)
	}
	return r
}
