package incidents

import (
	"seedbed/chapters/breaker"
	"seedbed/chapters/cache"
	"seedbed/chapters/route"
	"seedbed/labs"
)

// This file is a page's way: the edge, the limiter, the caches, the breaker; and the order that follows.

type (
	answer = cache.Answer[int64, int64]
	flight = cache.Flight[int64]
)

// visit lets somebody come, to every combination.
func (s *avalanche) visit(env *labs.Env, buyer bool) {
	s.visits++
	p := page{visit: s.visits, since: env.Now(), key: int32(s.demand.Draw(&s.pick)), next: -1, extra: s.extras.Chance(extraShare)}
	if buyer {
		s.bought++
		p.buyer = s.bought
	}
	outside := s.outer.Chance(s.edge)
	if outside {
		s.atEdge++
		env.Add(colEdge, 1)
		env.Emit(evEdge, entEdge, p.visit, 0)
	}
	for k := range s.defences {
		if outside {
			p.extra = false
			s.opened(env, k, &p)
		} else {
			s.open(env, k, int32(s.defences[k].pages.Take(p)))
		}
	}
}

// open asks for a page: through the limiter, to the caches.
func (s *avalanche) open(env *labs.Env, k int, slot int32) {
	d := &s.defences[k]
	if d.on[swLimiter] {
		d.turn = (d.turn + 1) % d.ready
		if !d.fleet[d.turn].bucket.TakeAt(env.Now(), 1).OK {
			if k == s.judged {
				s.shed++
				env.Add(colShed, 1)
				env.Emit(evShed, entGateway, d.pages.All[slot].visit, 0)
			}
			s.refuse(env, k, slot)
			return
		}
	}
	if k == s.judged {
		env.Add(colPassed, 1)
		env.Emit(evPass, entGateway, d.pages.All[slot].visit, 0)
	}
	if d.on[swLocal] {
		s.readTwo(env, k, slot)
		return
	}
	a := d.reader.AskAt(s.clock(env), int64(d.pages.All[slot].key), &d.luck)
	s.serve(env, k, slot, a, evRedis)
}

// readTwo asks the local cache, then Redis. What Redis has beyond its end answers those who would wait for a load.
func (s *avalanche) readTwo(env *labs.Env, k int, slot int32) {
	d := &s.defences[k]
	key, now := int64(d.pages.All[slot].key), s.clock(env)
	a := d.two.AskAt(now, key, &d.luck)
	if a.Verdict == cache.Found && !a.Load {
		s.serve(env, k, slot, a, evLocal)
		return
	}
	reply, old := s.askRedis(d, now, key)
	if a.Load && d.two.RemoteAt(now, a.Flight, reply, &d.luck) != cache.AskOrigin {
		s.answered(env, k, slot, evRedis)
		return
	}
	if old && a.Verdict != cache.Found {
		a.Verdict, a.Stale = cache.Found, true
	}
	s.serve(env, k, slot, a, evRedis)
}

// askRedis is what Redis answers, and whether it has something beyond its end.
func (s *avalanche) askRedis(d *defence, now, key int64) (reply cache.Reply[int64], old bool) {
	if s.down {
		return cache.Reply[int64]{Kind: cache.RemoteFailed}, false
	}
	v, expires, ok := d.redis.PeekAt(now, key)
	if !ok {
		return cache.Reply[int64]{Kind: cache.RemoteMissing}, false
	}
	left := expires - now - d.beyond()
	return cache.Reply[int64]{Kind: cache.RemoteFound, Value: v, Left: left}, left <= 0
}

// beyond is how long a value is kept past its end.
func (d *defence) beyond() int64 {
	if d.on[swStale] {
		return staleFor
	}
	return 0
}

// serve does as a cache says that reads through. Without single flight, who would wait for another's load loads as well.
func (s *avalanche) serve(env *labs.Env, k int, slot int32, a answer, by int) {
	d := &s.defences[k]
	p := &d.pages.All[slot]
	key := p.key
	alone := !d.on[swSingle] && !a.Load
	switch {
	case a.Verdict == cache.Found && a.Stale:
		s.answered(env, k, slot, evOld)
		if alone {
			s.load(env, k, job{kind: jobBare, key: key, page: -1})
		}
	case a.Verdict == cache.Found:
		s.answered(env, k, slot, by)
	case alone:
		s.load(env, k, job{kind: jobBare, key: key, page: slot})
	default:
		p.next = d.joined[key]
		d.joined[key] = slot
		s.tell(env, k, evJoin, entRedis, p.visit, int64(key)+1)
	}
	if a.Load {
		s.load(env, k, job{kind: jobLoad, key: key, mark: int64(a.Flight.Number), page: -1})
	}
}

// answered gives a page to who asked for it, and says who had it.
func (s *avalanche) answered(env *labs.Env, k int, slot int32, by int) {
	d := &s.defences[k]
	p := d.pages.All[slot]
	d.pages.Free(int64(slot))
	if k == s.judged {
		who, column := entRedis, colRedis
		switch {
		case by == evLocal:
			who, column = entLocal, colLocal
			s.local++
		default:
			s.redis++
		}
		if by == evOld {
			s.old++
		}
		env.Add(column, 1)
		env.Emit(by, who, p.visit, int64(p.key)+1)
	}
	s.opened(env, k, &p)
}

