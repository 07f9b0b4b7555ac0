package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
)

// labInfo is what `lab show --json` tells of a lab.
type labInfo struct {
	ID      string
	Presets []preset
}

type preset struct{ Name, Spec, Breaks string }

// labs asks the binary for its labs.
func labs(t *testing.T) []labInfo {
	t.Helper()
	var ids []struct{ ID string }
	ask(t, &ids, "lab", "list", "--json")
	all := make([]labInfo, len(ids))
	for i, l := range ids {
		ask(t, &all[i], "lab", "show", l.ID, "--json")
	}
	if len(all) == 0 {
		t.Fatal("the binary knows no lab")
	}
	return all
}

func ask(t *testing.T, into any, args ...string) {
	t.Helper()
	out, err := exec.Command(binary, args...).Output()
	if err != nil {
		t.Fatalf("seedbed %v: %v", args, err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("seedbed %v: %v: %.200s", args, err, out)
	}
}

// said is everything that a document says of a run: verdicts, measurements, the plots' table, what happened.
const said = `const said = (doc) => [...doc.querySelectorAll(".lab-checks li > span:last-child, .lab-measures dd, [data-part=details] td, [data-part=data] td, [data-part=data] th, [data-part=story] :is(.at, .at + span, p)")]
	.map((e) => { const c = e.cloneNode(true); c.querySelectorAll("button").forEach((b) => b.remove()); return c.textContent.replace(/\s+/g, " ").trim(); }).join("\n");`

// Every preset of every lab gives the digest in Chromium that the server gives, and each lab's first one the command line's too: both go
// through the same door, so one shows that it is the same. What the script says of the run is what the server's page says, word for word.
func TestEveryPresetIsTheSameInTheBrowser(t *testing.T) {
	all := labs(t)
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			tb := open(t, "/"+lang+"/labs/", look{}) // one tab for all: a new one takes longer than a lab's run
			for _, lab := range all {
				t.Run(lab.ID, func(t *testing.T) { compareLab(t, tb.of(t), lang, lab) })
			}
		})
	}
}

func compareLab(t *testing.T, tb *tab, lang string, lab labInfo) {
	t.Helper()
	tb.again("/" + lang + "/labs/" + lab.ID)
	eval[any](tb, `document.querySelectorAll(".lab-folds details").forEach((d) => { d.open = true; }); return null`)
	told := map[string]bool{}
	for i, p := range lab.Presets {
		if lang != "en" && told[p.Breaks] {
			continue // sentences are the other language's, numbers are not: one that holds and one that breaks each check are enough
		}
		told[p.Breaks] = true
		if i == 0 {
			compareNative(t, p)
		}
		comparePreset(t, tb, lang, p)
	}
}

func compareNative(t *testing.T, p preset) {
	t.Helper()
	if want, got := native(t, p.Spec), post(t, p.Spec); got != want {
		t.Errorf("%s: digest %s on the server, %s on the command line", p.Name, got, want)
	}
}

func comparePreset(t *testing.T, tb *tab, lang string, p preset) {
	t.Helper()
	server := post(t, p.Spec) // before the browser asks: what the server has run it keeps, and so draws whatever its limits
	got := eval[struct{ State, Spec, Digest, Script, Server string }](tb, fmt.Sprintf(said+`
		const lab = document.querySelector("seedbed-lab");
		const done = new Promise((r) => lab.addEventListener("seedbed-done", r, { once: true }));
		lab.apply("preset=%s");
		await done;
		const page = await (await fetch("/%s/labs/%s")).text();
		return { state: lab.dataset.state, spec: lab.dataset.spec, digest: lab.dataset.digest,
			script: said(document), server: said(new DOMParser().parseFromString(page, "text/html")) };`, p.Name, lang, p.Spec))
	if got.Spec != p.Spec {
		t.Errorf("%s: ran %s, want %s", p.Name, got.Spec, p.Spec)
	}
	if got.Digest != server {
		t.Errorf("%s: digest %s in the browser, %s on the server", p.Name, got.Digest, server)
	}
	if got.Script != got.Server || got.Server == "" {
		t.Errorf("%s: the script says\n%s\nthe server said\n%s", p.Name, got.Script, got.Server)
	}
	if broken := tb.text(".lab-checks .broken"); (broken != "") != (p.Breaks != "") {
		t.Errorf("%s breaks %q; the page shows as broken %q", p.Name, p.Breaks, broken)
	}
}

// The server's picture stands until the reader asks; then the same run is there, live, and the page says that it is the same.
func TestDefaultLabRunsWhenAsked(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			tb := open(t, "/"+lang+"/chapters/windows", look{})
			tb.wait(`customElements.get("seedbed-lab")`)
			if got := eval[string](tb, `const l = document.querySelector("seedbed-lab");
				return [l.dataset.state, l.querySelector(".lab-still svg") !== null, performance.getEntriesByType("resource").some((r) => r.name.endsWith(".wasm"))].join()`); got != "idle,true,false" {
				t.Errorf("before anything is asked: state, picture, module fetched = %s; want idle,true,false", got)
			}
			digest := tb.runLab("#lab-1")
			spec := eval[string](tb, `return document.querySelector("#lab-1").dataset.spec`)
			if want := native(t, spec); digest != want {
				t.Errorf("digest %s, natively %s", digest, want)
			}
			tb.wait(`document.querySelector("#lab-1 [data-part=proof]").dataset.same === "true"`)
			tb.wait(`document.querySelector("#lab-1 .stage .entity.limiter .counts").textContent !== ""`)
			if eval[bool](tb, `return document.querySelector("#lab-1 [data-part=still]").checkVisibility()`) {
				t.Error("the still picture stands beside the live one")
			}
		})
	}
}
