package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A reader without script sees the picture, the verdict and the measurements, and gets other runs from the form.
func TestWithoutScript(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{noScript: true})
	var html string
	tb.do("choose another limiter", chromedp.SetAttributeValue(`select[name="use"] option[value="log"]`, "value", "fixed", chromedp.ByQuery))
	// Waits for the page that the form leads to: asking meanwhile where one is may hit the moment between two pages.
	ctx, cancel := context.WithTimeout(tb.ctx, patience)
	defer cancel()
	response, err := chromedp.RunResponse(ctx, chromedp.Click(`.lab-controls button[type="submit"]`, chromedp.ByQuery, chromedp.NodeVisible))
	if err != nil {
		t.Fatalf("send the form: %v", err)
	}
	address := response.URL
	tb.do("read the page", chromedp.WaitReady(`.lab-foot`, chromedp.ByQuery), chromedp.OuterHTML("seedbed-lab", &html, chromedp.ByQuery))
	if !strings.Contains(address, "use=fixed") {
		t.Errorf("the form led to %s", address)
	}
	for _, want := range []string{"<svg", "200 admitted within 2 ms", `data-metric="admitted"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the page without script does not have %q", want)
		}
	}
	var heights []float64
	tb.do("measure what needs a script", chromedp.EvaluateAsDevTools(
		`[...document.querySelectorAll(".scripted")].map((e) => e.getBoundingClientRect().height)`, &heights))
	for _, h := range heights {
		if h > 0 {
			t.Fatalf("something that does nothing without script is shown: heights %v", heights)
		}
	}
	if len(heights) == 0 {
		t.Error("no part is marked as needing a script")
	}
}
