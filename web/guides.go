package web

import (
	"seedbed/web/view"
)

// drawGuides makes the pages about the program itself.
func (s *site) drawGuides(b *book) error {
	there := map[string]bool{}
	for _, g := range s.other(b).guides {
		there[g.slug] = true
	}
	links := make([]view.GuideLink, len(b.guides))
	for i, g := range b.guides {
		links[i] = view.GuideLink{Slug: g.slug, Title: g.Front.Title, Summary: g.Front.Summary}
	}
	for i, g := range b.guides {
		body, problems := g.HTML(s.renderer(b.lang))
		s.note(problems...)
		f := s.frame(b.lang, g.Front.Title, "/guides/"+g.slug)
		f.Description, f.Elsewhere, f.HasLab = g.Front.Summary, there[g.slug], len(g.Labs)+len(g.Calcs) > 0
		f.Report.Source = "content/" + g.File
		p := &view.GuidePage{GuideLink: links[i], Body: body, Outline: outlineOf(g.Page), Guides: links}
		if err := s.add(f, view.Guide(f, p)); err != nil {
			return err
		}
	}
	return nil
}
