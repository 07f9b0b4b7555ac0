package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"seedbed/chapters/cache"
)

// expiryConf is a Redis that evicts nothing, so that keys go only by their end. DEBUG is let in to switch the active cycle off.
const expiryConf = `maxmemory-policy noeviction
enable-debug-command local`

// The keys of the page redis-expiry, how long they live, how far that is spread, and how they are read: in batches, evenly spaced.
const (
	expiryKeys   = 2000
	expiryTTL    = 4_000_000_000 // ns
	expirySpread = 1_000_000_000
	expiryReads  = 10_000 // a second
	expiryBatch  = 20
	expiryLength = 6500 * time.Millisecond
	expirySlot   = 250 // ms, of the curve that is shown
	expiryPeak   = 100 // ms, over which the highest rate is taken
	milli        = 1_000_000
)

// lives are the ways to choose the times to live of keys that are stored together.
var lives = []struct {
	name string
	ttl  func(r cache.Source) func() int64
}{
	{"same", func(cache.Source) func() int64 { return func() int64 { return expiryTTL } }},
	{"jitter", func(r cache.Source) func() int64 { return func() int64 { return spreadTTL(r) } }},
	{"batch", func(r cache.Source) func() int64 { ttl := spreadTTL(r); return func() int64 { return ttl } }},
}

// spreadTTL is package cache's jitter, in the whole ms that Redis has.
func spreadTTL(r cache.Source) int64 {
	return cache.Jitter(expiryTTL, expirySpread/(expiryTTL/1_000_000), r) / milli * milli
}

// readers is what happened to the reads of keys that were stored together, by Redis and by ours.
type readers struct {
	ours, later cache.Cache[string, int] // the second keeps each key for 1 ms more
	asIs, twin  tally
	undecided   int
	begin       int64         // ms, when all had been stored
	misses      map[int64]int // by ms since then
	total       int
}

// askExpiry reads keys while they end, and holds each answer against package cache; then lets keys end that nobody reads.
func askExpiry(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", expiryConf)
	p.fact("keys", expiryKeys)
	p.fact("reads", expiryReads)
	p.fact("ttl", expiryTTL/1_000_000_000)
	p.fact("spread", expirySpread/1_000_000_000)
	p.fact("expected", expiryKeys*1_000_000_000/(2*expirySpread)) // keys that end each second when ends are spread
	peaks := map[string]int{}
	for _, l := range lives {
		s, err := newStand()
		if err != nil {
			return err
		}
		r, err := s.redis(ctx, expiryConf)
		var found *readers
		if err == nil {
			found, err = readWhileEnding(ctx, r, l.ttl(dice{rand.New(rand.NewPCG(2, 6))}))
		}
		s.close()
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		peaks[l.name] = found.put(p, l.name)
	}
	p.claim(peaks["jitter"]*3 < peaks["same"], "the peak of misses is %d a second with one end and %d with ends that are spread", peaks["same"], peaks["jitter"])
	p.claim(peaks["batch"]*2 > peaks["same"], "one draw for all leaves a peak of %d", peaks["batch"])
	return askUnread(ctx, p)
}

