package page

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Link is a link to a page or to another site.
type Link struct {
	Dest   string // as written
	Target Target
	Line   int
}

// Image is a picture that stands beside the file. Whether it is there is not known here.
type Image struct {
	Dest string // a name without a folder
	Line int
}

var kindLink = ast.NewNodeKind("SeedbedLink")

// linkNode is a resolved link; its children are the text.
type linkNode struct {
	ast.BaseInline
	link *Link
}

func (n *linkNode) Kind() ast.NodeKind { return kindLink }

func (n *linkNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// link resolves a link; one that leads nowhere becomes plain text.
func (c *collector) link(n *ast.Link) {
	dest := string(n.Destination)
	line := c.place(n)
	if plain(n, c.source) == "" {
		c.problem(line, "the link to "+dest+" has no text")
	}
	// The children are walked here, because the node that holds them is about to be replaced.
	c.walk(n)
	if strings.HasPrefix(dest, driveScheme) {
		c.drive(n, dest)
		return
	}
	target, err := Resolve(c.options.File, dest)
	if err != nil {
		c.problem(line, err.Error())
		unwrap(n)
		return
	}
	link := &Link{Dest: dest, Target: target, Line: line}
	c.page.Links = append(c.page.Links, link)
	node := &linkNode{link: link}
	moveChildren(n, node)
	replace(n, node)
}

// autoLink is <https://…>.
func (c *collector) autoLink(n *ast.AutoLink) {
	dest := string(n.URL(c.source))
	if n.AutoLinkType == ast.AutoLinkEmail {
		dest = "mailto:" + dest
	}
	line := c.place(n)
	target, err := Resolve(c.options.File, dest)
	if err != nil {
		c.problem(line, err.Error())
		return
	}
	link := &Link{Dest: dest, Target: target, Line: line}
	c.page.Links = append(c.page.Links, link)
	node := &linkNode{link: link}
	node.AppendChild(node, ast.NewString(n.Label(c.source)))
	replace(n, node)
}

// image refuses what would make a reader's browser ask another site, and what says nothing to who cannot see it.
func (c *collector) image(n *ast.Image) {
	line := c.place(n)
	if t, ok := n.FirstChild().(*ast.Text); ok { // the parser keeps no place of a picture itself, but of the text within
		line = c.at(t.Segment.Start)
	}
	dest := string(n.Destination)
	if plain(n, c.source) == "" {
		c.problem(line, "the image "+dest+" has no text in place of it; write what it shows: ![what it shows]("+dest+")")
	}
	if !imageForm.MatchString(dest) {
		c.problem(line, "the image "+dest+" is not a file beside this one; name a .svg, .png, .webp or .jpg of the same folder")
		return
	}
	c.page.Images = append(c.page.Images, &Image{Dest: dest, Line: line})
}
