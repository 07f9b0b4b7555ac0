package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type described struct {
	Version, Type, Title, HTML string
	Provider                   string `json:"provider_name"`
	Width, Height              int
}

func describe(t *testing.T, s http.Handler, query url.Values) (described, int) {
	t.Helper()
	got := get(s, "/oembed?"+query.Encode())
	var d described
	if got.Code == http.StatusOK {
		if err := json.Unmarshal(got.Body.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
	}
	return d, got.Code
}

func TestOEmbed(t *testing.T) {
	s, _, _ := newSite(t, func(c *Config) { c.Content = bareContent(); c.Base = "https://notes.example.org/" })
	page := "https://notes.example.org/zh/labs/window-edge?use=fixed&seed=7"
	d, code := describe(t, s, url.Values{"url": {page}, "format": {"json"}})
	if code != http.StatusOK || d.Version != "1.0" || d.Type != "rich" || d.Provider != "Seedbed" || d.Title == "" {
		t.Fatalf("%d %+v, want version 1.0, rich, with provider and title", code, d)
	}
	want := `<iframe src="https://notes.example.org/embed/zh/window-edge?v=1&amp;use=fixed&amp;seed=7" title="` + d.Title + `" width="720" height="620" loading="lazy"></iframe>`
	if d.HTML != want {
		t.Errorf("html %s\nwant %s", d.HTML, want)
	}
	if d, _ := describe(t, s, url.Values{"url": {page}, "maxwidth": {"400"}, "maxheight": {"300"}}); d.Width != 400 || d.Height != 300 || !strings.Contains(d.HTML, `width="400" height="300"`) {
		t.Errorf("at most 400 × 300: %+v", d)
	}
	if d, _ := describe(t, s, url.Values{"url": {page}, "maxwidth": {"5000"}}); d.Width != embedWidth {
		t.Errorf("at most 5000 wide: %d, want %d", d.Width, embedWidth)
	}
	for _, c := range []struct {
		query url.Values
		code  int
	}{
		{url.Values{"url": {page}, "format": {"xml"}}, http.StatusNotImplemented},
		{url.Values{"url": {"https://elsewhere.example/zh/labs/window-edge"}}, http.StatusNotFound},
		{url.Values{"url": {"https://notes.example.org.evil.example/zh/labs/window-edge"}}, http.StatusNotFound},
		{url.Values{"url": {"https://notes.example.org/zh/chapters/start"}}, http.StatusNotFound},
		{url.Values{"url": {"https://notes.example.org/zh/labs/nothing"}}, http.StatusNotFound},
		{url.Values{"url": {"https://notes.example.org/zh/labs/window-edge?limit=0"}}, http.StatusBadRequest},
		{url.Values{}, http.StatusBadRequest},
	} {
		if _, code := describe(t, s, c.query); code != c.code {
			t.Errorf("%v: %d, want %d", c.query, code, c.code)
		}
	}
	// A host finds the description by the page itself.
	body := get(s, "/zh/labs/window-edge").Body.String()
	if !strings.Contains(body, `type="application/json+oembed" href="https://notes.example.org/oembed?format=json&amp;url=https%3A%2F%2Fnotes.example.org%2Fzh%2Flabs%2Fwindow-edge`) {
		t.Error("the lab's page does not name its description")
	}
}

// Without a configured address the one that the client used is taken, unless it is no host's name.
func TestAddressOfTheSite(t *testing.T) {
	s := theSite()
	if d, code := describe(t, s, url.Values{"url": {"http://example.com/en/labs/window-edge"}}); code != http.StatusOK || !strings.Contains(d.HTML, `src="http://example.com/embed/en/window-edge?v=1"`) {
		t.Errorf("%d %s", code, d.HTML)
	}
	embed := get(s, "/embed/en/window-edge?use=log").Body.String()
	if !strings.Contains(embed, "http://example.com/en/labs/window-edge?v=1") {
		t.Error("the frame does not lead to the lab's own page, with the site's address")
	}
}

func TestCanonicalAddresses(t *testing.T) {
	s, _, _ := newSite(t, func(c *Config) { c.Content = bareContent(); c.Base = "https://notes.example.org" })
	body := get(s, "/en/labs/window-edge").Body.String()
	for _, want := range []string{
		`<link rel="canonical" href="https://notes.example.org/en/labs/window-edge">`,
		`hreflang="zh-Hans" href="https://notes.example.org/zh/labs/window-edge"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if got := get(s, "/en/labs/window-edge?seed=3").Body.String(); !strings.Contains(got, `content="noindex"`) {
		t.Error("a page of one of endlessly many Specs is offered to search engines")
	}
	if got := get(s, "/en/labs/window-edge?seed=3").Body.String(); !strings.Contains(got, `href="/zh/labs/window-edge?v=1&amp;seed=3"`) {
		t.Error("the language switch loses the Spec")
	}
}
