package caching

import (
	"seedbed/chapters/cache"
	"seedbed/labs"
)

// This file is what a read of cache-avalanche meets, and what an order does.

// What a job's mark says when it is no flight: numbers of flights begin with 1.
const (
	bare    = 0  // of a cache without flights
	warming = -1 // nobody asked for it
)

// read lets one request be answered by every way.
func (s *avalanche) read(env *labs.Env) {
	s.requests++
	key, process := s.demand.Draw(&s.pick), s.process.Below(s.processes)
	if s.outer.Chance(s.edgeShare) {
		s.atEdge++
		env.Add(avalancheColumnEdge, 1)
		env.Emit(avalancheEdge, entityEdge, s.requests, key+1)
		return
	}
	for k := range s.ways {
		switch k {
		case keepSameTTL:
			s.readBare(env, k, key)
		case keepTwoLevel:
			s.readTwo(env, k, process*s.keys()+key)
		default:
			s.serve(env, k, key, s.ways[k].reader.AskAt(s.clock(env), key, &s.ways[k].luck))
		}
	}
}

// readBare is a cache before which nobody stands in line: whoever misses loads.
func (s *avalanche) readBare(env *labs.Env, k int, key int64) {
	if _, ok := s.ways[k].redis.GetAt(s.clock(env), key); ok {
		s.tell(env, k, entityRedis, avalancheHit, key)
		return
	}
	s.ways[k].pending++
	s.load(env, k, key, bare)
}

// keys is how many there are. A slot is a key, and with a local cache in each process a process and a key: process × keys + key.
func (s *avalanche) keys() int64 { return int64(len(s.demand)) }

// readTwo asks the local cache of a slot's process, then the one behind it.
func (s *avalanche) readTwo(env *labs.Env, k int, slot int64) {
	w, key := &s.ways[k], slot%s.keys()
	two := &w.two[slot/s.keys()]
	now := s.clock(env)
	a := two.AskAt(now, key, &w.luck)
	if !a.Load {
		s.serve(env, k, slot, a)
		return
	}
	reply := cache.Reply[int64]{Kind: cache.RemoteFailed}
	if !s.down {
		reply.Kind = cache.RemoteMissing
		if v, expires, ok := w.redis.PeekAt(now, key); ok {
			reply = cache.Reply[int64]{Kind: cache.RemoteFound, Value: v, Left: expires - now}
		}
	}
	switch {
	case two.RemoteAt(now, a.Flight, reply, &w.luck) == cache.AskOrigin:
		s.serve(env, k, slot, a)
	case reply.Kind == cache.RemoteFound:
		s.tell(env, k, entityRedis, avalancheHit, key)
	case a.Verdict == cache.Found:
		s.tell(env, k, entityLocal, avalancheOld, key)
	default:
		s.tell(env, k, entityRedis, avalancheRefuse, key)
	}
}

// serve does as a cache says that reads through.
func (s *avalanche) serve(env *labs.Env, k int, slot int64, a cache.Answer[int64, int64]) {
	w, key, by := &s.ways[k], slot%s.keys(), entityRedis
	if k == keepTwoLevel {
		by = entityLocal
	}
	switch {
	case a.Verdict == cache.Found && a.Stale:
		s.tell(env, k, by, avalancheOld, key)
	case a.Verdict == cache.Found:
		s.tell(env, k, by, avalancheHit, key)
	case a.Verdict == cache.Refused:
		s.tell(env, k, by, avalancheRefuse, key)
	default:
		w.joined[slot]++
		w.pending++
		if !a.Load {
			s.tell(env, k, by, avalancheJoin, key)
		}
	}
	if a.Load {
		s.load(env, k, slot, int64(a.Flight.Number))
	}
}

// tell counts what a read of a way came to, and says who had it.
func (s *avalanche) tell(env *labs.Env, k, by, what int, key int64) {
	w := &s.ways[k]
	switch what {
	case avalancheOld:
		w.old++
	case avalancheRefuse:
		w.refused++
	}
	if k != s.judged {
		return
	}
	switch what {
	case avalancheHit:
		s.fresh++
		env.Add(avalancheColumnFresh, 1)
	case avalancheOld:
		env.Add(avalancheColumnOld, 1)
	case avalancheRefuse:
		env.Add(avalancheColumnUnserved, 1)
	}
	if what == avalancheHit || what == avalancheOld {
		column := avalancheColumnRedis
		if by == entityLocal {
			column = avalancheColumnLocal
		}
		env.Add(column, 1)
	}
	env.Emit(what, by, s.requests, key+1)
}

