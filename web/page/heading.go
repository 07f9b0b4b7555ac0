package page

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Heading is a section's title.
type Heading struct {
	Level int    // 2 to 6: the page's title is the only heading of level 1
	ID    string // given by the author as {#id}, the same in every language
	Text  string // plain
	Line  int
}

var idForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// heading checks a heading and gives it its id. Ids made out of the words would differ by language and change with the title, so
// authors state them; a page without still works, with ids by number.
func (c *collector) heading(n *ast.Heading) {
	line := c.place(n)
	title := plain(n, c.source)
	id, others := "", false
	for _, a := range n.Attributes() {
		if string(a.Name) == "id" {
			value, _ := a.Value.([]byte)
			id = string(value)
		} else {
			others = true
		}
	}
	switch {
	case id == "":
		c.problem(line, "heading "+strconv.Quote(title)+" has no id; write it as ## Title {#id}, the same id in both languages")
		id = "section-" + strconv.Itoa(len(c.page.Headings)+1)
	case !idForm.MatchString(id):
		c.problem(line, "heading id "+strconv.Quote(id)+" is not lower-case ASCII letters and digits with hyphens, beginning with a letter")
	}
	if others {
		c.problem(line, "heading "+strconv.Quote(title)+" has attributes other than its id; only {#id} is known")
	}
	if first, twice := c.ids[id]; twice {
		c.problem(line, "heading id "+strconv.Quote(id)+" is used twice, first in line "+strconv.Itoa(first))
	} else {
		c.ids[id] = line
	}
	n.RemoveAttributes()
	n.SetAttributeString("id", []byte(id))
	c.headingLevel(n, line)
	c.page.Headings = append(c.page.Headings, Heading{Level: n.Level, ID: id, Text: title, Line: line})
}

// headingLevel keeps the outline sound: one h1, which is the title of the front matter, and no level skipped on the way down.
func (c *collector) headingLevel(n *ast.Heading, line int) {
	above := max(c.level, 1)
	switch {
	case n.Level == 1:
		c.problem(line, "a heading of level 1 in the text; the page's title stands in the front matter, so sections begin with ##")
		n.Level = 2
	case n.Level > above+1:
		c.problem(line, "heading jumps from level "+strconv.Itoa(above)+" to "+strconv.Itoa(n.Level)+"; use "+strings.Repeat("#", above+1))
	}
	c.level = n.Level
}

// plain is the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	var add func(n ast.Node)
	add = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *termNode:
			b.WriteString(n.shown)
		case *decisionNode:
			b.WriteString("#" + n.id)
		}
		for child := n.FirstChild(); child != nil; child = child.NextSibling() {
			add(child)
		}
	}
	add(n)
	return strings.TrimSpace(b.String())
}
