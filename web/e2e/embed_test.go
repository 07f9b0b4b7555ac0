package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// host serves a page of somebody else's, on another origin.
func host(t *testing.T, body string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>notes</title><link rel="icon" href="data:,"></head><body><h1>My notes</h1>%s</body></html>`, body)
	}))
	t.Cleanup(s.Close)
	// Another host name, so that another origin and another site.
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

// The element of /embed.js shows its fallback, then a frame that has sized itself; it runs, tells its state, and obeys.
func TestEmbedElement(t *testing.T) {
	address := host(t, `<script src="`+site+`/embed.js" async></script>
		<seedbed-lab lab="window-edge" spec="use=fixed" lang="zh"><a href="https://example.org/">the picture and a link</a></seedbed-lab>`)
	tb := open(t, address, look{})
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "idle"`)
	if got := eval[string](tb, `const f = document.querySelector("seedbed-lab").shadowRoot.querySelector("iframe"); return f.src + " " + (f.title !== "")`); got != site+"/embed/zh/window-edge?use=fixed true" {
		t.Errorf("the frame's address and whether it has a title: %s", got)
	}
	tb.wait(`document.querySelector("seedbed-lab").shadowRoot.querySelector("iframe").getBoundingClientRect().height > 300`)
	if eval[bool](tb, `return document.querySelector("seedbed-lab a").checkVisibility()`) {
		t.Error("the fallback stands beside the frame")
	}
	idle := eval[float64](tb, `return document.querySelector("seedbed-lab").getBoundingClientRect().height`)
	digest := eval[string](tb, `const lab = document.querySelector("seedbed-lab");
		const done = new Promise((r) => lab.addEventListener("seedbed-done", (e) => r(e.detail.digest), { once: true }));
		lab.run();
		return await done;`)
	if want := native(t, "window-edge?use=fixed"); digest != want {
		t.Errorf("digest %s in the frame, %s natively", digest, want)
	}
	tb.wait(`document.querySelector("seedbed-lab").dataset.state === "done"`)
	tb.wait(fmt.Sprintf(`Math.abs(document.querySelector("seedbed-lab").getBoundingClientRect().height - %v) > 20`, idle))
	if got := tb.digest("seedbed-lab"); got != digest {
		t.Errorf("the element carries the digest %q, its event said %s", got, digest)
	}
	eval[any](tb, `document.querySelector("seedbed-lab").setAttribute("spec", "use=log"); return null`)
	tb.wait(`/use=|v=1$/.test(document.querySelector("seedbed-lab").dataset.spec) && !/fixed/.test(document.querySelector("seedbed-lab").dataset.spec)`)
}

// What some hosts make of an unknown provider's code: a frame with sandbox="allow-scripts", whose origin is null. It runs there.
func TestEmbedInASandbox(t *testing.T) {
	address := host(t, `<iframe sandbox="allow-scripts" src="`+site+`/embed/en/token-bucket?rate=60" width="700" height="400" title="lab"></iframe>
		<script>
			window.heard = [];
			addEventListener("message", (e) => {
				if (e.source !== document.querySelector("iframe").contentWindow) return;
				heard.push(e.data);
				if (e.data.seedbed === "height") e.source.postMessage({ seedbed: "sized" }, "*");
			});
		</script>`)
	tb := open(t, address, look{})
	tb.wait(`heard.some((m) => m.seedbed === "height" && m.height > 200)`)
	eval[any](tb, `document.querySelector("iframe").contentWindow.postMessage({ seedbed: "run" }, "*"); return null`)
	tb.wait(`heard.some((m) => m.event === "seedbed-done" || m.event === "seedbed-error")`)
	got := eval[string](tb, `const m = heard.find((m) => m.event); return m.event + " " + m.spec + " " + m.digest + " " + JSON.stringify(m.detail)`)
	if want := "seedbed-done token-bucket?v=1&rate=60 " + native(t, "token-bucket?rate=60"); !strings.HasPrefix(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// A host that never answers keeps a frame that scrolls.
func TestEmbedScrollsUntilTheHostAnswers(t *testing.T) {
	tb := open(t, "/embed/en/window-edge", look{width: 600})
	tb.wait(`document.documentElement.classList.contains("framed")`)
	if got := eval[string](tb, `return getComputedStyle(document.documentElement).overflowY`); got == "hidden" {
		t.Error("the frame does not scroll although nobody has sized it")
	}
}

// Without script the fallback is what there is.
func TestEmbedWithoutScript(t *testing.T) {
	address := host(t, `<script src="`+site+`/embed.js" async></script><seedbed-lab lab="window-edge"><a href="https://example.org/">a link</a></seedbed-lab>`)
	tb := open(t, address, look{noScript: true})
	var visible bool
	tb.do("look at the fallback", evaluate(`document.querySelector("seedbed-lab a").checkVisibility()`, &visible))
	if !visible {
		t.Error("the fallback does not show")
	}
}
