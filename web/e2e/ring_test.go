package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// ringAt opens a lab with a ring and stands at an instant in its run, ms of its three seconds.
func ringAt(t *testing.T, query string, ms int, how look) *tab {
	t.Helper()
	tb := open(t, "/en/labs/hash-ring?"+query, how)
	tb.runLab("seedbed-lab")
	eval[any](tb, fmt.Sprintf(`const s = document.querySelector(".scrub input"); s.value = String(%d / 3); s.dispatchEvent(new Event("input")); return null`, ms))
	return tb
}

// acted waits for an action in the run's Spec.
func (tb *tab) acted(action string) {
	tb.t.Helper()
	tb.wait(fmt.Sprintf(`(() => { const lab = document.querySelector("seedbed-lab"); return lab.dataset.state === "done" && lab.dataset.spec.includes(%q); })()`, action))
}

// node is a selector of the n-th node of the ring, from 1.
func node(n int) string { return fmt.Sprintf(`.entity.owner[data-n="%d"]`, n) }

// Nodes are chosen and taken away by keys alone: arrows go from one to the next, Delete takes one away, Enter leads to what can be done
// and Escape back.
func TestRingByKeyboard(t *testing.T) {
	tb := ringAt(t, "change=none", 1500, look{})
	tb.tabTo(node(1))
	tb.press(kb.ArrowRight, kb.ArrowRight)
	if !eval[bool](tb, `return document.activeElement.matches('`+node(3)+`')`) {
		t.Fatalf("two arrows lead to %s", eval[string](tb, `return document.activeElement.outerHTML.slice(0, 120)`))
	}
	if told := tb.text(".hub"); !strings.Contains(told, "node 3") || !strings.Contains(told, "of the circle") {
		t.Errorf("the middle says %q of the node with the focus", told)
	}
	tb.press(kb.Delete)
	tb.acted("do=1.5s:remove:node-0003")
	if !eval[bool](tb, `return document.activeElement.matches('`+node(3)+`.gone')`) {
		t.Error("the node that was taken away has lost the focus, or does not show that it is gone")
	}
	tb.press(kb.Home, kb.Enter)
	tb.wait(`document.activeElement.closest(".lab-deeds") !== null`)
	tb.press(kb.Escape)
	if !eval[bool](tb, `return document.activeElement.matches('`+node(1)+`')`) {
		t.Error("Escape does not lead back to the node")
	}
	tb.press(kb.Enter, kb.Enter)
	tb.acted("do=1.5s:remove:node-0001")
	// The runs of both actions are those of the command line.
	spec := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`)
	if got, want := tb.digest("seedbed-lab"), native(t, spec); got != want {
		t.Errorf("%s: digest %s, want %s", spec, got, want)
	}
}

// middle is the middle of what a selector finds, in the window, once it stands still.
func (tb *tab) middle(selector string) [2]float64 {
	tb.t.Helper()
	return eval[[2]float64](tb, fmt.Sprintf(`const e = document.querySelector(%q); await Promise.all(e.getAnimations().map((a) => a.finished)); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]`, selector))
}

// drag moves the mouse with its button down from the middle of what a selector finds by so many pixels.
func (tb *tab) drag(selector string, dx, dy float64, release bool) {
	tb.t.Helper()
	at := tb.middle(selector)
	event := func(kind input.MouseType, share float64) *input.DispatchMouseEventParams {
		return input.DispatchMouseEvent(kind, at[0]+share*dx, at[1]+share*dy).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	tb.do("drag "+selector, event(input.MouseMoved, 0).WithButton(input.None).WithButtons(0), event(input.MousePressed, 0), event(input.MouseMoved, 0.3), event(input.MouseMoved, 1))
	if release {
		tb.do("let go", event(input.MouseReleased, 1).WithButtons(0))
	}
}

// A node that is dragged off the ring is taken away, one that is dragged onto it comes, and one that is let go where it stood stays.
func TestRingByPointer(t *testing.T) {
	for _, width := range []int64{1280, 700} {
		tb := ringAt(t, "change=none", 1500, look{width: width})
		eval[any](tb, `document.querySelector(".stage").scrollIntoView({ block: "center", behavior: "instant" }); return null`)
		spec := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`)
		tb.drag(node(2), 15, 15, true)
		tb.drag(node(3), 110, 0, false)
		if told := tb.text(".hub"); !strings.Contains(told, "node 3") || !strings.Contains(told, "Let go") {
			t.Errorf("%d px wide: while it is dragged off, the middle says %q", width, told)
		}
		tb.press(kb.Escape) // changes its mind
		if got := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`); got != spec {
			t.Errorf("%d px wide: a small drag, and one that was given up, made %s of %s", width, got, spec)
		}
		tb.do("let go", input.DispatchMouseEvent(input.MouseReleased, 5, 5).WithButton(input.Left))
		tb.drag(node(3), 110, 0, true)
		tb.acted("do=1.5s:remove:node-0003")
		from, to := tb.middle(node(9)), tb.middle(".hub")
		tb.drag(node(9), to[0]-from[0], to[1]-from[1], true)
		tb.acted("do=1.5s:add")
		if !eval[bool](tb, `return !document.querySelector('`+node(9)+`').matches(".to-come, .gone")`) {
			t.Errorf("%d px wide: the node that was dragged onto the ring is not in it", width)
		}
	}
}

// A change that the lab refuses says so where the reader has acted, and to those who listen; what the stage knows to be in vain is not
// done at all, and its button says why.
func TestARefusedDeedSaysWhy(t *testing.T) {
	for _, c := range []struct{ lang, early, gone, all string }{
		{"en", "keys are still arriving", "gone", "no more nodes can come"},
		{"zh", "键还在陆续到来", "已离开", "再没有节点可来"},
	} {
		tb := open(t, "/"+c.lang+"/labs/hash-ring?change=none", look{})
		tb.runLab("seedbed-lab")
		said := func() string {
			return eval[string](tb, `return document.querySelector(".lab-came").checkVisibility() ? document.querySelector(".lab-came").textContent : ""`)
		}
		heard := func(text string) {
			t.Helper()
			tb.wait(fmt.Sprintf(`document.querySelector(".lab-log [role=status]").textContent.includes(%q)`, text))
		}
		at := func(ms int) {
			eval[any](tb, fmt.Sprintf(`const s = document.querySelector(".scrub input"); s.value = String(%d / 3); s.dispatchEvent(new Event("input")); return null`, ms))
		}
		at(500)
		tb.tabTo(node(1))
		tb.press(kb.Delete)
		tb.acted("do=0.5s:remove:node-0001")
		if got := said(); !strings.Contains(got, c.early) || !strings.Contains(got, "500 ms") {
			t.Errorf("%s: a node that is taken away too early: the stage says %q, want %q", c.lang, got, c.early)
		}
		heard(c.early)

		at(1500)
		tb.press(kb.Delete)
		tb.acted("do=1.5s:remove:node-0001")
		if got := said(); strings.Contains(got, c.early) || got == "" {
			t.Errorf("%s: a node that goes: the stage says %q", c.lang, got)
		}
		tb.press(kb.Enter)
		tb.wait(`document.querySelector(".lab-deed [aria-disabled=true]") !== null`)
		if got := tb.text(".lab-deeds .lab-why"); got != c.gone {
			t.Errorf("%s: the button of a node that is gone says %q, want %q", c.lang, got, c.gone)
		}
		before := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`)
		tb.press(kb.Enter) // the button has the focus
		heard(c.gone)
		tb.press(kb.Escape)
		if got := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`); got != before {
			t.Errorf("%s: what could do nothing was done: %s", c.lang, got)
		}

		at(2000)
		tb.click(".lab-deed:nth-of-type(3) button")
		tb.acted("do=2s:add")
		if got := tb.text(".lab-deeds .lab-why"); got != c.all {
			t.Errorf("%s: with all nodes on the ring the button that adds one says %q, want %q", c.lang, got, c.all)
		}
	}
}

// Delete takes away and nothing else: a node that is not here yet stays away. Insert brings it.
func TestDeleteBringsNoNode(t *testing.T) {
	tb := ringAt(t, "change=none", 1500, look{})
	tb.tabTo(node(1))
	tb.press(kb.End)
	if !eval[bool](tb, `return document.activeElement.matches('`+node(9)+`.to-come')`) {
		t.Fatal("the last node is not the one to come")
	}
	if told := tb.text(".hub"); !strings.Contains(told, "Insert: add a node") {
		t.Errorf("the middle says %q of a node to come, want the key that brings it", told)
	}
	if got := eval[string](tb, `return [1, 9].map((n) => document.querySelector(".entity.owner[data-n='" + n + "']").getAttribute("aria-keyshortcuts")).join()`); got != "Delete,Insert" {
		t.Errorf("the shortcuts of a node and of one to come are %s, want Delete,Insert", got)
	}
	tb.press(kb.Delete, kb.Home, kb.Insert, kb.End, kb.Insert)
	tb.acted("do=1.5s:add")
	if spec := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.spec`); strings.Count(spec, "do=") != 1 {
		t.Errorf("Delete on a node to come, and Insert on one that is there, did something: %s", spec)
	}
}

