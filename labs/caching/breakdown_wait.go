package caching

import (
	"slices"

	"seedbed/chapters/cache"
	"seedbed/labs"
)

// This file is the readers of cache-breakdown who wait, and how each of them gets away.

// waiter is one reader who waits: for what its own load brings, or for somebody else's.
type waiter struct {
	request, since int64
	came, on       int64 // the flights that it came for and waits for now, by their numbers; 0 where there are none
	led            int64 // its own load, by its number; 0 is none
}

// wait lets a reader wait for a flight, or for its own load when it leads one.
func (s *breakdown) wait(env *labs.Env, k int, f flight, led int64) {
	w, on := &s.ways[k], int64(f.Number)
	w.waits.Push(waiter{s.requests, env.Now(), on, on, led})
	env.At(env.Now()+s.stays, breakHang, uint16(k), s.requests, 0)
	env.Set(breakdownColumnWaiting+k, int64(w.waits.Len()))
	if k == s.judged {
		env.Emit(breakdownWait, entityServer, s.requests, int64(w.waits.Len()))
	}
}

// take lets those go who wait for flight on, and whoever waits for its own load led; it says how many, and since when the first of them
// has waited. Who loads has what its load brings, even when it is not kept. The others find only what was kept, but for the way with one
// flight a process, where those who came for it hear of it from each other, however late. O(n) in those who wait, and O(1) where everybody
// loads: there the load that ends is that of the head, unless its reader has gone.
func (w *renewal) take(k int, on, led int64) (readers, since int64) {
	if k >= renewEarly {
		if w.waits.Len() == 0 || w.waits.First().led != led {
			return 0, 0
		}
		return 1, w.waits.Pop().since
	}
	all, kept := w.waits.All(), 0
	for _, r := range all {
		theirs := r.led == 0 && (r.on == on || k == renewPerProcess && r.came == on)
		if own := r.led > 0 && r.led == led; !own && !theirs {
			all[kept] = r
			kept++
			continue
		}
		if readers++; readers == 1 {
			since = r.since
		}
	}
	w.waits.Cut(kept)
	return readers, since
}

// answer gives those what they wait for who wait for flight on or for their own load led, and counts them.
func (s *breakdown) answer(env *labs.Env, k int, on, led int64) int64 {
	w := &s.ways[k]
	readers, since := w.take(k, on, led)
	if readers > 0 {
		w.longest = max(w.longest, env.Now()-since)
		env.Set(breakdownColumnWaiting+k, int64(w.waits.Len()))
	}
	if k == s.judged {
		s.waited += readers
		env.Add(breakdownColumnWaited, readers)
	}
	return readers
}

// part counts readers who are lost with their load.
func (s *breakdown) part(k int, readers int64) {
	if k == s.judged {
		s.gone += readers
	}
}

// lose lets whoever waits for its own load go with it: their process has died.
func (s *breakdown) lose(env *labs.Env, k int, led int64) {
	readers, _ := s.ways[k].take(k, -1, led)
	s.part(k, readers)
	env.Set(breakdownColumnWaiting+k, int64(s.ways[k].waits.Len()))
}

// again lets the first of those who still wait for a flight look once more when it is given up. Mostly it leads the next one, and the
// others wait with it. Who made the flight waits for its own load.
func (s *breakdown) again(env *labs.Env, k int, on, key int64) {
	w := &s.ways[k]
	all := w.waits.All()
	i := slices.IndexFunc(all, func(r waiter) bool { return r.on == on && r.led == 0 })
	if i < 0 {
		return
	}
	f, leads, found := s.look(env, k, key)
	request := all[i].request
	switch {
	case found:
		s.answer(env, k, on, 0)
	default:
		for j := range all {
			if all[j].on == on && all[j].led == 0 {
				all[j].on = int64(f.Number)
			}
		}
		if leads {
			all[i].led = w.loads + 1
		}
	}
	if !leads {
		return
	}
	s.begin(env, k, f, request, false)
	if w.loads == s.lost {
		s.lose(env, k, w.loads)
	}
}

// look asks as somebody does who comes now: found says that there is an answer.
func (s *breakdown) look(env *labs.Env, k int, key int64) (f flight, leads, found bool) {
	w, now := &s.ways[k], s.clock(env)
	if k != renewPerProcess {
		a := w.reader.AskAt(now, key, &w.luck)
		return a.Flight, a.Load, a.Verdict == cache.Found
	}
	if _, _, ok := w.store.PeekAt(now, hot); ok {
		return flight{}, false, true
	}
	f, boarding := w.flights.BoardAt(now, key)
	return f, boarding == cache.Lead, false
}

// hang ends the patience of a reader.
func (s *breakdown) hang(env *labs.Env, k int, request int64) {
	w := &s.ways[k]
	if w.waits.Len() == 0 || w.waits.First().request != request {
		return
	}
	waiting := int64(w.waits.Len())
	took := env.Now() - w.waits.Pop().since
	w.longest = max(w.longest, took)
	if k == s.judged {
		s.hung++
		env.Add(breakdownColumnHung, 1)
		env.Emit(breakdownHang, entityServer, request, took)
		env.Fail(checkHangs, request, took, waiting)
	}
	env.Set(breakdownColumnWaiting+k, int64(w.waits.Len()))
}
