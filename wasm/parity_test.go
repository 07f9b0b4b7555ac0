//go:build !js

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

// The same Spec leaves the same trace, byte for byte: here, in WebAssembly (by Node, with the module that readers get), and on arm64,
// where processors fuse x*y+z.

func TestNodeRunsEveryPresetTheSame(t *testing.T) {
	compare(t, presets(t), inNode(t, presets(t)))
}

func TestNodeRunsRandomSpecsTheSame(t *testing.T) {
	specs := randomSpecs(t, 300)
	compare(t, specs, inNode(t, specs))
}

func TestNodeRefusesTheSame(t *testing.T) {
	lab := catalog.All()[0]
	specs := []string{
		"no-such-lab",
		lab.ID + "?no-such-parameter=1",
		lab.ID + "?seed=-1",
		lab.ID + "?seed=1e400",
		lab.ID + "?v=999",
		lab.ID + "?do=1s:no-such-verb",
		lab.ID + "?at=%zz",
		lab.ID + "?" + lab.Params[0].Name + "=NaN",
	}
	for i, line := range compare(t, specs, inNode(t, specs)) {
		if !strings.HasPrefix(line, "error: ") {
			t.Errorf("%s ran: %s; it should be refused", specs[i], line)
		}
	}
}

func TestArm64RunsEveryPresetTheSame(t *testing.T) {
	qemu := tool(t, "qemu-aarch64-static", "package qemu-user-static")
	program := filepath.Join(t.TempDir(), "digests")
	build(t, []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, "-o", program, "./testdata/digests")
	specs := append(presets(t), randomSpecs(t, 30)...)
	compare(t, specs, feed(t, specs, exec.Command(qemu, program)))
}

// presets is every preset of every lab, as Specs.
func presets(t *testing.T) []string {
	t.Helper()
	var specs []string
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			s, err := labs.ParseQuery(lab, p.Query)
			if err != nil {
				t.Fatalf("preset %s of %s: %v", p.Name, lab.ID, err)
			}
			specs = append(specs, s.Text())
		}
	}
	if len(specs) == 0 {
		t.Fatal("no lab has a preset")
	}
	return specs
}

// randomSpecs draws Specs over the whole range of every parameter, with seeds and actions, and keeps those that are allowed and whose
// runs are short. Every lab gives as many, from a fixed seed; of one that has hardly any short run, longer ones will do.
func randomSpecs(t *testing.T, n int) []string {
	t.Helper()
	all := catalog.All()
	rng := rand.New(rand.NewPCG(20, 26))
	var specs []string
	for len(specs) < n {
		lab := all[len(specs)%len(all)]
		s := allowed(t, rng, lab)
		for tries := 1; !short(s, 5000<<(tries/16)); tries++ {
			if tries == 128 {
				t.Fatalf("%d draws gave no Spec of %s whose run is short", tries, lab.ID)
			}
			s = allowed(t, rng, lab)
		}
		specs = append(specs, s.Text())
	}
	return specs
}

// allowed draws until the settings go together.
func allowed(t *testing.T, rng *rand.Rand, lab *labs.Lab) labs.Spec {
	t.Helper()
	for range 10_000 {
		s := draw(rng, lab)
		if _, err := labs.Parse(s.Text(), catalog.Find); err != nil {
			continue
		}
		if _, err := labs.Begin(s, labs.Options{}); err == nil {
			return s
		}
	}
	t.Fatalf("10,000 draws of %s were refused, each of them", lab.ID)
	panic("unreachable")
}

// draw sets about half of the parameters, six of many: numbers evenly over their orders of magnitude.
func draw(rng *rand.Rand, lab *labs.Lab) labs.Spec {
	s := labs.New(lab)
	s.Seed = rng.Uint64() >> rng.IntN(64)
	for i := range lab.Params {
		p := &lab.Params[i]
		switch {
		case rng.IntN(max(12, len(lab.Params))) >= 6:
		case p.Choices != nil:
			s.Values[i] = rng.Int64N(int64(len(p.Choices)))
		default:
			width := uint64(p.Max - p.Min)
			// A burst of 100,000 is one event and long work, and so is the start in the steady state of a high rate: the presets have such.
			switch p.Unit {
			case labs.Count:
				width = min(width, 2000)
			case labs.PerSecond:
				width = min(width, 2_000_000)
			}
			offset := rng.Uint64() >> rng.IntN(64)
			if width+1 != 0 {
				offset %= width + 1
			}
			s.Values[i] = p.Min + int64(offset)
		}
	}
	for range rng.IntN(4) {
		if len(lab.Actions) > 0 {
			a := &lab.Actions[rng.IntN(len(lab.Actions))]
			do := strconv.FormatInt(rng.Int64N(3000), 10) + "ms:" + a.Verb
			if len(a.Targets) > 0 {
				do += ":" + a.Targets[rng.IntN(len(a.Targets))]
			}
			_ = s.Set("do", do) // a target or an instant that does not fit this draw: short refuses the Spec
		}
	}
	return s
}

