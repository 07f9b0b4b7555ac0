package main

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"seedbed/chapters/cache"
	"seedbed/chapters/hashing"
	"seedbed/chapters/hotkey"
)

// The keys and uses of the comparison of redis-cli --hotkeys, how many keys it names, and with how many seeds our LFU is asked.
const (
	hotKeys  = 10_000
	hotUses  = 1_000_000
	hotNamed = 16
	hotSeeds = 20
)

// hot is a key that was named, and its counter.
type hot struct {
	key   string
	count int64
}

// askHotKeys reads some keys more often than others, lets redis-cli scan for the hot ones, and compares: every counter with ours, the
// list with what the scan's own rule gives, and both with what was read most.
func askHotKeys(ctx context.Context, p *paper, s *stand, r *redis, t *lfuTwin) error {
	for _, factor := range []int64{10, 0} {
		name := fmt.Sprintf("hot-%d", factor)
		if _, err := r.ask("FLUSHALL", "CONFIG SET lfu-decay-time 1", fmt.Sprintf("CONFIG SET lfu-log-factor %d", factor)); err != nil {
			return err
		}
		t.log, t.keys = cache.Logarithm{Factor: factor, Decay: 1}, map[string]cache.LogCounter{}
		stream, now, err := readUnevenly(r)
		if err != nil {
			return err
		}
		for _, k := range stream {
			t.useAt(now, hotKey(k))
		}
		out, err := exec.CommandContext(ctx, "redis-cli", "-p", portOf(s.redisAddr), "--hotkeys").CombinedOutput()
		if err != nil {
			return fmt.Errorf("redis-cli --hotkeys: %w: %s", err, out)
		}
		named := hotKeysIn(string(out))
		p.raw(name, "%s", summaryIn(string(out)))
		scanned, err := scanFreqs(r)
		if err != nil {
			return err
		}
		after, err := r.ask("TIME")
		if err != nil {
			return err
		}
		if later, err := after[0].clock(); err != nil || later/minuteMicros != now/(1000*minuteMicros) {
			return fmt.Errorf("%s: reading and scanning took longer than what was left of a minute (%w)", name, err)
		}
		judgeHotKeys(p, name, t, now, scanned, named, stream)
	}
	return nil
}

const minuteMicros = 60_000_000

func hotKey(k int) string { return fmt.Sprintf("key-%d", k) }

func portOf(addr string) string {
	_, port, _ := strings.Cut(addr, ":")
	return port
}

// readUnevenly stores all keys, reads them as often as chance says, all within one minute of Redis's clock, and returns the keys in the
// order of their uses, the storing among them, and the instant in ns.
func readUnevenly(r *redis) (stream []int, now int64, err error) {
	const enough = 25 * time.Second // for the reading and the scanning
	if left := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); left < enough {
		time.Sleep(left + time.Second)
	}
	clock, err := r.ask("TIME")
	if err != nil {
		return nil, 0, err
	}
	if now, err = clock[0].clock(); err != nil {
		return nil, 0, err
	}
	for k := range hotKeys {
		stream = append(stream, k)
	}
	next := zipf(hotKeys)
	for range hotUses {
		stream = append(stream, next())
	}
	batch := make([]string, 0, 2000)
	for i, k := range stream {
		if i < hotKeys {
			batch = append(batch, "SET "+hotKey(k)+" x")
		} else {
			batch = append(batch, "GET "+hotKey(k))
		}
		if len(batch) == cap(batch) || i == len(stream)-1 {
			if _, err := r.ask(batch...); err != nil {
				return nil, 0, err
			}
			batch = batch[:0]
		}
	}
	return stream, now * 1000, nil
}

// scanFreqs is all keys in the order of SCAN, with their counters.
func scanFreqs(r *redis) ([]hot, error) {
	var all []hot
	for cursor := "0"; ; {
		found, err := r.ask("SCAN " + cursor)
		if err != nil {
			return nil, err
		}
		if len(found[0].list) != 2 {
			return nil, fmt.Errorf("SCAN is answered with %d values; want 2", len(found[0].list))
		}
		var asked []string
		for _, k := range found[0].list[1].list {
			asked = append(asked, "OBJECT FREQ "+k.text)
		}
		counts, err := r.ask(asked...)
		if err != nil {
			return nil, err
		}
		for i, k := range found[0].list[1].list {
			all = append(all, hot{k.text, counts[i].n})
		}
		if cursor = found[0].list[0].text; cursor == "0" {
			return all, nil
		}
	}
}

// hottest is redis-cli's rule (src/redis-cli.c, findHotKeys): a key is among the 16 when its counter is higher than the lowest of them, so
// that of equal ones the first that was scanned stays, and it comes behind those that are as high.
func hottest(scanned []hot) []hot {
	var top []hot // the highest first
	for _, h := range scanned {
		if h.count == 0 || len(top) == hotNamed && h.count <= top[hotNamed-1].count {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, h, func(a, b hot) int { return searchOn(a.count >= b.count) })
		top = slices.Insert(top, i, h)
		top = top[:min(len(top), hotNamed)]
	}
	return top
}

