package text_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"seedbed/labs"
	"seedbed/labs/sim"
	"seedbed/web/text"
)

// toy is a lab that has one of everything that texts are about. What it looks like depends on its parameters: nodes come with their
// number, and the plot of levels only with the shut gate.
var toy = &labs.Lab{
	ID: "toy", Version: 1, Family: "toys",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"open", "shut"}},
		{Name: "limit", Min: 1, Max: 100_000, Default: 1500},
		{Name: "span", Unit: labs.Millis, Min: 1, Max: 1e10, Default: 1e9},
		{Name: "nodes", Min: 1, Max: 3, Default: 1},
	},
	Actions: []labs.Action{
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 100, Default: 50}},
		{Verb: "kill", Targets: []string{"node"}},
		{Verb: "paint", Targets: []string{"node"}, Value: &labs.Param{Name: "colour", Choices: []string{"plain", "red"}}},
	},
	Checks:  []labs.Check{{Name: "never-over", Facts: []labs.Quantity{{Name: "admitted"}, {Name: "width", Unit: labs.Millis}}}},
	Metrics: []labs.Quantity{{Name: "admitted"}, {Name: "wait", Unit: labs.Nanos}},
	Events: []labs.EventKind{
		{Name: "admit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "inside"}, Flow: labs.Pass},
		{Name: "down", Mark: true},
	},
	Presets: []labs.Preset{{Name: "default"}, {Name: "over", Query: "use=open&nodes=2&do=1s:kill:node-2", Breaks: "never-over"}},
	Horizon: func(labs.Config) int64 { return 10e9 },
	Layout:  toyLayout,
	Start:   func(labs.Config, *labs.Env) labs.State { return idle{} },
}

func toyLayout(c labs.Config) labs.Layout {
	l := labs.Layout{
		Columns:  []labs.Column{{Quantity: labs.Quantity{Name: "admitted"}}, {Quantity: labs.Quantity{Name: "depth"}}},
		Entities: []labs.Entity{{Name: "client-1", Label: "client", N: 1}, {Name: "gate"}},
		Plots:    []labs.Plot{{Name: "flow", Columns: []string{"admitted"}}},
		Panels:   []labs.Panel{{Name: "notes", Kind: labs.LogLines, Words: []string{"WARN"}}},
	}
	for n := 1; n <= int(c.Int("nodes")); n++ {
		l.Entities = append(l.Entities, labs.Entity{Name: "node-" + string(rune('0'+n)), Label: "node", N: n})
		l.Columns = append(l.Columns, labs.Column{Quantity: labs.Quantity{Name: "held.node-" + string(rune('0'+n))}})
	}
	if c.Choice("use") == "shut" {
		l.Plots = append(l.Plots, labs.Plot{Name: "level", Columns: []string{"depth"}})
	}
	return l
}

// idle is a state in which nothing happens.
type idle struct{}

func (idle) Handle(*labs.Env, sim.Event) {}
func (idle) Act(*labs.Env, labs.Do)      {}
func (idle) Finish(*labs.Env)            {}
func (idle) Clone() labs.State           { return idle{} }
func (idle) Bytes() int                  { return 0 }

// toyFiles copies testdata/toy, so that a test can spoil it.
func toyFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	root := os.DirFS("testdata/toy")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := fs.ReadFile(root, path)
		files[path] = &fstest.MapFile{Data: src}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// spoil replaces a piece of a file that must be there.
func spoil(t *testing.T, files fstest.MapFS, name, old, replacement string) {
	t.Helper()
	src := string(files[name].Data)
	if !strings.Contains(src, old) {
		t.Fatalf("%s has no %q to spoil", name, old)
	}
	files[name] = &fstest.MapFile{Data: []byte(strings.Replace(src, old, replacement, 1))}
}

func loadToy(t *testing.T) *text.Texts {
	t.Helper()
	texts, err := text.Load(toyFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func toySpec(t *testing.T, query string) (labs.Spec, labs.Layout) {
	t.Helper()
	spec, err := labs.ParseQuery(toy, query)
	if err != nil {
		t.Fatal(err)
	}
	return spec, toy.Layout(spec.Config(nil))
}
