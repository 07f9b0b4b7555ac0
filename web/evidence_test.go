package web

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"seedbed/content"
	"seedbed/web/text"
)

// TestEvidence: a comparison says with what and when it was made, leads to its labs and to its other language; the list and the labs
// lead to it.
func TestEvidence(t *testing.T) {
	s := theSite()
	// What the pages were compared with changes with each comparison.
	of := map[string]*evidence{}
	for _, e := range s.site.Load().books[text.EN].evidence {
		of[e.slug] = e
	}
	hashing, rate := &of["hashing"].Front, &of["limit-req"].Front
	if len(hashing.Against) != 2 || len(rate.Against) != 1 {
		t.Fatalf("compared with %q and %q; want two programs and one", hashing.Against, rate.Against)
	}
	for _, c := range []struct {
		path string
		has  []string
	}{
		{"/en/evidence/hashing", []string{
			"compared with the real " + hashing.Against[0] + " and " + hashing.Against[1] + " on " + hashing.Date, `href="/en/labs/hash-ring"`, `href="/zh/evidence/hashing"`, `<h2 id="differs">`,
			"<table>", `href="/en/evidence/"`,
		}},
		{"/zh/evidence/hashing", []string{hashing.Date + "，与真实的" + hashing.Against[0] + "和" + hashing.Against[1] + "对比", `href="/en/evidence/hashing"`, `href="/zh/labs/hash-ring"`}},
		{"/en/evidence/", []string{`href="/en/evidence/turns"`, `href="/en/evidence/limit-req"`, "Redis"}},
		{"/zh/labs/token-bucket", []string{`href="/zh/evidence/limit-req"`, rate.Date + "，与真实的" + rate.Against[0] + "对比"}},
		{"/en/labs/token-bucket?rate=20", []string{`href="/en/evidence/limit-req"`}},
		{"/en/labs/route-capacity", []string{`href="/en/evidence/turns"`, `href="/en/evidence/max-conns"`, `href="/en/evidence/haproxy"`}},
		{"/en/chapters/gateway", []string{`href="/en/evidence/max-conns"`, `href="/en/evidence/haproxy#differs"`}},
		{"/zh/labs/cache-breakdown", []string{`href="/zh/evidence/stampede"`}},
		{"/en/labs/eviction", []string{`href="/en/evidence/redis-lfu"`}},
		{"/en/chapters/cache-failure", []string{`href="/en/evidence/redis-expiry"`, `href="/en/evidence/stampede"`}},
		{"/en/decisions/", []string{`href="/en/evidence/"`}},
	} {
		body := get(s, c.path).Body.String()
		for _, want := range c.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s", c.path, want)
			}
		}
	}
	if body := get(s, "/en/labs/littles-law").Body.String(); strings.Contains(body, `id="evidence"`) {
		t.Error("a lab that nothing real was compared with has a section of evidence")
	}
}

// TestEvidenceOfOthers: notes without any say so; evidence in one language leads home from the other's switch, and may name labs that
// are not there.
func TestEvidenceOfOthers(t *testing.T) {
	theirs := notes()
	s, _, _ := newSite(t, func(c *Config) { c.Content = Overlay(theirs, content.FS) })
	if got := get(s, "/en/evidence/").Body.String(); !strings.Contains(got, "Nothing has been compared yet.") || strings.Contains(got, "Redis") {
		t.Error("a list of nothing does not say so, or speaks of our labs")
	}
	theirs["en/evidence/mine.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Mine\nlabs: [window-edge, nowhere]\nagainst: [squid 6.1]\ndate: 2026-02-03\n---\n\nIt agrees.\n")}
	theirs["en/evidence/_mine.md.tmpl"] = &fstest.MapFile{Data: []byte("a text")}
	s, _, _ = newSite(t, func(c *Config) { c.Content = Overlay(theirs, content.FS) })
	mine := get(s, "/en/evidence/mine")
	if body := mine.Body.String(); mine.Code != http.StatusOK || !strings.Contains(body, "compared with the real squid 6.1 on 2026-02-03") || !strings.Contains(body, `href="/zh/"`) {
		t.Errorf("their evidence: %d\n%s", mine.Code, body)
	}
	if got := get(s, "/en/labs/window-edge").Body.String(); !strings.Contains(got, `href="/en/evidence/mine"`) {
		t.Error("the lab does not lead to their evidence")
	}
	if got := get(s, "/zh/evidence/mine"); got.Code != http.StatusNotFound {
		t.Errorf("what one language lacks: %d, want 404", got.Code)
	}
}
