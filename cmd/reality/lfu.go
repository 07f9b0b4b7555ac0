package main

import (
	"context"
	"fmt"
	"strings"

	"seedbed/chapters/cache"
)

// lfuConf is a Redis that counts uses. It has room, so that it evicts nothing.
const lfuConf = `maxmemory 1gb
maxmemory-policy allkeys-lfu
lfu-log-factor 10
lfu-decay-time 1`

// growth is how many uses of a key are compared for each factor, and after how many of them its counter is told.
var (
	growth     = []int64{100, 1000, 100_000, 1_000_000}
	lfuFactors = []int64{10, 0, 1, 100} // the first is Redis's own
)

// seedUses are the uses from whose counters the seed of Redis's dice is found. They give away more than the 20 bits that are asked for.
const seedUses = 4000

// documented are the counters of redis.conf after as many uses as growth has, by factor.
var documented = map[int64][]int64{
	0: {104, 255, 255, 255}, 1: {18, 49, 255, 255}, 10: {10, 18, 142, 255}, 100: {8, 11, 49, 143},
}

// lfuTwin is our counters of the keys of one Redis, with its dice.
type lfuTwin struct {
	log  cache.Logarithm
	keys map[string]cache.LogCounter
	dice *libcDice
}

// useAt is one use at an instant in ns; the first makes the key.
func (t *lfuTwin) useAt(now int64, key string) {
	c, known := t.keys[key]
	if !known {
		t.keys[key] = t.log.StartAt(now)
		return
	}
	t.keys[key] = t.log.UseAt(now, c, t.dice)
}

// freqAt is what OBJECT FREQ should say.
func (t *lfuTwin) freqAt(now int64, key string) int64 { return int64(t.log.CountAt(now, t.keys[key])) }

// askLFU holds Redis's counters against those of package cache, use by use, and the keys that redis-cli --hotkeys names against those
// of package hotkey.
func askLFU(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", lfuConf)
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	r, err := s.redis(ctx, lfuConf)
	if err != nil {
		return err
	}
	t, err := askGrowth(p, r)
	if err == nil {
		err = askHotKeys(ctx, p, s, r, t)
	}
	if err == nil {
		err = askDecay(ctx, p, r, t)
	}
	return err
}

// askGrowth uses one key for each factor, and asks for its counter after each use.
func askGrowth(p *paper, r *redis) (*lfuTwin, error) {
	about, err := r.ask("INFO server", "CONFIG SET lfu-decay-time 0")
	if err != nil {
		return nil, err
	}
	pid, err := about[0].info("process_id")
	if err != nil {
		return nil, err
	}
	now, err := about[0].info("server_time_usec")
	if err != nil {
		return nil, err
	}
	up, err := about[0].info("uptime_in_seconds")
	if err != nil {
		return nil, err
	}
	var t *lfuTwin
	for _, factor := range lfuFactors {
		key := fmt.Sprintf("factor-%d", factor)
		if _, err := r.ask(fmt.Sprintf("CONFIG SET lfu-log-factor %d", factor), "SET "+key+" x"); err != nil {
			return nil, err
		}
		most := growth[len(growth)-1]
		counts, err := countUses(r, key, most)
		if err != nil {
			return nil, err
		}
		if t == nil {
			seed, explain := findSeed(now/1_000_000-up, pid, factor, counts[:seedUses])
			p.fact("seeds", explain)
			p.fact("seed-uses", seedUses)
			p.claim(explain == 1, "one seed of 2^20 explains the first %d counters (%d do)", seedUses, explain)
			t = &lfuTwin{keys: map[string]cache.LogCounter{}, dice: newLibcDice(seed)}
		}
		t.log = cache.Logarithm{Factor: factor}
		t.judgeGrowth(p, key, factor, counts)
	}
	return t, nil
}

// judgeGrowth holds the counters of a key after each use against ours.
func (t *lfuTwin) judgeGrowth(p *paper, key string, factor int64, counts []int64) {
	const shown = 14
	name := fmt.Sprintf("growth-%d", factor)
	t.useAt(0, key)
	var theirs, ours []string // the uses by which the counter goes up
	same, before, mine := 0, int64(cache.LogStart), int64(cache.LogStart)
	for i, want := range counts {
		t.useAt(0, key)
		got := t.freqAt(0, key)
		same += int(one(got == want))
		if want != before && len(theirs) < shown {
			theirs = append(theirs, fmt.Sprint(i+1))
		}
		if got != mine && len(ours) < shown {
			ours = append(ours, fmt.Sprint(i+1))
		}
		before, mine = want, got
	}
	p.tally(name, tally{same: same, of: len(counts)})
	p.claim(same == len(counts), "factor %d: %d of %d counters are the same", factor, same, len(counts))
	for i, uses := range growth {
		p.fact(fmt.Sprintf("%s.%d", name, uses), counts[uses-1])
		p.fact(fmt.Sprintf("%s.%d.documented", name, uses), documented[factor][i])
	}
	p.raw(name, "Redis  %s …\nours   %s …", strings.Join(theirs, " "), strings.Join(ours, " "))
}

// countUses reads a key n times and returns its counter after each.
func countUses(r *redis, key string, n int64) ([]int64, error) {
	const batch = 2000
	var batchOf []string
	for range batch {
		batchOf = append(batchOf, "GET "+key, "OBJECT FREQ "+key)
	}
	counts := make([]int64, 0, n)
	for int64(len(counts)) < n {
		replies, err := r.ask(batchOf[:2*min(batch, n-int64(len(counts)))]...)
		if err != nil {
			return nil, err
		}
		for i := 1; i < len(replies); i += 2 {
			counts = append(counts, replies[i].n)
		}
	}
	return counts, nil
}
