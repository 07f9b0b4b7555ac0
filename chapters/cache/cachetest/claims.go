package cachetest

import (
	"fmt"
	"math/rand/v2"
)

// trial is what one seed makes of a capacity.
type trial struct {
	capacity int
	random   *rand.Rand
	keys     *rand.Zipf // a few come often, and there are three times as many as fit
}

func newTrial(capacity, seed int) *trial {
	r := rand.New(rand.NewPCG(uint64(seed), uint64(capacity)))
	return &trial{capacity, r, rand.NewZipf(r, 1.1, 1, uint64(3*capacity+1))}
}

func (t *trial) key() string { return name(int(t.keys.Uint64())) }

// name is that of the i-th key.
func name(i int) string { return fmt.Sprint("k", i) }

// steps is the length of a trial: enough to turn the cache over several times.
func (t *trial) steps() int { return 200 + 10*t.capacity }

// count is how many of the first n keys are there.
func (g *Target[C]) count(c C, now int64, n int) int {
	if g.Len != nil {
		return g.Len(c)
	}
	found := 0
	for i := range n {
		if _, ok := g.Get(c, now, name(i)); ok {
			found++
		}
	}
	return found
}

func kept[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	for step := range t.steps() {
		key := t.key()
		if t.random.IntN(2) == 0 {
			g.Get(c, int64(step), key)
			continue
		}
		g.Set(c, int64(step), key, step, 0)
		switch got, ok := g.Get(c, int64(step), key); {
		case !ok:
			failAt(step, "key %s is gone right after it was set", key)
		case got != step:
			failAt(step, "key %s has %d right after it was set to %d", key, got, step)
		}
	}
}

func onlyTrue[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	last := make(map[string]int)
	for step := range t.steps() {
		key := t.key()
		switch got, ok := g.Get(c, int64(step), key); {
		case !ok:
		case last[key] == 0:
			failAt(step, "key %s was never set and has %d", key, got)
		case got != last[key]:
			failAt(step, "key %s has %d, but %d was set last", key, got, last[key])
		}
		if t.random.IntN(3) > 0 {
			g.Set(c, int64(step), key, step+1, 0)
			last[key] = step + 1
		}
	}
}

func bounded[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	for step := range t.steps() {
		g.Set(c, int64(step), t.key(), step, []int64{0, 0, 1, 1000}[t.random.IntN(4)])
		if step%max(1, t.capacity/8) > 0 {
			continue
		}
		if n := g.count(c, int64(step), 3*t.capacity+2); n > t.capacity {
			failAt(step, "%d entries, at most %d fit", n, t.capacity)
		}
	}
}

func roomy[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	now := int64(0)
	for i := range t.capacity {
		g.Set(c, now, name(i), i, 0)
		g.Get(c, now, name(t.random.IntN(i+1)))
		now++
	}
	for i := range t.capacity {
		if got, ok := g.Get(c, now, name(i)); !ok || got != i {
			fail("with no more than %d keys set, %s is gone", t.capacity, name(i))
		}
	}
	for i := range t.capacity { // to set what is there takes no room
		g.Set(c, now, name(i), -i, 0)
	}
	for i := range t.capacity {
		if _, ok := g.Get(c, now, name(i)); !ok {
			fail("%s is gone after keys that were there had been set again", name(i))
		}
	}
}

func deletes[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	for step := range t.steps() {
		key := t.key()
		if t.random.IntN(2) == 0 {
			g.Set(c, int64(step), key, step, 0)
			continue
		}
		g.Delete(c, key)
		if got, ok := g.Get(c, int64(step), key); ok {
			failAt(step, "key %s has %d right after it was deleted", key, got)
		}
	}
	for i := range 3*t.capacity + 2 {
		g.Delete(c, name(i))
	}
	if n := g.count(c, 0, 3*t.capacity+2); n != 0 {
		fail("%d entries after all were deleted", n)
	}
	for i := range t.capacity {
		g.Set(c, 0, name(i), i, 0)
	}
	for i := range t.capacity {
		if _, ok := g.Get(c, 0, name(i)); !ok {
			fail("%s is gone although all else had been deleted", name(i))
		}
	}
}

