package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"seedbed/chapters/cache"
	"seedbed/chapters/hotkey"
)

// How long counters are watched as they fall, how often they are asked for, and how often some of the keys are used meanwhile. It is
// real time: Redis counts idleness in minutes of the wall clock, and nothing makes that quicker without changing what is asked about.
const (
	decayWatch = 150 * time.Second
	decayAsk   = time.Second
	decayUse   = 20 * time.Second
)

// decaying is one lfu-decay-time: keys that are left alone after some uses, and one that is used all the while.
type decaying struct {
	minutes int64
	twin    lfuTwin
	exact   hotkey.LFU
	asked   tally
	hotkey  tally
	minute  int64 // of Redis's clock, at the begin
	passed  int64 // minutes since
	first   []int64
	last    []int64
	log     []string
}

// decayUses are the uses of the keys that are left alone; the key after them is used on.
var decayUses = []int64{0, 20, 250}

// key is the name of the k-th key; the last is the one that is used on.
func (d *decaying) key(k int) string { return fmt.Sprintf("decay-%d-%d", d.minutes, k) }

// askDecay watches counters fall. With a factor of 0 each use counts, so that chance has no part in it, and both of our models have to
// say the same as Redis each time.
func askDecay(ctx context.Context, p *paper, r *redis, t *lfuTwin) error {
	if _, err := r.ask("FLUSHALL", "CONFIG SET lfu-log-factor 0"); err != nil {
		return err
	}
	var all []*decaying
	for _, minutes := range []int64{0, 1, 2} {
		d := &decaying{minutes: minutes, twin: lfuTwin{cache.Logarithm{Decay: minutes}, map[string]cache.LogCounter{}, t.dice}}
		var err error
		if d.exact, err = hotkey.NewLFU(d.config()); err != nil {
			return err
		}
		for k, uses := range append(decayUses, decayUses[1]) {
			for range uses + 1 {
				if err := d.use(r, k); err != nil {
					return err
				}
			}
		}
		all = append(all, d)
	}
	begin := time.Now()
	for next, use := begin, begin.Add(decayUse); time.Since(begin) < decayWatch; next = next.Add(decayAsk) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(next)):
		}
		used := !time.Now().Before(use)
		if used {
			use = use.Add(decayUse)
		}
		for _, d := range all {
			if used {
				if err := d.use(r, len(decayUses)); err != nil {
					return err
				}
			}
			if err := d.watch(r); err != nil {
				return err
			}
		}
	}
	p.fact("decay.seconds", int(decayWatch.Seconds()))
	for _, d := range all {
		d.tell(p)
	}
	return nil
}

// config is package hotkey's for the same.
func (d *decaying) config() hotkey.LFUConfig {
	return hotkey.LFUConfig{Keys: 1000, Decay: d.minutes * minuteMicros * 1000, Unit: min(d.minutes, 1) * minuteMicros * 1000}
}

// use is one use of a key, the first of which makes it. It is asked again in the rare case that a minute passed meanwhile, for then
// nobody knows in which one it was.
func (d *decaying) use(r *redis, k int) error {
	verb := "GET " + d.key(k)
	if _, known := d.twin.keys[d.key(k)]; !known {
		verb = "SET " + d.key(k) + " x"
	}
	now, _, err := r.within(fmt.Sprintf("CONFIG SET lfu-decay-time %d", d.minutes), verb)
	if err != nil {
		return err
	}
	d.twin.useAt(now, d.key(k))
	d.exact.AddAt(now, uint64(k))
	return nil
}

// within asks between two looks at the clock, and returns the instant in ns. Both lie in one minute.
func (r *redis) within(commands ...string) (now int64, replies []redisReply, err error) {
	const near = 50 * time.Millisecond // to the end of a minute
	if left := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); left < near {
		time.Sleep(left + near)
	}
	replies, err = r.ask(append(append([]string{"TIME"}, commands...), "TIME")...)
	if err != nil {
		return 0, nil, err
	}
	before, err := replies[0].clock()
	if err != nil {
		return 0, nil, err
	}
	after, err := replies[len(replies)-1].clock()
	if err == nil && before/minuteMicros != after/minuteMicros {
		err = fmt.Errorf("the answer of Redis took more than %v, and a minute passed in it", near)
	}
	return before * 1000, replies[1 : len(replies)-1], err
}

// watch asks for all counters.
func (d *decaying) watch(r *redis) error {
	asked := []string{fmt.Sprintf("CONFIG SET lfu-decay-time %d", d.minutes)}
	for k := range len(decayUses) + 1 {
		asked = append(asked, "OBJECT FREQ "+d.key(k))
	}
	now, replies, err := r.within(asked...)
	if err != nil {
		return err
	}
	minute := now / (1000 * minuteMicros)
	var counts []int64
	for k, a := range replies[1:] {
		counts = append(counts, a.n)
		d.asked.of++
		d.asked.same += int(one(d.twin.freqAt(now, d.key(k)) == a.n))
		ours, _ := d.exact.FreqAt(now, uint64(k))
		d.hotkey.of++
		d.hotkey.same += int(one(int64(ours) == a.n))
	}
	if d.first == nil {
		d.first, d.minute = counts, minute
	}
	if d.last == nil || minute-d.minute != d.passed {
		d.log = append(d.log, fmt.Sprintf("%s  %3d %3d %3d  %3d", time.Unix(0, now).UTC().Format(time.TimeOnly), counts[0], counts[1], counts[2], counts[3]))
	}
	d.last, d.passed = counts, minute-d.minute
	return nil
}

// tell puts down what was seen.
func (d *decaying) tell(p *paper) {
	name := fmt.Sprintf("decay-%d", d.minutes)
	p.tally(name, d.asked)
	p.tally(name+".hotkey", d.hotkey)
	p.claim(d.asked.same == d.asked.of, "decay time %d: %d of %d counters are as in package cache", d.minutes, d.asked.same, d.asked.of)
	p.claim(d.hotkey.same == d.hotkey.of, "decay time %d: %d of %d counters are as in package hotkey", d.minutes, d.hotkey.same, d.hotkey.of)
	p.fact("decay.minutes", d.passed)
	lost := d.first[1] - d.last[1]
	p.fact(name+".lost", lost)
	want := int64(0)
	if d.minutes > 0 {
		want = d.passed / d.minutes
	}
	p.claim(lost == want, "decay time %d: a key that is left alone loses %d in %d minutes", d.minutes, lost, d.passed)
	used := int64((decayWatch - time.Nanosecond) / decayUse)
	gained := d.last[len(decayUses)] - d.first[len(decayUses)]
	p.fact(name+".used", used)
	p.fact(name+".gained", gained)
	want = used
	if d.minutes == 1 {
		want -= d.passed
	}
	p.claim(gained == want, "decay time %d: a key that is used %d times gains %d", d.minutes, used, gained)
	p.raw(name, "%s", strings.Join(d.log, "\n"))
}
