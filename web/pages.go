package web

import (
	"io/fs"
	"path"
	"strings"

	"seedbed/web/page"
	"seedbed/web/text"
	"seedbed/web/view"
)

// drawChapters makes the chapters' pages.
func (s *site) drawChapters(b *book) error {
	links := b.links()
	for i, c := range b.chapters {
		body, problems := c.HTML(s.renderer(b.lang))
		s.note(problems...)
		link := links[i]
		f := s.frame(b.lang, link.Title, "/chapters/"+c.slug)
		f.Description, f.Section, f.HasLab = link.Summary, view.Chapters, len(c.Labs)+len(c.Calcs) > 0
		f.Report.Source = "content/" + c.File
		twin := s.other(b).chapter(c.slug)
		f.Elsewhere = twin != nil
		p := &view.ChapterPage{
			Slug: c.slug, Number: c.number, Title: link.Title, Summary: link.Summary, Body: body, Outline: outlineOf(c.Page), Chapters: links,
			Updated: c.Front.Updated, Labs: len(c.Labs), Numbers: len(c.Numbers), Stale: stale(c, twin),
		}
		if i > 0 {
			p.Prev = &links[i-1]
		}
		if i+1 < len(links) {
			p.Next = &links[i+1]
		}
		if s.server.config.Dev {
			for _, problem := range append(c.problems, problems...) {
				p.Problems = append(p.Problems, problem.Error())
			}
		}
		if err := s.add(f, view.Chapter(f, p)); err != nil {
			return err
		}
	}
	return nil
}

// outlineOf lists a page's sections, two levels deep.
func outlineOf(p *page.Page) []view.OutlineEntry {
	var entries []view.OutlineEntry
	for _, h := range p.Headings {
		if h.Level <= 3 {
			entries = append(entries, view.OutlineEntry{ID: h.ID, Text: h.Text, Level: h.Level})
		}
	}
	return entries
}

// stale says whether the text that a chapter follows has changed since. Dates are compared as text, which for YYYY-MM-DD is their order.
func stale(c, twin *chapter) *view.Stale {
	if twin == nil || c.Front.Translates == "" || twin.Front.Updated <= c.Front.Translates {
		return nil
	}
	return &view.Stale{Follows: c.Front.Translates, Changed: twin.Front.Updated}
}

// drawDecisions makes the list of decisions and each decision's page.
func (s *site) drawDecisions(b *book) error {
	words := s.texts.UI(b.lang)
	list := &view.DecisionsPage{}
	there := map[string]bool{}
	for _, d := range s.other(b).decisions {
		there[d.id] = true
	}
	for _, d := range b.decisions {
		entry := view.DecisionEntry{ID: d.id, Title: d.Front.Title, Summary: d.Front.Summary, Date: d.Front.Date, Status: d.Front.Status}
		list.Decisions = append(list.Decisions, entry)
		body, problems := d.HTML(s.renderer(b.lang))
		s.note(problems...)
		f := s.frame(b.lang, d.id+" "+d.Front.Title, "/decisions/"+d.id)
		f.Description, f.Section, f.Elsewhere, f.HasLab = d.Front.Summary, view.Notebook, there[d.id], len(d.Labs)+len(d.Calcs) > 0
		f.Report.Source = "content/" + d.File
		p := &view.DecisionPage{DecisionEntry: entry, Drivers: d.Front.Drivers, Metric: d.Front.Metric, Supersedes: d.Front.Supersedes, Body: body}
		if err := s.add(f, view.Decision(f, p)); err != nil {
			return err
		}
	}
	f := s.frame(b.lang, words.Get("decisions.heading"), "/decisions/")
	f.Section, f.Elsewhere, f.Description = view.Notebook, true, words.Get("decisions.lede")
	return s.add(f, view.DecisionList(f, list))
}

// drawGlossary makes the page of the terms.
func (s *site) drawGlossary(b *book) error {
	words := s.texts.UI(b.lang)
	p := &view.GlossaryPage{}
	r := s.renderer(b.lang)
	for _, t := range b.glossary.Terms {
		html, problems := b.glossary.HTML(t, r)
		s.note(problems...)
		entry := view.TermEntry{ID: t.ID, Term: t.Term, Also: t.Also, Text: html}
		for _, id := range t.See {
			if other := b.glossary.ByID(id); other != nil {
				entry.See = append(entry.See, view.TermEntry{ID: other.ID, Term: other.Term})
			}
		}
		p.Terms = append(p.Terms, entry)
	}
	f := s.frame(b.lang, words.Get("glossary.heading"), "/glossary/")
	f.Section, f.Elsewhere, f.Description = view.Glossary, true, words.Get("glossary.lede")
	f.Report.Source = "content/" + string(b.lang) + "/glossary/terms.yaml"
	return s.add(f, view.Terms(f, p))
}

// drawHome makes the first page.
func (s *site) drawHome(b *book) error {
	words := s.texts.UI(b.lang)
	p := &view.HomePage{Chapters: b.links()}
	for _, lab := range s.server.config.Labs {
		p.Labs = append(p.Labs, s.labLink(b.lang, lab))
	}
	f := s.frame(b.lang, "", "/")
	f.Elsewhere, f.Description = true, words.Get("home.lede")
	if len(s.server.config.Labs) > 0 {
		result, err := s.run(s.server.config.Labs[0].Default())
		if err != nil {
			return err
		}
		p.Featured = `<div class="wide">` + string(s.picture(b.lang, result, false)) + `</div><div class="narrow">` + string(s.picture(b.lang, result, true)) + `</div>`
		p.FeaturedHref = f.At("/labs/" + result.Spec.Lab.ID)
		featured := s.labWords(b.lang, result.Spec.Lab)
		p.FeaturedName, p.FeaturedQuestion = featured.Title, featured.Question
	}
	return s.add(f, view.Home(f, p))
}

// addImages makes documents of the pictures that stand beside the chapters, decisions, evidence and guides.
func (s *site) addImages(b *book) error {
	content := s.server.config.Content
	for _, folder := range []string{"chapters", "decisions", "evidence", "guides"} {
		at := path.Join(string(b.lang), folder)
		entries, err := fs.ReadDir(content, at)
		if err != nil {
			continue // no such folder, no pictures
		}
		for _, e := range entries {
			kind := typeOf(e.Name())
			if e.IsDir() || !strings.HasPrefix(kind, "image/") {
				continue
			}
			body, err := fs.ReadFile(content, path.Join(at, e.Name()))
			if err != nil {
				s.note(&text.Problem{File: path.Join(at, e.Name()), Message: "cannot be read: " + err.Error()})
				continue
			}
			s.documents["/"+path.Join(at, e.Name())] = newDocument(kind, revalidate, body, keptEffort)
		}
	}
	return nil
}
