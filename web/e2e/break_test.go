package e2e

import (
	"strings"
	"testing"
)

// A counterexample breaks its check: the page says which, when and by what, marks it on the axis, and leads to the instant.
func TestBreakIt(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{})
	tb.click(`[data-preset="edge-burst"]`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	broken := tb.text(".lab-checks .broken")
	for _, want := range []string{"✗", "no window over the limit", "request 101 at 1.001 s", "200 admitted within 2 ms"} {
		if !strings.Contains(broken, want) {
			t.Errorf("the check says %q; it should say %q", broken, want)
		}
	}
	if !eval[bool](tb, `return document.querySelector(".axis .violation") !== null && document.querySelector(".marks .violation").getAttribute("d") !== ""`) {
		t.Error("no mark of the violation on the axis or the timeline")
	}
	tb.click(`.lab-checks .broken button`)
	if place := tb.text(".lab-timeline .place"); place != "1.001 s · step 101 of 200" {
		t.Errorf("the link to the instant led to %q, want the very request", place)
	}
	if line := tb.text(".lab-ruling"); !strings.Contains(line, "request 101 at 1.001 s") {
		t.Errorf("under the stage stands %q", line)
	}
	if !eval[bool](tb, `return document.querySelector(".entity.judged").classList.contains("broken")`) {
		t.Error("at that instant the judged entity does not show that it broke the check")
	}
	if eval[string](tb, `return document.querySelector("[data-preset=edge-burst]").getAttribute("aria-current") ?? ""`) != "true" {
		t.Error("the chosen counterexample is not marked as chosen")
	}
}

// A setting out of range is refused in one line, at the field, and nothing else is lost.
func TestBadSettingIsRefusedAtItsField(t *testing.T) {
	for lang, want := range map[string]string{"en": "limit: 0 is outside 1..100000", "zh": "limit：0 超出范围；范围是 1..100000"} {
		tb := open(t, "/"+lang+"/labs/window-edge", look{})
		tb.runLab("seedbed-lab")
		eval[any](tb, `const f = document.querySelector("[name=limit]"); f.value = "0"; f.dispatchEvent(new Event("input", { bubbles: true })); return null`)
		tb.wait(`document.querySelector("seedbed-lab").dataset.state === "failed"`)
		if got := tb.text(`[data-part="problem"]`); got != want {
			t.Errorf("%s: told %q, want %q", lang, got, want)
		}
		if eval[string](tb, `return document.querySelector("[name=limit]").getAttribute("aria-invalid") ?? ""`) != "true" {
			t.Errorf("%s: the field is not marked", lang)
		}
		eval[any](tb, `const f = document.querySelector("[name=limit]"); f.value = "120"; f.dispatchEvent(new Event("input", { bubbles: true })); return null`)
		tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
		if got := tb.text(`[data-part="problem"]`); got != "" {
			t.Errorf("%s: a right setting leaves %q standing", lang, got)
		}
	}
}
