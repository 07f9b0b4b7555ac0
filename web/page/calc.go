package page

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"seedbed/chapters/calc"
)

// Calc is a block of calculations: a fence whose first word is calc. All blocks of a page are one sheet, so that a later block uses
// what an earlier one has set.
type Calc struct {
	First, Last int // its lines: Sheet.Lines()[First:Last]
	Line        int

	caption fragment
}

// Sum is the value of a name, shown in the text: {=out} or {=out in Mbit/s}. The name stands in a block above.
type Sum struct {
	Name string
	Unit string // empty: as the block tells it
	Line int
}

var kindCalc = ast.NewNodeKind("SeedbedCalc")

// calcNode is where a block stands.
type calcNode struct {
	ast.BaseBlock
	calc  *Calc
	sheet *calc.Sheet
}

func (n *calcNode) Kind() ast.NodeKind { return kindCalc }

func (n *calcNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// calcFence reads a block. What follows the word calc is its caption.
func (c *collector) calcFence(n *ast.FencedCodeBlock) {
	line := c.place(n)
	if c.page.Sheet == nil {
		c.page.Sheet = &calc.Sheet{}
	}
	s := c.page.Sheet
	block := &Calc{First: len(s.Lines()), Line: line}
	if _, caption := splitInfo(n, c.source); caption != "" {
		block.caption = c.inline(scalar{text: caption, line: line})
	}
	for _, err := range s.Add(string(n.Lines().Value(c.source)), line+1) {
		c.problem(err.Line, calcMessage(err))
	}
	block.Last = len(s.Lines())
	if block.First == block.Last {
		c.problem(line, "calc: no line; the block is lines of NAME = VALUE, as in peak = 360 req/s")
	}
	c.page.Calcs = append(c.page.Calcs, block)
	replace(n, &calcNode{calc: block, sheet: s})
}

func calcMessage(err *calc.Error) string {
	if err.Col == 0 {
		return "calc: " + err.Text()
	}
	return "calc: column " + strconv.Itoa(err.Col) + ": " + err.Text()
}

var sumForm = regexp.MustCompile(`^(\S+)(?:\s+in\s+(\S.*))?$`)

// sum resolves the value of a name; one that cannot be resolved shows as it was written.
func (c *collector) sum(n *numberNode) {
	line := c.place(n)
	m := sumForm.FindStringSubmatch(strings.TrimSpace(n.raw))
	if m == nil {
		c.problem(line, "{="+n.raw+"} is neither a number of a run nor a name; write {=SPEC#metric} or {=NAME}, with “in UNIT” behind it where wanted")
		return
	}
	if c.page.Sheet == nil {
		c.problem(line, "{="+n.raw+"}: no calc block stands above it that could set "+m[1])
		return
	}
	if l, known := c.page.Sheet.Line(m[1]); known && l.Err != nil {
		return // its line's fault has been told
	}
	if _, err := c.page.Sheet.Show(m[1], m[2]); err != nil {
		message := err.Error()
		if fault, ok := err.(*calc.Error); ok {
			message = fault.Text() // a column in a unit helps nobody
		}
		c.problem(line, "{="+n.raw+"}: "+message)
		return
	}
	n.sum, n.sheet = &Sum{Name: m[1], Unit: m[2], Line: line}, c.page.Sheet
	c.page.Sums = append(c.page.Sums, n.sum)
}
