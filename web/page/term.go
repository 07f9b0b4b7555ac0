package page

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TermUse is a word of the glossary in the text: [[token bucket]], or [[token bucket|buckets]] where it reads otherwise.
type TermUse struct {
	Name string // as written
	ID   string // of the glossary's term; empty when there is none
	Line int
}

var kindTerm = ast.NewNodeKind("SeedbedTerm")

type termNode struct {
	ast.BaseInline
	name, shown string
	term        *Term // nil when the glossary has none
}

func (n *termNode) Kind() ast.NodeKind { return kindTerm }

func (n *termNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// termParser reads [[…]] on one line. Inside a table the bar is written \|.
type termParser struct{}

func (termParser) Trigger() []byte { return []byte{'['} }

func (termParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("[[")) {
		return nil
	}
	end := bytes.Index(line, []byte("]]"))
	if end < 3 || bytes.ContainsAny(line[2:end], "[]") {
		return nil
	}
	name, shown, _ := strings.Cut(strings.ReplaceAll(string(line[2:end]), `\|`, "|"), "|")
	name, shown = strings.TrimSpace(name), strings.TrimSpace(shown)
	if shown == "" {
		shown = name
	}
	block.Advance(end + 2)
	return &termNode{name: name, shown: shown}
}

// term looks the word up; one that the glossary lacks shows as plain text.
func (c *collector) term(n *termNode) {
	use := &TermUse{Name: n.name, Line: c.place(n)}
	c.page.Terms = append(c.page.Terms, use)
	if c.options.Glossary == nil {
		return
	}
	if n.term = c.options.Glossary.Find(n.name); n.term == nil {
		c.problem(use.Line, "[["+n.name+"]] is not in the glossary; add it to glossary/terms.yaml of "+strconv.Quote(c.lang())+", or write it without brackets")
		return
	}
	use.ID = n.term.ID
}

// lang is the language of the file by its first folder.
func (c *collector) lang() string {
	lang, _, _ := strings.Cut(c.options.File, "/")
	return lang
}
