package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// TestPagesAreWhatWasMeasured: every page is what its text and the last measurement give, so that no number in it was typed.
func TestPagesAreWhatWasMeasured(t *testing.T) {
	known, err := readFacts(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		p := &pages[i]
		m := known.Pages[p.slug]
		if m == nil {
			t.Errorf("%s was never measured; run go run ./cmd/reality -write", p.slug)
			continue
		}
		if len(m.Against) != len(p.programs) {
			t.Errorf("%s was measured against %v; want %v with versions", p.slug, m.Against, p.programs)
		}
		for _, lang := range languages {
			want, err := p.render(root, lang, m)
			if err != nil {
				t.Error(err)
				continue
			}
			got, err := os.ReadFile(filepath.Join(root, p.file(lang, p.slug+".md")))
			if err != nil {
				t.Error(err)
				continue
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s: run go run ./cmd/reality -text\nwant − got +\n%s", p.file(lang, p.slug+".md"), diff)
			}
		}
	}
	if len(known.Pages) != len(pages) {
		t.Errorf("%s has %d pages, and there are %d", factsFile, len(known.Pages), len(pages))
	}
}

var filledIn = regexp.MustCompile(`\{\{(fact|same|raw) "[^"]*"\}\}`)

// TestTextsSayTheSame: both languages fill in the same.
func TestTextsSayTheSame(t *testing.T) {
	for i := range pages {
		used := map[string][]string{}
		for _, lang := range languages {
			src, err := os.ReadFile(filepath.Join(root, pages[i].file(lang, pages[i].source())))
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]bool{}
			for _, use := range filledIn.FindAllString(string(src), -1) {
				names[use] = true
			}
			used[lang] = slices.Sorted(maps.Keys(names))
		}
		if diff := cmp.Diff(used["en"], used["zh"]); diff != "" {
			t.Errorf("%s: en − zh +\n%s", pages[i].slug, diff)
		}
	}
}

// fixture is a repository with one page's texts.
func fixture(t *testing.T, text string) (string, *facts) {
	t.Helper()
	dir := t.TempDir()
	for _, lang := range languages {
		folder := filepath.Join(dir, "content", lang, "evidence")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "_turns.md.tmpl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "cmd/reality"), 0o755); err != nil {
		t.Fatal(err)
	}
	known := &facts{Pages: map[string]*measured{"turns": {
		Date: "2026-01-02", Against: []string{"nginx 1.2.3"}, Facts: map[string]string{"n.same": "3", "n.of": "4"}, Raw: map[string]string{"r": "a b\nc"},
	}}}
	return dir, known
}

func TestWrite(t *testing.T) {
	dir, known := fixture(t, "---\n{{front}}\n---\n{{same \"n\"}} {{fact \"n.of\"}}\n{{raw \"r\"}}\n")
	if err := known.write(dir, ""); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "content/zh/evidence/turns.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "---\n# Written by make reality from _turns.md.tmpl: change that, and run go run ./cmd/reality -text.\norder: 1\nlabs: [route-capacity]\n" +
		"against: [nginx 1.2.3]\ndate: 2026-01-02\nupdated: 2026-01-02\ntranslates: 2026-01-02\n---\n3\u00a0/\u00a04 4\n```text\na b\nc\n```\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("want − got +\n%s", diff)
	}
	again, err := readFacts(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(known, again); diff != "" {
		t.Errorf("facts: want − got +\n%s", diff)
	}
}

// TestWriteNamesWhatIsMissing: a text that asks for what was not measured is no page.
func TestWriteNamesWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{{fact "m"}}`, `no fact has the name "m"`},
		{`{{same "m"}}`, `no fact has the name "m.same"`},
		{`{{raw "m"}}`, `no raw output has the name "m"`},
		{`{{fact`, "_turns.md.tmpl:1: "},
	} {
		dir, known := fixture(t, c.text)
		if err := known.write(dir, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error that says %q", c.text, err, c.want)
		}
	}
}

// TestMeasure: what a comparison finds is kept with date and versions; one broken claim is enough to say no.
func TestMeasure(t *testing.T) {
	ask := func(holds bool, err error) func(context.Context, *paper) error {
		return func(_ context.Context, p *paper) error {
			p.fact("n", 7)
			p.raw("r", "%s\n\n", "x")
			p.claim(true, "one")
			p.claim(holds, "two is %d", 2)
			return err
		}
	}
	measureOne := func(ask func(context.Context, *paper) error) (bool, *facts, string, error) {
		known, out := &facts{Pages: map[string]*measured{}}, &bytes.Buffer{}
		list := []page{{"p", nil, []string{"haproxy"}, ask}, {"q", nil, nil, func(context.Context, *paper) error { return errors.New("q is asked") }}}
		hold, err := measure(t.Context(), list, map[string]string{"haproxy": "2.6.12"}, known, "p", out)
		return hold, known, out.String(), err
	}
	hold, known, out, err := measureOne(ask(true, nil))
	if err != nil || !hold || !strings.Contains(out, "ok   two is 2") {
		t.Errorf("all holds: got %v, %v\n%s", hold, err, out)
	}
	if m := known.Pages["p"]; m == nil || m.Facts["n"] != "7" || m.Raw["r"] != "x" || !slices.Equal(m.Against, []string{"HAProxy 2.6.12"}) || len(m.Date) != len("2026-01-02") {
		src, _ := json.Marshal(known) // of strings: it cannot fail
		t.Errorf("kept: %s", src)
	}
	if hold, _, out, err := measureOne(ask(false, nil)); err != nil || hold || !strings.Contains(out, "NOT  two is 2") {
		t.Errorf("a broken claim: got %v, %v\n%s", hold, err, out)
	}
	if _, _, _, err := measureOne(ask(true, errors.New("no answer"))); err == nil || err.Error() != "p: no answer" {
		t.Errorf("a comparison that fails: got %v", err)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "moon"}, `there is no page "moon"`},
		{[]string{"turns"}, `unexpected argument "turns"`},
		{[]string{"-moon"}, "flag provided but not defined"},
	} {
		var out, err bytes.Buffer
		if code := run(t.Context(), c.args, &out, &err); code != 1 || !strings.Contains(err.String(), c.want) {
			t.Errorf("%v: exit %d and %q, want 1 and %q", c.args, code, err.String(), c.want)
		}
	}
}

func TestVersionIn(t *testing.T) {
	for i, c := range []struct{ said, want string }{
		{"nginx version: nginx/1.22.1\n", "1.22.1"},
		{"HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/\n", "2.6.12"},
		{"Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=ae4d7c971a948f0\n", "7.0.15"},
		{"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15.18"},
	} {
		if got := versionIn(c.said, programs[i].pattern); got != c.want {
			t.Errorf("%q: got %q, want %q", c.said, got, c.want)
		}
		if got := versionIn("command not found", programs[i].pattern); got != "" {
			t.Errorf("no version: got %q", got)
		}
	}
}
