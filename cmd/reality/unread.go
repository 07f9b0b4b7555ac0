package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"seedbed/chapters/cache"
)

// The keys that nobody reads: how many, after how many ms they end, and by how much that is spread where it is.
const (
	unreadKeys   = 100_000
	unreadMillis = 2500
	unreadSpread = 1000
	unreadAlive  = 100_000 // in the third part, that do not end
	unreadFew    = 4000    // and that do
	unreadAsked  = 1000
)

// askUnread lets keys end that nobody reads: what is still counted, what somebody would be told, and what Redis does about it by itself.
func askUnread(ctx context.Context, p *paper) error {
	p.fact("unread.keys", unreadKeys)
	p.fact("unread.spread", unreadSpread)
	if err := askLazy(ctx, p); err != nil {
		return fmt.Errorf("lazy: %w", err)
	}
	for _, a := range []struct {
		name   string
		spread int64
	}{{"active", 0}, {"active-spread", unreadSpread}} {
		if err := askActive(ctx, p, a.name, a.spread); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return askFew(ctx, p)
}

// ending stores n keys that end after so many ms, or within spread before that, evenly, and returns when the last of them does, in ms.
func (r *redis) ending(prefix string, n int, millis, spread int64) (last int64, err error) {
	var batch []string
	clock, err := r.ask("TIME")
	if err != nil {
		return 0, err
	}
	us, err := clock[0].clock()
	if err != nil {
		return 0, err
	}
	last = us/1000 + millis
	for k := range n {
		batch = append(batch, fmt.Sprintf("SET %s%d x PXAT %d", prefix, k, last-spread*int64(k)/int64(n)))
		if len(batch) == 2000 || k == n-1 {
			if _, err := r.ask(batch...); err != nil {
				return 0, err
			}
			batch = batch[:0]
		}
	}
	if left := time.Until(time.UnixMilli(last - spread)); left < 0 {
		return 0, errors.New("storing the keys took longer than they live")
	}
	return last, nil
}

// size is DBSIZE.
func (r *redis) size() (int, error) {
	a, err := r.ask("DBSIZE")
	if err != nil {
		return 0, err
	}
	return int(a[0].n), nil
}

// found is how many of some keys are there for a reader.
func (r *redis) found(prefix string, from, to int) (n int, err error) {
	var asked []string
	for k := from; k < to; k++ {
		asked = append(asked, fmt.Sprintf("GET %s%d", prefix, k))
	}
	replies, err := r.ask(asked...)
	for _, a := range replies {
		n += int(one(!a.none))
	}
	return n, err
}

// askLazy switches Redis's own sweeping off: then keys that are over go when they are asked for, as in package cache.
func askLazy(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	r, err := s.redis(ctx, expiryConf)
	if err != nil {
		return err
	}
	if _, err := r.ask("DEBUG SET-ACTIVE-EXPIRE 0"); err != nil {
		return err
	}
	last, err := r.ending("k", unreadKeys, unreadMillis, 0)
	if err != nil {
		return err
	}
	ours, err := cache.New[int, int](cache.Config[int]{Capacity: unreadKeys})
	if err != nil {
		return err
	}
	for k := range unreadKeys {
		ours.SetAt(0, k, 1, unreadMillis)
	}
	time.Sleep(time.Until(time.UnixMilli(last + 500)))
	before, err := r.size()
	if err != nil {
		return err
	}
	mine := ours.Len()
	found, err := r.found("k", 0, unreadAsked)
	if err != nil {
		return err
	}
	for k := range unreadAsked {
		if _, ok := ours.GetAt(unreadMillis+1, k); ok {
			return errors.New("ours finds a key that is over")
		}
	}
	after, err := r.size()
	if err != nil {
		return err
	}
	p.fact("lazy.before", before)
	p.fact("lazy.asked", unreadAsked)
	p.fact("lazy.found", found)
	p.fact("lazy.after", after)
	p.claim(before == mine && before == unreadKeys, "lazy: %d keys are counted after their end, by ours %d", before, mine)
	p.claim(found == 0, "lazy: %d of them are found", found)
	p.claim(after == ours.Len(), "lazy: %d are left after %d were asked for, by ours %d", after, unreadAsked, ours.Len())
	return nil
}

// askActive watches how Redis takes keys away by itself, and how long somebody waits for an answer meanwhile.
func askActive(ctx context.Context, p *paper, name string, spread int64) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	r, err := s.redis(ctx, expiryConf)
	if err != nil {
		return err
	}
	ping, err := s.dialRedis()
	if err != nil {
		return err
	}
	last, err := r.ending("k", unreadKeys, unreadMillis, spread)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var slowest time.Duration
	var wrong error
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			begin := time.Now()
			if _, wrong = ping.ask("PING"); wrong != nil {
				return
			}
			slowest = max(slowest, time.Since(begin))
		}
	})
	var lines []string
	found, left, gone := 0, unreadKeys, int64(0)
	for at := -spread; left > 0; at += 100 {
		time.Sleep(time.Until(time.UnixMilli(last + at + 2)))
		if left, err = r.size(); err != nil {
			break
		}
		if at == 0 {
			p.fact(name+".at-end", left)
			// The last one that was stored ends first where ends are spread; here all are over.
			if found, err = r.found("k", 0, unreadAsked/10); err != nil {
				break
			}
		}
		gone = at
		lines = append(lines, fmt.Sprintf("%6d ms  %6d", at, left))
		if at > patience.Milliseconds() {
			break
		}
	}
	close(stop)
	wg.Wait()
	if err = errors.Join(err, wrong); err != nil {
		return err
	}
	p.fact(name+".found", found)
	p.fact(name+".gone", gone)
	p.fact(name+".slowest", fmt.Sprintf("%.0f", float64(slowest.Microseconds())/1000))
	p.raw(name, "%s", strings.Join(thinned(lines, 14), "\n"))
	p.claim(found == 0, "%s: %d keys are found after their end", name, found)
	p.claim(left == 0, "%s: %d keys are left %d ms after the last end", name, left, gone)
	return nil
}

// thinned is at most n of some lines, the first and the last among them.
func thinned(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	out := make([]string, 0, n)
	for i := range n {
		out = append(out, lines[i*(len(lines)-1)/(n-1)])
	}
	return out
}

// askFew lets a few keys end among many that do not. Redis is content with that.
func askFew(ctx context.Context, p *paper) error {
	s, err := newStand()
	if err != nil {
		return err
	}
	defer s.close()
	r, err := s.redis(ctx, expiryConf)
	if err != nil {
		return err
	}
	if _, err := r.ending("alive", unreadAlive, time.Hour.Milliseconds(), 0); err != nil {
		return err
	}
	last, err := r.ending("k", unreadFew, unreadMillis, 0)
	if err != nil {
		return err
	}
	const wait = 5 * time.Second
	time.Sleep(time.Until(time.UnixMilli(last).Add(wait)))
	size, err := r.size()
	if err != nil {
		return err
	}
	left := size - unreadAlive
	p.fact("few.alive", unreadAlive)
	p.fact("few.keys", unreadFew)
	p.fact("few.left", left)
	p.fact("few.seconds", int(wait.Seconds()))
	p.claim(left > unreadFew/2 && left < unreadFew, "few: %d of %d keys are still there %v after their end", left, unreadFew, wait)
	found, err := r.found("k", 0, unreadFew)
	if err != nil {
		return err
	}
	if size, err = r.size(); err != nil {
		return err
	}
	p.claim(found == 0 && size == unreadAlive, "few: %d are found, and having been asked for, %d are left", found, size-unreadAlive)
	return nil
}
