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
