package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// inWorker evaluates an expression in the page's worker: the one that was started last.
func (tb *tab) inWorker(expression string) {
	tb.t.Helper()
	executor := cdp.WithExecutor(chromium, chromedp.FromContext(chromium).Browser)
	all, err := target.GetTargets().WithFilter(target.Filter{{Type: "worker"}}).Do(executor)
	if err != nil || len(all) == 0 {
		tb.t.Fatalf("no worker runs: %v", err)
	}
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithTargetID(all[0].TargetID))
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.Evaluate(expression, nil)); err != nil {
		tb.t.Fatalf("in the worker: %v", err)
	}
}

// A crash of the module is told; the next run works in a fresh instance, and the reader's settings are still there.
func TestCrashIsToldAndTheNextRunWorks(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{expect: []string{"exit code"}})
	tb.runLab("seedbed-lab")
	// The worker's side of the border breaks as a dead Go program does.
	tb.inWorker(`{ const real = self.seedbed.step; let broken = false; self.seedbed.step = (...a) => { if (!broken) { broken = true; throw new Error("Go program has already exited"); } return real(...a); } }`)
	eval[any](tb, `const f = document.querySelector("[name=limit]"); f.value = "77"; f.dispatchEvent(new Event("input", { bubbles: true })); return null`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "failed"`)
	if told := tb.text(".lab-trouble"); !strings.Contains(told, "already exited") || !strings.Contains(told, "Try again") {
		t.Errorf("told %q; it should say what happened and offer another try", told)
	}
	if got := eval[string](tb, `return document.querySelector("[name=limit]").value`); got != "77" {
		t.Errorf("the setting is %s; the reader had set 77", got)
	}
	tb.click(".lab-trouble button")
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	if got, want := tb.digest("seedbed-lab"), native(t, "window-edge?limit=77"); got != want {
		t.Errorf("after the crash: digest %s, want %s", got, want)
	}
	if eval[bool](tb, `return document.querySelector(".lab-trouble").checkVisibility()`) {
		t.Error("the trouble still stands")
	}
}

// What the engine says of its crash is English: in a Chinese page it stands after a Chinese sentence, and is marked as English.
func TestCrashIsToldInTheReadersLanguage(t *testing.T) {
	tb := open(t, "/zh/labs/window-edge", look{expect: []string{"exit code"}})
	tb.runLab("seedbed-lab")
	tb.inWorker(`{ self.seedbed.step = () => { throw new Error("Go program has already exited"); }; }`)
	eval[any](tb, `const f = document.querySelector("[name=limit]"); f.value = "77"; f.dispatchEvent(new Event("input", { bubbles: true })); return null`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "failed"`)
	if told := tb.text(".lab-trouble p"); !strings.Contains(told, "引擎崩溃了") || strings.Contains(told, "exited") {
		t.Errorf("told %q; the sentence should be Chinese alone", told)
	}
	if raw := tb.text(`.lab-trouble code[lang="en"]`); !strings.Contains(raw, "already exited") {
		t.Errorf("what the engine said is %q, or not marked as English", raw)
	}
}

// A page that was left open across a deploy asks for a module that is gone: it says so and offers to reload. The picture stays.
func TestModuleGoneAfterADeploy(t *testing.T) {
	for _, file := range []string{".wasm", "worker"} {
		f := newFront(t)
		tb := open(t, f.URL+"/en/labs/window-edge", look{expect: []string{"404"}})
		tb.wait(`document.querySelector(".lab-timeline") !== null`)
		gone := file
		if gone == "worker" {
			gone = eval[string](tb, `const u = JSON.parse(document.querySelector("seedbed-lab script").textContent).worker; return u.slice(u.lastIndexOf("/"))`)
		}
		f.set(func(f *front) { f.gone = gone })
		tb.click(`[data-part="run"]`)
		tb.wait(`document.querySelector("seedbed-lab").dataset.state === "failed"`)
		if told := tb.text(".lab-trouble"); !strings.Contains(told, "updated since this page was opened") || !strings.Contains(told, "Reload the page") {
			t.Errorf("%s gone: told %q", file, told)
		}
		if !eval[bool](tb, `return document.querySelector("[data-part=still]").checkVisibility()`) {
			t.Errorf("%s gone: the picture is gone too", file)
		}
		f.set(func(f *front) { f.gone = "" })
		eval[any](tb, `await document.querySelector("seedbed-lab").run(); return null`)
		tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	}
}

// A run that is under way can be cancelled.
func TestCancel(t *testing.T) {
	tb := open(t, "/en/labs/window-edge", look{})
	tb.runLab("seedbed-lab")
	eval[any](tb, `
		const lab = document.querySelector("seedbed-lab");
		for (const [name, value] of [["traffic", "steady"], ["rate", "1000000"], ["length", "9"]]) lab.querySelector("[name=" + name + "]").value = value;
		lab.querySelector("[name=length]").dispatchEvent(new Event("input", { bubbles: true }));
		return null`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "running" && !document.querySelector("seedbed-lab progress").hidden`)
	tb.click(`[data-part="run"]`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	if got := tb.text(`[data-part="run"]`); got != "Run" {
		t.Errorf("after cancelling the button says %q", got)
	}
	if got := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`); strings.Contains(got, "steady") {
		t.Errorf("after cancelling the page shows the run %s", got)
	}
}

// One event of a ring of a thousand nodes takes seconds, and no message reaches the worker meanwhile. A cancel ends it all the same:
// another worker takes over, also the events of the run that is still shown.
func TestALongEventIsCancelled(t *testing.T) {
	tb := open(t, "/en/labs/hash-ring?keys=1000", look{})
	tb.runLab("seedbed-lab")
	eval[any](tb, `document.querySelector("seedbed-lab").setAttribute("spec", "use=bounded&nodes=980&points=1&keys=1000000&bound=1"); return null`)
	tb.wait(`document.querySelector("[data-part=run]").textContent === "Cancel"`)
	// By then the event has begun; nothing tells, for the worker that would is deaf. Were it not, the cancel would be heard at once.
	eval[any](tb, `await new Promise((done) => setTimeout(done, 300)); document.querySelector("[data-part=run]").click(); return null`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	eval[any](tb, `document.querySelector("seedbed-lab").setAttribute("spec", "keys=2000"); return null`)
	tb.wait(`document.querySelector("seedbed-lab").dataset.spec === "hash-ring?v=1&keys=2000" && document.querySelector("seedbed-lab").dataset.state === "done"`)
	if got, want := tb.digest("seedbed-lab"), native(t, "hash-ring?keys=2000"); got != want {
		t.Errorf("after the cancel: digest %s, want %s", got, want)
	}
}
