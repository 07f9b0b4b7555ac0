package page

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"seedbed/labs"
)

// Drive is a link that drives the lab above it: [take C down at 12 s](lab:do=12s:kill:c).
type Drive struct {
	Query string    // as written behind lab:
	Spec  labs.Spec // the lab's Spec with the query applied: where the link leads without a script
	Line  int
}

const driveScheme = "lab:"

var kindDrive = ast.NewNodeKind("SeedbedDrive")

// driveNode is the link in the text; its children are the link's.
type driveNode struct {
	ast.BaseInline
	drive *Drive
}

func (n *driveNode) Kind() ast.NodeKind { return kindDrive }

func (n *driveNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// drive resolves a lab: link against the last lab fence. One that cannot be resolved becomes plain text.
func (c *collector) drive(n *ast.Link, dest string) {
	line := c.place(n)
	query := strings.TrimPrefix(dest, driveScheme)
	if c.lab == nil {
		c.problem(line, dest+": there is no lab above this link; put the lab before it")
		unwrap(n)
		return
	}
	spec, err := Vary(c.lab.Spec, query)
	if err != nil {
		c.problem(line, dest+": "+err.Error())
		unwrap(n)
		return
	}
	d := &Drive{Query: query, Spec: spec, Line: line}
	c.page.Drives = append(c.page.Drives, d)
	node := &driveNode{drive: d}
	moveChildren(n, node)
	replace(n, node)
}

// unwrap leaves a node's children in its place.
func unwrap(n ast.Node) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		n.RemoveChild(n, child)
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}

func moveChildren(from, to ast.Node) {
	for child := from.FirstChild(); child != nil; child = from.FirstChild() {
		from.RemoveChild(from, child)
		to.AppendChild(to, child)
	}
}
