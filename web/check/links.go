package check

import (
	"io/fs"
	"path"

	"seedbed/labs"
	"seedbed/web/page"
)

// links judges where the links of a page lead, within its language.
func (s *site) links(b *book, p *page.Page) {
	for _, l := range p.Links {
		if message := s.target(b, p, l.Target); message != "" {
			s.add(p.File, l.Line, l.Dest+": "+message)
		}
	}
	for _, i := range p.Images {
		if file := path.Join(path.Dir(p.File), i.Dest); !s.has(file) {
			s.add(p.File, i.Line, i.Dest+": there is no such file beside this one")
		}
	}
	for _, d := range p.Decisions {
		if b.decisions[d.ID] == nil {
			s.add(p.File, d.Line, "#"+d.ID+": there is no such decision in "+string(b.lang)+"/decisions")
		}
	}
}

// target says what is wrong with where a link leads; nothing when all is well.
func (s *site) target(b *book, from *page.Page, t page.Target) string {
	switch t.Kind {
	case page.Anchor:
		return anchor(from, t.Fragment)
	case page.Chapter:
		if p := b.chapters[t.ID]; p != nil {
			return anchor(p, t.Fragment)
		}
		return "there is no such chapter; chapters are " + chapters(b)
	case page.Decision:
		if p := b.decisions[t.ID]; p != nil {
			return anchor(p, t.Fragment)
		}
		return "there is no such decision"
	case page.Evidence:
		if p := b.evidence[t.ID]; p != nil {
			return anchor(p, t.Fragment)
		}
		return "there is no such evidence"
	case page.Guide:
		if p := b.guides[t.ID]; p != nil {
			return anchor(p, t.Fragment)
		}
		return "there is no such guide"
	case page.LabPage:
		lab := s.find(t.ID)
		if lab == nil {
			return (&labs.Error{Code: "unknown-lab", Field: "lab", Got: t.ID, Want: "the labs that `seedbed lab list` prints"}).Error()
		}
		if _, err := labs.ParseQuery(lab, t.Query); err != nil {
			return err.Error()
		}
	case page.Terms:
		if t.Fragment != "" && (b.glossary == nil || b.glossary.ByID(t.Fragment) == nil) {
			return "the glossary has no term with the id " + t.Fragment
		}
	}
	return ""
}

func (s *site) has(file string) bool {
	found, err := fs.Stat(s.fsys, file)
	return err == nil && !found.IsDir()
}

func anchor(p *page.Page, id string) string {
	if id == "" || p.HasAnchor(id) {
		return ""
	}
	return p.File + " has no heading {#" + id + "}"
}
