package page

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

var imageForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*\.(svg|png|webp|jpg)$`)

// markup reports HTML: it would not survive another renderer, cannot be checked, and could carry script. It is shown as text.
// Comments are the exception: they are dropped.
func (c *collector) markup(n ast.Node) {
	raw := markupSource(n, c.source)
	if isComment(raw) {
		return
	}
	c.problem(c.place(n), "HTML is not read here and shows as text: "+clip(string(raw))+"; use Markdown, or put it in backquotes")
}

func isComment(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return bytes.HasPrefix(raw, []byte("<!--")) && bytes.HasSuffix(raw, []byte("-->"))
}

func markupSource(n ast.Node, source []byte) []byte {
	switch n := n.(type) {
	case *ast.RawHTML:
		return n.Segments.Value(source)
	case *ast.HTMLBlock:
		raw := n.Lines().Value(source)
		if n.HasClosure() {
			raw = append(bytes.Clone(raw), n.ClosureLine.Value(source)...)
		}
		return raw
	}
	return nil
}

// clip shortens what is quoted in a problem to what fits a line.
func clip(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
