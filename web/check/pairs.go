package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"seedbed/web/page"
)

// pairs finds what one language has and another lacks. The first book is the one that the others follow.
func (s *site) pairs() {
	if len(s.books) < 2 {
		return
	}
	source := s.books[0]
	for _, b := range s.books[1:] {
		s.twins(source, b)
		s.terms(source, b)
	}
}

// rest is a file's name below its language.
func rest(file string) string {
	_, name, _ := strings.Cut(file, "/")
	return name
}

func (s *site) twins(source, b *book) {
	theirs := map[string]*page.Page{}
	for _, p := range b.pages {
		theirs[rest(p.File)] = p
	}
	for _, p := range source.pages {
		twin := theirs[rest(p.File)]
		if twin == nil {
			s.add(string(b.lang)+"/"+rest(p.File), 0, "is missing; "+p.File+" is there")
			continue
		}
		delete(theirs, rest(p.File))
		s.twin(p, twin)
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		s.add(string(source.lang)+"/"+name, 0, "is missing; "+theirs[name].File+" is there")
	}
}

// twin compares a page with the one in the language that it follows.
func (s *site) twin(p, twin *page.Page) {
	switch f := &twin.Front; {
	case p.Front.Updated == "":
	case f.Translates == "":
		s.add(twin.File, 1, "translates is missing in the front matter; write the date of the text that it follows, "+p.Front.Updated)
	case f.Translates != p.Front.Updated:
		s.front(twin, "translates", f.Translates+" is not the date of "+p.File+", "+p.Front.Updated+"; bring the text up to date")
	}
	if p.Front.Order != twin.Front.Order {
		s.front(twin, "order", strconv.Itoa(twin.Front.Order)+" is not that of "+p.File+", "+strconv.Itoa(p.Front.Order))
	}
	for _, list := range []struct {
		key          string
		ours, theirs []string
	}{
		{"terms", p.Front.Terms, twin.Front.Terms}, {"uses", p.Front.Uses, twin.Front.Uses},
		{"against", p.Front.Against, twin.Front.Against},
		{"status", []string{p.Front.Status}, []string{twin.Front.Status}}, {"date", []string{p.Front.Date}, []string{twin.Front.Date}},
		{"supersedes", p.Front.Supersedes, twin.Front.Supersedes},
	} {
		if !slices.Equal(list.ours, list.theirs) {
			s.front(twin, list.key, strings.Join(list.theirs, ", ")+" is not that of "+p.File+": "+strings.Join(list.ours, ", "))
		}
	}
	if p.Front.Against != nil && !slices.Equal(p.Front.Labs, twin.Front.Labs) { // those of other pages are held against their own text
		s.front(twin, "labs", strings.Join(twin.Front.Labs, ", ")+" is not that of "+p.File+": "+strings.Join(p.Front.Labs, ", "))
	}
	s.headings(p, twin)
	s.fences(p, twin)
	if len(p.Quizzes) != len(twin.Quizzes) {
		s.add(twin.File, 0, strconv.Itoa(len(twin.Quizzes))+" quiz questions, and "+p.File+" has "+strconv.Itoa(len(p.Quizzes)))
	}
}

// headings compares the sections, by their ids: an anchor works in every language. One fault a page is enough.
func (s *site) headings(p, twin *page.Page) {
	for i, h := range twin.Headings {
		switch {
		case i >= len(p.Headings):
			s.add(twin.File, h.Line, "heading {#"+h.ID+"} is not in "+p.File)
			return
		case h.ID != p.Headings[i].ID || h.Level != p.Headings[i].Level:
			s.add(twin.File, h.Line, "heading "+section(h)+" stands where "+p.File+":"+strconv.Itoa(p.Headings[i].Line)+" has "+section(p.Headings[i]))
			return
		}
	}
	if missing := p.Headings[min(len(twin.Headings), len(p.Headings)):]; len(missing) > 0 {
		s.add(twin.File, 0, "heading "+section(missing[0])+" of "+p.File+":"+strconv.Itoa(missing[0].Line)+" is missing")
	}
}

func section(h page.Heading) string { return strings.Repeat("#", h.Level) + " {#" + h.ID + "}" }

// fences compares the labs in the text: a reader who changes the language finds the same experiments.
func (s *site) fences(p, twin *page.Page) {
	spec := func(l *page.Lab) string {
		if l.Spec.Lab == nil {
			return ""
		}
		return l.Spec.Text()
	}
	for i, l := range twin.Labs {
		switch {
		case i >= len(p.Labs):
			s.add(twin.File, l.Line, "the lab "+spec(l)+" is not in "+p.File)
			return
		case spec(l) != spec(p.Labs[i]):
			s.add(twin.File, l.Line, "the lab "+spec(l)+" stands where "+p.File+":"+strconv.Itoa(p.Labs[i].Line)+" has "+spec(p.Labs[i]))
			return
		case (l.Predict == nil) != (p.Labs[i].Predict == nil) || (l.Goal == nil) != (p.Labs[i].Goal == nil):
			s.add(twin.File, l.Line, "the lab asks for a prediction or a goal in one language only; see "+p.File+":"+strconv.Itoa(p.Labs[i].Line))
		}
	}
	if missing := p.Labs[min(len(twin.Labs), len(p.Labs)):]; len(missing) > 0 {
		s.add(twin.File, 0, "the lab "+spec(missing[0])+" of "+p.File+":"+strconv.Itoa(missing[0].Line)+" is missing")
	}
}

// terms compares the glossaries.
func (s *site) terms(source, b *book) {
	if source.glossary == nil || b.glossary == nil || source.lent || b.lent {
		return
	}
	lack := func(has, lacks *book) {
		for _, t := range has.glossary.Terms {
			if lacks.glossary.ByID(t.ID) == nil {
				s.add(lacks.glossary.Page.File, 0, t.ID+" is missing; "+has.glossary.Page.File+":"+strconv.Itoa(t.Line)+" has it")
			}
		}
	}
	lack(source, b)
	lack(b, source)
}
