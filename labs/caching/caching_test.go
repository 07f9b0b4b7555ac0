package caching_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/caching"
	"seedbed/labs/labtest"
)

const second = 1_000_000_000

var all = []*labs.Lab{caching.Avalanche, caching.Breakdown, caching.Penetration, caching.Eviction}

// Every claim of a preset is held over 200 seeds.
func TestPresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, all...) }

func TestTranscripts(t *testing.T) { labtest.Transcripts(t, all...) }

func TestAnEventAllocatesNothing(t *testing.T) {
	labtest.Allocations(t, caching.Avalanche, "keys=50&length=600")
	labtest.Allocations(t, caching.Avalanche, "use=same-ttl&ttl=10&spread=2&lead=2&ahead=1&keys=50&length=600")
	for _, use := range []string{"lease", "early-lease", "per-process", "early", "none"} {
		labtest.Allocations(t, caching.Breakdown, "use="+use+"&ttl=2&length=1000")
	}
	labtest.Allocations(t, caching.Penetration, "creates=0.1&length=600")
	labtest.Allocations(t, caching.Penetration, "use=null&creates=0.1&capacity=100&length=600")
	for _, traffic := range []string{"zipf", "scan", "loop", "shift"} {
		labtest.Allocations(t, caching.Eviction, "traffic="+traffic+"&reads=200&length=1200")
	}
}

// The figures of the text, each from the run that it stands for.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		lab                 *labs.Lab
		name, query, metric string
		want, within        int64
	}{
		{caching.Avalanche, "20 connections do 100 queries of 200 ms a second", "", "capacity", 100_000, 0},
		{caching.Avalanche, "with spread ends no order waits", "", "line.jitter", 0, 0},
		{caching.Avalanche, "one end for all loses orders", "", "lost.same-ttl", 15, 10},
		{caching.Avalanche, "and so does one load a key", "loads=0", "lost.mutex", 10, 9},
		{caching.Avalanche, "which bounded harms no order", "", "lost.mutex", 0, 0},
		{caching.Avalanche, "but leaves readers without an answer", "", "unserved.mutex", 1000, 300},
		{caching.Avalanche, "stale values serve them all", "", "unserved.stale", 0, 0},
		{caching.Avalanche, "and do not spare the orders", "use=stale&loads=0", "lost.stale", 8, 7},
		{caching.Avalanche, "refreshing ahead with no bound only comes earlier", "use=ahead&loads=0", "lost.ahead", 8, 7},
		{caching.Avalanche, "the job loads each key once", "", "loads.prewarm", 1000, 0},
		{caching.Penetration, "a filter for 1100 ids takes 10 bits each", "", "filter-size", 1318, 0},
		{caching.Penetration, "and 7 hashes", "", "filter-hashes", 7, 0},
		{caching.Penetration, "half of all reads are for nothing, and all of them reach the store", "", "in-vain.none", 3100, 300},
		{caching.Penetration, "but for one in a hundred with a filter", "", "in-vain.filter", 25, 20},
		{caching.Breakdown, "100 reads come during one load", "", "product", 100_000_000, 0},
		{caching.Breakdown, "and so many load, beside the first", "", "per-expiry.none", 101_000_000, 10_000_000},
		{caching.Breakdown, "or one a process", "", "per-expiry.per-process", 8_000_000, 0},
		{caching.Breakdown, "or one", "", "per-expiry.lease", 1_000_000, 0},
		{caching.Eviction, "with room for two D makes C leave", "traffic=own&capacity=2&length=10", "left.lru", 3, 0},
		{caching.Eviction, "with room for three it makes B leave", "traffic=own&capacity=3&length=10", "left.lru", 2, 0},
		{caching.Eviction, "a loop of ten keys too many leaves LRU without a hit", "traffic=loop", "hit-ratio.lru", 0, 0},
		{caching.Eviction, "and with just enough room only the first round misses", "traffic=loop&loop=100", "misses.lru", 100, 0},
		{caching.Breakdown, "and nobody waits for it when it begins before the end", "", "longest.early-lease", 0, 0},
	} {
		trace := labtest.Run(t, c.lab, c.query)
		if got := labtest.Metric(t, c.lab, trace, c.metric); got < c.want-c.within || got > c.want+c.within {
			t.Errorf("%s: %s?%s: %s is %d, want %d ± %d", c.name, c.lab.ID, c.query, c.metric, got, c.want, c.within)
		}
	}
}

// A run that is continued from a checkpoint is the run.
func TestACloneGoesOnAlike(t *testing.T) {
	for _, c := range []struct {
		lab   *labs.Lab
		query string
	}{
		{caching.Avalanche, "keys=200"},
		{caching.Avalanche, "use=same-ttl&keys=200"},
		{caching.Avalanche, "use=two-level&keys=200&do=8s:kill:redis&do=20s:revive:redis"},
		{caching.Breakdown, "use=early"},
		{caching.Penetration, "told=rebuild&rebuild=3"},
		{caching.Penetration, "use=null&capacity=100"},
		{caching.Breakdown, "use=per-process&lost=9"},
		{caching.Breakdown, "use=early-lease&do=3s:write&do=13s:lose"},
		{caching.Eviction, "traffic=scan&do=30s:shift&do=31s:read::7"},
		{caching.Eviction, "use=none&traffic=fresh&do=20s:scan"},
	} {
		labtest.Copies(t, c.lab, c.query)
	}
}

func TestEveryEndOfEveryRangeRuns(t *testing.T) {
	for _, lab := range all {
		labtest.Ends(t, lab, 2*second)
	}
}
