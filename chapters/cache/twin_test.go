package cache_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"seedbed/chapters/cache"
	"seedbed/chapters/hashing"
)

// twin does what a Cache does, as dumbly as can be: each step looks through all entries.
type twin struct {
	capacity int
	policy   cache.Policy
	now      int64
	entries  []*twinEntry // the last used first
	sketch   cache.Sketch // W-TinyLFU: the same sketch; its own twin is elsewhere
	hash     func(string) uint64
	random   uint64
}

type twinEntry struct {
	key     string
	value   int
	expires int64
	uses    int
	segment string // W-TinyLFU: window, probation, protected
}

func newTwin(policy cache.Policy, capacity int, seed uint64) *twin {
	return &twin{
		capacity: capacity, policy: policy, now: -1 << 63, sketch: must(cache.NewSketch(capacity)), random: seed,
		hash: func(key string) uint64 { return hashing.Sum64String(seed, key) },
	}
}

// find returns the entry of a key that is not over, and forgets it when it is.
func (w *twin) find(now int64, key string) *twinEntry {
	w.now = max(w.now, now)
	for i, e := range w.entries {
		if e.key == key {
			if w.now >= e.expires {
				w.entries = slices.Delete(w.entries, i, i+1)
				return nil
			}
			return e
		}
	}
	return nil
}

func (w *twin) get(now int64, key string) (int, bool) {
	e := w.find(now, key)
	if e == nil {
		return 0, false
	}
	w.use(e)
	return e.value, true
}

func (w *twin) use(e *twinEntry) {
	w.toFront(e)
	e.uses++
	w.sketch.Add(w.hash(e.key))
	if e.segment == "probation" {
		e.segment = "protected"
		if _, protected := w.limits(); len(w.in("protected")) > protected {
			last := w.in("protected")
			w.toFront(last[len(last)-1])
			last[len(last)-1].segment = "probation"
		}
	}
}

func (w *twin) toFront(e *twinEntry) {
	i := slices.Index(w.entries, e)
	w.entries = slices.Insert(slices.Delete(w.entries, i, i+1), 0, e)
}

func (w *twin) limits() (window, protected int) {
	window = max(1, w.capacity/100)
	return window, (w.capacity - window) * 4 / 5
}

func (w *twin) in(segment string) []*twinEntry {
	var out []*twinEntry
	for _, e := range w.entries {
		if e.segment == segment {
			out = append(out, e)
		}
	}
	return out
}

func (w *twin) remove(key string) bool {
	for i, e := range w.entries {
		if e.key == key {
			w.entries = slices.Delete(w.entries, i, i+1)
			return true
		}
	}
	return false
}

func (w *twin) set(now int64, key string, value int, ttl int64) (evicted string) {
	e := w.find(now, key)
	if ttl < 0 {
		w.remove(key)
		return ""
	}
	expires := int64(1<<63 - 1)
	if ttl > 0 {
		expires = w.now + ttl
	}
	if e != nil {
		e.value, e.expires = value, expires
		w.use(e)
		return ""
	}
	if len(w.entries) == w.capacity {
		out := w.leaves()
		if w.now < out.expires {
			evicted = out.key
		}
		w.remove(out.key)
	}
	w.entries = slices.Insert(w.entries, 0, &twinEntry{key: key, value: value, expires: expires, uses: 1, segment: "window"})
	w.sketch.Add(w.hash(key))
	if window, _ := w.limits(); w.policy == cache.WTinyLFU && len(w.in("window")) > window {
		last := w.in("window")[window]
		w.toFront(last)
		last.segment = "probation"
	}
	return evicted
}

// leaves is the entry that the policy evicts.
func (w *twin) leaves() *twinEntry {
	last := w.entries[len(w.entries)-1]
	switch w.policy {
	case cache.LFU:
		for _, e := range slices.Backward(w.entries) {
			if e.uses < last.uses {
				last = e
			}
		}
	case cache.WTinyLFU:
		window := w.in("window")
		candidate := window[len(window)-1]
		main := slices.Concat(w.in("protected"), w.in("probation"))
		if len(main) == 0 {
			return candidate
		}
		victim := main[len(main)-1]
		c, v := w.sketch.Estimate(w.hash(candidate.key)), w.sketch.Estimate(w.hash(victim.key))
		if c <= v && (c < 6 || !w.chance()) {
			return candidate
		}
		w.toFront(candidate)
		candidate.segment = "probation"
		return victim
	}
	return last
}

// frequency is what the policy goes by.
func (w *twin) frequency(e *twinEntry) int64 {
	switch w.policy {
	case cache.LFU:
		return int64(e.uses)
	case cache.WTinyLFU:
		return int64(w.sketch.Estimate(w.hash(e.key)))
	}
	return 0
}

