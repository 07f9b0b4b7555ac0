package e2e

import (
	"strings"
	"testing"
)

// A reader answers the question, the variation runs, and both are compared.
func TestPredictThenSee(t *testing.T) {
	tb := open(t, "/en/chapters/windows", look{})
	before := tb.text("#lab-1 .lab-measures")
	tb.click(`#lab-1 .lab-answers label:nth-of-type(2)`)
	tb.click(`#lab-1 [data-part="see"]`)
	tb.wait(`document.querySelector("#lab-1").dataset.state === "done"`)
	tb.wait(`document.querySelector("#lab-1 [data-part=told]").textContent !== ""`)
	told := tb.text(`#lab-1 [data-part="told"]`)
	want := strings.TrimPrefix(eval[string](tb, `return document.querySelector("#lab-1 [data-part=see]").getAttribute("href")`), "/en/labs/")
	if spec := eval[string](tb, `return document.querySelector("#lab-1").dataset.spec`); spec != want {
		t.Errorf("ran %s; the question is about %s", spec, want)
	}
	said := strings.TrimSpace(tb.text(`#lab-1 .lab-answers label:nth-of-type(2)`))
	if !strings.Contains(told, said) {
		t.Errorf("told %q, which does not name the answer %s", told, said)
	}
	if after := tb.text("#lab-1 .lab-measures"); after == before {
		t.Error("the measurements are still those of the page's own run")
	}
	// Once another run is shown, the answer must not seem to speak of it.
	tb.click(`#lab-1 [data-part="reseed"]`)
	tb.wait(`document.querySelector("#lab-1 [data-part=told]").textContent === "To the question above: ` + told + `"`)
}

// Without an answer the reader is told the result and not judged.
func TestPredictMayBeSkipped(t *testing.T) {
	tb := open(t, "/en/chapters/windows", look{})
	tb.click(`#lab-1 [data-part="see"]`)
	tb.wait(`document.querySelector("#lab-1 [data-part=told]").textContent.startsWith("It is ")`)
	if got := eval[string](tb, `return document.querySelector("#lab-1 [data-part=predict]").dataset.answered`); got != "seen" {
		t.Errorf("answered = %q, want seen", got)
	}
}

// A link in the text that drives a lab far above brings the reader there, to what broke, and back again.
func TestALinkInTheTextLeadsToTheLabAndBack(t *testing.T) {
	tb := open(t, "/en/chapters/start", look{width: 390})
	eval[any](tb, `const all = [...document.querySelectorAll("a[data-apply]")]; all.at(-1).id = "last-link"; all.at(-1).scrollIntoView({ block: "center" }); return null`)
	tb.click("#last-link")
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	tb.wait(`document.querySelector("seedbed-lab").getBoundingClientRect().bottom > 0`) // it was far above
	// The page may still be on its way to the lab; a click on what moves lands beside it.
	eval[any](tb, `const b = document.querySelector(".lab-ruling > button"); let y;
		do { y = b.getBoundingClientRect().top; await new Promise((r) => setTimeout(r, 150)); } while (b.getBoundingClientRect().top !== y); return null`)
	tb.click(".lab-ruling > button")
	tb.wait(`document.activeElement.id === "last-link" && document.activeElement.getBoundingClientRect().top >= 0 && document.activeElement.getBoundingClientRect().bottom <= innerHeight`)
	if eval[bool](tb, `return document.querySelector(".lab-ruling > button").checkVisibility()`) {
		t.Error("the way back is still offered")
	}
}
