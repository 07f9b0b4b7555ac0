package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long a scenario waits for what it expects.
const patience = 20 * time.Second

// tab is one page in a browser profile of its own.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	faults   []string
	expected []string // faults that contain one of these are part of the scenario
}

// look is how a page is looked at. The zero value is a desk: 1280 × 900, light, with motion and script.
type look struct {
	width    int64
	dark     bool
	calm     bool // reduced motion
	noScript bool
	early    string // script that runs in each new document before its own
	expect   []string
}

// open opens a page and waits until its scripts have run.
func open(t *testing.T, address string, how look) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithTargetID(newTarget(t)))
	t.Cleanup(cancel)
	tb := &tab{t: t, ctx: ctx, expected: how.expect}
	chromedp.ListenTarget(ctx, tb.hear)
	if err := chromedp.Run(ctx); err != nil { // attaches for as long as ctx lives; a later call's time-out ends that call alone
		t.Fatalf("attach to the tab: %v", err)
	}
	if how.width == 0 {
		how.width = 1280
	}
	scheme, motion := "light", "no-preference"
	if how.dark {
		scheme = "dark"
	}
	if how.calm {
		motion = "reduce"
	}
	if how.noScript {
		tb.do("switch scripts off", emulation.SetScriptExecutionDisabled(true))
	}
	if how.early != "" {
		tb.do("add a script to each document", chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(how.early).Do(ctx)
			return err
		}))
	}
	tb.do("open "+address, log.Enable(), chromedp.EmulateViewport(how.width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
		}),
		chromedp.Navigate(full(address)))
	t.Cleanup(func() {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		for _, f := range tb.faults {
			t.Errorf("%s: the page: %s", address, f)
		}
	})
	return tb
}

// of is the tab while a subtest uses it: what fails, fails there.
func (tb *tab) of(t *testing.T) *tab {
	before := tb.t
	tb.t = t
	t.Cleanup(func() { tb.t = before })
	return tb
}

// scheme sets what the reader prefers, light or dark, on the open page.
func (tb *tab) scheme(name string) {
	tb.t.Helper()
	tb.do("prefer "+name, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}))
	tb.wait(fmt.Sprintf(`matchMedia("(prefers-color-scheme: %s)").matches`, name))
}

// newTarget opens an empty page in a profile of its own, in a window of its own: a profile without a window takes no tab.
func newTarget(t *testing.T) target.ID {
	t.Helper()
	var id target.ID
	executor := cdp.WithExecutor(chromium, chromedp.FromContext(chromium).Browser)
	profile, err := target.CreateBrowserContext().WithDisposeOnDetach(false).Do(executor)
	if err == nil {
		id, err = target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(executor)
	}
	if err != nil {
		t.Fatalf("a new tab: %v", err)
	}
	t.Cleanup(func() {
		if err := target.DisposeBrowserContext(profile).Do(executor); err != nil {
			t.Errorf("closing the tab's profile: %v", err)
		}
	})
	return id
}

func full(address string) string {
	if strings.HasPrefix(address, "/") {
		return site + address
	}
	return address
}

// hear keeps what must not happen on any page.
func (tb *tab) hear(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, a := range e.Args {
				fault += string(a.Value) + a.Description + " "
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			fault = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if fault == "" {
		return
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	for _, x := range tb.expected {
		if strings.Contains(fault, x) {
			return
		}
	}
	tb.faults = append(tb.faults, fault)
}

func (tb *tab) do(what string, actions ...chromedp.Action) {
	tb.t.Helper()
	ctx, cancel := context.WithTimeout(tb.ctx, 2*patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		tb.t.Fatalf("%s: %v", what, err)
	}
}

// eval evaluates the body of an async function in the page.
func eval[T any](tb *tab, body string) T {
	tb.t.Helper()
	var out T
	tb.do(body, chromedp.Evaluate("(async () => {"+body+"})()", &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	return out
}

// wait waits until an expression is true in the page.
func (tb *tab) wait(expression string) {
	tb.t.Helper()
	body := fmt.Sprintf(`const until = performance.now() + %d;
		while (performance.now() < until) {
			if (%s) return true;
			await new Promise((r) => setTimeout(r, 15));
		}
		return false;`, patience.Milliseconds(), expression)
	if !eval[bool](tb, body) {
		tb.t.Fatalf("after %v this is still not so: %s\nlab: %s", patience, expression, eval[string](tb, `return document.querySelector("seedbed-lab")?.innerText.replace(/\s+/g, " ").slice(0, 300) ?? ""`))
	}
}

// click clicks what a selector finds, in its middle, as a hand would.
func (tb *tab) click(selector string) {
	tb.t.Helper()
	tb.do("click "+selector, chromedp.ScrollIntoView(selector, chromedp.ByQuery), chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
}

// press presses a key: a letter, or one of package kb.
func (tb *tab) press(keys ...string) {
	tb.t.Helper()
	for _, k := range keys {
		tb.do("press "+k, chromedp.KeyEvent(k))
	}
}

// tabTo moves the focus forward until a selector has it.
func (tb *tab) tabTo(selector string) {
	tb.t.Helper()
	for range 120 {
		if eval[bool](tb, fmt.Sprintf(`return document.activeElement?.matches(%q) ?? false`, selector)) {
			return
		}
		tb.press(kb.Tab)
	}
	tb.t.Fatalf("120 tabs do not reach %s", selector)
}

func (tb *tab) text(selector string) string {
	tb.t.Helper()
	return eval[string](tb, fmt.Sprintf(`return document.querySelector(%q)?.innerText ?? ""`, selector))
}

// runLab presses the run button of a lab and waits until it is done; it returns the digest.
func (tb *tab) runLab(selector string) string {
	tb.t.Helper()
	tb.click(selector + ` [data-part="run"]`)
	tb.wait(fmt.Sprintf(`document.querySelector(%q).dataset.state === "done"`, selector))
	return tb.digest(selector)
}

func (tb *tab) digest(selector string) string {
	tb.t.Helper()
	return eval[string](tb, fmt.Sprintf(`return document.querySelector(%q).dataset.digest ?? ""`, selector))
}

// touch is a tap of a finger.
func (tb *tab) touch(x, y float64) {
	tb.t.Helper()
	point := []*input.TouchPoint{{X: x, Y: y}}
	tb.do("touch", input.DispatchTouchEvent(input.TouchStart, point), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

// mouse presses and releases the left button at a point of the window.
func (tb *tab) mouse(x, y float64) {
	tb.t.Helper()
	tb.do("click at a point", chromedp.MouseClickXY(x, y))
}

// evaluate looks at a page whose own scripts are switched off.
func evaluate(expression string, into any) chromedp.Action {
	return chromedp.EvaluateAsDevTools(expression, into)
}

// again opens an address in the same tab, with what the browser has kept.
func (tb *tab) again(address string) {
	tb.t.Helper()
	tb.do("open again "+address, chromedp.Navigate("about:blank"), chromedp.Navigate(full(address)))
}
