package hotkeytest_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seedbed/chapters/hotkey"
	"seedbed/chapters/hotkey/hotkeytest"
)

const second = 1_000_000_000

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestOurs: each detector of this project keeps every claim that it can make.
func TestOurs(t *testing.T) {
	type claims = hotkeytest.Claim
	for _, c := range []struct {
		name   string
		fresh  func() hotkeytest.Detector
		claims claims
	}{
		{"window", func() hotkeytest.Detector {
			w := must(hotkey.NewWindow(hotkey.WindowConfig{Window: 5 * second, Buckets: 5, MaxKeys: 4000}))
			return &w
		}, hotkeytest.NeverUnder | hotkeytest.NeverOver | hotkeytest.Forgets},
		{"count-min", func() hotkeytest.Detector {
			m := must(hotkey.NewCountMin(hotkey.CountMinConfig{Width: 500, Depth: 4, Top: 20, Halve: second}))
			return &m
		}, hotkeytest.NeverUnder | hotkeytest.Forgets},
		{"conservative", func() hotkeytest.Detector {
			m := must(hotkey.NewCountMin(hotkey.CountMinConfig{Width: 300, Depth: 4, Top: 20, Halve: second, Conservative: true}))
			return &m
		}, hotkeytest.NeverUnder | hotkeytest.Forgets},
		{"space-saving", func() hotkeytest.Detector {
			s := must(hotkey.NewSpaceSaving(hotkey.SpaceSavingConfig{Keys: 200, Halve: second}))
			return &s
		}, hotkeytest.NeverUnder | hotkeytest.NeverOver | hotkeytest.Forgets},
		{"heavy keeper", func() hotkeytest.Detector {
			h := must(hotkey.NewHeavyKeeper(hotkey.HeavyKeeperConfig{Width: 500, Depth: 2, Top: 20, Base: 1080, Halve: second}))
			return &h
		}, hotkeytest.NeverOver | hotkeytest.Forgets},
		{"lfu", func() hotkeytest.Detector {
			l := must(hotkey.NewLFU(hotkey.LFUConfig{Keys: 4000, Factor: 1, Decay: second / 20}))
			return &l
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			hotkeytest.Run(t, hotkeytest.Target{New: c.fresh, Life: 10 * second, Claims: hotkeytest.Always | c.claims})
		})
	}
}

// counter counts exactly, but for what a test breaks.
type counter struct {
	counts map[uint64]int64
	order  []uint64 // keys as they came, newest last
	list   func(c *counter, top []hotkey.Count, k int) []hotkey.Count
}

func (c *counter) AddAt(_ int64, id uint64) bool {
	c.counts[id]++
	if c.order = append(c.order, id); len(c.order) > 200 {
		c.order = c.order[100:]
	}
	return true
}

func (c *counter) TopAt(_ int64, k int) []hotkey.Count {
	var out []hotkey.Count
	for id, n := range c.counts {
		out = append(out, hotkey.Count{ID: id, N: n})
	}
	slices.SortFunc(out, func(a, b hotkey.Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.ID, b.ID)) })
	return c.list(c, out, k)
}

func cut(top []hotkey.Count, k int) []hotkey.Count { return top[:min(k, len(top))] }

// TestEachClaimCanFail: a detector with one fault fails the claim that is about it.
func TestEachClaimCanFail(t *testing.T) {
	shared := 0
	recent := func(c *counter, _ []hotkey.Count, k int) (out []hotkey.Count) { // what was used last, as LRU has it
		for i := len(c.order) - 1; i >= 0 && len(out) < k; i-- {
			if !slices.ContainsFunc(out, func(o hotkey.Count) bool { return o.ID == c.order[i] }) {
				out = append(out, hotkey.Count{ID: c.order[i], N: int64(len(c.order) - len(out))})
			}
		}
		return out
	}
	for claim, c := range map[string]struct {
		claim hotkeytest.Claim
		list  func(c *counter, top []hotkey.Count, k int) []hotkey.Count
	}{
		"lists":    {hotkeytest.Lists, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count { return cut(append(top[:1:1], top...), k) }},
		"majority": {hotkeytest.Majority, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count { return cut(top[1:], k) }},
		"recall":   {hotkeytest.Recall, recent},
		"repeats": {hotkeytest.Repeats, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count {
			shared++
			return cut(top[shared%2:], k)
		}},
		"never-under": {hotkeytest.NeverUnder, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count { top[3].N--; return cut(top, k) }},
		"never-over":  {hotkeytest.NeverOver, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count { top[3].N++; return cut(top, k) }},
		"forgets":     {hotkeytest.Forgets, func(_ *counter, top []hotkey.Count, k int) []hotkey.Count { return cut(top, k) }},
	} {
		fresh := func() hotkeytest.Detector { return &counter{counts: map[uint64]int64{}, list: c.list} }
		var r recorder
		hotkeytest.Check(&r, hotkeytest.Target{New: fresh, Life: second, Seeds: 3, Claims: c.claim})
		if len(r.said) != 1 || !strings.HasPrefix(r.said[0], claim+": seed ") {
			t.Errorf("%s: a detector with that fault: %q, want one failure", claim, r.said)
		}
	}
}

// TestTargetsThatMakeNoSense are refused with one line.
func TestTargetsThatMakeNoSense(t *testing.T) {
	fresh := func() hotkeytest.Detector { return &hotkey.LFU{} }
	for _, c := range []struct {
		target hotkeytest.Target
		want   string
	}{
		{hotkeytest.Target{Claims: hotkeytest.Lists}, "target: New is nil"},
		{hotkeytest.Target{New: fresh}, "target: no claims"},
		{hotkeytest.Target{New: fresh, Claims: hotkeytest.Forgets}, "target: Life 0"},
		{hotkeytest.Target{New: fresh, Claims: hotkeytest.Lists, Seeds: -1}, "target: -1 seeds"},
	} {
		var r recorder
		if hotkeytest.Check(&r, c.target); len(r.said) != 1 || !strings.HasPrefix(r.said[0], c.want) {
			t.Errorf("%q, want %q…", r.said, c.want)
		}
	}
}
