package page

import (
	"bytes"
	"strconv"
	"time"
)

// Front is a file's front matter. All of it is optional here; `seedbed check` knows what each kind of page must have.
type Front struct {
	Title      string   `yaml:"title"`
	Summary    string   `yaml:"summary"`
	Order      int      `yaml:"order"`
	Labs       []string `yaml:"labs"`       // ids of the labs in the text; of evidence, of the labs that it judges
	Terms      []string `yaml:"terms"`      // ids of the terms that the page introduces
	Uses       []string `yaml:"uses"`       // slugs of chapters that should be read before
	Updated    string   `yaml:"updated"`    // YYYY-MM-DD
	Translates string   `yaml:"translates"` // commit or date of the other language's text that this one follows

	// Decisions and evidence.
	Date string `yaml:"date"` // YYYY-MM-DD

	// Evidence only.
	Against []string `yaml:"against"` // the real programs, each with its version: nginx 1.22.1

	// Decisions only.
	ID         string   `yaml:"id"` // DL-n
	Status     string   `yaml:"status"`
	Supersedes []string `yaml:"supersedes"`
	Drivers    []string `yaml:"drivers"` // what the decision is judged by
	Metric     string   `yaml:"metric"`  // the measurement that would close or reopen it

	Lines map[string]int `yaml:"-"` // key → its line in the file
}

var frontFence = []byte("---\n")

// cutFront splits a file into front matter and body; line is the body's first in the file.
func cutFront(src []byte) (front, body []byte, line int) {
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	rest, found := bytes.CutPrefix(src, frontFence)
	if !found {
		return nil, src, 1
	}
	end := bytes.Index(append([]byte("\n"), rest...), []byte("\n---\n"))
	if end < 0 {
		if front, last := bytes.CutSuffix(rest, []byte("\n---")); last {
			return front, nil, bytes.Count(src, []byte("\n")) + 1
		}
		return nil, src, 1
	}
	front, body = rest[:end], rest[end+len("---\n"):]
	return front, body, 3 + bytes.Count(front, []byte("\n"))
}

// front reads the front matter, which begins in line 2.
func (c *collector) front(source []byte) {
	f := &c.page.Front
	f.Lines = map[string]int{}
	if source == nil {
		c.problem(1, "no front matter; the file begins with a line ---, then title: and the rest, then a line ---")
		return
	}
	c.decode(source, 2, f)
	for i, l := range bytes.Split(source, []byte("\n")) {
		if key, _, ok := bytes.Cut(l, []byte(":")); ok && len(key) > 0 && key[0] >= 'a' && key[0] <= 'z' {
			f.Lines[string(key)] = i + 2
		}
	}
	if f.Title == "" {
		c.problem(1, "title is missing in the front matter")
	}
	for key, value := range map[string]string{"updated": f.Updated, "date": f.Date} { // order cannot matter: problems are sorted
		if _, err := time.Parse(time.DateOnly, value); value != "" && err != nil {
			c.problem(f.Lines[key], key+": "+strconv.Quote(value)+" is not a date; write it as 2026-01-31")
		}
	}
	if f.ID != "" && !decisionForm.MatchString(f.ID) {
		c.problem(f.Lines["id"], "id: "+strconv.Quote(f.ID)+" is not a decision's; write it as DL-1")
	}
}
