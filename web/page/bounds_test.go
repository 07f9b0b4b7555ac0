package page

import (
	"strings"
	"testing"
)

// TestBounds: what is too much is one fault with its line and leaves the rest of the site alone; what is just within is parsed.
func TestBounds(t *testing.T) {
	const front = "---\ntitle: T\n---\n\nText.\n\n"
	for name, row := range map[string]struct{ text, want string }{
		"a deep list":     {strings.Repeat(" ", mostNested+1) + "- x", "en/chapters/01-x.md:7: is nested by more than 200 characters; write it less deeply"},
		"bullets":         {strings.Repeat("- ", mostNested) + "x", "en/chapters/01-x.md:7: is nested by more than 200 characters; write it less deeply"},
		"empty bullets":   {strings.Repeat("- ", mostNested), "en/chapters/01-x.md:7: is nested by more than 200 characters; write it less deeply"},
		"quotes":          {"x\n" + strings.Repeat(">", mostNested+1) + "x", "en/chapters/01-x.md:8: is nested by more than 200 characters; write it less deeply"},
		"links":           {strings.Repeat("[a](\n", mostLinks+1), "en/chapters/01-x.md:2007: is in a paragraph with more than 2000 links; put an empty line between some"},
		"many links":      {strings.Repeat("[a](https://example.org)\n", mostLinks) + "\n[a](https://example.org)", ""},
		"a long rule":     {strings.Repeat("-", 3*mostNested), ""},
		"an empty line":   {strings.Repeat(" ", 3*mostNested), ""},
		"quotes, not too": {strings.Repeat(">", mostNested/2) + " x", ""},
	} {
		p, problems := Parse([]byte(front+row.text+"\n"), Options{File: "en/chapters/01-x.md"})
		html, _ := p.HTML(toyRenderer("en"))
		switch {
		case row.want == "" && (len(problems) > 0 || !strings.Contains(html, "Text.")):
			t.Errorf("%s: %v, want no fault", name, problems)
		case row.want != "" && (len(problems) != 1 || problems[0].Error() != row.want || p.Front.Title != "T"):
			t.Errorf("%s: %v, want %s", name, problems, row.want)
		}
	}
}
