// Package check judges all content at once, as `seedbed check` reports it and as the site does when it starts: every fault that can be
// found without a reader, each as file:line: message.
//
// What one file can say of itself is found by packages text and page while they read it. This package adds what takes several files,
// the labs, or a run:
//
//   - links lead to a page, a lab, a term, a decision, evidence and an anchor that exist; a link to a lab has settings that the lab accepts;
//   - every number in prose can be computed, a prediction's truth is among its choices, a goal is not reached before anybody tries;
//   - front matter is complete for its kind of page, its order is that of the file's name, the labs and terms it lists are those of
//     the text, what it builds on exists;
//   - what one language has, the other has: pages, headings, labs, questions, terms; a page does not follow an older text;
//   - each lab's codes have their sentences in every language;
//   - Chinese is written with Chinese punctuation.
//
// A folder with one language is judged as one language, and a folder without ui.yaml and labs/ as notes that use the texts of the
// program. Of texts that are served in the place of ours, what is theirs alone is judged, with ours beside it. Nothing is written, and nothing is read but the given files. What `seedbed check DIR` reports and what `seedbed serve
// --content DIR` warns of is the same list, that of [Notes].
package check

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"seedbed/labs"
	"seedbed/web/page"
	"seedbed/web/text"
)

// Content returns the faults of all content below fsys, by file and line, with the labs that it may name.
func Content(fsys fs.FS, all []*labs.Lab) []*text.Problem { return Notes(fsys, nil, all) }

