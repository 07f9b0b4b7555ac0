package web

import (
	"slices"

	"seedbed/web/view"
)

// drawEvidence makes the list of comparisons with real programs and each comparison's page.
func (s *site) drawEvidence(b *book) error {
	words := s.texts.UI(b.lang)
	list := &view.EvidenceListPage{}
	there := map[string]bool{}
	for _, e := range s.other(b).evidence {
		there[e.slug] = true
	}
	for _, e := range b.evidence {
		entry := e.entry()
		list.Evidence = append(list.Evidence, entry)
		body, problems := e.HTML(s.renderer(b.lang))
		s.note(problems...)
		f := s.frame(b.lang, e.Front.Title, "/evidence/"+e.slug)
		f.Description, f.Section, f.Elsewhere, f.HasLab = e.Front.Summary, view.Notebook, there[e.slug], len(e.Labs)+len(e.Calcs) > 0
		f.Report.Source = "content/" + e.File
		p := &view.EvidencePage{EvidenceEntry: entry, Body: body}
		for _, id := range e.Front.Labs {
			if l := s.find(id); l != nil {
				p.Labs = append(p.Labs, s.labLink(b.lang, l))
			}
		}
		if err := s.add(f, view.Evidence(f, p)); err != nil {
			return err
		}
	}
	f := s.frame(b.lang, words.Get("evidence.heading"), "/evidence/")
	f.Section, f.Elsewhere, f.Description = view.Notebook, true, words.Get("evidence.lede")
	return s.add(f, view.EvidenceList(f, list))
}

// entry is the comparison as lists show it.
func (e *evidence) entry() view.EvidenceEntry {
	return view.EvidenceEntry{Slug: e.slug, Title: e.Front.Title, Summary: e.Front.Summary, Against: e.Front.Against, Date: e.Front.Date}
}

// evidenceOf is the comparisons that judge a lab.
func (b *book) evidenceOf(lab string) []view.EvidenceEntry {
	var entries []view.EvidenceEntry
	for _, e := range b.evidence {
		if slices.Contains(e.Front.Labs, lab) {
			entries = append(entries, e.entry())
		}
	}
	return entries
}
