package cachetest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/cache"
	"seedbed/chapters/cache/cachetest"
)

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// store is a right cache whose answers and deeds can be bent.
type store struct {
	mu    sync.Mutex
	inner cache.Cache[string, int]
	calls int
	past  map[string]int
}

func newStore(capacity int) *store {
	c, err := cache.New[string, int](cache.Config[string]{Capacity: capacity, Policy: cache.WTinyLFU})
	if err != nil {
		panic(err)
	}
	return &store{inner: c, past: map[string]int{}}
}

func (s *store) get(now int64, key string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner.GetAt(now, key)
}

func (s *store) set(now int64, key string, value int, ttl int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inner.SetAt(now, key, value, ttl)
}

// right keeps all that is claimed.
func right() cachetest.Target[*store] {
	return cachetest.Target[*store]{
		New:    newStore,
		Get:    (*store).get,
		Set:    (*store).set,
		Delete: func(s *store, key string) { s.inner.Delete(key) },
		Len:    func(s *store) int { return s.inner.Len() },
		Claims: cachetest.Full | cachetest.Concurrent,
		Seeds:  2,
	}
}

func TestRightOnePasses(t *testing.T) {
	cachetest.Run(t, right())
	without := right() // counted by looking
	without.Len = nil
	without.Seeds = 1
	cachetest.Run(t, without)
}

type target = cachetest.Target[*store]

// faults are caches with one fault each, the claim that finds it, and what it says.
var faults = []struct {
	claim cachetest.Claim
	bend  func(*target)
	want  string
}{
	{cachetest.Kept, func(g *target) { // refuses newcomers when full
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if _, _, ok := s.inner.PeekAt(now, key); ok || s.inner.Len() < s.inner.Capacity() {
				s.set(now, key, value, ttl)
			}
		}
	}, "is gone right after it was set"},
	{cachetest.Kept, func(g *target) { // writes come through with the next one
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			s.set(now, key, s.past[key], ttl)
			s.past[key] = value
		}
	}, "right after it was set to"},
	{cachetest.True, func(g *target) { // believes the length of a key
		g.Get = func(s *store, now int64, key string) (int, bool) { return s.get(now, key[:min(2, len(key))]) }
	}, "was never set"},
	{cachetest.True, func(g *target) { // keeps the first value of a key for ever
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if _, ok := s.past[key]; !ok {
				s.past[key] = value
			}
			s.set(now, key, s.past[key], ttl)
		}
	}, "was set last"},
	{cachetest.Bounded, func(g *target) { // one too many
		g.New = func(capacity int) *store { return newStore(capacity + 1) }
	}, "at most"},
	{cachetest.Roomy, func(g *target) {
		g.New = func(capacity int) *store { return newStore(max(1, capacity*9/10)) }
	}, "is gone"},
	{cachetest.Deletes, func(g *target) {
		g.Delete = func(s *store, key string) {
			if s.calls++; s.calls%10 > 0 {
				s.inner.Delete(key)
			}
		}
	}, "right after it was deleted"},
	{cachetest.Expires, func(g *target) { // whole seconds, rounded down
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			s.set(now, key, value, max(1, ttl/1e9*1e9))
		}
	}, "with a ttl of 2 ns, 1 ns before its end the key is there: false, want true"},
	{cachetest.Expires, func(g *target) { // includes its end
		g.Set = func(s *store, now int64, key string, value int, ttl int64) { s.set(now, key, value, ttl+1) }
	}, "the key is there: true, want false"},
	{cachetest.Expires, func(g *target) { // to set again does not begin anew
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if _, expires, ok := s.inner.PeekAt(now, key); ok {
				ttl = expires - now
			}
			s.set(now, key, value, ttl)
		}
	}, "set again and at the first end the key is there: false, want true"},
	{cachetest.Ends, func(g *target) { // 0 is an hour
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if ttl == 0 {
				ttl = 3600e9
			}
			s.set(now, key, value, ttl)
		}
	}, "with a ttl of 0 the key is gone"},
	{cachetest.Ends, func(g *target) { // below 0 is for ever
		g.Set = func(s *store, now int64, key string, value int, ttl int64) { s.set(now, key, value, max(0, ttl)) }
	}, "with a ttl of -1 ns"},
	{cachetest.Ends, func(g *target) { // below a microsecond is for ever
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if ttl > 0 {
				ttl = ttl / 1000 * 1000
			}
			s.set(now, key, value, ttl)
		}
	}, "the key is there 1 ns later"},
	{cachetest.Ends, func(g *target) { // the sum of the instant and the ttl overflows
		g.Set = func(s *store, now int64, key string, value int, ttl int64) {
			if ttl > 0 && now+ttl < now {
				ttl = -1
			}
			s.set(now, key, value, ttl)
		}
	}, "with the longest ttl"},
	{cachetest.Repeats, func(g *target) {
		made := 0
		g.New = func(capacity int) *store { made++; return newStore(capacity - made%2*(capacity/2)) }
	}, "two caches with one past"},
	{cachetest.Scans, func(g *target) {
		g.New = func(capacity int) *store { return newStore(capacity / 6) }
		g.Capacities = []int{1000}
	}, "exact LRU has"},
	{cachetest.Concurrent, func(g *target) { // one shelf for all
		g.Get = func(s *store, now int64, key string) (int, bool) { return s.get(now, "shelf") }
		g.Set = func(s *store, now int64, _ string, value int, _ int64) { s.set(now, "shelf", value, 0) }
	}, "set for another key"},
	{cachetest.Concurrent, func(g *target) {
		g.New = func(capacity int) *store { return newStore(2 * capacity) }
		g.Len = func(s *store) int { s.mu.Lock(); defer s.mu.Unlock(); return s.inner.Len() }
	}, "goroutines, at most"},
	{cachetest.Repeats, func(g *target) {
		g.Get = func(*store, int64, string) (int, bool) { panic("no such thing") }
	}, "panicked: no such thing"},
}

// TestEachClaimFindsItsFault: a cache with one fault fails the claim that names it, and the message shows the fault.
func TestEachClaimFindsItsFault(t *testing.T) {
	for _, c := range faults {
		g := right()
		g.Claims = c.claim
		c.bend(&g)
		var r recorder
		cachetest.Check(&r, g)
		name := c.claim.String()
		if len(r.said) != 1 || !strings.HasPrefix(r.said[0], name+": capacity ") || !strings.Contains(r.said[0], c.want) {
			t.Errorf("%s: said %q, want one line with %q", name, r.said, c.want)
		}
	}
}

// TestTargetsThatMakeNoSense are refused at once.
func TestTargetsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct {
		bend func(*cachetest.Target[*store])
		want string
	}{
		{func(g *cachetest.Target[*store]) { g.New = nil }, "New, Get or Set is nil"},
		{func(g *cachetest.Target[*store]) { g.Delete = nil }, "Delete is nil"},
		{func(g *cachetest.Target[*store]) { g.Claims = 0 }, "no claims"},
	} {
		g := right()
		c.bend(&g)
		var r recorder
		cachetest.Check(&r, g)
		if len(r.said) != 1 || !strings.Contains(r.said[0], c.want) {
			t.Errorf("said %q, want %q", r.said, c.want)
		}
	}
	if got := (cachetest.Kept | cachetest.Scans).String(); got != "kept|scans" {
		t.Errorf("%q, want kept|scans", got)
	}
	if got := (cachetest.FullLoad).String(); got != "once|apart|errors|panics|exits|cancels|forgets" || cachetest.Claim(0).String() != "none" {
		t.Errorf("%q, want all names", got)
	}
}
