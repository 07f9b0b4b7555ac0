// Package labtest is what every family's tests ask of a lab: that its presets do what they say over many seeds, that a run's
// transcript is the one on file, that an event allocates nothing, and that a copied run goes on alike. Only tests import it; a lab of
// your own can be held to the same.
package labtest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seedbed/labs"
)

var update = flag.Bool("update", false, "write the transcripts in testdata anew")

// Spec parses a query of a lab, or ends the test.
func Spec(t testing.TB, lab *labs.Lab, query string) labs.Spec {
	t.Helper()
	s, err := labs.ParseQuery(lab, query)
	if err != nil {
		t.Fatalf("%s?%s: %v", lab.ID, query, err)
	}
	return s
}

// Run runs a query of a lab, or ends the test.
func Run(t testing.TB, lab *labs.Lab, query string) *labs.Trace {
	t.Helper()
	trace, err := labs.Run(Spec(t, lab, query), labs.Options{})
	if err != nil {
		t.Fatalf("%s?%s: %v", lab.ID, query, err)
	}
	return trace
}

// Metric is a metric of a trace by name; an unknown name ends the test.
func Metric(t testing.TB, lab *labs.Lab, trace *labs.Trace, name string) int64 {
	t.Helper()
	i := lab.Metric(name)
	if i < 0 {
		t.Fatalf("%s has no metric %s", lab.ID, name)
	}
	return trace.Metrics[i]
}

// Claims is Presets of each lab, over so many seeds; over a twentieth of them where tests shall be short.
func Claims(t *testing.T, seeds uint64, all ...*labs.Lab) {
	if testing.Short() {
		seeds = max(1, seeds/20)
	}
	for _, lab := range all {
		t.Run(lab.ID, func(t *testing.T) { Presets(t, lab, seeds) })
	}
}

// endedSeeds are the seeds with which a counterexample runs to its end.
const endedSeeds = 10

// Presets holds every preset to its word with the seeds 1 to seeds: one that breaks nothing keeps every check, a counterexample
// violates the check that it names and says when and by which request. Each canonical text must come back as it is. A violation is
// final, so beyond the first seeds a counterexample is run only up to it.
func Presets(t *testing.T, lab *labs.Lab, seeds uint64) {
	for _, p := range lab.Presets {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			spec := Spec(t, lab, p.Query)
			if text := spec.Query(); !strings.HasSuffix(text, p.Query) {
				t.Errorf("the preset is written %q, its canonical text is %q", p.Query, text)
			}
			for seed := uint64(1); seed <= seeds; seed++ {
				spec.Seed = seed
				until := p.Breaks
				if seed <= endedSeeds {
					until = ""
				}
				r, err := runUntil(spec, until)
				if err != nil {
					t.Fatal(err)
				}
				if err := judge(lab, &p, r.Verdicts(), r.Horizon()); err != nil {
					t.Errorf("%s: %v", spec.Text(), err)
				}
			}
		})
	}
}

// runUntil runs a Spec until a check is violated, or to its end.
func runUntil(spec labs.Spec, check string) (*labs.Runner, error) {
	r, err := labs.Begin(spec, labs.Options{})
	if err != nil {
		return nil, err
	}
	violated := func(v labs.Verdict) bool { return v.Check == check && !v.OK }
	for done := false; !done && !slices.ContainsFunc(r.Verdicts(), violated); {
		if done, err = r.Advance(1 << 10); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// judge says what the verdicts on a preset lack.
func judge(lab *labs.Lab, p *labs.Preset, verdicts []labs.Verdict, horizon int64) error {
	for i := range verdicts {
		v := &verdicts[i]
		if p.Breaks == "" && !v.OK {
			return fmt.Errorf("%s is violated at %d ns by request %d with %v", v.Check, v.At, v.Request, v.Facts)
		}
		if v.Check == p.Breaks {
			if v.OK {
				return fmt.Errorf("%s holds, but the preset says that it breaks", v.Check)
			}
			if v.Request < 0 || v.Count < 1 || v.At > horizon {
				return fmt.Errorf("%s is violated, but the verdict names no instant or request: %+v", v.Check, *v)
			}
			return nil
		}
	}
	if p.Breaks != "" {
		return errors.New("the lab has no check " + p.Breaks)
	}
	return nil
}

// Transcripts compares a readable transcript of each preset of some labs with testdata/LAB.PRESET.txt; -update writes them.
func Transcripts(t *testing.T, all ...*labs.Lab) {
	t.Helper()
	for _, lab := range all {
		transcripts(t, lab)
	}
}

func transcripts(t *testing.T, lab *labs.Lab) {
	t.Helper()
	for _, p := range lab.Presets {
		name := filepath.Join("testdata", lab.ID+"."+p.Name+".txt")
		spec := Spec(t, lab, p.Query)
		got := Transcript(&spec, Run(t, lab, p.Query))
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v; write it with go test -update in this folder", err)
			continue
		}
		if got != string(want) {
			t.Errorf("%s: the run differs from its transcript at line %s", name, firstDifference(got, string(want)))
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("%d:\ngot  %s\nwant %s", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return fmt.Sprintf("%d: it ends early", len(g))
}

// Allocations fails when a run of the query allocates more than a little beyond what its start and its records take: what it
// allocates must not grow with its events. The query must last long enough to handle 100,000 events.
func Allocations(t *testing.T, lab *labs.Lab, query string) {
	spec := Spec(t, lab, query)
	r, err := labs.Begin(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	advance := func() {
		if done, err := r.Advance(30_000); done || err != nil {
			t.Fatalf("the run ended after %d events (%v), too few to measure", r.Handled(), err)
		}
	}
	advance() // the log of first events fills, slices reach their size
	allocs := testing.AllocsPerRun(1, advance)
	if perEvent := allocs / 30_000; perEvent > 0.001 {
		t.Errorf("%s: %.4f allocations an event, want none", spec.Text(), perEvent)
	}
}

// Copies fails when a copy of a run's state does not go on exactly as the run did: replays from checkpoints must show the events of the
// run's own log, at a hundred instants of it. The run must be long enough to have kept checkpoints.
func Copies(t *testing.T, lab *labs.Lab, query string) {
	t.Helper()
	const instants, events, firstCheckpoint = 100, 200, 512
	r, err := labs.Begin(Spec(t, lab, query), labs.Options{Seek: true})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Advance(1 << 13); err != nil {
			t.Fatal(err)
		}
	}
	log := r.Trace().Log
	if r.Handled() < 2*firstCheckpoint || len(log) < events {
		t.Fatalf("%s?%s: %d events, %d in the log: too few to keep checkpoints that matter", lab.ID, query, r.Handled(), len(log))
	}
	first, last := log[0].At, log[len(log)-1].At
	for i := range int64(instants) {
		at := first + (last-first)/instants*i
		k := slices.IndexFunc(log, func(e labs.Logged) bool { return e.At >= at })
		want := log[k:min(len(log), k+events)]
		got := r.Replay(at, 0, events)
		if got = got[:min(len(got), len(want))]; !slices.Equal(got, want) { // beyond the log's end there is nothing to compare with
			t.Fatalf("%s?%s: the replay from %d ns is not what the run did", lab.ID, query, at)
		}
	}
}
