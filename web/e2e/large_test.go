package e2e

import "testing"

// A run of a million requests ends, and has handled them all. How long it takes is shown by make times.
func TestAMillionRequests(t *testing.T) {
	for _, run := range large {
		t.Run(run.lab, func(t *testing.T) {
			tb := open(t, "/en/labs/"+run.lab, look{})
			if got := tb.handled(run.query); got < 1e6 {
				t.Errorf("the run handled %.0f events, want a million or more", got)
			}
		})
	}
}

// handled sets what a query names, runs, and returns how many events that were.
func (tb *tab) handled(query string) float64 {
	tb.t.Helper()
	return eval[float64](tb, `
		const lab = document.querySelector("seedbed-lab");
		for (const pair of "`+query+`".split("&")) { const [k, v] = pair.split("="); lab.querySelector("[name=" + k + "]").value = v; }
		const done = new Promise((r) => lab.addEventListener("seedbed-done", (e) => r(e.detail), { once: true }));
		void lab.run();
		return (await done).handled;`)
}

// A ring of a hundred nodes, one of which may come, has them all around it at any width.
func TestALargeRingShowsEveryNode(t *testing.T) {
	for _, width := range []int64{1280, 390} {
		tb := open(t, "/en/labs/hash-ring?"+largeRing, look{width: width})
		tb.runLab("seedbed-lab")
		if n := eval[int](tb, `return document.querySelectorAll("seedbed-lab .entity.owner").length`); n != 100 {
			t.Errorf("%d px wide: %d nodes stand around the ring, want 100", width, n)
		}
	}
}
