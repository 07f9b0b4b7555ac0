package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Hosts that frame a lab by themselves give it the height that /oembed names, and nobody sizes the frame: the run button is in reach in
// each, in a phone's frame too, and the title stands in the same card as the lab.
func TestRunIsInReachInAFrameThatNobodySizes(t *testing.T) {
	const height = 620
	tb := open(t, "/en/labs/", look{})
	labs := eval[[]string](tb, `return (await (await fetch("/api/labs")).json()).map((lab) => lab.id)`)
	if len(labs) < 8 {
		t.Fatalf("the labs are %v", labs)
	}
	for _, width := range []int64{720, 360} {
		for _, id := range labs {
			tb.do("frame "+id, chromedp.EmulateViewport(width, height), chromedp.Navigate(full("/embed/en/"+id)))
			tb.wait(`document.querySelector(".lab-timeline .go")?.checkVisibility()`)
			if got := eval[float64](tb, `return document.querySelector(".lab-timeline .go").getBoundingClientRect().bottom`); got > height {
				t.Errorf("%s, %d wide: the run button ends at %v, below the frame's %d", id, width, got, height)
			}
			if !eval[bool](tb, `const style = (s) => getComputedStyle(document.querySelector(s));
				return document.querySelector("main > .embed-title") !== null && parseFloat(style("main").borderTopLeftRadius) > 0 && parseFloat(style("seedbed-lab").borderTopWidth) === 0`) {
				t.Errorf("%s, %d wide: the title and the lab are not in one card", id, width)
			}
		}
	}
}