// Notes is Content for notes that are served on top of ours, as served holds both: a language without a glossary has our terms, and a
// text of a lab of theirs stands beside ours. What is wrong in a file of ours is not theirs, and not told.
func Notes(fsys, served fs.FS, all []*labs.Lab) []*text.Problem {
	s := &site{fsys: fsys, served: served, labs: all, runs: map[string]*labs.Trace{}}
	s.texts()
	for _, lang := range text.Langs {
		if found, err := fs.Stat(fsys, string(lang)); err == nil && found.IsDir() {
			s.books = append(s.books, s.read(lang))
			s.stray(string(lang))
		}
	}
	if len(s.books) == 0 {
		s.add(".", 0, "no content is here; it wants a folder en or zh with chapters/*.md")
	} else if !HasChapters(fsys) {
		s.add(string(s.books[0].lang), 0, "no chapter is here; chapters are "+string(s.books[0].lang)+"/chapters/NN-slug.md")
	}
	for _, b := range s.books {
		s.book(b)
	}
	s.pairs()
	slices.SortStableFunc(s.problems, func(a, b *text.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(s.problems, func(a, b *text.Problem) bool { return *a == *b })
}

// folders are those of a language whose Markdown files are pages.
var folders = []string{"chapters", "decisions", "evidence", "guides"}

// HasChapters is true when there is a chapter in some language.
func HasChapters(fsys fs.FS) bool {
	for _, lang := range text.Langs {
		files, _ := fs.Glob(fsys, path.Join(string(lang), "chapters", "*.md")) // the pattern is good
		if slices.ContainsFunc(files, page.IsSource) {
			return true
		}
	}
	return false
}

// site is all content while it is judged.
type site struct {
	fsys     fs.FS
	served   fs.FS // theirs on top of ours; nil for content that stands alone
	labs     []*labs.Lab
	books    []*book
	runs     map[string]*labs.Trace
	spent    time.Duration // on runs
	problems []*text.Problem
}

// book is the content of one language.
type book struct {
	lang      text.Lang
	glossary  *page.Glossary // nil without one
	lent      bool           // the glossary is ours, and not judged here
	chapters  map[string]*page.Page
	decisions map[string]*page.Page
	evidence  map[string]*page.Page
	guides    map[string]*page.Page
	pages     []*page.Page // by the order of folders, then by file name
}

func (s *site) add(file string, line int, message string) {
	s.problems = append(s.problems, &text.Problem{File: file, Line: line, Message: message})
}

func (s *site) find(id string) *labs.Lab {
	for _, l := range s.labs {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// texts judges the words of pages and the texts of labs, where the folder has any.
func (s *site) texts() {
	own := false
	for _, lang := range text.Langs {
		for _, name := range []string{"ui.yaml", "labs"} {
			_, err := fs.Stat(s.fsys, path.Join(string(lang), name))
			own = own || err == nil
		}
	}
	if !own {
		return
	}
	from := s.fsys
	if s.served != nil {
		from = s.served
	}
	texts, err := text.Load(from)
	found := text.Problems(err)
	for _, lab := range s.labs {
		found = append(found, text.Problems(texts.Prove(lab))...)
	}
	for _, p := range found {
		if s.judges(p.File) {
			s.problems = append(s.problems, p)
		}
	}
	for _, lang := range text.Langs {
		files, _ := fs.Glob(s.fsys, path.Join(string(lang), "labs", "*.yaml")) // the pattern is good
		for _, file := range files {
			if id := strings.TrimSuffix(path.Base(file), ".yaml"); s.find(id) == nil {
				s.add(file, 0, "there is no lab "+id+"; its texts belong to nothing")
			}
			if lang == text.ZH {
				s.chineseYAML(file)
			}
		}
		if lang == text.ZH {
			s.chineseYAML(path.Join(string(lang), "ui.yaml"))
		}
	}
}

// judges is true for a file of texts whose faults are told: one that is theirs, and where nothing stands in for what they lack, any of
// a language that is there.
func (s *site) judges(file string) bool {
	if s.served == nil {
		file, _, _ = strings.Cut(file, "/")
	}
	_, err := fs.Stat(s.fsys, file)
	return err == nil
}

// read parses the files of one language.
func (s *site) read(lang text.Lang) *book {
	b := &book{
		lang: lang, chapters: map[string]*page.Page{}, decisions: map[string]*page.Page{}, evidence: map[string]*page.Page{}, guides: map[string]*page.Page{},
	}
	terms := path.Join(string(lang), "glossary", "terms.yaml")
	if src, err := fs.ReadFile(s.fsys, terms); err == nil {
		var problems []*text.Problem
		b.glossary, problems = page.ParseGlossary(src, page.Options{File: terms, Find: s.find})
		s.problems = append(s.problems, problems...)
		if lang == text.ZH {
			s.chineseYAML(terms)
		}
	} else if s.served != nil {
		if src, err = fs.ReadFile(s.served, terms); err == nil {
			b.glossary, _ = page.ParseGlossary(src, page.Options{File: terms, Find: s.find})
			b.lent = true
		}
	}
	for i, into := range []map[string]*page.Page{b.chapters, b.decisions, b.evidence, b.guides} {
		s.readFolder(b, folders[i], into)
	}
	return b
}

// stray reports Markdown of a language that no page is made of, for which an author would wait in vain, and what cannot be read.
func (s *site) stray(lang string) {
	fs.WalkDir(s.fsys, lang, func(file string, d fs.DirEntry, err error) error { // what cannot be read is found by whoever reads it
		if err != nil || d.IsDir() || !page.IsSource(file) {
			return nil
		}
		if _, err := fs.Stat(s.fsys, file); err != nil { // a link out of the folder, a pipe, a file of no end
			s.add(file, 0, "cannot be read: "+reason(err))
			return nil
		}
		if path.Ext(file) != ".md" {
			return nil
		}
		folder := path.Dir(rest(file))
		if !slices.Contains(folders, folder) {
			s.add(file, 0, "no page is made of it; a chapter is "+lang+"/chapters/NN-slug.md")
		}
		return nil
	})
}

func (s *site) readFolder(b *book, folder string, into map[string]*page.Page) {
	files, _ := fs.Glob(s.fsys, path.Join(string(b.lang), folder, "*.md")) // the pattern is good
	for _, file := range files {
		if !page.IsSource(file) {
			continue
		}
		src, err := fs.ReadFile(s.fsys, file)
		if err != nil {
			s.add(file, 0, "cannot be read: "+reason(err))
			continue
		}
		p, problems := page.Parse(src, page.Options{File: file, Find: s.find, Glossary: b.glossary})
		s.problems = append(s.problems, problems...)
		slug := page.Slug(file)
		if other, taken := into[slug]; taken {
			s.add(file, 0, "has the address of "+other.File+"; rename one of them")
			continue
		}
		into[slug] = p
		b.pages = append(b.pages, p)
		if b.lang == text.ZH {
			s.chineseMarkdown(file, src)
		}
	}
}

// reason is an error without the path that the problem names.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// book judges the pages of one language.
func (s *site) book(b *book) {
	for _, p := range b.pages {
		switch path.Base(path.Dir(p.File)) {
		case "decisions":
			s.decision(b, p)
		case "evidence":
			s.evidence(p)
		case "guides":
			s.guide(p)
		default:
			s.chapter(b, p)
		}
		s.links(b, p)
		s.render(b, p)
	}
	if b.glossary != nil && !b.lent {
		s.links(b, b.glossary.Page)
		for _, t := range b.glossary.Terms {
			_, problems := b.glossary.HTML(t, s.renderer(b))
			s.problems = append(s.problems, problems...)
		}
	}
}