// readWhileEnding stores all keys at once and reads them at random; whoever misses stores the key anew by the same rule.
func readWhileEnding(ctx context.Context, r *redis, ttl func() int64) (*readers, error) {
	f := &readers{misses: map[int64]int{}}
	for _, c := range []*cache.Cache[string, int]{&f.ours, &f.later} {
		var err error
		if *c, err = cache.New[string, int](cache.Config[string]{Capacity: expiryKeys}); err != nil {
			return nil, err
		}
	}
	var all []string
	for k := range expiryKeys {
		all = append(all, hotKey(k))
	}
	if err := f.store(r, all, ttl); err != nil {
		return nil, err
	}
	clock, err := r.ask("TIME")
	if err != nil {
		return nil, err
	}
	us, err := clock[0].clock()
	if err != nil {
		return nil, err
	}
	f.begin = us / 1000
	luck := rand.New(rand.NewPCG(9, 9))
	begin := time.Now()
	for at := time.Duration(0); at < expiryLength; at += time.Second * expiryBatch / expiryReads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		time.Sleep(time.Until(begin.Add(at)))
		keys := make([]string, expiryBatch)
		for i := range keys {
			keys[i] = hotKey(luck.IntN(expiryKeys))
		}
		if err := f.read(r, keys, ttl); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// store stores keys with PX, and asks Redis when each one ends.
func (f *readers) store(r *redis, keys []string, ttl func() int64) error {
	var asked []string
	lives := make([]int64, len(keys))
	for i, k := range keys {
		lives[i] = ttl()
		asked = append(asked, fmt.Sprintf("SET %s x PX %d", k, lives[i]/milli), "PEXPIRETIME "+k)
	}
	replies, err := r.ask(asked...)
	if err != nil {
		return err
	}
	for i, k := range keys {
		from := replies[2*i+1].n*milli - lives[i] // when Redis stored it, by its own clock
		f.ours.SetAt(from, k, 1, lives[i])
		f.later.SetAt(from, k, 1, lives[i]+milli)
	}
	return nil
}

// read reads keys between two looks at Redis's clock, which counts whole ms here. Where ours would say one thing at the first and another
// at the second, nobody knows at which instant Redis was asked, and nothing is compared.
func (f *readers) read(r *redis, keys []string, ttl func() int64) error {
	asked := []string{"TIME"}
	for _, k := range keys {
		asked = append(asked, "GET "+k)
	}
	replies, err := r.ask(append(asked, "TIME")...)
	if err != nil {
		return err
	}
	before, err := replies[0].clock()
	if err != nil {
		return err
	}
	after, err := replies[len(replies)-1].clock()
	if err != nil {
		return err
	}
	before, after = before/1000, after/1000
	var missed []string
	seen := map[string]bool{}
	for i, k := range keys {
		hit := !replies[i+1].none
		f.undecided += judgeRead(&f.asIs, &f.ours, before, after, k, hit)
		judgeRead(&f.twin, &f.later, before, after, k, hit)
		if !hit && !seen[k] {
			seen[k] = true
			missed = append(missed, k)
			f.misses[before-f.begin]++
			f.total++
		}
	}
	if len(missed) == 0 {
		return nil
	}
	return f.store(r, missed, ttl)
}

// judgeRead compares one answer, and returns 1 when it cannot.
func judgeRead(t *tally, c *cache.Cache[string, int], before, after int64, key string, hit bool) int {
	_, _, first := c.PeekAt(before*milli, key)
	_, _, last := c.PeekAt(after*milli, key)
	if first != last {
		return 1
	}
	t.of++
	t.same += int(one(first == hit))
	return 0
}

// put puts down what was seen, and returns the highest rate of misses, a second.
func (f *readers) put(p *paper, name string) (peak int) {
	p.tally(name, f.asIs)
	p.tally(name+".twin", f.twin)
	p.fact(name+".undecided", f.undecided)
	p.fact(name+".differ", f.asIs.of-f.asIs.same)
	p.fact(name+".misses", f.total)
	var curve strings.Builder
	for from := int64(0); from < expiryLength.Milliseconds(); from += expirySlot {
		n := 0
		for ms := from; ms < from+expirySlot; ms++ {
			n += f.misses[ms]
		}
		if n > 0 {
			fmt.Fprintf(&curve, "%5d ms  %5d\n", from, n)
		}
	}
	p.raw(name, "%s", curve.String())
	for from := int64(0); from < expiryLength.Milliseconds(); from++ {
		n := 0
		for ms := from; ms < from+expiryPeak; ms++ {
			n += f.misses[ms]
		}
		peak = max(peak, n*1000/expiryPeak)
	}
	p.fact(name+".peak", peak)
	p.claim(f.twin.same == f.twin.of, "%s: %d of %d answers are as ours with a ms more", name, f.twin.same, f.twin.of)
	p.claim(f.asIs.of-f.asIs.same <= f.asIs.of/200, "%s: %d of %d answers are as ours", name, f.asIs.same, f.asIs.of)
	p.claim(f.undecided <= f.asIs.of/100, "%s: %d are undecided", name, f.undecided)
	return peak
}