// One action more than a run takes is not done, and says why; the run that is there stays.
func TestAnActionTooManyLeavesTheRun(t *testing.T) {
	var do strings.Builder
	for i := range 200 {
		fmt.Fprintf(&do, "&do=%dms:burst", i+1)
	}
	for _, lang := range []string{"en", "zh"} {
		tb := open(t, "/"+lang+"/labs/window-edge?use=fixed"+do.String(), look{})
		digest := tb.runLab("seedbed-lab")
		eval[any](tb, `document.querySelector(".lab-deed button").click(); return null`)
		tb.wait(`document.querySelector(".lab-came").checkVisibility()`)
		if got := tb.text(".lab-came"); !strings.Contains(got, "200") {
			t.Errorf("%s: the stage says %q, want how many actions a run takes", lang, got)
		}
		if got := eval[string](tb, `return document.querySelector("seedbed-lab").dataset.state`); got != "done" {
			t.Errorf("%s: after one action too many the lab is %s, want done", lang, got)
		}
		if got := tb.digest("seedbed-lab"); got != digest {
			t.Errorf("%s: the digest is %s, want that of the run that is there, %s", lang, got, digest)
		}
		if got := eval[int](tb, `return document.querySelectorAll("input[name=do]").length`); got != 200 {
			t.Errorf("%s: the settings have %d actions, want 200", lang, got)
		}
	}
}

// What stands on the stage leads to its own actions: a shard's, here.
func TestEntityOffersItsActions(t *testing.T) {
	tb := open(t, "/zh/labs/shard-migrate", look{width: 390})
	tb.runLab("seedbed-lab")
	tb.click(`.entity.shard`)
	tb.wait(`document.querySelectorAll(".lab-deed").length === 3`)
	if got := tb.text(".lab-deeds"); !strings.Contains(got, "旧分片") || strings.Contains(got, "回退") {
		t.Errorf("a shard offers %q", got)
	}
	tb.click(`.lab-deed:nth-of-type(2) button`)
	tb.acted(":crash:old")
}
