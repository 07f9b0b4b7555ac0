package e2e

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe/axe.min.js
var axe string

// No page type has a fault that axe-core finds, in either language, in light and in dark, before a lab runs and after.
func TestAxeFindsNothing(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		for _, page := range []struct {
			name, path string
			lab        bool
		}{
			{"home", "/" + lang + "/", false},
			{"chapter", "/" + lang + "/chapters/windows", true},
			{"labs", "/" + lang + "/labs/", false},
			{"lab", "/" + lang + "/labs/window-edge?use=fixed", true},
			{"second lab", "/" + lang + "/labs/layered-limit", true},
			{"ring", "/" + lang + "/labs/hash-ring", true},
			{"crowded ring", "/" + lang + "/labs/hash-ring?nodes=99&use=modulo", true},
			{"migration", "/" + lang + "/labs/shard-migrate", true},
			{"places", "/" + lang + "/labs/route-capacity?capacity=ignored", true},
			{"glossary", "/" + lang + "/glossary/", false},
			{"decisions", "/" + lang + "/decisions/", false},
			{"evidence", "/" + lang + "/evidence/", false},
			{"comparison", "/" + lang + "/evidence/max-conns", false},
			{"guide", "/" + lang + "/guides/notes", false},
			{"guide of the API", "/" + lang + "/guides/api", false},
			{"not found", "/" + lang + "/chapters/no-such-chapter", false},
			{"bad setting", "/" + lang + "/labs/window-edge?limit=0", false},
			{"embed", "/embed/" + lang + "/token-bucket", true},
		} {
			t.Run(lang+" "+page.name, func(t *testing.T) {
				t.Parallel()
				tb := open(t, page.path, look{expect: []string{"404", "400"}})
				tb.axe(t, page.name, false)
				if page.lab {
					eval[any](tb, `document.querySelectorAll("details").forEach((d) => { d.open = true; }); await document.querySelector("seedbed-lab").run(); return null`)
					tb.wait(`document.querySelector(".place").textContent !== ""`)
					tb.click(`.lab-timeline button[aria-label="pause"], .lab-timeline button[aria-label="暂停"]`)
					tb.axe(t, page.name+" after a run", false)
				}
				tb.scheme("dark") // what is dark after a run was dark before
				tb.axe(t, page.name, true)
			})
		}
	}
}

// axe runs the engine: all rules in light, those of colour in dark.
func (tb *tab) axe(t *testing.T, name string, dark bool) {
	t.Helper()
	tb.do("load axe", chromedp.Evaluate(axe+";true", nil))
	options := `{ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }`
	scheme := "light"
	if dark {
		options, scheme = `{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }`, "dark"
	}
	found := eval[string](tb, `const { violations } = await window.axe.run(document, `+options+`);
		return violations.map((v) => v.id + ": " + v.help + "\n" + v.nodes.slice(0, 4).map((n) => "  " + n.target.join(" ") + "\n    " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")).join("\n")).join("\n")`)
	if found != "" {
		t.Errorf("%s, %s:\n%s", name, scheme, strings.TrimSpace(found))
	}
}
