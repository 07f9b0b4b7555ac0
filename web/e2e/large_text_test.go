package e2e

import (
	"strings"
	"testing"
)

// At 390 px, with letters of twice their size, no page scrolls sideways: one of each kind, as it comes, and where it has labs after a run.
func TestLargeTextScrollsDownAlone(t *testing.T) {
	const large = `document.documentElement.style.fontSize = "200%"; return null`
	for _, address := range []string{
		"/en/", "/zh/", "/en/labs/", "/zh/labs/", "/en/chapters/windows", "/zh/chapters/windows", "/en/chapters/capacity", "/en/labs/window-edge", "/en/labs/hash-ring",
		"/zh/labs/capacity-test", "/en/glossary", "/zh/glossary", "/en/decisions/", "/en/decisions/DL-1", "/zh/decisions/DL-1", "/en/evidence/",
		"/en/evidence/haproxy", "/zh/evidence/haproxy", "/en/guides/api", "/zh/guides/notes", "/embed/en/window-edge",
	} {
		t.Run(address, func(t *testing.T) {
			tb := open(t, address, look{width: 390, calm: true})
			wide := func(when string) {
				t.Helper()
				found := eval[string](tb, `
					const room = document.documentElement.clientWidth;
					if (document.documentElement.scrollWidth <= room) return "";
					const clipped = (e) => e.parentElement && (getComputedStyle(e.parentElement).overflowX !== "visible" || clipped(e.parentElement));
					const beyond = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > room + 1 && !clipped(e));
					return document.documentElement.scrollWidth + " px: " + beyond.slice(0, 8).map((e) => e.tagName + "." + e.className + " to " + Math.round(e.getBoundingClientRect().right)).join(", ")`)
				if found != "" {
					t.Errorf("%s the page is %s wide", when, found)
				}
			}
			eval[any](tb, large)
			wide("as it comes")
			if strings.Contains(address, "/labs/") && !strings.HasSuffix(address, "/labs/") || strings.HasPrefix(address, "/embed/") {
				tb.runLab("seedbed-lab")
				wide("after a run")
			}
		})
	}
}
