package e2e

import "testing"

// Where motion is not wanted a run plays as a few still pictures.
func TestReducedMotionGivesSteps(t *testing.T) {
	tb := open(t, "/en/labs/window-edge?use=fixed", look{calm: true})
	tb.runLab("seedbed-lab")
	pictures := eval[int](tb, `
		let pictures = 0;
		let last = "";
		const until = performance.now() + 3000;
		while (performance.now() < until) {
			const now = document.querySelector(".place").textContent;
			if (now !== last) pictures++;
			last = now;
			await new Promise(requestAnimationFrame);
		}
		return pictures;`)
	if pictures < 2 || pictures > 6 {
		t.Errorf("%d pictures in three seconds; want a few, and not sixty a second", pictures)
	}
}
