package main

import (
	"fmt"
	"io"
	"slices"
	"testing"
)

// candidate is one row: a benchmark, and what else there is to say of it.
type candidate struct {
	name  string
	bench func(b *testing.B)
	state string // bytes of state, or a remark
}

// bar is a promise: the first candidate's time is at most ratio times that of the one named.
type bar struct {
	against string
	ratio   float64
}

// table measures its candidates in turn, round after round. The first is ours.
func table(w io.Writer, rounds int, title string, all []candidate, bars ...bar) {
	ns := make([][]float64, len(all))
	allocs, bytes := make([]int64, len(all)), make([]int64, len(all))
	for range rounds {
		for i, c := range all {
			r := testing.Benchmark(c.bench)
			ns[i] = append(ns[i], float64(r.T.Nanoseconds())/float64(r.N))
			allocs[i], bytes[i] = max(allocs[i], r.AllocsPerOp()), max(bytes[i], r.AllocedBytesPerOp())
		}
	}
	fmt.Fprintf(w, "\n### %s\n\n| | ns | × ours | allocs | B allocated | state |\n|---|--:|--:|--:|--:|---|\n", title)
	for i, c := range all {
		fmt.Fprintf(w, "| %s | %.1f | %.2f | %d | %d | %s |\n", c.name, median(ns[i]), median(ratios(ns[i], ns[0])), allocs[i], bytes[i], c.state)
	}
	for _, b := range bars {
		i := slices.IndexFunc(all, func(c candidate) bool { return c.name == b.against })
		got, mark := median(ratios(ns[0], ns[i])), "✓"
		if got > b.ratio {
			mark = "✗"
		}
		fmt.Fprintf(w, "\n%s %s takes %.2f× the time of %s (the bar is %.2f×).\n", mark, all[0].name, got, b.against, b.ratio)
	}
	if len(bars) > 0 {
		mark := "✓"
		if allocs[0] > 0 {
			mark = "✗"
		}
		fmt.Fprintf(w, "\n%s %s allocates %d times (the bar is 0).\n", mark, all[0].name, allocs[0])
	}
}

func ratios(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return r
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}
