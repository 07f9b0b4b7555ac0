package cachetest

import (
	"math/rand/v2"
	"sync"
)

// concurrent lets goroutines set and get at once. A value tells the key that it was set for, so that a mixed-up one shows.
func concurrent[C any](g *Target[C], t *trial) {
	const callers, each = 16, 400
	c := g.New(t.capacity)
	keys := 3*t.capacity + 2
	var (
		all sync.WaitGroup
		mu  sync.Mutex
		bad failure
	)
	for caller := range callers {
		random := rand.New(rand.NewPCG(t.random.Uint64(), uint64(caller)))
		all.Go(func() {
			why := attempt(func() {
				for step := range each {
					i := random.IntN(keys)
					if random.IntN(2) == 0 {
						g.Set(c, int64(step), name(i), i, random.Int64N(2)*100)
					} else if got, ok := g.Get(c, int64(step), name(i)); ok && got != i {
						failAt(step, "key %s has %d, which was set for another key", name(i), got)
					}
				}
			})
			mu.Lock()
			defer mu.Unlock()
			bad = max(bad, failure(why))
		})
	}
	all.Wait()
	if bad != "" {
		panic(bad)
	}
	if n := g.count(c, each, keys); n > t.capacity {
		fail("%d entries after %d goroutines, at most %d fit", n, callers, t.capacity)
	}
}
