package check

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seedbed/web/page"
)

var (
	chapterName  = regexp.MustCompile(`^([0-9]+)-[a-z0-9]+(-[a-z0-9]+)*\.md$`)
	slugName     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*\.md$`)
	decisionName = regexp.MustCompile(`^DL-[1-9][0-9]*-[a-z0-9]+(-[a-z0-9]+)*\.md$`)
)

// chapter judges a chapter's front matter.
func (s *site) chapter(b *book, p *page.Page) {
	m := chapterName.FindStringSubmatch(path.Base(p.File))
	if m == nil {
		s.add(p.File, 0, "the name of a chapter's file is NN-slug.md, in lower-case ASCII")
	} else if n, _ := strconv.Atoi(m[1]); n != p.Front.Order {
		s.front(p, "order", strconv.Itoa(p.Front.Order)+" is not the number in the file's name, "+strconv.Itoa(n))
	}
	s.needs(p, "title", "summary", "order", "updated")
	s.frontLabs(p)
	s.frontTerms(b, p)
	for i, slug := range p.Front.Uses {
		used := b.chapters[slug]
		switch {
		case used == nil:
			s.front(p, "uses", slug+" is not a chapter; it is one of "+chapters(b))
		case used.Front.Order >= p.Front.Order:
			s.front(p, "uses", slug+" does not come before this chapter")
		case slices.Contains(p.Front.Uses[:i], slug):
			s.front(p, "uses", slug+" is named twice")
		}
	}
}

func chapters(b *book) string {
	var slugs []string
	for _, p := range b.pages {
		if slug := page.Slug(p.File); b.chapters[slug] == p {
			slugs = append(slugs, slug)
		}
	}
	return strings.Join(slugs, ", ")
}

// needs reports keys of the front matter that are not there.
func (s *site) needs(p *page.Page, keys ...string) {
	for _, key := range keys {
		if p.Front.Lines != nil && p.Front.Lines[key] == 0 && key != "title" { // the title is package page's
			s.add(p.File, 1, key+" is missing in the front matter")
		}
	}
}

// front reports a fault of one key of the front matter.
func (s *site) front(p *page.Page, key, message string) {
	s.add(p.File, max(1, p.Front.Lines[key]), key+": "+message)
}

// frontLabs holds the list of labs against those of the text.
func (s *site) frontLabs(p *page.Page) {
	var used []string
	for _, l := range p.Labs {
		if l.Spec.Lab != nil && !slices.Contains(used, l.Spec.Lab.ID) {
			used = append(used, l.Spec.Lab.ID)
		}
	}
	if !slices.Equal(used, p.Front.Labs) {
		s.front(p, "labs", "["+strings.Join(p.Front.Labs, ", ")+"] is not what the text uses, in its order: ["+strings.Join(used, ", ")+"]")
	}
}

// frontTerms holds the list of terms against the glossary and the text.
func (s *site) frontTerms(b *book, p *page.Page) {
	if b.glossary == nil {
		return
	}
	for i, id := range p.Front.Terms {
		switch {
		case b.glossary.ByID(id) == nil:
			s.front(p, "terms", id+" is not in the glossary")
		case slices.Contains(p.Front.Terms[:i], id):
			s.front(p, "terms", id+" is named twice")
		case !slices.ContainsFunc(p.Terms, func(t *page.TermUse) bool { return t.ID == id }):
			s.front(p, "terms", id+" is not in the text; write it as [[…]] where it is introduced")
		}
	}
}

// statuses are what a decision can be.
var statuses = []string{"proposed", "accepted", "rejected", "deprecated", "superseded"}

// decision judges a decision's front matter.
func (s *site) decision(b *book, p *page.Page) {
	if !decisionName.MatchString(path.Base(p.File)) {
		s.add(p.File, 0, "the name of a decision's file is DL-n-slug.md, in lower-case ASCII but for DL")
	}
	s.needs(p, "id", "title", "date", "status", "drivers", "metric", "updated")
	if p.Front.ID != "" && p.Front.ID != page.Slug(p.File) {
		s.front(p, "id", p.Front.ID+" is not that of the file's name, "+page.Slug(p.File))
	}
	if p.Front.Status != "" && !slices.Contains(statuses, p.Front.Status) {
		s.front(p, "status", p.Front.Status+" is not known; it is one of "+strings.Join(statuses, ", "))
	}
	for _, id := range p.Front.Supersedes {
		switch old := b.decisions[id]; {
		case old == nil:
			s.front(p, "supersedes", id+" is not a decision")
		case old.Front.Status != "superseded":
			s.front(p, "supersedes", id+" has the status "+old.Front.Status+"; write superseded there")
		}
	}
}

// evidence judges the front matter of a comparison with real programs. Its labs are those that it judges, wherever they stand.
func (s *site) evidence(p *page.Page) {
	if !slugName.MatchString(path.Base(p.File)) {
		s.add(p.File, 0, "the name of a file of evidence is slug.md, in lower-case ASCII")
	}
	s.needs(p, "title", "summary", "order", "labs", "against", "date", "updated")
	for i, id := range p.Front.Labs {
		switch {
		case s.find(id) == nil:
			s.front(p, "labs", id+" is not a lab")
		case slices.Contains(p.Front.Labs[:i], id):
			s.front(p, "labs", id+" is named twice")
		}
	}
	for _, program := range p.Front.Against {
		if !programForm.MatchString(program) {
			s.front(p, "against", program+" does not say which version; write it as nginx 1.22.1")
		}
	}
}

// guide judges the front matter of a page about the program itself.
func (s *site) guide(p *page.Page) {
	if !slugName.MatchString(path.Base(p.File)) {
		s.add(p.File, 0, "the name of a guide's file is slug.md, in lower-case ASCII")
	}
	s.needs(p, "title", "summary", "order", "updated")
	s.frontLabs(p)
}

var programForm = regexp.MustCompile(`^\S+ [0-9]+(\.[0-9]+)+\S*$`)
