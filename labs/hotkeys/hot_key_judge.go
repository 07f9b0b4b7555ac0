package hotkeys

import (
	"seedbed/chapters/hotkey"
	"seedbed/labs"
)

// This file is what a run of hot-key is held to: which key is hot, who has named it, and what its shard had to do.

// headroom is the part of a shard's capacity that copies are planned for, parts per million: what comes in a second is more than the
// mean as often as it is less, so a shard that is full on average is overrun every other second.
const headroom = 700_000

// weigh tells by the mean rates whether the key that the crowd is for is hot.
func (s *hotKey) weigh(c labs.Config) {
	crowd := s.crowd()
	s.even = (s.rate - crowd) / int64(len(s.perShard))
	if s.holds == holdsPage || s.holds == holdsList {
		s.wrote = c.Int("writes")
	}
	s.tooHot = crowd+s.wrote+s.even > s.capacity
}

// crowd is how often the crowd's key is asked for, in thousandths a second: at most 10^10 by 10^6 before the division.
func (s *hotKey) crowd() int64 { return s.rate * s.hot / million }

// look closes a second: shards are judged, keys are named anew, and whoever names them is judged.
func (s *hotKey) look(env *labs.Env) {
	s.judgeShards(env)
	s.looks++
	due := s.tooHot && s.since >= 0 && env.Now()-s.since >= s.within
	for k := range s.finders {
		f := &s.finders[k]
		// A scan over all counters takes its time, so it is not made each second.
		if k == findRedis && env.Now() < s.nextScan {
			s.fare(env, k, due)
			continue
		}
		f.top = f.counts.TopAt(env.Now(), s.top)
		if k == findRedis {
			s.nextScan = env.Now() + s.scan
		}
		s.fare(env, k, due)
	}
	s.settle(env)
}

// fare notes how one way to find hot keys does at a look; the window's list is the truth.
func (s *hotKey) fare(env *labs.Env, k int, due bool) {
	f := &s.finders[k]
	for _, c := range s.finders[findWindow].top {
		if has(f.top, int64(c.ID)) {
			f.agreed++
		}
	}
	if s.since < 0 {
		return
	}
	found := has(f.top, s.hotID())
	if found && !f.named {
		f.named = true
		f.after = max(f.after, env.Now()-s.since)
		if k == s.judged {
			env.Emit(hotName, entityServers, s.hotID(), env.Now()-s.since)
		}
	}
	if due && !found {
		f.missed++
		env.Set(columnMissed+k, f.missed)
		if k == s.judged {
			env.Fail(checkFound, s.requests, s.hotID(), env.Now()-s.since)
		}
	}
}

// judgeShards holds each shard's operations of a second to its capacity, but for the time in which a new hot key may yet be found.
func (s *hotKey) judgeShards(env *labs.Env) {
	judged := !s.tooHot || s.since < 0 || env.Now()-s.since >= s.within+second
	for i, n := range s.perShard {
		rate := n * 1000
		env.Set(columnShard+i, n)
		if judged {
			s.busiest = max(s.busiest, rate)
			if rate > s.capacity {
				env.Fail(checkShard, s.requests, rate, int64(i+1))
			}
		}
		s.perShard[i] = 0
	}
}

// Finish measures.
func (s *hotKey) Finish(env *labs.Env) {
	s.closeHeat(env)
	f := &s.finders[s.judged]
	spare := s.capacity*headroom/million - s.even - s.wrote
	for i, v := range [hotEach]int64{
		s.requests, s.hotRequests, f.after, f.missed, s.busiest, s.operations, s.localHits, s.old, s.written, s.shardDone,
		s.added, s.behind, s.sold, max(0, s.sold-s.stock), s.askedAgain,
		int64(hotkey.CopiesFor(s.crowd(), spare, len(s.perShard))),
	} {
		env.Metric(i, v)
	}
	for k := range s.finders {
		f := &s.finders[k]
		for i, v := range [...]int64{f.missed, f.after, labs.PerMillion(f.agreed, s.looks*int64(s.top)), int64(f.counts.Size())} {
			env.Metric(hotEach+4*k+i, v)
		}
	}
}