// short is true when a Spec's run has at most so many events.
func short(s labs.Spec, events int) bool {
	run, err := labs.Begin(s, labs.Options{})
	if err != nil {
		return false
	}
	done, err := run.Advance(events)
	return done && err == nil
}

// compare holds what another platform printed against what happens here, and returns it.
func compare(t *testing.T, specs, got []string) []string {
	t.Helper()
	if len(got) != len(specs) {
		t.Fatalf("got %d lines for %d Specs", len(got), len(specs))
	}
	for i, text := range specs {
		if want := native(text); got[i] != want {
			t.Errorf("%s\n got %s\nwant %s", text, got[i], want)
		}
	}
	return got
}

// ran is what native found, by Spec: each preset is held against two platforms.
var ran = map[string]string{}

func native(text string) string {
	if line, is := ran[text]; is {
		return line
	}
	line := digests(text)
	ran[text] = line
	return line
}

// digests runs a Spec here and says what testdata/digests and digests.mjs say of it.
func digests(text string) string {
	spec, err := labs.Parse(text, catalog.Find)
	if err != nil {
		return "error: " + err.Error()
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%s %x", trace.Digest(), sha256.Sum256(trace.Append(nil)))
}

// inNode runs Specs, each in the module that readers get for its lab; the first part's refuses what no part has.
func inNode(t *testing.T, specs []string) []string {
	t.Helper()
	node := tool(t, "node", "package nodejs")
	script := filepath.Join(goroot(t), "lib", "wasm", "wasm_exec.js")
	out := make([]string, len(specs))
	for i, part := range catalog.Parts() {
		var at []int
		var own []string
		for k, text := range specs {
			id, _, _ := strings.Cut(text, "?")
			if of := catalog.PartOf(id); of == part.Name || of == "" && i == 0 {
				at, own = append(at, k), append(own, text)
			}
		}
		if len(own) == 0 {
			continue
		}
		lines := feed(t, own, exec.Command(node, "testdata/digests.mjs", script, module(t, part.Name)))
		if len(lines) != len(own) {
			t.Fatalf("%s.wasm gave %d lines for %d Specs", part.Name, len(lines), len(own))
		}
		for k, line := range lines {
			out[at[k]] = line
		}
	}
	return out
}

// built is where the modules of this run of the tests are.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seedbed-modules-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// module builds the module of a part as cmd/assets does, once.
func module(t *testing.T, part string) string {
	t.Helper()
	path := filepath.Join(built, part+".wasm")
	if _, err := os.Stat(path); err != nil {
		build(t, []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}, "-tags", part, "-trimpath", "-ldflags=-s -w", "-o", path, ".")
	}
	return path
}

// Each part has a module of its own, and no module another part's labs. A lab that is there refuses a parameter that it does not have: to
// run it as well would say no more, since every preset runs in the module of its part.
func TestEachModuleHoldsItsPart(t *testing.T) {
	node := tool(t, "node", "package nodejs")
	script := filepath.Join(goroot(t), "lib", "wasm", "wasm_exec.js")
	var specs []string
	for _, lab := range catalog.All() {
		specs = append(specs, lab.ID+"?no-such-parameter=1")
	}
	for _, part := range catalog.Parts() {
		for k, line := range feed(t, specs, exec.Command(node, "testdata/digests.mjs", script, module(t, part.Name))) {
			id, _, _ := strings.Cut(specs[k], "?")
			want := "error: lab: "
			if catalog.PartOf(id) == part.Name {
				want = "error: " + id + ": "
			}
			if !strings.HasPrefix(line, want) {
				t.Errorf("%s.wasm says of %s: %s, want %s…", part.Name, id, line, want)
			}
		}
	}
}

func feed(t *testing.T, specs []string, cmd *exec.Cmd) []string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stdin = strings.NewReader(strings.Join(specs, "\n") + "\n")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(cmd.Path), err, stderr.String())
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// tool finds a program. Where it is missing the test is skipped and says what to install, but not in CI: there it must run.
func tool(t *testing.T, name, from string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing; CI installs it (%s)", name, from)
	}
	t.Skipf("%s is missing, so this platform is not compared; install it (%s)", name, from)
	return ""
}

func build(t *testing.T, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"build"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