func expires[C any](g *Target[C], t *trial) {
	for _, ttl := range []int64{2, 3, 1000, 900_000_000, 1_000_000_000, 3600_000_000_000} {
		c := g.New(t.capacity)
		begin := t.random.Int64N(1 << 50)
		must := func(now int64, want bool, what string) {
			if _, ok := g.Get(c, begin+now, "k"); ok != want {
				fail("with a ttl of %d ns, %s the key is there: %t, want %t", ttl, what, ok, want)
			}
		}
		g.Set(c, begin, "k", 1, ttl)
		must(0, true, "at once")
		must(ttl-1, true, "1 ns before its end")
		g.Set(c, begin+ttl-1, "k", 2, ttl)
		must(ttl, true, "set again and at the first end")
		must(2*ttl-2, true, "set again and 1 ns before the second end")
		must(2*ttl-1, false, "set again and at the second end")
		must(2*ttl+1, false, "after its end")
	}
}

func ends[C any](g *Target[C], t *trial) {
	c := g.New(t.capacity)
	const century = 3_155_760_000_000_000_000
	g.Set(c, 0, "k", 1, 0)
	if _, ok := g.Get(c, century, "k"); !ok {
		fail("with a ttl of 0 the key is gone after a century")
	}
	g.Set(c, century, "k", 2, -1)
	if got, ok := g.Get(c, century, "k"); ok {
		fail("set with a ttl of -1 ns, the key has %d", got)
	}
	g.Set(c, century, "k", 3, 1)
	if _, ok := g.Get(c, century, "k"); !ok {
		fail("with a ttl of 1 ns the key is gone at once")
	}
	if _, ok := g.Get(c, century+1, "k"); ok {
		fail("with a ttl of 1 ns the key is there 1 ns later")
	}
	g.Set(c, century, "k", 4, 1<<63-1)
	if _, ok := g.Get(c, century+1, "k"); !ok {
		fail("with the longest ttl the key is gone 1 ns later")
	}
}

func repeats[C any](g *Target[C], t *trial) {
	a, b := g.New(t.capacity), g.New(t.capacity)
	for step := range t.steps() {
		key, now := t.key(), int64(step)
		if t.random.IntN(2) == 0 {
			ttl := t.random.Int64N(3) * 100
			g.Set(a, now, key, step, ttl)
			g.Set(b, now, key, step, ttl)
			continue
		}
		x, okX := g.Get(a, now, key)
		y, okY := g.Get(b, now, key)
		if x != y || okX != okY {
			failAt(step, "two caches with one past answer differently for %s: %d, %t and %d, %t", key, x, okX, y, okY)
		}
	}
}

func scans[C any](g *Target[C], t *trial) {
	if t.capacity < 100 {
		return // with few entries chance decides
	}
	c := g.New(t.capacity)
	var exact lru
	exact.capacity = t.capacity
	wide := rand.NewZipf(t.random, 1.01, 1, uint64(64*t.capacity))
	hits, lruHits := 0, 0
	for step := range 40 * t.capacity {
		key := name(int(wide.Uint64()))
		if t.random.IntN(5) == 0 {
			key = fmt.Sprint("once", step)
		}
		if exact.use(key) {
			lruHits++
		}
		if _, ok := g.Get(c, int64(step), key); ok {
			hits++
		} else {
			g.Set(c, int64(step), key, step, 0)
		}
	}
	if hits < lruHits {
		fail("%d hits where one key in five comes once; exact LRU has %d", hits, lruHits)
	}
}

// lru is an exact one: a map to the last use, and a queue of uses of which the old ones are passed over.
type lru struct {
	capacity int
	last     map[string]int
	queue    []string
	head     int
}

func (l *lru) use(key string) bool {
	if l.last == nil {
		l.last = make(map[string]int)
	}
	_, hit := l.last[key]
	l.last[key] = len(l.queue)
	l.queue = append(l.queue, key)
	for len(l.last) > l.capacity {
		if old := l.queue[l.head]; l.last[old] == l.head {
			delete(l.last, old)
		}
		l.head++
	}
	return hit
}
