package picture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

var texts = func() *text.Texts {
	t, err := text.Load(content.FS)
	if err != nil && t == nil {
		panic(err)
	}
	return t
}()

// pictureOf runs a Spec and returns what is to be drawn.
func pictureOf(t testing.TB, spec string, lang text.Lang) Picture {
	t.Helper()
	s, err := labs.Parse(spec, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := labs.Run(s, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	layout := s.Lab.Layout(s.Config(nil))
	return Picture{Lab: s.Lab, Spec: &s, Trace: trace, Layout: &layout, Words: texts.Lab(lang, s.Lab.ID), UI: texts.UI(lang), Lang: lang}
}

// goldens are a few pictures as files that a person can look at: every kind of part is in one of them.
var goldens = []struct {
	name, spec string
	lang       text.Lang
	narrow     bool
	card       bool
}{
	{"edge-holds", "window-edge", text.EN, false, false},
	{"edge-holds-narrow", "window-edge", text.ZH, true, false},
	{"edge-burst", "window-edge?use=fixed", text.ZH, false, false},
	{"edge-burst-narrow", "window-edge?use=fixed", text.EN, true, false},
	{"edge-burst-card", "window-edge?use=fixed", text.EN, false, true},
	{"bucket-short", "window-edge?use=buckets&spare=0&first=9.9&gap=990.2", text.EN, false, false},
	{"random-with-actions", "window-edge?traffic=poisson&length=10&do=2s:burst&do=7.5s:burst::200", text.ZH, false, false},
	{"token-bucket-narrow", "token-bucket", text.ZH, true, false},
	{"layered", "layered-limit?use=qps-only&do=5s:bypass:gateway&do=12s:restore:gateway", text.EN, false, false},
	{"layered-card", "layered-limit?use=qps-only", text.ZH, false, true},
	{"ring", "hash-ring", text.EN, false, false},
	{"ring-one-point-narrow", "hash-ring?points=1&bound=25", text.ZH, true, false},
	{"two-owners", "shard-migrate?use=no-fence", text.EN, false, false},
	{"fenced-narrow", "shard-migrate?at=1.7s", text.ZH, true, false},
	{"more-than-the-places", "route-capacity?capacity=ignored&do=4.5s:unhealthy:a", text.EN, false, false},
	{"waterfall", "culprit", text.EN, false, false},
	{"waterfall-narrow", "culprit?case=231", text.ZH, true, false},
	{"waterfall-card", "culprit", text.ZH, false, true},
	{"ring-modulo", "hash-ring?use=modulo&nodes=30", text.ZH, false, false},
}

func TestGoldenPictures(t *testing.T) {
	for _, g := range goldens {
		in := pictureOf(t, g.spec, g.lang)
		in.Narrow, in.Standalone = g.narrow, true
		got := Run(in)
		if g.card {
			got = Card(in)
		}
		golden(t, g.name, got)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from its golden; look at it, then run with -update", name)
	}
}

// labels are all lines of text of a picture.
func labelsOf(t *testing.T, drawn []byte) []string {
	t.Helper()
	var out []string
	for _, l := range readSheet(t, drawn, true).labels {
		out = append(out, l.text)
	}
	return out
}

// TestEdgeIsSeenAtAGlance: in the picture that a reader of the first chapter sees first, each limiter has its own result, the fixed
// window's says how short the time was, and the two bursts are enlarged.
func TestEdgeIsSeenAtAGlance(t *testing.T) {
	for _, narrow := range []bool{false, true} {
		in := pictureOf(t, "window-edge", text.EN)
		in.Narrow = narrow
		got := labelsOf(t, Run(in))
		for _, want := range []string{"fixed window", "two counters", "sliding log", "bucketed window", "200", "within 2 ms", "limit 100", "0.995 … 1.005 s, ×400", "client", "service"} {
			found := false
			for _, l := range got {
				found = found || l == want || want == "bucketed window" && l == "bucketed"
			}
			if !found {
				t.Errorf("narrow %v: no label says %q; there are %q", narrow, want, got)
			}
		}
	}
}

// TestLanesTellWhoIsOver: the fixed window is over its bound and the others are not, whoever is judged.
func TestLanesTellWhoIsOver(t *testing.T) {
	for _, use := range []string{"fixed", "two-counter", "log", "buckets"} {
		s := newScene(pictureOf(t, "window-edge?use="+use, text.EN))
		if s.shape != bus || len(s.charts) != 0 {
			t.Fatalf("use=%s: shape %d with %d charts, not a bus with all plots in its lanes", use, s.shape, len(s.charts))
		}
		for i := range s.lanes {
			l := &s.lanes[i]
			if want := l.entity.Name == "fixed"; l.over() != want {
				t.Errorf("use=%s: %s is over: %v, want %v (peak %d, bound %d)", use, l.name, l.over(), want, l.peak, l.bound)
			}
			if l.entity.Judged != (l.entity.Name == use) {
				t.Errorf("use=%s: %s is judged: %v", use, l.name, l.entity.Judged)
			}
		}
	}
}

func TestDescriptionTellsTheRun(t *testing.T) {
	for lang, want := range map[text.Lang]string{
		text.EN: "fixed window: 200 admitted, 0 refused, at most 200 against 100.",
		text.ZH: "放行 200，拒绝 0，最高 200，上限 100。",
	} {
		if got := newScene(pictureOf(t, "window-edge", lang)).describe(); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", lang, got, want)
		}
	}
}

// TestDrawingChangesNothing: the trace and the layout are only read.
func TestDrawingChangesNothing(t *testing.T) {
	for _, spec := range []string{"window-edge?use=fixed", "token-bucket", "layered-limit?use=qps-only"} {
		in := pictureOf(t, spec, text.EN)
		digest, layout := in.Trace.Digest(), fmt.Sprint(*in.Layout)
		everyForm(in)
		if in.Trace.Digest() != digest || fmt.Sprint(*in.Layout) != layout {
			t.Errorf("%s: drawing changed what it drew", spec)
		}
	}
}

// TestPicturesStaySmall: two of them stand in each page with a lab.
func TestPicturesStaySmall(t *testing.T) {
	const most = 80 << 10
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			in := pictureOf(t, lab.ID+"?"+p.Query, text.ZH)
			if n := len(Run(in)); n > most {
				t.Errorf("%s %s takes %d bytes, more than %d", lab.ID, p.Name, n, most)
			}
		}
	}
}

