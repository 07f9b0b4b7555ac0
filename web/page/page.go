// Package page turns a Markdown file of the content into a page: its front matter, what it refers to, and HTML.
//
// It is goldmark with the extensions that chapters need, one file each:
//
//	emphasis.go   ** beside Chinese punctuation
//	heading.go    ids that do not depend on the language
//	lab.go        ```lab SPEC``` with its question, prediction and goal
//	drive.go      [take C down](lab:do=12s:kill:c)
//	number.go     {=SPEC#metric in UNIT}, a number of a run
//	calc.go       ```calc```, quantities that are computed, and {=name}, one of them
//	quiz.go       ```quiz``` whose every choice is explained
//	callout.go    > [!NOTE]
//	term.go       [[token bucket]]
//	decision.go   #DL-3
//	link.go       relative file names become addresses of the site
//	code.go       highlighting by classes
//	markup.go     HTML by authors is refused; tables can be scrolled
//	bounds.go     what would take the parser too long is refused
//
// # Two steps
//
// [Parse] reads a file and knows everything that can be known without running a lab: it resolves Specs, metrics, terms and links,
// and reports each fault as file:line: message. It always returns a page, as good as the file allows, so that one bad file is a
// finding and not a dead site. [Page.HTML] writes the page; what a run must tell comes in through the functions of [Renderer].
//
// The package serves nothing, runs nothing and reads no file. It is the only one that knows goldmark.
package page

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"seedbed/chapters/calc"
	"seedbed/labs"
	words "seedbed/web/text"
)

// Problem is a fault of a file.
type Problem = words.Problem

// Options say where a page stands and what it may refer to.
type Options struct {
	File     string    // name in problems, and where relative links start: "en/chapters/04-windows.md"
	Find     labs.Find // the labs; when nil, every lab is unknown
	Glossary *Glossary // when nil, terms are not looked up and link nowhere
}

// Page is one parsed file. It is not written after Parse, and so is safe for concurrent use.
type Page struct {
	File  string
	Front Front

	// What the page holds, in its order.
	Headings  []Heading
	Labs      []*Lab
	Drives    []*Drive
	Numbers   []*Number
	Quizzes   []*Quiz
	Links     []*Link
	Images    []*Image
	Terms     []*TermUse
	Decisions []*DecisionUse
	Sheet     *calc.Sheet // all calc blocks together; nil without one. It is read only
	Calcs     []*Calc
	Sums      []*Sum

	body fragment
}

// fragment is a piece of Markdown that was parsed by itself: a file's body, or a sentence out of a fence's YAML.
type fragment struct {
	source []byte
	doc    ast.Node
}

// Parse reads a file: front matter between lines of three hyphens, then Markdown. The problems are in the order of their lines.
func Parse(src []byte, o Options) (*Page, []*Problem) {
	p := &Page{File: o.File}
	c := &collector{page: p, options: o, ids: map[string]int{}}
	front, body, line := cutFront(src)
	c.front(front)
	p.body = c.fragment(body, line)
	sortProblems(c.problems)
	return p, c.problems
}

// HasAnchor is true when the page has a heading with that id; the empty id is the page's top.
func (p *Page) HasAnchor(id string) bool {
	for _, h := range p.Headings {
		if h.ID == id {
			return true
		}
	}
	return id == ""
}

// collector walks parsed Markdown in the order of the text, resolves what stands in it, and keeps the findings.
type collector struct {
	page     *Page
	options  Options
	problems []*Problem

	ids   map[string]int // heading ids → line
	level int            // of the last heading
	lab   *Lab           // the last lab fence: what lab: links drive

	// The fragment that is being walked.
	source []byte
	line   int // in the file, of the fragment's first
}

// fragment parses Markdown and resolves it; line is where it starts in the file. What is out of bounds is left away as a whole.
func (c *collector) fragment(source []byte, line int) fragment {
	if n, why := outOfBounds(source); why != "" {
		c.problem(line+n, why)
		source = nil
	}
	outerSource, outerLine := c.source, c.line
	c.source, c.line = source, line
	doc := markdown.Parse(text.NewReader(source))
	c.walk(doc)
	c.source, c.line = outerSource, outerLine
	return fragment{source, doc}
}

// inline parses a sentence that stands in a fence's YAML.
func (c *collector) inline(s scalar) fragment {
	return c.fragment([]byte(s.text), s.line)
}

// walk visits each node once. A visit may replace the node by another; its children are then not walked.
func (c *collector) walk(n ast.Node) {
	for child := n.FirstChild(); child != nil; {
		next := child.NextSibling()
		if c.visit(child) {
			c.walk(child)
		}
		child = next
	}
}

// visit resolves one node; false means that its children are of no interest.
func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Heading:
		c.heading(n)
	case *ast.FencedCodeBlock:
		c.fence(n)
		return false
	case *ast.Blockquote:
		c.callout(n)
	case *ast.Link:
		c.link(n)
	case *ast.AutoLink:
		c.autoLink(n)
	case *ast.Image:
		c.image(n)
	case *ast.HTMLBlock, *ast.RawHTML:
		c.markup(n)
	case *ast.Text:
		c.prose(n)
	case *numberNode:
		c.number(n)
	case *termNode:
		c.term(n)
	case *decisionNode:
		c.decision(n)
	case *ast.CodeSpan, *ast.CodeBlock:
		return false
	}
	return true
}

// fence hands a fenced block to the extension that its first word names; any other word is a language of code.
func (c *collector) fence(n *ast.FencedCodeBlock) {
	kind := string(n.Language(c.source))
	switch kind {
	case "lab":
		c.labFence(n)
	case "quiz":
		c.quizFence(n)
	case "calc":
		c.calcFence(n)
	default:
		c.code(n, kind)
	}
}

// replace puts a node of ours where goldmark's stood.
func replace(old, by ast.Node) {
	by.SetPos(old.Pos())
	parent := old.Parent()
	parent.ReplaceChild(parent, old, by)
}

// at is the line in the file of an offset into the current fragment.
func (c *collector) at(offset int) int {
	offset = min(max(offset, 0), len(c.source))
	return c.line + bytes.Count(c.source[:offset], []byte("\n"))
}

// place is the line in the file at which a node stands.
func (c *collector) place(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if n.Pos() >= 0 {
			return c.at(n.Pos())
		}
	}
	return c.line
}

func (c *collector) problem(line int, message string) {
	c.problems = append(c.problems, &Problem{File: c.options.File, Line: line, Message: message})
}

func sortProblems(list []*Problem) {
	// Insertion keeps the order of equal lines; the list is short and nearly sorted, for fences come in the order of the text.
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].Line < list[j-1].Line; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
