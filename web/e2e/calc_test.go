package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// calcSite serves notes whose one chapter has a calculation, and returns the address of the chapters.
func calcSite(t *testing.T) string {
	t.Helper()
	stop, address, err := serve(binary, "--content", "testdata/calc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return address
}

// calcText is a value wherever the page shows it, each once.
func (tb *tab) calcText(view string) string {
	tb.t.Helper()
	return eval[string](tb, `return [...new Set([...document.querySelectorAll("[data-calc='`+view+`']")].map((e) => e.textContent.replace(/^[=≈] /, "")))].join(" or ")`)
}

// A number in the text is pressed and changed: all that depends on it changes, in the block and in the text, and nothing else; the
// author's numbers come back with one press. The engine is loaded at the first press, and not before.
func TestAReaderChangesANumber(t *testing.T) {
	tb := open(t, calcSite(t)+"/en/chapters/gateway", look{})
	const loaded = `performance.getEntriesByType("resource").filter((e) => e.name.includes("worker")).length`
	if got := eval[int](tb, "return "+loaded); got != 0 {
		t.Error("the engine is loaded before anything was pressed")
	}
	tb.click(`p [data-input="long_time"] button`)
	tb.press(kb.Backspace, "1", "0")
	tb.wait(`document.querySelector("[data-calc=conns]").textContent === "= 864"`)
	for view, want := range map[string]string{
		"conns": "864", "per_second": "86.4/s", "out": "7.81 MiB/s", "out in Mbit/s": "65.54 Mbit/s", "peak": "400 req/s", "cost": "$2.22/month",
	} {
		if got := tb.calcText(view); got != want {
			t.Errorf("%s: got %s, want %s", view, got, want)
		}
	}
	tb.press(kb.Enter)
	if got := tb.calcText("long_time"); got != "10 s" {
		t.Errorf("long_time: got %s, want 10 s everywhere", got)
	}
	if got := eval[string](tb, `return document.querySelector("p.announced:last-of-type").textContent`); got != "2 results changed" {
		t.Errorf("those who listen are told %q", got)
	}
	if got := eval[int](tb, "return "+loaded); got == 0 {
		t.Error("the engine was never loaded, but something was computed")
	}

	// Another unit of the same kind will do, and a second input may be set with the first.
	tb.click(`td [data-input="answer"] button`)
	tb.press(kb.Backspace, "2", " ", "M", "B", kb.Enter)
	tb.wait(`document.querySelector("p [data-calc=out]").textContent === "762.94 MiB/s"`)
	if got := tb.calcText("conns"); got != "864" {
		t.Errorf("conns: got %s, want 864 still", got)
	}

	tb.click(".calc-reset")
	for view, want := range map[string]string{"long_time": "5 s", "answer": "20 KiB", "conns": "464", "out": "7.81 MiB/s"} {
		if got := tb.calcText(view); got != want {
			t.Errorf("%s after the reset: got %s, want %s", view, got, want)
		}
	}
	if eval[string](tb, `return getComputedStyle(document.querySelector(".calc-reset")).visibility`) != "hidden" {
		t.Error("the reset is offered where there is nothing to reset")
	}
}

// With keys alone: Tab reaches an input, Enter opens and keeps, arrows step, Escape takes back, and the focus stays where it was.
func TestANumberIsChangedByKeys(t *testing.T) {
	tb := open(t, calcSite(t)+"/en/chapters/gateway", look{calm: true})
	tb.tabTo(`td [data-input="long_share"] button`)
	if said := eval[string](tb, `return document.activeElement.getAttribute("aria-label")`); said != "20%, change long_share" {
		t.Errorf("the button is called %q", said)
	}
	tb.press(kb.Enter)
	tb.press(kb.ArrowUp, kb.ArrowUp, kb.ArrowDown)
	tb.wait(`document.querySelector("[data-calc=conns]").textContent === "≈ 483"`)
	tb.press(kb.Escape)
	tb.wait(`document.querySelector("[data-calc=conns]").textContent === "= 464"`)
	if !eval[bool](tb, `return document.activeElement.matches("[data-input=long_share] button")`) {
		t.Error("after Escape the focus is not on the number")
	}
	tb.press(kb.Enter, kb.ArrowUp, kb.Enter)
	tb.wait(`document.querySelector("[data-calc=conns]").textContent === "≈ 483"`)
	if got := tb.calcText("long_share"); got != "21%" {
		t.Errorf("long_share: got %s, want 21%%", got)
	}
}

// What is no number is not taken: the field says what would be right, and whoever leaves it finds the last good number.
func TestWhatIsNoNumberIsNotTaken(t *testing.T) {
	tb := open(t, calcSite(t)+"/en/chapters/gateway", look{})
	const field = `document.querySelector(".calc-input input")`
	for _, c := range []struct{ keys, said string }{
		{"many", "Write a number, as in 400 req/s."},
		{"3 GB", "Write it in a unit like req/s."},
	} {
		tb.click(`p [data-input="peak"] button`)
		tb.press(strings.Split(c.keys, "")...)
		tb.wait(field + `.validationMessage !== ""`)
		if got := eval[string](tb, "return "+field+".validationMessage"); got != c.said {
			t.Errorf("%s: the field says %q, want %q", c.keys, got, c.said)
		}
		tb.press(kb.Enter)
		if !eval[bool](tb, "return "+field+" !== null") {
			t.Errorf("%s: Enter takes it", c.keys)
		}
		eval[bool](tb, `document.activeElement.blur(); return true`)
		tb.wait(`document.querySelector(".calc-input input") === null`)
		if got := tb.calcText("peak") + ", " + tb.calcText("conns"); got != "400 req/s, 464" {
			t.Errorf("%s: the page has %s, want the author's 400 req/s, 464", c.keys, got)
		}
	}

	// A result may have no value for a while.
	tb.click(`td [data-input="long_time"] button`)
	tb.press("0")
	tb.wait(`document.querySelector("[data-calc=per_second]").textContent === "–"`)
	if got := eval[string](tb, `return document.querySelector("[data-calc=per_second]").title`); got != "division by zero" {
		t.Errorf("the dash says %q", got)
	}
	tb.press(kb.Escape)
	tb.wait(`document.querySelector("[data-calc=per_second]").textContent === "= 92.8/s"`)
}

// Where a change makes an exact result one that is rounded, the text says so as the block does; and it has enough digits.
func TestTheTextSaysWhatIsRounded(t *testing.T) {
	tb := open(t, calcSite(t)+"/en/chapters/gateway", look{})
	tb.click(`p [data-input="long_share"] button`)
	tb.press(kb.Backspace, "2", "1", kb.Enter)
	tb.wait(`document.querySelector("td [data-calc=conns]").textContent === "≈ 483"`)
	for view, want := range map[string]string{"conns": "≈ 483", "out": "7.81 MiB/s"} { // the author rounded the second
		if got := tb.text("p [data-calc=" + view + "]"); got != want {
			t.Errorf("the text has %s for %s, want %s", got, view, want)
		}
	}
}

// The unit that stands beside a field is the one in which a number alone is read. A reader's own unit stands in the field. While what is
// written is no number, the last good numbers stay, and the reason stands beside the field for as long.
func TestAFieldSaysItsUnitAndItsFault(t *testing.T) {
	tb := open(t, calcSite(t)+"/en/chapters/gateway", look{})
	beside := func() string {
		return eval[string](tb, `const f = document.querySelector("p .calc-input form"); return f.parentNode.firstChild.textContent.trim() + "|" + f.querySelector("input").value + "|" + f.nextSibling.textContent.trim()`)
	}
	tb.click(`p [data-input="peak"] button`)
	if got := eval[string](tb, `return document.querySelector(".calc-input input").getAttribute("aria-label")`); got != "peak req/s" {
		t.Errorf("the field is called %q, want %q", got, "peak req/s")
	}
	tb.press(kb.Backspace)
	tb.press(strings.Split("2 k/s", "")...)
	tb.press(kb.Enter)
	tb.wait(`document.querySelector("td [data-calc=conns]").textContent === "= 2,320"`)
	tb.click(`p [data-input="peak"] button`)
	if got, want := beside(), "|2 k/s|"; got != want {
		t.Errorf("before, in and behind the field stand %s, want %s", got, want)
	}
	tb.press("m", "a", "n", "y")
	tb.wait(`document.querySelector(".calc-why").checkVisibility() && document.querySelector(".calc-why").textContent !== ""`)
	if got, want := tb.text(".calc-why"), "Write a number, as in 400 req/s."; got != want {
		t.Errorf("beside the field stands %q, want %q", got, want)
	}
	if got := tb.calcText("conns"); got != "2,320" {
		t.Errorf("while the field holds no number conns is %s, want the last good 2,320", got)
	}
	tb.press(kb.Escape)
	if got := eval[int](tb, `return document.querySelectorAll(".calc-why").length`); got != 0 {
		t.Errorf("after Escape %d reasons are left", got)
	}
	if got := tb.calcText("peak") + ", " + tb.calcText("conns"); got != "2 k/s, 2,320" {
		t.Errorf("after Escape the page has %s, want 2 k/s, 2,320", got)
	}
	tb.click(`p [data-input="peak"] button`)
	tb.press("3", "0", "0", kb.Enter)
	tb.wait(`document.querySelector("td [data-calc=conns]").textContent === "= 348"`)
	tb.click(`p [data-input="peak"] button`)
	if got, want := beside(), "|300|req/s"; got != want {
		t.Errorf("after a number alone: %s, want %s", got, want)
	}
}

// Without the engine the author's numbers stay and the field says why; the next change tries again.
func TestCalculationWithoutItsEngine(t *testing.T) {
	f := newFrontOf(t, calcSite(t))
	f.set(func(f *front) { f.gone = ".wasm" })
	tb := open(t, f.URL+"/en/chapters/gateway", look{expect: []string{"404"}})
	tb.click(`p [data-input="long_time"] button`)
	tb.press("9")
	const said = `document.querySelector(".calc-input input").validationMessage`
	tb.wait(said + ` !== ""`)
	if got, want := eval[string](tb, "return "+said), "This browser cannot compute here; the author's numbers stay. (404 Not Found)"; got != want {
		t.Errorf("the field says %q, want %q", got, want)
	}
	if got := tb.calcText("conns"); got != "464" {
		t.Errorf("conns: got %s, want the author's 464", got)
	}
	tb.press(kb.Escape)
	tb.wait(`document.querySelector(".calc-input input") === null`)
	if got := tb.calcText("long_time"); got != "5 s" {
		t.Errorf("long_time: got %s, want the author's 5 s", got)
	}

	f.set(func(f *front) { f.gone = "" })
	tb.click(`p [data-input="long_time"] button`)
	tb.press("9")
	tb.wait(`document.querySelector("[data-calc=conns]").textContent === "= 784"`)
}

// The block is complete without a script, on a phone and in the other language.
func TestCalculationsAsTheyCome(t *testing.T) {
	address := calcSite(t)
	still := open(t, address+"/en/chapters/gateway", look{noScript: true})
	var text string
	still.do("read", evaluate(`document.querySelector("main").innerText`, &text))
	for _, want := range []string{"400 req/s", "464", "7.81 MiB/s", "65.54 Mbit/s", "$0.02/(GB·month)", "uploads, exports"} {
		if !strings.Contains(text, want) {
			t.Errorf("without scripts the page lacks %s", want)
		}
	}
	var buttons int
	still.do("count", evaluate(`document.querySelectorAll(".calc-input button").length`, &buttons))
	if buttons != 0 {
		t.Errorf("without scripts %d numbers look as if they could be changed", buttons)
	}

	for _, how := range []look{{width: 390}, {width: 390, dark: true}, {width: 320}} {
		for _, lang := range []string{"en", "zh"} {
			tb := open(t, address+"/"+lang+"/chapters/gateway", how)
			if got := eval[int64](tb, `return document.documentElement.scrollWidth`); got > how.width {
				t.Errorf("%s at %d px: the page is %d px wide", lang, how.width, got)
			}
		}
	}
	tb := open(t, address+"/zh/chapters/gateway", look{width: 390})
	tb.click(`p [data-input="峰值"] button`)
	tb.press(kb.Backspace, "8", "0", "0", kb.Enter)
	tb.wait(`document.querySelector("[data-calc='连接数']").textContent === "= 928"`)
}

// axe-core finds no fault in a calculation, as it comes and while a number is written, in light and in dark.
func TestAxeFindsNothingInCalculations(t *testing.T) {
	address := calcSite(t)
	for _, lang := range []string{"en", "zh"} {
		for _, dark := range []bool{false, true} {
			tb := open(t, address+"/"+lang+"/chapters/gateway", look{dark: dark, calm: true})
			tb.axe(t, lang+" calculation", dark)
			tb.click(`p .calc-input button`)
			tb.press("x")
			tb.wait(`document.querySelector(".calc-input input:invalid") !== null`)
			tb.axe(t, lang+" calculation, being changed", dark)
		}
	}
}
