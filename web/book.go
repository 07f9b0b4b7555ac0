package web

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seedbed/labs"
	"seedbed/web/page"
	"seedbed/web/text"
	"seedbed/web/view"
)

// chapter is a file of chapters/, parsed.
type chapter struct {
	*page.Page
	slug, number string
	problems     []*text.Problem
}

// decision is a file of decisions/, parsed.
type decision struct {
	*page.Page
	id string
}

// evidence is a file of evidence/, parsed: a comparison with real programs.
type evidence struct {
	*page.Page
	slug string
}

// guide is a file of guides/, parsed: how the program itself is used.
type guide struct {
	*page.Page
	slug string
}

// read parses everything of a language.
func (s *site) read(lang text.Lang) *book {
	b := &book{lang: lang}
	o := page.Options{Find: s.find}
	o.File = string(lang) + "/glossary/terms.yaml"
	var problems []*text.Problem
	b.glossary, problems = page.ParseGlossary(s.readFile(o.File), o)
	s.note(problems...)
	o.Glossary = b.glossary
	for _, file := range s.files(string(lang) + "/chapters") {
		o.File = file
		p, problems := page.Parse(s.readFile(file), o)
		s.note(problems...)
		b.chapters = append(b.chapters, &chapter{Page: p, slug: page.Slug(file), number: numberOf(file), problems: problems})
	}
	slices.SortStableFunc(b.chapters, func(a, b *chapter) int { return cmp.Compare(a.Front.Order, b.Front.Order) })
	for _, file := range s.files(string(lang) + "/decisions") {
		o.File = file
		p, problems := page.Parse(s.readFile(file), o)
		s.note(problems...)
		b.decisions = append(b.decisions, &decision{Page: p, id: page.Slug(file)})
	}
	slices.SortStableFunc(b.decisions, func(a, b *decision) int { return cmp.Compare(serial(a.id), serial(b.id)) })
	for _, file := range s.files(string(lang) + "/evidence") {
		o.File = file
		p, problems := page.Parse(s.readFile(file), o)
		s.note(problems...)
		b.evidence = append(b.evidence, &evidence{Page: p, slug: page.Slug(file)})
	}
	slices.SortStableFunc(b.evidence, func(a, b *evidence) int { return cmp.Compare(a.Front.Order, b.Front.Order) })
	for _, file := range s.files(string(lang) + "/guides") {
		o.File = file
		p, problems := page.Parse(s.readFile(file), o)
		s.note(problems...)
		b.guides = append(b.guides, &guide{Page: p, slug: page.Slug(file)})
	}
	slices.SortStableFunc(b.guides, func(a, b *guide) int { return cmp.Compare(a.Front.Order, b.Front.Order) })
	return b
}

func (s *site) find(id string) *labs.Lab { return s.server.find(id) }

// files lists the Markdown files of a folder by name.
func (s *site) files(folder string) []string {
	entries, err := fs.ReadDir(s.server.config.Content, folder)
	if err != nil {
		return nil // a language need not have every kind of page
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".md" && page.IsSource(e.Name()) {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names
}

var leadingNumber = regexp.MustCompile(`^[0-9]+`)

// numberOf is a chapter's number as its file has it: "04" of 04-windows.md.
func numberOf(file string) string { return leadingNumber.FindString(path.Base(file)) }

// serial is the n of DL-n; decisions without one come first.
func serial(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "DL-"))
	return n
}

// chapter is the chapter of that slug, nil when there is none.
func (b *book) chapter(slug string) *chapter {
	for _, c := range b.chapters {
		if c.slug == slug {
			return c
		}
	}
	return nil
}

// link is the chapter as lists show it.
func (c *chapter) link() view.ChapterLink {
	title := c.Front.Title
	if title == "" {
		title = c.slug
	}
	return view.ChapterLink{Slug: c.slug, Number: c.number, Title: title, Summary: c.Front.Summary}
}

func (b *book) links() []view.ChapterLink {
	links := make([]view.ChapterLink, len(b.chapters))
	for i, c := range b.chapters {
		links[i] = c.link()
	}
	return links
}

// other is the other language's book.
func (s *site) other(b *book) *book {
	if b.lang == text.EN {
		return s.books[text.ZH]
	}
	return s.books[text.EN]
}
