package hotkeytest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"seedbed/chapters/hotkey"
)

const (
	requests = 20_000
	keys     = 2000
)

// stream is requests by Zipf's law; which key has which rank is drawn too.
func stream(seed int) []uint64 {
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	z := rand.NewZipf(r, 1.1, 1, keys-1)
	names := r.Perm(keys)
	out := make([]uint64, requests)
	for i := range out {
		out[i] = uint64(names[z.Uint64()])
	}
	return out
}

// played is a detector after a stream at one instant, and the true counts.
func (g *Target) played(ids []uint64) (Detector, map[uint64]int64) {
	d, counts := g.New(), map[uint64]int64{}
	for _, id := range ids {
		d.AddAt(0, id)
		counts[id]++
	}
	return d, counts
}

func lists(g *Target, seed int) string {
	d, _ := g.played(stream(seed)[:1+seed*seed%requests])
	for _, k := range []int{0, 1, 10, 100_000} {
		top := d.TopAt(0, k)
		if len(top) > k {
			return fmt.Sprintf("asked for %d keys, it lists %d", k, len(top))
		}
		seen := map[uint64]bool{}
		for i, c := range top {
			if seen[c.ID] {
				return fmt.Sprintf("key %d is listed twice", c.ID)
			}
			seen[c.ID] = true
			if i > 0 && c.N > top[i-1].N {
				return fmt.Sprintf("key %d with %d is listed below %d", c.ID, c.N, top[i-1].N)
			}
		}
	}
	return ""
}

func majority(g *Target, seed int) string {
	const hot = keys + 5
	ids := stream(seed)
	for i := range ids {
		if i%20 < 11 {
			ids[i] = hot
		}
	}
	d, _ := g.played(ids)
	if top := d.TopAt(0, 1); len(top) != 1 || top[0].ID != hot {
		return fmt.Sprintf("11 of 20 requests are for key %d, and the first of the list is %v", hot, top)
	}
	return ""
}

func recall(g *Target, seed int) string {
	d, counts := g.played(stream(seed))
	ids := make([]uint64, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint64) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	found := 0
	for _, c := range d.TopAt(0, 10) {
		if slices.Contains(ids[:10], c.ID) {
			found++
		}
	}
	if found < 8 {
		return fmt.Sprintf("%d of the 10 keys that are asked for most are listed, want 8", found)
	}
	return ""
}

func repeats(g *Target, seed int) string {
	ids := stream(seed)
	a, _ := g.played(ids)
	b, _ := g.played(ids)
	if x, y := a.TopAt(0, 50), b.TopAt(0, 50); !slices.Equal(x, y) {
		return "two fresh detectors list the same requests in two ways"
	}
	return ""
}

// listed looks at each listed count.
func (g *Target) listed(seed int, wrong func(c hotkey.Count, true64 int64) bool) string {
	d, counts := g.played(stream(seed))
	for _, c := range d.TopAt(0, keys) {
		if wrong(c, counts[c.ID]) {
			return fmt.Sprintf("key %d was asked for %d times, and is listed with %d, too high by %d at most", c.ID, counts[c.ID], c.N, c.Over)
		}
	}
	return ""
}

func neverUnder(g *Target, seed int) string {
	return g.listed(seed, func(c hotkey.Count, n int64) bool { return c.N < n })
}

func neverOver(g *Target, seed int) string {
	return g.listed(seed, func(c hotkey.Count, n int64) bool { return c.N-c.Over > n })
}

// forgets gives an old key 20 times what each of four new ones gets, which come evenly over the Life.
func forgets(g *Target, seed int) string {
	const old, each = keys + 9, 500
	d := g.New()
	for range 20 * each {
		d.AddAt(0, old)
	}
	for i := range int64(4 * each) {
		d.AddAt(1+(g.Life-1)/(4*each)*i, uint64(i)%4+uint64(seed))
	}
	for _, c := range d.TopAt(g.Life, 4) {
		if c.ID == old {
			return fmt.Sprintf("a key that had its last request %d ns ago is still listed among the first 4, with %d", g.Life, c.N)
		}
	}
	return ""
}