// load asks the database for the key of a slot.
func (s *avalanche) load(env *labs.Env, k int, slot, mark int64) {
	s.ways[k].loads++
	if k == s.judged {
		env.Add(avalancheColumnLoads, 1)
		env.Emit(avalancheLoad, entityRedis, s.requests, slot%s.keys()+1)
	}
	s.connect(env, k, job{since: env.Now(), slot: slot, mark: mark}, s.requests)
}

// connect gives a job a connection or a place in the line.
func (s *avalanche) connect(env *labs.Env, k int, j job, request int64) {
	w := &s.ways[k]
	if w.take(&j) {
		s.work(env, k, j)
	} else {
		env.At(env.Now()+s.patience, fallLate, uint16(k), j.number, 0)
		if k == s.judged {
			env.Fail(checkPool, request, int64(w.connections), int64(w.line.Len()))
		}
	}
	s.level(env, k)
}

// work lets a job have its connection; an order is as good as done.
func (s *avalanche) work(env *labs.Env, k int, j job) {
	env.At(env.Now()+s.query, fallDone, uint16(k), j.slot, j.mark)
	if k == s.judged && j.slot < 0 {
		env.Emit(avalancheOrder, entityDatabase, j.mark, env.Now()-j.since+s.query)
	}
}

// done brings what was loaded to the cache, and to all who waited for it. While the cache is down nothing is kept.
func (s *avalanche) done(env *labs.Env, k int, slot, mark int64) {
	if slot < 0 {
		return
	}
	w, key := &s.ways[k], slot%s.keys()
	now := s.clock(env)
	f := flight{Key: key, Number: uint64(mark)}
	switch {
	case k == keepSameTTL:
		if !s.down {
			w.redis.SetAt(now, key, remember, s.ttl)
		}
		s.answer(env, k, 1)
		return
	case k == keepTwoLevel:
		if put, kept := w.two[slot/s.keys()].OriginAt(now, f, remember, &w.luck); kept && !s.down {
			w.redis.SetAt(now, key, remember, put.TTL)
		}
	case mark == warming:
		if !s.down {
			w.reader.PutAt(now, key, remember, &w.luck)
		}
		return
	default:
		w.reader.DoneAt(now, f, remember, &w.luck)
		if s.down {
			w.reader.Invalidate(key)
		}
	}
	s.answer(env, k, int64(w.joined[slot]))
	w.joined[slot] = 0
}

// answer counts readers who waited and got what they waited for.
func (s *avalanche) answer(env *labs.Env, k int, readers int64) {
	s.ways[k].pending -= readers
	if k == s.judged {
		s.waited += readers
		env.Add(avalancheColumnWaited, readers)
	}
}

// giveUp ends a job that never got a connection.
func (s *avalanche) giveUp(env *labs.Env, k int, j job) {
	w := &s.ways[k]
	if j.slot < 0 {
		w.lost++
		if k == s.judged {
			env.Add(avalancheColumnLost, 1)
			env.Emit(avalancheLose, entityDatabase, j.mark, env.Now()-j.since)
			env.Fail(checkOrders, j.mark, env.Now()-j.since, int64(w.line.Len()))
		}
		return
	}
	readers, key := int64(0), j.slot%s.keys()
	f := flight{Key: key, Number: uint64(j.mark)}
	switch {
	case j.mark == warming:
	case k == keepSameTTL:
		readers = 1
	case k == keepTwoLevel:
		w.two[j.slot/s.keys()].FailAt(s.clock(env), f)
	default:
		w.reader.FailAt(s.clock(env), f)
	}
	if k != keepSameTTL && j.mark != warming {
		readers = int64(w.joined[j.slot])
		w.joined[j.slot] = 0
	}
	w.failed += readers
	w.pending -= readers
	if k == s.judged {
		env.Add(avalancheColumnUnserved, readers)
		env.Emit(avalancheGiveUp, entityDatabase, key+1, readers)
	}
}