// opened is what follows a page: its recommendations, and the order.
func (s *avalanche) opened(env *labs.Env, k int, p *page) {
	d := &s.defences[k]
	if p.extra && d.level.Extras() {
		s.load(env, k, job{kind: jobExtra, key: p.key, page: -1})
	}
	if p.buyer == 0 {
		return
	}
	if k == s.judged {
		s.orders++
		env.Add(colOrders, 1)
		env.Emit(evOrder, entService, p.buyer, 0)
	}
	s.submit(env, k, job{kind: jobOrder, mark: p.buyer, key: -1, page: -1})
}

// load asks the database for something of a page; for the product itself only if the breaker lets it.
func (s *avalanche) load(env *labs.Env, k int, j job) {
	d := &s.defences[k]
	if d.on[swBreaker] && j.guarded() {
		t, decision := d.guard.AskAt(env.Now())
		s.changed(env, k, decision.Changes)
		if !decision.OK {
			if k == s.judged {
				env.Add(colCut, 1)
				env.Emit(evCut, entPool, int64(j.key)+1, 0)
			}
			switch j.kind {
			case jobLoad:
				s.unload(env, k, &j)
			case jobBare:
				s.refuse(env, k, j.page)
			}
			return
		}
		j.ticket = t
	}
	if k == s.judged {
		s.loads++
		env.Add(colLoads, 1)
		env.Emit(evLoad, entPool, int64(j.key)+1, 0)
	}
	s.submit(env, k, j)
}

// guarded reports whether the breaker stands before a job: it has the loads of products, whose pages wait for them.
func (j *job) guarded() bool { return j.kind == jobLoad || j.kind == jobBare }

// report tells the breaker how a load ended.
func (s *avalanche) report(env *labs.Env, k int, j *job, o breaker.Outcome) {
	d := &s.defences[k]
	if d.on[swBreaker] && j.guarded() {
		s.changed(env, k, d.guard.DoneAt(env.Now(), j.ticket, o).Changes)
	}
}

// loaded brings a value to the caches and to all who wait for it. While Redis is down it keeps nothing.
func (s *avalanche) loaded(env *labs.Env, k int, j *job) {
	d := &s.defences[k]
	key, now := int64(j.key), s.clock(env)
	f := flight{Key: key, Number: uint64(j.mark)}
	switch {
	case d.on[swLocal] && j.kind == jobLoad:
		if put, kept := d.two.OriginAt(now, f, remember, &d.luck); kept && !s.down {
			d.redis.SetAt(now, key, remember, put.TTL+d.beyond())
		}
	case d.on[swLocal]:
		d.two.PutAt(now, key, remember, &d.luck)
		if !s.down {
			d.redis.SetAt(now, key, remember, s.life(d)+d.beyond())
		}
	case j.kind == jobLoad:
		d.reader.DoneAt(now, f, remember, &d.luck)
	default:
		d.reader.PutAt(now, key, remember, &d.luck)
	}
	if s.down && !d.on[swLocal] {
		d.reader.Invalidate(key)
	}
	if j.page >= 0 {
		s.answered(env, k, j.page, evRedis)
	}
	if j.kind == jobLoad {
		for slot := d.leave(j.key); slot >= 0; {
			next := d.pages.All[slot].next
			s.answered(env, k, slot, evRedis)
			slot = next
		}
	}
}

// life is how long Redis keeps what it gets now.
func (s *avalanche) life(d *defence) int64 {
	if d.on[swJitter] {
		return cache.Jitter(ttl, ppmSpread, &d.luck)
	}
	return ttl
}

// leave is the first page that waited for a key; none does any more.
func (d *defence) leave(key int32) int32 {
	slot := d.joined[key]
	d.joined[key] = -1
	return slot
}

// unload ends a load that came to nothing, and fails all who waited for it.
func (s *avalanche) unload(env *labs.Env, k int, j *job) {
	d := &s.defences[k]
	f := flight{Key: int64(j.key), Number: uint64(j.mark)}
	if d.on[swLocal] {
		d.two.FailAt(s.clock(env), f)
	} else {
		d.reader.FailAt(s.clock(env), f)
	}
	for slot := d.leave(j.key); slot >= 0; {
		next := d.pages.All[slot].next
		s.refuse(env, k, slot)
		slot = next
	}
}

// refuse is a page that failed: it is tried again, or its order is lost.
func (s *avalanche) refuse(env *labs.Env, k int, slot int32) {
	if slot < 0 {
		return
	}
	d := &s.defences[k]
	p := &d.pages.All[slot]
	if k == s.judged {
		env.Add(colUnserved, 1)
	}
	if p.tries < s.tries {
		p.tries++
		p.next = -1
		if k == s.judged {
			s.reloads++
			env.Emit(evReload, entClient, p.visit, int64(p.tries)+1)
		}
		again := route.Backoff{Base: pause, Cap: 4 * pause}.Wait(int64(p.tries), &d.luck)
		env.At(env.Now()+pause/2+again, kindReload, uint16(k), int64(slot), 0)
		return
	}
	d.unserved++
	gone := *p
	d.pages.Free(int64(slot))
	if gone.buyer > 0 {
		s.lose(env, k, gone.buyer, env.Now()-gone.since, evLosePage)
	}
}
