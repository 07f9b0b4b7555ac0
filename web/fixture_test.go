package web

import (
	"bytes"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/labs/sim"
	"seedbed/web/runs"
)

// clock is a clock that the test sets; it never moves by itself.
type clock struct{ now atomic.Int64 }

// buffer is a log that may be written by many.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// builtFiles is what cmd/assets would leave, in small.
func builtFiles() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"gen/manifest.json": file(`{"build":"b01d","assets":{
			"site.css":{"file":"site-1.css"},"site.js":{"file":"site-1.js"},"lab.js":{"file":"lab-1.js"},"frame.js":{"file":"frame-1.js"},
			"worker.js":{"file":"worker-1.js"},"gateway.wasm":{"file":"gateway-1.wasm"},"owners.wasm":{"file":"owners-1.wasm"},"caches.wasm":{"file":"caches-1.wasm"},"resilience.wasm":{"file":"resilience-1.wasm"},"consistency.wasm":{"file":"consistency-1.wasm"},"incidents.wasm":{"file":"incidents-1.wasm"},"quota.wasm":{"file":"quota-1.wasm"},"core.wasm":{"file":"core-1.wasm"},"calc.wasm":{"file":"calc-1.wasm"},"embed.js":{"file":"embed.js"}}}`),
		"gen/site-1.css":         file("body{}" + strings.Repeat(" ", 100)),
		"gen/site-1.css.br":      file("brotli of css"),
		"gen/site-1.css.gz":      file("gzip of css"),
		"gen/site-1.js":          file("1"),
		"gen/lab-1.js":           file("2"),
		"gen/frame-1.js":         file("3"),
		"gen/worker-1.js":        file("4"),
		"gen/core-1.wasm":        file("\x00asm core"),
		"gen/incidents-1.wasm":   file("\x00asm incidents"),
		"gen/quota-1.wasm":       file("\x00asm quota"),
		"gen/calc-1.wasm":        file("\x00asm calc"),
		"gen/gateway-1.wasm":     file("\x00asm gateway"),
		"gen/caches-1.wasm":      file("\x00asm caches"),
		"gen/resilience-1.wasm":  file("\x00asm resilience"),
		"gen/consistency-1.wasm": file("\x00asm consistency"),
		"gen/owners-1.wasm":      file("\x00asm owners"),
		"gen/embed.js":           file("5"),
		"theme.js":               file("6"),
		"dev.js":                 file("7"),
		"favicon.svg":            file("<svg/>"),
	}
}

// newSite is a site of the real content and labs.
func newSite(t testing.TB, change func(*Config)) (*Server, *clock, *buffer) {
	t.Helper()
	c, log := &clock{}, &buffer{}
	config := Config{
		Content: content.FS, Static: builtFiles(), Labs: catalog.All(), Clock: c.now.Load,
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&config)
	}
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return s, c, log
}

// bareContent is the words alone, no page with code on it. Tests in a synctest bubble need it: the highlighter leaves a clock running for
// a while.
func bareContent() fs.FS {
	bare := fstest.MapFS{}
	err := fs.WalkDir(content.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".md") {
			return err
		}
		b, err := fs.ReadFile(content.FS, name)
		bare[name] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		panic(err)
	}
	return Overlay(fstest.MapFS{}, bare)
}

// theSite is one site for all tests that only read; making one takes a moment.
var theSite = sync.OnceValue(func() *Server {
	s, _, _ := newSite(panicking{}, nil)
	return s
})

// panicking stands for a test where there is none yet.
type panicking struct{ testing.TB }

func (panicking) Helper()           {}
func (panicking) Fatal(args ...any) { panic(args) }

// ask sends a request; header fields come in pairs.
func ask(s http.Handler, method, target, body string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func get(s http.Handler, target string, fields ...string) *httptest.ResponseRecorder {
	return ask(s, http.MethodGet, target, "", fields...)
}

// toy is a lab of one event, which does what the test asks for. It has no texts.
func toy(do func()) *labs.Lab {
	return &labs.Lab{
		ID: "toy", Version: 1, Family: "limits",
		Params:  []labs.Param{{Name: "n", Min: 0, Max: 1000}},
		Checks:  []labs.Check{{Name: "holds"}},
		Metrics: []labs.Quantity{{Name: "n"}},
		Presets: []labs.Preset{{Name: "default"}},
		Horizon: func(labs.Config) int64 { return 1e9 },
		Layout: func(labs.Config) labs.Layout {
			return labs.Layout{
				Columns:  []labs.Column{{Quantity: labs.Quantity{Name: "n"}}},
				Entities: []labs.Entity{{Name: "a", Kind: labs.Client}, {Name: "b", Kind: labs.Node, Rank: 1, Passed: "n"}},
				Links:    []labs.Link{{From: "a", To: "b"}},
			}
		},
		Start: func(c labs.Config, env *labs.Env) labs.State {
			env.At(0, 0, 0, c.Int("n"), 0)
			return &toyState{do: do}
		},
	}
}

type toyState struct{ do func() }

func (s *toyState) Handle(env *labs.Env, e sim.Event) {
	if e.A > 0 { // the default run is the pages' own
		s.do()
	}
	env.Add(0, 1)
}
func (s *toyState) Act(*labs.Env, labs.Do) {}
func (s *toyState) Finish(env *labs.Env)   { env.Metric(0, 1) }
func (s *toyState) Clone() labs.State      { c := *s; return &c }
func (s *toyState) Bytes() int             { return 8 }

// tight are limits that a test reaches at once.
func tight(c *clock) *runs.Config {
	limits := runs.Defaults(c.now.Load, 1)
	limits.Running, limits.Waiting = 1, 0
	limits.Session = runs.Rate{Burst: 2, PerMinute: 60}
	limits.Address = runs.Rate{Burst: 3, PerMinute: 60}
	return &limits
}