// searchOn is −1 for yes and 1 for no: where to go on with a search.
func searchOn(yes bool) int {
	if yes {
		return -1
	}
	return 1
}

var hotLine = regexp.MustCompile(`(?m)^hot key found with counter: (\d+)\s+keyname: "?([^"\n]*)"?$`)

// hotKeysIn reads the summary of redis-cli --hotkeys.
func hotKeysIn(out string) (named []hot) {
	for _, m := range hotLine.FindAllStringSubmatch(out, -1) {
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			continue // no number of Redis's has so many digits
		}
		named = append(named, hot{m[2], n})
	}
	return named
}

// summaryIn is what it prints after the scan.
func summaryIn(out string) string {
	_, summary, _ := strings.Cut(out, "-------- summary -------\n\n")
	return summary
}

// judgeHotKeys compares what Redis counted and named.
func judgeHotKeys(p *paper, name string, t *lfuTwin, now int64, scanned, named []hot, stream []int) {
	same := 0
	for _, h := range scanned {
		same += int(one(t.freqAt(now, h.key) == h.count))
	}
	p.tally(name+".counters", tally{same: same, of: len(scanned)})
	p.claim(same == hotKeys && len(scanned) == hotKeys, "%s: %d of %d counters are the same", name, same, hotKeys)

	rule := hottest(scanned)
	alike := 0
	for i := range min(len(rule), len(named)) {
		alike += int(one(rule[i] == named[i]))
	}
	p.tally(name+".list", tally{same: alike, of: hotNamed})
	p.claim(alike == hotNamed && len(named) == hotNamed, "%s: the rule gives %d of %d lines of the list", name, alike, hotNamed)

	truth := mostUsed(stream)
	full := 0
	for _, h := range scanned {
		full += int(one(h.count == cache.LogMost))
	}
	p.fact(name+".full", full)
	found := 0
	for _, h := range named {
		found += int(one(slices.Contains(truth, h.key)))
	}
	p.fact(name+".found", found)
	worst, sum, best := hotNamed, 0, 0
	for seed := range uint64(hotSeeds) {
		n := foundByOurs(t.log.Factor, seed, now, stream, truth)
		worst, sum, best = min(worst, n), sum+n, max(best, n)
	}
	p.fact(name+".ours", fmt.Sprintf("%.1f", float64(sum)/hotSeeds))
	each := fmt.Sprint(worst)
	if best > worst {
		each = fmt.Sprintf("%d–%d", worst, best)
	}
	p.fact(name+".ours.range", each)
	p.fact(name+".uses", usesOf(stream, 0))
	p.fact(name+".uses.last", usesOf(stream, hotNamed-1))
	p.fact(name+".uses.next", usesOf(stream, hotNamed))
	if t.log.Factor > 0 {
		p.claim(found >= worst-1 && found <= best+1, "%s: Redis names %d of the %d most read, ours %d to %d", name, found, hotNamed, worst, best)
		p.claim(full < hotNamed, "%s: %d counters are full", name, full)
	} else {
		p.claim(found < hotNamed/2 && best < hotNamed/2 && full > 4*hotNamed,
			"%s: Redis names %d of the %d most read, ours %d to %d, and %d counters are full", name, found, hotNamed, worst, best, full)
	}
}

// usesOf is how often a key was read.
func usesOf(stream []int, key int) (n int64) {
	for _, k := range stream[hotKeys:] {
		n += one(k == key)
	}
	return n
}

// mostUsed is the keys that were read most, as many as are named.
func mostUsed(stream []int) (names []string) {
	uses := make([]int, hotKeys)
	for _, k := range stream {
		uses[k]++
	}
	keys := make([]int, hotKeys)
	for k := range keys {
		keys[k] = k
	}
	slices.SortStableFunc(keys, func(a, b int) int { return cmp.Compare(uses[b], uses[a]) })
	for _, k := range keys[:hotNamed] {
		names = append(names, hotKey(k))
	}
	return names
}

// foundByOurs is how many of the most used keys package hotkey names for the same uses, by chance of its own.
func foundByOurs(factor int64, seed uint64, now int64, stream []int, truth []string) (found int) {
	l, err := hotkey.NewLFU(hotkey.LFUConfig{Keys: hotKeys, Factor: factor, Decay: minuteMicros * 1000, Seed: seed})
	if err != nil {
		panic(err) // the numbers above are good
	}
	ids := make([]uint64, hotKeys)
	for k := range ids {
		ids[k] = hashing.Sum64String(0, hotKey(k))
	}
	for _, k := range stream {
		l.AddAt(now, ids[k])
	}
	for _, c := range l.TopAt(now, hotNamed) {
		found += int(one(slices.ContainsFunc(truth, func(name string) bool { return hashing.Sum64String(0, name) == c.ID })))
	}
	return found
}
