package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// languages are those of the pages; the others follow the first.
var languages = []string{"en", "zh"}

// facts is what was measured last, by page.
type facts struct {
	Pages map[string]*measured `json:"pages"`
}

// measured is what one comparison found, on a day, with programs of given versions.
type measured struct {
	Date    string            `json:"date"`
	Against []string          `json:"against"`
	Facts   map[string]string `json:"facts"`
	Raw     map[string]string `json:"raw"`
}

// factsFile is where they are kept, below the repository's root.
const factsFile = "cmd/reality/facts.json"

func readFacts(root string) (*facts, error) {
	f := &facts{Pages: map[string]*measured{}}
	src, err := os.ReadFile(filepath.Join(root, factsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(src, f)
	}
	return f, err
}

// write writes the pages that were measured, all or one, and the facts.
func (f *facts) write(root, only string) error {
	for i := range pages {
		p := &pages[i]
		m := f.Pages[p.slug]
		if m == nil || only != "" && p.slug != only {
			continue
		}
		for _, lang := range languages {
			body, err := p.render(root, lang, m)
			if err == nil {
				err = os.WriteFile(filepath.Join(root, p.file(lang, p.slug+".md")), body, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	src, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, factsFile), append(src, '\n'), 0o644)
}

func (p *page) file(lang, name string) string {
	return filepath.Join("content", lang, "evidence", name)
}

// source is the name of the page's text; the content leaves it out for its first letter.
func (p *page) source() string { return "_" + p.slug + ".md.tmpl" }

// render fills what was measured into the page's text. An error says which name in it stands for nothing.
func (p *page) render(root, lang string, m *measured) ([]byte, error) {
	src, err := os.ReadFile(filepath.Join(root, p.file(lang, p.source())))
	if err != nil {
		return nil, err
	}
	t, err := template.New(p.file(lang, p.source())).Funcs(template.FuncMap{
		"front": func() string { return p.front(lang, m) },
		"fact":  func(name string) (string, error) { return lookUp(m.Facts, "fact", name) },
		"raw": func(name string) (string, error) {
			text, err := lookUp(m.Raw, "raw output", name)
			return "```text\n" + text + "\n```", err
		},
		"same": func(name string) (string, error) {
			same, err := lookUp(m.Facts, "fact", name+".same")
			if err != nil {
				return "", err
			}
			of, err := lookUp(m.Facts, "fact", name+".of")
			return same + "\u00a0/\u00a0" + of, err // never broken between two lines of a table
		},
	}).Parse(string(src))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, nil); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func lookUp(all map[string]string, kind, name string) (string, error) {
	value, found := all[name]
	if !found {
		return "", fmt.Errorf("no %s has the name %q", kind, name)
	}
	return value, nil
}

// front is the part of the front matter that follows from the measurement.
func (p *page) front(lang string, m *measured) string {
	order := 0
	for i := range pages {
		if pages[i].slug == p.slug {
			order = i + 1
		}
	}
	lines := []string{
		"# Written by make reality from " + p.source() + ": change that, and run go run ./cmd/reality -text.",
		fmt.Sprintf("order: %d", order),
		"labs: [" + strings.Join(p.labs, ", ") + "]",
		"against: [" + strings.Join(m.Against, ", ") + "]",
		"date: " + m.Date,
		"updated: " + m.Date,
	}
	if lang != languages[0] {
		lines = append(lines, "translates: "+m.Date)
	}
	return strings.Join(lines, "\n")
}
