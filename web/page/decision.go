package page

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// DecisionUse is a decision named in the text: #DL-3.
type DecisionUse struct {
	ID   string // DL-3
	Line int
}

var (
	decisionForm  = regexp.MustCompile(`^DL-[1-9][0-9]*$`)
	decisionStart = regexp.MustCompile(`^#(DL-[1-9][0-9]*)(?:[^0-9A-Za-z-]|$)`)
)

var kindDecision = ast.NewNodeKind("SeedbedDecision")

type decisionNode struct {
	ast.BaseInline
	id string
}

func (n *decisionNode) Kind() ast.NodeKind { return kindDecision }

func (n *decisionNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// decisionParser reads #DL-3 where no letter or digit stands before it; DL-2 is not found in DL-23.
type decisionParser struct{}

func (decisionParser) Trigger() []byte { return []byte{'#'} }

func (decisionParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if before := block.PrecendingCharacter(); isASCIIWord(before) {
		return nil
	}
	line, _ := block.PeekLine()
	m := decisionStart.FindSubmatch(bytes.TrimRight(line, "\n"))
	if m == nil {
		return nil
	}
	block.Advance(1 + len(m[1]))
	return &decisionNode{id: string(m[1])}
}

func (c *collector) decision(n *decisionNode) {
	c.page.Decisions = append(c.page.Decisions, &DecisionUse{ID: n.id, Line: c.place(n)})
}

func isASCIIWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}
