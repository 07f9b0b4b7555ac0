package page

import (
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	const file = "zh/chapters/04-windows.md"
	for _, c := range []struct{ dest, want string }{
		{"03-rate-limits.md", "/zh/chapters/rate-limits"},
		{"03-rate-limits.md#cost", "/zh/chapters/rate-limits#cost"},
		{"../decisions/DL-1-one-binary.md", "/zh/decisions/DL-1"},
		{"../glossary/terms.yaml#token-bucket", "/zh/glossary/#token-bucket"},
		{"../labs/window-edge.yaml", "/zh/labs/window-edge"},
		{"/labs/window-edge?use=log&seed=7", "/zh/labs/window-edge?use=log&seed=7"},
		{"/labs/", "/zh/labs/"},
		{"/", "/zh/"},
		{"/decisions/DL-1", "/zh/decisions/DL-1"},
		{"/evidence/", "/zh/evidence/"},
		{"/evidence/max-conns", "/zh/evidence/max-conns"},
		{"../evidence/max-conns.md#raw", "/zh/evidence/max-conns#raw"},
		{"#cost", "#cost"},
		{"https://example.org/a?b#c", "https://example.org/a?b#c"},
		{"mailto:a@example.org", "mailto:a@example.org"},
	} {
		target, err := Resolve(file, c.dest)
		if err != nil {
			t.Errorf("%s: %v", c.dest, err)
			continue
		}
		if got := target.Path("zh"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.dest, got, c.want)
		}
	}
	for _, c := range []struct{ dest, want string }{
		{"javascript:alert(1)", "links lead to https"},
		{"data:text/html,x", "links lead to https"},
		{"//example.org/x", "no scheme"},
		{"/en/labs/", "names a language"},
		{"/nowhere/x", "no page of the site"},
		{"/labs/a/b", "too deep"},
		{"/evidence/a/b", "too deep"},
		{"/evidence/a?x=1", "only a lab's page"},
		{"../../go.mod", "not a file that has a page"},
		{"04-windows.txt", "not a file that has a page"},
		{"/chapters/windows?x=1", "only a lab's page"},
		{"http://[::1", "not an address"},
	} {
		if _, err := Resolve(file, c.dest); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error that says %q", c.dest, err, c.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for file, want := range map[string]string{
		"04-windows.md": "windows", "zh/chapters/00-start.md": "start", "DL-12-one-binary.md": "DL-12", "DL-3.md": "DL-3", "notes.md": "notes",
	} {
		if got := Slug(file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}
