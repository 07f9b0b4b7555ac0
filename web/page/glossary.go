package page

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Glossary is one language's terms. It is not written after ParseGlossary, and so is safe for concurrent use.
type Glossary struct {
	Terms []*Term // by id
	Page  *Page   // what the definitions refer to; it has no text of its own

	names map[string]*Term
}

// Term is one entry. Its id, and so its anchor, is the same in every language.
type Term struct {
	ID   string
	Term string   // as it stands in prose
	Also []string // other forms that [[…]] may use
	See  []string // ids of related terms
	Line int

	text fragment
}

// termText is an entry as it is written.
type termText struct {
	Term *scalar  `yaml:"term"`
	Also []string `yaml:"also"`
	Text *scalar  `yaml:"text"`
	See  []string `yaml:"see"`
}

// ParseGlossary reads terms.yaml: a map from id to term, also, text and see. It always returns a glossary, of what could be read.
func ParseGlossary(src []byte, o Options) (*Glossary, []*Problem) {
	g := &Glossary{Page: &Page{File: o.File}, names: map[string]*Term{}}
	o.Glossary = g
	c := &collector{page: g.Page, options: o, ids: map[string]int{}}
	entries := map[string]*termText{}
	c.decode(src, 1, &entries)
	var keys yaml.Node
	if err := yaml.Unmarshal(src, &keys); err != nil || len(keys.Content) == 0 {
		return g, c.problems // decode has told why
	}
	texts := map[*Term]scalar{}
	for _, key := range keys.Content[0].Content { // keys and values by turns; only keys are found below
		text := entries[key.Value]
		if key.Kind != yaml.ScalarNode || text == nil {
			continue
		}
		delete(entries, key.Value)
		if t := c.entry(key, text); t != nil {
			g.Terms = append(g.Terms, t)
			texts[t] = *text.Text
		}
	}
	g.index(c)
	slices.SortFunc(g.Terms, func(a, b *Term) int { return strings.Compare(a.ID, b.ID) })
	// Definitions name one another, so they are read when all names are known.
	for _, t := range g.Terms {
		t.text = c.inline(texts[t])
		for _, id := range t.See {
			if g.byID(id) == nil {
				c.problem(t.Line, t.ID+": see names "+strconv.Quote(id)+", which is not a term")
			}
		}
	}
	sortProblems(c.problems)
	return g, c.problems
}

// entry checks one term; nil when it cannot be shown.
func (c *collector) entry(key *yaml.Node, text *termText) *Term {
	if !idForm.MatchString(key.Value) {
		c.problem(key.Line, "term id "+strconv.Quote(key.Value)+" is not lower-case ASCII letters and digits with hyphens")
	}
	if text.Term == nil || text.Text == nil {
		c.problem(key.Line, key.Value+": wants term and text")
		return nil
	}
	return &Term{ID: key.Value, Term: text.Term.text, Also: text.Also, See: text.See, Line: key.Line}
}

// index files every form under which a term may be found.
func (g *Glossary) index(c *collector) {
	for _, t := range g.Terms {
		for _, name := range append([]string{t.ID, t.Term}, t.Also...) {
			key := fold(name)
			if other := g.names[key]; other != nil && other != t {
				c.problem(t.Line, t.ID+": "+strconv.Quote(name)+" already means "+other.ID)
				continue
			}
			g.names[key] = t
		}
	}
}

// Find looks up a term by id, term or one of its other forms, whatever the case; nil when there is none.
func (g *Glossary) Find(name string) *Term { return g.names[fold(name)] }

func (g *Glossary) byID(id string) *Term {
	if t := g.names[fold(id)]; t != nil && t.ID == id {
		return t
	}
	return nil
}

// ByID looks up a term by its id alone; nil when there is none.
func (g *Glossary) ByID(id string) *Term { return g.byID(id) }

// Plain is the definition without markup, for a tooltip.
func (t *Term) Plain() string { return plain(t.text.doc, t.text.source) }

// HTML is the definition as inline HTML.
func (g *Glossary) HTML(t *Term, r Renderer) (string, []*Problem) {
	w := newWriter(g.Page.File, r)
	return w.inline(t.text), w.problems
}

func fold(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}
