package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// ringQuality compares what is not speed: how even keys are spread, what moves without a reason when one of the members leaves, what a
// ring weighs. Keys here are a million, so that chance adds little to the spread.
func ringQuality(w io.Writer) {
	const keys = 1_000_000
	fmt.Fprintf(w, "\n### Quality, %d keys\n\n| | cv | max/mean | keys moved when one of %d leaves | of these needlessly | KiB |\n|---|--:|--:|--:|--:|--:|\n", keys, ringMembers)
	all := named("user:%d", keys)
	for _, o := range ours {
		qualityOf(w, o.name, snapshot(o.algorithm), all)
	}
	for _, p := range peers {
		qualityOf(w, p.name, p.build, all)
	}
	r := newRing()
	var arcs []int64
	for _, a := range r.Arcs(nil) {
		arcs = append(arcs, int64(a>>1))
	}
	add := testing.Benchmark(addRing)
	remove := testing.Benchmark(removeRing)
	three := testing.Benchmark(threeRing)
	verdict(w, "Ring spreads its exact arcs with a cv of %.3f (the bar is %.2f)", float64(ring.SpreadOf(arcs, nil).CV)/1e6, .09)
	verdict(w, "Ring's points and their table take %.1f KiB (the bar is %.0f)", float64(r.Size())/1024, 250)
	verdict(w, "Ring with a member more is built in %.2f ms (the bar is %.0f)", float64(add.NsPerOp())/1e6, 10)
	verdict(w, "Ring with a member less is built in %.2f ms (the bar is %.0f)", float64(remove.NsPerOp())/1e6, 10)
	verdict(w, "Ring finds three owners in %.0f ns (the bar is %.0f)", float64(three.NsPerOp()), 300)
}

// qualityOf writes one row.
func qualityOf(w io.Writer, name string, build func([]string) *located, keys []string) {
	bytes := weigh(func() any { return build(ringNames) })
	before, owners, counts := build(ringNames), make([]string, len(keys)), map[string]int64{}
	for i, key := range keys {
		owners[i], _ = before.owner(key)
		counts[owners[i]]++
	}
	var loads []int64
	for _, member := range ringNames {
		loads = append(loads, counts[member])
	}
	spread := ring.SpreadOf(loads, nil)
	moved, needless := leave(build, owners, keys)
	fmt.Fprintf(w, "| %s | %.3f | %.2f | %.3f %% | %.3f %% | %.0f |\n", name, float64(spread.CV)/1e6, float64(spread.Max)/1e6, 100*moved, 100*needless, float64(bytes)/1024)
}

// verdict says whether a bar is held.
func verdict(w io.Writer, format string, got, most float64) {
	mark := "✓"
	if got > most {
		mark = "✗"
	}
	fmt.Fprintf(w, "\n%s "+format+".\n", mark, got, most)
}

// weigh is what a ring takes on the heap once it is built.
func weigh(build func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := build()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}

// movers is how many of the keys leave looks at.
const movers = 200_000

// leave takes five members out, each from a full ring, and returns the mean shares of keys that move, and that move though their owner
// stayed. A ring that cannot remove is built anew, and so is go-rendezvous, whose Remove panics.
func leave(build func([]string) *located, owners, keys []string) (moved, needless float64) {
	const times = 5
	for at := range times {
		gone := at*ringMembers/times + 7
		rest := append(append([]string(nil), ringNames[:gone]...), ringNames[gone+1:]...)
		after := build(ringNames)
		if !attempt(after, ringNames[gone]) {
			after = build(rest)
		}
		for i, key := range keys[:movers] {
			if now, _ := after.owner(key); now != owners[i] {
				moved += 1.0 / times / movers
				if owners[i] != ringNames[gone] {
					needless += 1.0 / times / movers
				}
			}
		}
	}
	return moved, needless
}

func attempt(l *located, name string) (done bool) {
	if l.remove == nil {
		return false
	}
	defer func() { done = recover() == nil }()
	l.remove(name)
	return true
}

// recorder is a ringtest.TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// ringPromises tries the promises of ringtest on every ring, as anybody could.
func ringPromises(w io.Writer) {
	claims := []ringtest.Claim{ringtest.Total, ringtest.Unordered, ringtest.Historyless, ringtest.Minimal, ringtest.Even, ringtest.Distinct,
		ringtest.Heirs, ringtest.Empty, ringtest.Once}
	fmt.Fprint(w, "\n### Promises, tried with chapters/ring/ringtest (even: a cv of 0.09)\n\n|")
	for _, c := range claims {
		fmt.Fprintf(w, " | %s", c)
	}
	fmt.Fprintf(w, " |\n|---%s|\n", strings.Repeat("|---", len(claims)))
	row := func(name string, try func(ringtest.Claim) string) {
		fmt.Fprintf(w, "| %s", name)
		for _, c := range claims {
			fmt.Fprintf(w, " | %s", try(c))
		}
		fmt.Fprint(w, " |\n")
	}
	for _, o := range ours {
		row(o.name, func(c ringtest.Claim) string {
			target := ringtest.Of(func(m []ring.Member) (ring.Snapshot, error) { return ring.Build(o.algorithm, ring.BuildConfig{}, m) }, c)
			target.Spread = evenBar
			return keeps(target)
		})
	}
	for _, p := range peers {
		row(p.name, func(c ringtest.Claim) string { return peerKeeps(p.build, c) })
	}
	fmt.Fprint(w, "\nDistinct also asks for all members when more are wanted than there are; some peers document an error instead. Modulo and Jump are numbered, so where anyone may leave they cannot be minimal.\n\n– it has no such function · ✗ it does not keep the promise · ✗! it panics · ∞ it did not return within twenty seconds\n")
}

// evenBar is a coefficient of variation of 0.09.
const evenBar = 90_000

// peerKeeps tries one claim on one peer.
func peerKeeps(build func([]string) *located, claim ringtest.Claim) string {
	target := ringtest.Target[*located]{
		New: func(members []ring.Member) (*located, error) {
			var names []string
			for _, m := range members {
				names = append(names, m.Name)
			}
			if l := build(nil); l.add != nil {
				return l.set(members)
			}
			return build(names), nil
		},
		Owner:  func(l *located, key string) (string, bool) { return l.owner(key) },
		Claims: claim,
		Spread: evenBar,
	}
	probe := build(ringNames)
	switch {
	case probe.owners == nil && claim&(ringtest.Distinct|ringtest.Heirs) != 0,
		probe.remove == nil && claim&(ringtest.Historyless|ringtest.Empty) != 0:
		return "–"
	case probe.owners != nil:
		target.Owners = func(l *located, key string, n int) []string { return l.owners(key, n) }
	}
	if probe.remove != nil {
		target.With = func(l *located, members []ring.Member) (*located, error) { return l.set(members) }
	}
	return keeps(target)
}

// keeps tries the claims of a target, and waits for the answer no longer than it should take.
func keeps[R any](target ringtest.Target[R]) string {
	result := make(chan string, 1)
	go func() {
		var r recorder
		ringtest.Check(&r, target)
		switch {
		case len(r.said) == 0:
			result <- "✓"
		case strings.Contains(r.said[0], "panicked"):
			result <- "✗!"
		default:
			result <- "✗"
		}
	}()
	select {
	case s := <-result:
		return s
	case <-time.After(20 * time.Second):
		return "∞"
	}
}
