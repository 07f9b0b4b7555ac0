package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const stagePicture = `return document.querySelector(".lab-timeline .place").textContent + " | " +
	[...document.querySelectorAll(".stage .entity")].map((e) => e.className + e.innerText.replace(/\s+/g, " ")).join(" | ")`

// Stepping back shows what stepping forward showed: nothing is left behind.
func TestStepForwardAndBack(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{})
	tb.runLab("seedbed-lab")
	eval[any](tb, `const s = document.querySelector(".scrub input"); s.value = "0"; s.dispatchEvent(new Event("input")); return null`)
	var forward []string
	forward = append(forward, eval[string](tb, stagePicture))
	for range 12 {
		tb.click(`.lab-timeline button[aria-label="one step forward"]`)
		forward = append(forward, eval[string](tb, stagePicture))
	}
	if !strings.HasPrefix(forward[12], "999 ms · step 12 of 200") || !strings.Contains(forward[12], "fixed window ■ 12") && !strings.Contains(forward[12], "12 ") {
		t.Errorf("after twelve steps: %s", forward[12])
	}
	for i := 11; i >= 0; i-- {
		tb.click(`.lab-timeline button[aria-label="one step back"]`)
		if back := eval[string](tb, stagePicture); back != forward[i] {
			t.Errorf("step %d, coming back\n got %s\nwant %s", i, back, forward[i])
		}
	}
	if slices.Index(forward, forward[12]) != 12 {
		t.Error("two steps show the same picture")
	}
}

// The slider and the lanes lead to an instant, and the instant shows everywhere.
func TestScrub(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{})
	tb.runLab("seedbed-lab")
	for share, want := range map[float64]string{0.25: "500 ms · step 0 of 200", 0.75: "1.5 s · step 200 of 200"} {
		eval[any](tb, fmt.Sprintf(`const s = document.querySelector(".scrub input"); s.value = %v; s.dispatchEvent(new Event("input")); return null`, 1000*share))
		if got := tb.text(".lab-timeline .place"); got != want {
			t.Errorf("slider at %v: %q, want %q", share, got, want)
		}
		box := eval[struct{ X, Y, W float64 }](tb, `const b = document.querySelector(".lane .tracks").getBoundingClientRect(); return { x: b.x, y: b.y + 8, w: b.width }`)
		cursor := eval[float64](tb, `const b = document.querySelector(".cursor:not(.ghost)").getBoundingClientRect(); return b.x`)
		if off := cursor - (box.X + share*box.W); off < -2 || off > 2 {
			t.Errorf("slider at %v: the cursor is %.1f px away from its instant", share, off)
		}
	}
	eval[any](tb, `document.querySelector(".lanes").scrollIntoView({ block: "center" }); return null`)
	tb.wait(`document.querySelector(".lane .tracks").getBoundingClientRect().top > 0`)
	box := eval[struct{ X, Y, W float64 }](tb, `const b = document.querySelector(".lane .tracks").getBoundingClientRect(); return { x: b.x, y: b.y + 8, w: b.width }`)
	tb.mouse(box.X+0.75*box.W, box.Y)
	if got := tb.text(".lab-timeline .place"); !strings.HasSuffix(got, "step 200 of 200") {
		t.Errorf("a click in the lanes at three quarters led to %q", got)
	}
}

// Playing begins at the start, moves, and stops at the end; pausing keeps the place.
func TestPlayAndPause(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{})
	tb.runLab("seedbed-lab")
	tb.wait(`document.querySelector('.lab-timeline button[aria-label="pause"]') !== null`)
	tb.wait(`parseInt(/step (\d+)/.exec(document.querySelector(".place").textContent)[1]) > 3`)
	tb.click(`.lab-timeline button[aria-label="pause"]`)
	place := tb.text(".lab-timeline .place")
	if again := eval[string](tb, `await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))); return document.querySelector(".place").innerText`); again != place {
		t.Errorf("paused at %q, then it stood at %q", place, again)
	}
	eval[any](tb, `const s = document.querySelector(".speed"); s.value = "4"; s.dispatchEvent(new Event("change")); return null`)
	tb.click(`.lab-timeline button[aria-label="play"]`)
	tb.wait(`document.querySelector(".place").textContent === "2 s · step 200 of 200"`)
	tb.wait(`document.querySelector('.lab-timeline button[aria-label="play"]') !== null`)
}

// Off screen and in a hidden tab the animation rests, and goes on only if the reader did not pause it.
func TestAutoPauseIsNotTheReadersPause(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{})
	tb.runLab("seedbed-lab")
	eval[any](tb, `document.body.style.paddingBottom = "4000px"; return null`)
	eval[any](tb, `scrollTo(0, 1e6); return null`)
	tb.wait(`document.querySelector("seedbed-lab").getBoundingClientRect().bottom < 0`)
	eval[any](tb, `await new Promise((r) => setTimeout(r, 100)); return null`) // for the observer to hear of it
	still := eval[string](tb, `const now = document.querySelector(".place").textContent;
		for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame);
		return now + " → " + document.querySelector(".place").textContent`)
	if a, b, _ := strings.Cut(still, " → "); a != b {
		t.Errorf("off screen it went on: %s", still)
	}
	if !eval[bool](tb, `return document.querySelector('.lab-timeline button[aria-label="pause"]') !== null`) {
		t.Error("the page's pause shows as the reader's")
	}
	eval[any](tb, `scrollTo(0, 0); return null`)
	a := eval[string](tb, `return document.querySelector(".place").textContent`)
	tb.wait(fmt.Sprintf(`document.querySelector(".place").textContent !== %q`, a))
}

// An instant that a link names and the run does not reach is not taken without a word: the view stands at the end and says so. One that
// it reaches is.
func TestAnInstantBeyondTheEnd(t *testing.T) {
	for _, c := range []struct{ lang, at, said string }{
		{"en", "99999999s", "it ends at 3 s"}, {"zh", "99999999s", "它到3 s就结束了"}, {"en", "3s", ""}, {"en", "1s", ""},
	} {
		tb := open(t, "/"+c.lang+"/labs/hash-ring?at="+c.at, look{})
		tb.runLab("seedbed-lab")
		got := eval[string](tb, `const e = document.querySelector(".lab-came"); return e.checkVisibility() ? e.textContent : ""`)
		if (c.said == "") != (got == "") || !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "), c.said) {
			t.Errorf("%s, at=%s: the stage says %q, want %q", c.lang, c.at, got, c.said)
		}
	}
}