func BenchmarkRun(b *testing.B) {
	in := pictureOf(b, "layered-limit?use=qps-only", text.EN)
	b.ReportAllocs()
	for b.Loop() {
		Run(in)
	}
}

// TestOutOfOrderIsBarred: while an entity is down its lane has a bar each few units, over just that time.
func TestOutOfOrderIsBarred(t *testing.T) {
	in := pictureOf(t, "layered-limit?do=5s:bypass:gateway&do=12s:restore:gateway", text.EN)
	drawn := string(Run(in))
	_, bars, found := strings.Cut(drawn, `<path class="dead" color="#666b75" fill="none" stroke="currentColor" d="`)
	if !found {
		t.Fatal("no bars are drawn")
	}
	bars, _, _ = strings.Cut(bars, `"`)
	p := newScene(in).wide().panels[0]
	from, to := p.at(5e9), p.at(12e9)
	n := 0
	for _, c := range splitPath(bars) {
		if c[0] != 'M' {
			continue
		}
		n++
		if x := parse(strings.Fields(c[1:])[0]); x < from-2 || x > to+2 {
			t.Errorf("a bar stands at %.1f, outside %.1f..%.1f", x, from, to)
		}
	}
	if want := int((to - from) / 4); n < want-1 || n > want+1 {
		t.Errorf("%d bars over %.0f units, want about %d", n, to-from, want)
	}
}
