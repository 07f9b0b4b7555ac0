package e2e

import "testing"

// At 390 px nothing scrolls sideways, before and after a run; the stage is laid out anew; no text is below 12 px; what is pressed is
// large enough for a finger.
func TestPhone(t *testing.T) {
	for _, address := range []string{"/en/", "/zh/", "/en/labs/", "/en/chapters/windows", "/zh/chapters/windows", "/en/labs/window-edge", "/zh/labs/token-bucket", "/en/labs/layered-limit", "/en/guides/api", "/zh/guides/notes"} {
		t.Run(address, func(t *testing.T) {
			tb := open(t, address, look{width: 390})
			sideways := func(when string) {
				if w := eval[int](tb, `return document.documentElement.scrollWidth`); w > 390 {
					t.Errorf("%s: %d px wide", when, w)
				}
			}
			sideways("at first")
			if !eval[bool](tb, `return document.querySelector("seedbed-lab") !== null`) {
				return
			}
			tb.runLab("seedbed-lab")
			sideways("after a run")
			if !eval[bool](tb, `return document.querySelector(".stage").classList.contains("narrow")`) {
				t.Error("the stage is not laid out for a phone")
			}
			small := eval[string](tb, `
				const walk = document.createTreeWalker(document.querySelector("seedbed-lab"), NodeFilter.SHOW_TEXT);
				const found = new Set();
				while (walk.nextNode()) {
					const e = walk.currentNode.parentElement;
					if (walk.currentNode.data.trim() && e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 12) found.add(e.tagName + "." + e.className + " " + walk.currentNode.data.trim());
				}
				return [...found].join("\n");`)
			if small != "" {
				t.Errorf("text below 12 px:\n%s", small)
			}
			tight := eval[string](tb, `return [...document.querySelectorAll("seedbed-lab :is(button:not(.link), .chip, summary, select, input:not([type=hidden], [type=radio]))")]
				.filter((e) => e.checkVisibility()).filter((e) => { const b = e.getBoundingClientRect(); return b.width < 24 || b.height < 24; })
				.map((e) => e.outerHTML.slice(0, 90)).join("\n")`)
			if tight != "" {
				t.Errorf("smaller than 24 px:\n%s", tight)
			}
		})
	}
}

// A finger on the lanes scrubs.
func TestTouchScrubs(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{width: 390})
	tb.runLab("seedbed-lab")
	eval[any](tb, `document.querySelector(".lanes").scrollIntoView({ block: "center", behavior: "instant" }); return null`)
	box := eval[struct{ X, Y, W float64 }](tb, `const b = document.querySelector(".lane .tracks").getBoundingClientRect(); return { x: b.x, y: b.y + 8, w: b.width }`)
	tb.touch(box.X+0.25*box.W, box.Y)
	tb.wait(`document.querySelector(".place").textContent.startsWith("50") && document.querySelector(".place").textContent.includes("ms · step 0 of")`)
}
