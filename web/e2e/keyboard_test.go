package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// All of a lab can be done with keys alone: predict, run, pause, step, scrub, change a setting, break it, go to the instant.
func TestKeyboardAlone(t *testing.T) {
	tb := open(t, "/en/chapters/windows", look{})
	tb.wait(`document.querySelector("#lab-1 .lab-timeline") !== null`)
	tb.tabTo(`#lab-1 [data-answer]`)
	tb.press(kb.ArrowDown)
	tb.tabTo(`#lab-1 [data-part="see"]`)
	tb.press(kb.Enter)
	tb.wait(`document.querySelector("#lab-1 [data-part=told]").textContent !== ""`)

	tb.tabTo(`#lab-1 .scrub input`)
	tb.press(kb.Home)
	if got := tb.text("#lab-1 .place"); !strings.HasPrefix(got, "0 s · step 0 of") {
		t.Errorf("Home leads to %q", got)
	}
	tb.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.ArrowLeft)
	if got := tb.text("#lab-1 .place"); !strings.HasPrefix(got, "999 ms · step 2 of") {
		t.Errorf("three steps and one back lead to %q", got)
	}
	if said := eval[string](tb, `return document.querySelector("#lab-1 .scrub input").getAttribute("aria-valuetext")`); !strings.Contains(said, "step") {
		t.Errorf("the slider says %q to those who listen", said)
	}
	tb.press(kb.End)
	if got := tb.text("#lab-1 .place"); !strings.HasPrefix(got, "2 s") {
		t.Errorf("End leads to %q", got)
	}

	tb.tabTo(`#lab-1 [data-preset="edge-burst"]`)
	tb.press(kb.Enter)
	tb.wait(`document.querySelector("#lab-1 .lab-checks .broken") !== null`)
	tb.tabTo(`#lab-1 [name="limit"]`)
	tb.press(kb.ArrowUp)
	tb.wait(`/limit=101/.test(document.querySelector("#lab-1").dataset.spec)`)
	tb.tabTo(`#lab-1 .lab-checks .broken button`)
	tb.press(kb.Enter)
	if got := tb.text("#lab-1 .place"); !strings.HasPrefix(got, "1.001 s") {
		t.Errorf("the check's link leads to %q", got)
	}
}

// Arrow keys belong to the page, but for where a slider has the focus.
func TestArrowKeysAreNotTaken(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{})
	tb.runLab("seedbed-lab")
	tb.click(`.lab-timeline button[aria-label="pause"]`)
	eval[any](tb, `document.querySelector(".lab-timeline button[aria-label='one step back']").focus(); return null`)
	before := tb.text(".place")
	taken := eval[bool](tb, `let taken = false; addEventListener("keydown", (e) => { taken ||= e.defaultPrevented; }); window.wasTaken = () => taken; return false`)
	for _, key := range []string{kb.ArrowDown, kb.ArrowUp, kb.ArrowLeft, kb.ArrowRight, kb.PageDown, kb.Home} {
		tb.press(key)
	}
	taken = eval[bool](tb, `return window.wasTaken()`)
	if after := tb.text(".place"); taken || after != before {
		t.Errorf("arrow keys on a button: taken %v, place %q → %q", taken, before, after)
	}
}

// Every control has a name.
func TestControlsHaveNames(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		tb := open(t, "/"+lang+"/labs/token-bucket", look{})
		tb.runLab("seedbed-lab")
		nameless := eval[string](tb, `return [...document.querySelectorAll("seedbed-lab :is(button, input:not([type=hidden]), select, textarea, summary)")]
			.filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim()))
			.map((e) => e.outerHTML.slice(0, 100)).join("\n")`)
		if nameless != "" {
			t.Errorf("%s: controls without a name:\n%s", lang, nameless)
		}
	}
}
