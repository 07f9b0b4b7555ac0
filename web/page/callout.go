package page

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A callout is a quotation whose first line is [!NOTE] or one of its like, as on GitHub, where it so reads well too.

// callouts are the kinds there are, in lower case; their names for readers are the words callout.KIND.
var callouts = []string{"note", "tip", "important", "warning", "caution"}

var calloutMark = regexp.MustCompile(`^\[!([A-Za-z]+)\]\s*$`)

const calloutAttribute = "callout"

var kindCallout = ast.NewNodeKind("SeedbedCallout")

type calloutNode struct {
	ast.BaseBlock
	kind string // one of callouts
}

func (n *calloutNode) Kind() ast.NodeKind { return kindCallout }

func (n *calloutNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// calloutTransformer takes the mark off a quotation's first paragraph before its inline text is read, and notes it on the quotation.
type calloutTransformer struct{}

func (calloutTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	quote, ok := p.Parent().(*ast.Blockquote)
	if !ok || quote.FirstChild() != p || p.Lines().Len() == 0 {
		return
	}
	first := p.Lines().At(0)
	m := calloutMark.FindSubmatch(first.Value(reader.Source()))
	if m == nil {
		return
	}
	quote.SetAttributeString(calloutAttribute, string(m[1]))
	lines := text.NewSegments()
	for i := 1; i < p.Lines().Len(); i++ {
		lines.Append(p.Lines().At(i))
	}
	p.SetLines(lines)
	if lines.Len() == 0 {
		quote.RemoveChild(quote, p)
	}
}

// callout turns a marked quotation into a callout; an unknown mark leaves a quotation.
func (c *collector) callout(n *ast.Blockquote) {
	value, ok := n.AttributeString(calloutAttribute)
	if !ok {
		return
	}
	mark, _ := value.(string)
	for _, kind := range callouts {
		if mark == strings.ToUpper(kind) {
			// The quotation stays in the tree as the callout's only child, so that the walk goes on below it.
			node := &calloutNode{kind: kind}
			parent := n.Parent()
			parent.InsertBefore(parent, n, node)
			parent.RemoveChild(parent, n)
			node.AppendChild(node, n)
			return
		}
	}
	c.problem(c.place(n), "[!"+mark+"] is not a callout; it is one of [!"+strings.ToUpper(strings.Join(callouts, "], [!"))+"]")
}
