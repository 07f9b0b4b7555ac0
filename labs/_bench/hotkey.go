package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"seedbed/chapters/hotkey"
)

const (
	hotRequests = 1_000_000
	hotEpsilon  = 1000   // parts of a million of all requests
	hotDelta    = 10_000 // parts of a million of the keys
	hotCounters = 1000   // of space-saving
)

// hotKeys compares what the detectors say with what was, on one skewed stream, and that with what they promise.
func hotKeys(w io.Writer, _ int) {
	z := rand.NewZipf(rand.New(rand.NewPCG(11, 2026)), 1.05, 1, 1<<20)
	width, depth := hotkey.CountMinSize(hotEpsilon, hotDelta)
	plain := must(hotkey.NewCountMin(hotkey.CountMinConfig{Width: width, Depth: depth, Top: 100, Seed: 7}))
	careful := must(hotkey.NewCountMin(hotkey.CountMinConfig{Width: width, Depth: depth, Top: 100, Seed: 7, Conservative: true}))
	saving := must(hotkey.NewSpaceSaving(hotkey.SpaceSavingConfig{Keys: hotCounters}))
	counts := map[uint64]int64{}
	for range hotRequests {
		id := z.Uint64() * 0x9E3779B97F4A7C15
		counts[id]++
		plain.AddAt(0, id)
		careful.AddAt(0, id)
		saving.AddAt(0, id)
	}
	fmt.Fprintf(w, "\n## Hot keys: %d requests for %d keys, Zipf 1.05\n", hotRequests, len(counts))
	fmt.Fprintf(w, "\n### Too high by\n\n| | KiB | largest | mean | keys too high by more than %d | ever too low |\n|---|--:|--:|--:|--:|--:|\n", hotEpsilon)
	over := countMinRow(w, fmt.Sprintf("CountMin, %d × %d", width, depth), &plain, counts)
	countMinRow(w, "the same, conservative", &careful, counts)
	most, low, missing := savingErrors(&saving, counts)
	fmt.Fprintf(w, "| SpaceSaving, %d counters, of those on its list | %.0f | %d | | | %d |\n", hotCounters, float64(saving.Size())/1024, most, low)
	verdict(w, "CountMin is too high by more than ε = 0.1 %% of all requests for %.4f %% of the keys (the bar is δ = %.0f %%)", over, float64(hotDelta)/1e4)
	verdict(w, "SpaceSaving is too high by %.0f at most (the bar is N ÷ m = %.0f)", float64(most), hotRequests/hotCounters)
	verdict(w, "SpaceSaving lacks %.0f of the keys that more than one in m requests were for (the bar is %.0f)", float64(missing), 0)
}

// countMinRow writes one row, and returns the percentage of keys beyond ε.
func countMinRow(w io.Writer, name string, c *hotkey.CountMin, counts map[uint64]int64) float64 {
	largest, sum, beyond, low := int64(0), int64(0), 0, 0
	for id, n := range counts {
		e := c.CountAt(0, id) - n
		largest, sum = max(largest, e), sum+e
		if e > hotRequests/1_000_000*hotEpsilon {
			beyond++
		}
		if e < 0 {
			low++
		}
	}
	fmt.Fprintf(w, "| %s | %.0f | %d | %.1f | %d | %d |\n", name, float64(c.Size())/1024, largest, float64(sum)/float64(len(counts)), beyond, low)
	return 100 * float64(beyond) / float64(len(counts))
}

// savingErrors is the largest error of those on the list, how many are too low, and how many hot keys are not on it.
func savingErrors(s *hotkey.SpaceSaving, counts map[uint64]int64) (most int64, low, missing int) {
	for _, c := range s.TopAt(0, hotCounters) {
		e := c.N - counts[c.ID]
		if most = max(most, e); e < 0 || e > c.Over {
			low++
		}
	}
	for id, n := range counts {
		if _, ok := s.CountAt(0, id); !ok && n > hotRequests/hotCounters {
			missing++
		}
	}
	return most, low, missing
}
