package e2e

import "testing"

// Two labs on a page share one worker and do not disturb each other.
func TestTwoLabsOnAPage(t *testing.T) {
	tb := open(t, "/en/chapters/windows", look{})
	tb.wait(`document.querySelectorAll("seedbed-lab .lab-timeline").length >= 2`)
	got := eval[struct {
		One, Two string
		Workers  int
	}](tb, `
		const [one, two] = document.querySelectorAll("seedbed-lab");
		let workers = 0;
		const Real = window.Worker;
		window.Worker = class extends Real { constructor(...a) { super(...a); workers++; } };
		await Promise.all([one.run(), two.run()]);
		return { one: one.dataset.spec + " " + one.dataset.digest, two: two.dataset.spec + " " + two.dataset.digest, workers };`)
	for _, run := range []string{got.One, got.Two} {
		spec, digest := cut(run)
		if want := native(t, spec); digest != want {
			t.Errorf("%s: digest %s, natively %s", spec, digest, want)
		}
	}
	if got.Workers != 1 {
		t.Errorf("%d workers; one serves all labs of a page", got.Workers)
	}
	before := tb.text("#lab-1 .lab-measures")
	eval[any](tb, `const two = document.querySelectorAll("seedbed-lab")[1]; two.querySelector("[data-preset]:not([aria-current])").click();
		await new Promise((done) => two.addEventListener("seedbed-done", done, { once: true })); return null`)
	if after := tb.text("#lab-1 .lab-measures"); after != before {
		t.Errorf("a setting of the second lab changed the first:\n%s\n→\n%s", before, after)
	}
}

// A slider that is being moved shows run after run, and the last setting wins.
func TestSliderRerunsAndTheLastSettingWins(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{})
	tb.runLab("seedbed-lab")
	runs := eval[int](tb, `
		const lab = document.querySelector("seedbed-lab");
		let done = 0;
		lab.addEventListener("seedbed-done", () => done++);
		const slider = lab.querySelector("[data-slider=limit]");
		for (let v = 300; v < 600; v += 10) {
			slider.value = String(v);
			slider.dispatchEvent(new Event("input", { bubbles: true }));
			await new Promise(requestAnimationFrame);
		}
		slider.value = "1000";
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		return done;`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done" && /limit=100000/.test(document.querySelector("seedbed-lab").dataset.spec)`)
	if runs < 3 {
		t.Errorf("over thirty moves of a slider %d runs were shown while it moved", runs)
	}
}

func cut(s string) (string, string) {
	for i := range s {
		if s[i] == ' ' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
