package caching_test

import (
	"slices"
	"strconv"
	"testing"

	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/labtest"
)

// evicted runs eviction.
func evicted(t *testing.T, query string, seed uint64) (trace *labs.Trace, metric func(string) int64) {
	t.Helper()
	spec := labtest.Spec(t, caching.Eviction, query)
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace, func(name string) int64 { return labtest.Metric(t, caching.Eviction, trace, name) }
}

// The codes of the log.
const (
	hit = iota
	miss
	evict
)

// A sequence is read digit by digit, one a second, and an LRU that is written down anew here agrees on every read of it.
func TestASequenceIsReadAsItIsWritten(t *testing.T) {
	for _, sequence := range []string{"1", "12314", "1020304050", "112233112", "987654321987654", "121314151617181"} {
		for capacity := 1; capacity <= 5; capacity++ {
			trace, metric := evicted(t, "traffic=own&length=20&sequence="+sequence+"&capacity="+strconv.Itoa(capacity), 1)
			var kept []int64 // the one that was used last comes first
			var want, got []labs.Logged
			for i, digit := range sequence {
				key, n := int64(digit-'0'), int64(i+1)
				if key == 0 {
					key = 10
				}
				what := uint16(miss)
				if at := slices.Index(kept, key); at >= 0 {
					what, kept = hit, slices.Delete(kept, at, at+1)
				}
				want = append(want, labs.Logged{At: n * second, Kind: what, A: n, B: key})
				kept = slices.Insert(kept, 0, key)
				if len(kept) > capacity {
					want = append(want, labs.Logged{At: n * second, Kind: evict, A: kept[capacity], B: n})
					kept = kept[:capacity]
				}
			}
			for _, e := range trace.Log {
				if e.Entity == 1 { // LRU
					got = append(got, labs.Logged{At: e.At, Kind: e.Kind, A: e.A, B: e.B})
				}
			}
			if !slices.Equal(got, want) || metric("reads") != int64(len(sequence)) {
				t.Errorf("%s with room for %d: got %v, want %v", sequence, capacity, got, want)
			}
		}
	}
}

// A reader's own reads need no traffic: actions alone are a sequence too.
func TestActionsReadBesideTheSequence(t *testing.T) {
	_, metric := evicted(t, "traffic=own&sequence=1&capacity=2&length=20&do=2s:read::2&do=3s:read::1&do=4s:read::300", 1)
	if metric("reads") != 4 || metric("hits") != 1 || metric("left.lru") != 2 {
		t.Errorf("%d reads, %d hits, and %d left, want 4, 1 and 2", metric("reads"), metric("hits"), metric("left.lru"))
	}
}

// What each cache holds is what the log says, and no rule holds more than there is room for.
func TestEntriesAgreeWithTheLog(t *testing.T) {
	for _, traffic := range []string{"zipf", "scan", "loop", "shift", "fresh"} {
		trace, metric := evicted(t, "traffic="+traffic+"&length=20&every=5&moves=10&capacity=50&do=3s:scan&scan=100&do=8s:shift", 3)
		if trace.Truncated() {
			t.Fatal("the log is cut off, so the test shows nothing")
		}
		for k, name := range []string{"lru", "lfu", "redis-lfu", "tiny-lfu", "none"} {
			held, most := map[int64]bool{}, 0
			for _, e := range trace.Log {
				if int(e.Entity) != 1+k || e.Kind > evict {
					continue
				}
				switch key := e.B; e.Kind {
				case hit:
					if !held[key] {
						t.Fatalf("%s %s: read %d finds key %d, which is not there", traffic, name, e.A, key)
					}
				case miss:
					if held[key] {
						t.Fatalf("%s %s: read %d fetches key %d, which is there", traffic, name, e.A, key)
					}
					held[key] = true
				case evict:
					delete(held, e.A)
				}
				if e.Kind != miss { // who comes in is told before who leaves
					most = max(most, len(held))
				}
			}
			if want := metric("held." + name); int64(most) > want || name != "none" && want > 50 {
				t.Errorf("%s %s: holds up to %d, the run says %d", traffic, name, most, want)
			}
		}
	}
}

// No rule wins everywhere: each is beaten by another in the traffic that fools it.
func TestEachRuleHasItsOrderOfReads(t *testing.T) {
	for _, c := range []struct{ query, better, worse string }{
		{"traffic=scan", "tiny-lfu", "lru"},
		{"traffic=scan", "lfu", "lru"},
		{"traffic=loop", "tiny-lfu", "lru"},
		{"traffic=loop", "redis-lfu", "lru"},
		{"traffic=shift&length=300", "lru", "lfu"},
		{"traffic=shift&length=300", "redis-lfu", "lfu"},
		{"traffic=fresh", "lru", "tiny-lfu"},
		{"traffic=fresh", "lru", "redis-lfu"},
		{"", "lfu", "lru"},
	} {
		for seed := uint64(1); seed <= 10; seed++ {
			_, metric := evicted(t, c.query, seed)
			if metric("hit-ratio."+c.better) < metric("hit-ratio."+c.worse)+20_000 {
				t.Errorf("%s seed %d: %s has %d ppm and %s %d", c.query, seed, c.better, metric("hit-ratio."+c.better), c.worse, metric("hit-ratio."+c.worse))
			}
			for _, name := range []string{"lru", "lfu", "redis-lfu", "tiny-lfu"} {
				if metric("hit-ratio."+name) > metric("hit-ratio.none") {
					t.Errorf("%s seed %d: %s hits more than what keeps everything", c.query, seed, name)
				}
			}
		}
	}
}