// chance is the lot that admits once in 128 times.
func (w *twin) chance() bool {
	w.random += 0x9e3779b97f4a7c15
	return hashing.Mix64(w.random)>>57 == 0
}

func TestCacheAgainstTwin(t *testing.T) {
	for _, policy := range []cache.Policy{cache.LRU, cache.LFU, cache.WTinyLFU} {
		for _, capacity := range []int{1, 2, 3, 10, 150} {
			t.Run(fmt.Sprint(policy, " of ", capacity), func(t *testing.T) {
				for seed := range uint64(6) {
					againstTwin(t, policy, capacity, seed)
				}
			})
		}
	}
}

// againstTwin plays one random sequence to a Cache and its twin. Now and then it goes on with a copy, and spoils the original.
func againstTwin(t *testing.T, policy cache.Policy, capacity int, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(capacity)))
	keys := rand.NewZipf(r, 1.2, 2, uint64(3*capacity+2))
	c := must(cache.New[string, int](cache.Config[string]{Capacity: capacity, Policy: policy, Seed: seed}))
	w := newTwin(policy, capacity, seed)
	now := int64(-50)
	for step := range 3000 {
		now += r.Int64N(4) - 1 // back now and then
		key := fmt.Sprint("k", keys.Uint64())
		switch r.IntN(8) {
		case 0:
			if got, want := c.Delete(key), w.remove(key); got != want {
				t.Fatalf("seed %d, step %d: Delete(%s) = %t, the twin says %t", seed, step, key, got, want)
			}
		case 1, 2, 3:
			ttl := []int64{0, 0, 0, 1, 20, 500, -1}[r.IntN(7)]
			got, _ := c.SetAt(now, key, step, ttl)
			if want := w.set(now, key, step, ttl); got != want {
				t.Fatalf("seed %d, step %d: SetAt(%d, %s, ttl %d) evicted %q, the twin %q", seed, step, now, key, ttl, got, want)
			}
		default:
			got, ok := c.GetAt(now, key)
			if want, there := w.get(now, key); got != want || ok != there {
				t.Fatalf("seed %d, step %d: GetAt(%d, %s) = %d, %t; the twin says %d, %t", seed, step, now, key, got, ok, want, there)
			}
		}
		if c.Len() != len(w.entries) {
			t.Fatalf("seed %d, step %d: %d entries, the twin has %d", seed, step, c.Len(), len(w.entries))
		}
		if step%500 == 499 {
			old := c
			c = c.Clone()
			for i := range 2 * capacity {
				old.SetAt(now, fmt.Sprint("other", i), -1, 0)
				old.Delete(fmt.Sprint("k", i))
			}
		}
	}
	for _, e := range w.entries {
		if n, ok := c.FrequencyAt(w.now, e.key); ok && n != w.frequency(e) {
			t.Errorf("seed %d: at the end FrequencyAt(%s) = %d, the twin says %d", seed, e.key, n, w.frequency(e))
		}
		if v, expires, ok := c.PeekAt(w.now, e.key); ok != (w.now < e.expires) || ok && (v != e.value || expires != e.expires) {
			t.Errorf("seed %d: at the end PeekAt(%s) = %d, %d, %t; the twin has %d until %d", seed, e.key, v, expires, ok, e.value, e.expires)
		}
	}
}

// dumbSketch counts in a map, exactly, and halves as the sketch does.
type dumbSketch struct {
	counts map[uint64]int
	uses   int
}

func (d *dumbSketch) add(h uint64, capacity int) {
	d.counts[h] = min(15, d.counts[h]+1)
	if d.uses++; d.uses == 10*capacity {
		for h := range d.counts {
			d.counts[h] /= 2
		}
		d.uses /= 2
	}
}

// TestSketchAgainstTwin: never below what is counted exactly, and for most keys no more than that.
func TestSketchAgainstTwin(t *testing.T) {
	for _, capacity := range []int{1, 100, 5000} {
		r := rand.New(rand.NewPCG(1, uint64(capacity)))
		keys := rand.NewZipf(r, 1.05, 1, uint64(4*capacity))
		s := must(cache.NewSketch(capacity))
		d := dumbSketch{counts: map[uint64]int{}}
		for range 35 * capacity {
			h := hashing.Mix64(keys.Uint64() + 1)
			s.Add(h)
			d.add(h, capacity)
		}
		exact := 0
		for h, want := range d.counts {
			got := s.Estimate(h)
			if got < want || got > 15 {
				t.Fatalf("capacity %d: estimate %d of a key that was counted %d times", capacity, got, want)
			}
			if got == want {
				exact++
			}
		}
		if 10*exact < 9*len(d.counts) {
			t.Errorf("capacity %d: %d of %d estimates exact, want nine in ten", capacity, exact, len(d.counts))
		}
	}
}
