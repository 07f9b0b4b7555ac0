package hotkeys_test

import (
	"testing"

	"seedbed/labs/hotkeys"
	"seedbed/labs/labtest"
)

const second = 1_000_000_000

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, hotkeys.HotKey) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, hotkeys.HotKey) }

func TestAnEventAllocatesNothing(t *testing.T) {
	for _, query := range []string{"", "cure=local", "cure=split&holds=likes", "cure=local&holds=likes", "cure=split&holds=stock&stock=1000000", "cure=local&holds=stock&stock=1000000"} {
		if query != "" {
			query += "&"
		}
		labtest.Allocations(t, hotkeys.HotKey, query+"requests=10000&length=30")
	}
}

func TestACloneGoesOnAlike(t *testing.T) {
	for _, query := range []string{
		"use=heavy-keeper", "use=redis-lfu&scan=3", "use=lru&cure=local", "cure=local&holds=likes", "cure=split&holds=likes",
		"cure=split&holds=stock", "holds=stock&stock=900", "cure=local&holds=stock&stock=900", "cure=split&holds=list&do=12s:sweep&do=13s:heat",
	} {
		labtest.Copies(t, hotkeys.HotKey, query)
	}
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		name, query, metric string
		want, within        int64
	}{
		{"the hot key has two requests in five of 11.5 s", "", "hot-requests", 920, 120},
		{"two copies would fill a shard, so it needs a third", "", "copies-needed", 3, 0},
		{"which is two of a shard that can do more", "capacity=105", "copies-needed", 2, 0},
		{"what nobody asks for is not missed", "hot=0", "missed", 0, 0},
		{"nor what its shard can do", "hot=8", "missed", 0, 0},
		{"a key that gets hot just before a look waits for the next one", "begins=2.99", "found-after", 1_010_000_000, 0},
		{"a sketch finds it at once", "", "found-after", second / 2, 0},
		{"what is not treated stays on its shard", "cure=none", "busiest", 130_000, 20_000},
		{"with four copies a shard has a quarter of it", "", "busiest", 67_000, 15_000},
		{"and a write is four", "", "shard-writes", 4 * 23, 30},
		{"a scattered list costs one", "cure=split&holds=list", "shard-writes", 23, 12},
		{"a split stock sells all of it", "cure=split&holds=stock", "sold", 200, 0},
		{"copies sell it again", "holds=stock", "oversold", 510, 80},
		{"likes are late by a second", "cure=split&holds=likes", "behind", 100, 30},
		{"each server asks twice a second", "cure=local", "operations", 2000, 250},
	} {
		trace := labtest.Run(t, hotkeys.HotKey, c.query)
		if got := labtest.Metric(t, hotkeys.HotKey, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %q: %s is %d, want %d ± %d", c.name, c.query, c.metric, got, c.want, c.within)
		}
	}
}

// The log is judged again by itself: operations of a shard within a second, and pieces sold.
func TestChecksAgreeWithTheLog(t *testing.T) {
	const read, add, sell = 0, 2, 3
	for _, query := range []string{"cure=none&holds=likes", "holds=likes", "cure=none&holds=stock", "holds=stock", "cure=none&writes=0&moves=600"} {
		trace := labtest.Run(t, hotkeys.HotKey, query+"&begins=2&capacity=60&length=20")
		if trace.Truncated() {
			t.Fatal("the log is cut off, so the test shows nothing")
		}
		perSecond, over, sold, twice := map[[2]int64]int{}, int64(0), int64(0), int64(0)
		for _, e := range trace.Log {
			switch e.Kind {
			case read, add, sell:
				perSecond[[2]int64{e.At / second, int64(e.Entity)}]++
			}
			if e.Kind == sell {
				if sold++; sold > 200 {
					twice++
				}
			}
		}
		for at, n := range perSecond {
			// The key gets hot at 2 s and may be looked for until 5 s; the second that begins then is the first to be judged.
			if n > 60 && (at[0] < 2 || at[0] >= 5) && at[0] < 19 {
				over++
			}
		}
		if trace.Verdicts[1].Count != over || trace.Verdicts[2].Count != twice {
			t.Errorf("%s: the verdicts count %d and %d, the log %d and %d", query, trace.Verdicts[1].Count, trace.Verdicts[2].Count, over, twice)
		}
	}
}

// Whatever the stock is kept in, right ways sell all of it, and not a piece more.
func TestAStockIsSoldOnce(t *testing.T) {
	for _, query := range []string{"cure=none", "cure=split", "cure=split&copies=1", "cure=split&shards=8&copies=8", "use=lru&cure=split"} {
		for _, stock := range []string{"1", "7", "60", "400"} {
			trace := labtest.Run(t, hotkeys.HotKey, query+"&holds=stock&stock="+stock)
			sold, twice := labtest.Metric(t, hotkeys.HotKey, trace, "sold"), labtest.Metric(t, hotkeys.HotKey, trace, "oversold")
			if want := labtest.Spec(t, hotkeys.HotKey, "stock="+stock); twice != 0 || sold != want.Values[hotkeys.HotKey.Param("stock")] {
				t.Errorf("%s stock %s: %d are sold, %d of them twice", query, stock, sold, twice)
			}
		}
	}
}

func TestEveryEndOfEveryRangeRuns(t *testing.T) {
	labtest.Ends(t, hotkeys.HotKey, 8*second)
}

// A key is hot when its shard cannot do it beside the rest, and only then is a way to find keys blamed for not naming it.
func TestOnlyAHotKeyIsToBeFound(t *testing.T) {
	for _, c := range []struct {
		query string
		found bool
	}{
		{"hot=0", true},
		{"hot=1", true},
		{"hot=8&capacity=65", true}, // its shard has 46 of the others, 16 of this one and 2 writes
		{"hot=8&capacity=63", false},
		{"hot=8&capacity=63&writes=0", true},
		{"hot=40&capacity=113", true},
		{"hot=40&capacity=111", false},
		{"hot=40&capacity=111&holds=likes", true}, // numbers are not written beside
	} {
		trace := labtest.Run(t, hotkeys.HotKey, "use=lru&top=1&cure=none&"+c.query)
		if got := trace.Verdicts[0].OK; got != c.found {
			t.Errorf("%s: hot-key-found holds: %v, want %v", c.query, got, c.found)
		}
	}
}
