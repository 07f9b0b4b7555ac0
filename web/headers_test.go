package web

import (
	"net/http"
	"strings"
	"testing"

	"seedbed/content"
)

func TestPagesAreKeptApart(t *testing.T) {
	for _, path := range []string{"/", "/en/", "/zh/chapters/start", "/en/labs/window-edge?use=fixed", "/en/nothing"} {
		h := get(theSite(), path).Header()
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
			"worker-src 'self' blob:", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'",
		} {
			if !strings.Contains(csp+";", want+";") {
				t.Errorf("%s: the policy %q lacks %q", path, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe-inline") || strings.Contains(csp, "'unsafe-eval'") {
			t.Errorf("%s: the policy %q allows what is inline", path, csp)
		}
		for key, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
			"Access-Control-Allow-Origin": "", "X-Frame-Options": "",
		} {
			if got := h.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", path, key, got, want)
			}
		}
		if !strings.Contains(h.Get("Permissions-Policy"), "geolocation=()") {
			t.Errorf("%s: Permissions-Policy is %q", path, h.Get("Permissions-Policy"))
		}
	}
}

// A frame without allow-same-origin, under a parent that isolates itself, loads all that it needs.
func TestEmbedsAndWhatTheyLoadAreOpen(t *testing.T) {
	for _, path := range []string{
		"/embed/en/window-edge", "/embed/zh/window-edge?use=fixed", "/embed.js", "/static/gen/site-1.css", "/static/gen/worker-1.js",
		"/static/gen/core-1.wasm", "/static/gen/lab-1.js", "/labs/window-edge.svg", "/labs/window-edge.json", "/api/labs",
		"/embed/en/nothing", "/embed/en/window-edge?limit=0",
	} {
		h := get(theSite(), path).Header()
		if csp := h.Get("Content-Security-Policy"); csp == "" || strings.Contains(csp, "frame-ancestors") || h.Get("X-Frame-Options") != "" {
			t.Errorf("%s: policy %q, X-Frame-Options %q; want a policy that says nothing of frames", path, csp, h.Get("X-Frame-Options"))
		}
		for key, want := range map[string]string{
			"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin", "Cross-Origin-Embedder-Policy": "require-corp",
			"X-Content-Type-Options": "nosniff",
		} {
			if got := h.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", path, key, got, want)
			}
		}
	}
	if got := ask(theSite(), http.MethodOptions, "/api/runs", "", "Origin", "null", "Access-Control-Request-Method", "POST"); got.Code != http.StatusNoContent || !strings.Contains(got.Header().Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v, want 204 that allows POST", got.Code, got.Header())
	}
}

// TestPoliciesAreThoseOfWhatIsAnswered: a picture has a picture's policy wherever it stands, and an error page that comes in its place a
// page's, so that it has its style.
func TestPoliciesAreThoseOfWhatIsAnswered(t *testing.T) {
	s, _, _ := newSite(t, func(c *Config) { c.Content = Overlay(notes(), content.FS) })
	for path, want := range map[string]string{
		"/labs/window-edge.svg": picturePolicy, "/en/chapters/box.svg": picturePolicy, "/favicon.svg": picturePolicy,
		"/labs/nothing.svg": basePolicy, "/labs/window-edge.svg?limit=0": basePolicy, "/static/nothing.svg": basePolicy,
		"/en/chapters/nothing.svg": pagePolicy, "/nothing.svg": pagePolicy, "/en/chapters/mine": pagePolicy,
	} {
		got := get(s, path)
		page := strings.HasPrefix(got.Header().Get("Content-Type"), "text/html")
		if csp := got.Header().Get("Content-Security-Policy"); csp != want || page == (want == picturePolicy) {
			t.Errorf("%s: %d %s with the policy %q, want %q", path, got.Code, got.Header().Get("Content-Type"), csp, want)
		}
	}
}

func TestEmbedsSetNoCookie(t *testing.T) {
	for _, path := range []string{"/embed/en/window-edge", "/embed/en/window-edge?use=fixed", "/en/chapters/start", "/labs/window-edge.svg", "/"} {
		if got := get(theSite(), path, "Sec-Fetch-Site", "same-origin").Header().Get("Set-Cookie"); got != "" {
			t.Errorf("%s sets the cookie %s; pages are the same for all", path, got)
		}
	}
}
