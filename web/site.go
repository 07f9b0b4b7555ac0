package web

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"seedbed/labs"
	"seedbed/web/page"
	"seedbed/web/runs"
	"seedbed/web/text"
	"seedbed/web/view"
)

// site is everything that is made of one state of the content and the assets. It is made as a whole, never written afterwards, and
// replaced as a whole.
type site struct {
	server  *Server
	version int64 // another one for each site: what is kept with a run of an older one is not used

	texts    *text.Texts
	words    map[text.Lang]map[string]*text.Lab // by lab
	books    map[text.Lang]*book
	problems []*text.Problem

	manifest  manifest
	scripts   map[string]string    // small scripts of ours: name → address
	documents map[string]*document // by path
}

// book is the content of one language, parsed.
type book struct {
	lang      text.Lang
	chapters  []*chapter // in their order
	decisions []*decision
	evidence  []*evidence // in their order
	guides    []*guide    // in their order
	glossary  *page.Glossary
}

// build makes a site. The error says why there can be none; faults of the content become problems.
func (s *Server) build() (*site, error) {
	now := &site{
		server: s, version: s.clock(), books: map[text.Lang]*book{}, scripts: map[string]string{}, documents: map[string]*document{},
	}
	if err := now.loadAssets(s.config.Static); err != nil {
		return nil, err
	}
	var err error
	if now.texts, err = text.Load(s.config.Content); err != nil {
		now.problems = append(now.problems, text.Problems(err)...)
	}
	now.words = map[text.Lang]map[string]*text.Lab{}
	for _, lang := range text.Langs {
		now.words[lang] = map[string]*text.Lab{}
		for _, l := range s.config.Labs {
			now.words[lang][l.ID] = completed(lang, l, now.texts.Lab(lang, l.ID))
		}
		now.books[lang] = now.read(lang)
	}
	if err := now.drawAll(); err != nil {
		return nil, err
	}
	return now, nil
}

// drawAll makes the pages of all languages at once, each by a copy of the site that has documents and problems of its own.
func (s *site) drawAll() error {
	parts := make([]site, len(text.Langs))
	errs := make([]error, len(text.Langs))
	var wg sync.WaitGroup
	for i, lang := range text.Langs {
		parts[i] = *s
		parts[i].documents, parts[i].problems = map[string]*document{}, nil
		wg.Go(func() { errs[i] = parts[i].draw(s.books[lang]) })
	}
	wg.Wait()
	for i := range parts {
		maps.Copy(s.documents, parts[i].documents)
		s.problems = append(s.problems, parts[i].problems...)
	}
	return errors.Join(errs...)
}

// draw makes every page of a language that does not depend on a Spec.
func (s *site) draw(b *book) error {
	for _, make := range []func(*book) error{s.drawChapters, s.drawDecisions, s.drawEvidence, s.drawGuides, s.drawGlossary, s.drawLabs, s.drawHome, s.addImages} {
		if err := make(b); err != nil {
			return err
		}
	}
	return nil
}

// add keeps a page as a document at its address.
func (s *site) add(f *view.Frame, content templ.Component) error {
	body, err := s.render(view.Page(f, content))
	if err != nil {
		return err
	}
	s.documents["/"+string(f.Lang)+f.Path] = s.keep(body)
	return nil
}

// keep makes a document of a page that will be served often. While developing it is made again and again, and so quickly.
func (s *site) keep(body []byte) *document {
	if s.server.config.Dev {
		return newDocument(htmlType, revalidate, body, onceEffort)
	}
	return newDocument(htmlType, revalidate, body, keptEffort)
}

// render writes a component.
func (s *site) render(c templ.Component) ([]byte, error) {
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// run is a result of the house's own: for pages, not on behalf of a reader.
func (s *site) run(spec labs.Spec) (*runs.Result, error) {
	return s.server.runs.Do(context.Background(), runs.Client{}, spec)
}

// renderer is what the text of a page needs from outside.
func (s *site) renderer(lang text.Lang) page.Renderer {
	count, sheets := 0, s.places(calcModule)
	sentences := s.texts.UI(lang).Under("")
	return page.Renderer{
		Lang: string(lang), Worker: sheets.Worker, Module: sheets.Module,
		Word: s.texts.UI(lang).Get, Sentence: func(key string) string { return sentences[key] },
		Metric: func(spec labs.Spec, metric int) (int64, error) {
			result, err := s.run(spec)
			if err != nil {
				return 0, err
			}
			return result.Trace.Metrics[metric], nil
		},
		Number: func(u labs.Unit, v int64) string { return text.Number(lang, u, v) },
		Lab: func(l *page.Lab, t page.LabText) (string, error) {
			count++
			result, err := s.run(l.Spec)
			if err != nil {
				return "", err
			}
			return s.component(lang, result, fence{id: "lab-" + strconv.Itoa(count), heading: min(l.Level, deepestTitle), lab: l, text: t})
		},
	}
}

// deepestTitle is the lowest level of title that the component has.
const deepestTitle = 4

// note keeps a fault of the content.
func (s *site) note(problems ...*text.Problem) { s.problems = append(s.problems, problems...) }

// readFile is a file of the content, nil when there is none, or none that can be read, which is a fault.
func (s *site) readFile(name string) []byte {
	b, err := fs.ReadFile(s.server.config.Content, name)
	if err == nil {
		return b
	}
	if !errors.Is(err, fs.ErrNotExist) {
		s.note(&text.Problem{File: name, Message: "cannot be read: " + err.Error()})
	}
	return nil
}
