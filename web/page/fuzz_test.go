package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a file says, it becomes a page: no panic, no element and no attribute of the author's own.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.md")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Add("---\ntitle: T\n---\n<script>x</script> [a](javascript:x) ![b](x.svg\"onload=x) {=<script>#x}\n")
	f.Add("> [!NOTE]\n\n```lab <script>\n```\n```quiz\n- {question: <script>}\n```\n")
	g, _ := ParseGlossary([]byte(glossaryText), Options{File: "en/glossary/terms.yaml"})
	f.Fuzz(func(t *testing.T, src string) {
		p, _ := Parse([]byte(src), Options{File: "en/chapters/00-x.md", Find: find, Glossary: g})
		got, _ := p.HTML(toyRenderer("en"))
		for _, bad := range []string{"<script", "<iframe", "<style", "javascript:", " onload="} {
			// What is shown as text is escaped, so that these can only be markup.
			if strings.Contains(strings.ToLower(stripText(got)), bad) {
				t.Errorf("%q gives %q, which has %s", src, got, bad)
			}
		}
	})
}

// stripText leaves the tags of HTML, without the values of attributes, which may hold anything but quotes.
func stripText(html string) string {
	var b strings.Builder
	for {
		_, rest, found := strings.Cut(html, "<")
		if !found {
			return b.String()
		}
		tag, after, _ := strings.Cut(rest, ">")
		name, _, _ := strings.Cut(tag, " ")
		b.WriteString("<" + name)
		parts := strings.Split(tag, `"`)
		for i := 0; i < len(parts); i += 2 {
			b.WriteString(parts[i])
		}
		for _, part := range parts {
			if strings.HasPrefix(part, "javascript:") {
				b.WriteString(part)
			}
		}
		html = after
	}
}
