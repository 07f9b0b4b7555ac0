package rings

import (
	"slices"

	"seedbed/labs"
)

// This file is the nodes of takeover and the database behind them: what a request costs, and how a node dies of too many.

// visit is a request that a node has taken and not yet answered.
type visit struct {
	until   int64 // ns: it is answered then
	request int64
	key     int32
	awaited bool // its client waits that long
}

// machine is one node: a cache that serves one request after another and takes in whatever comes.
type machine struct {
	down   bool
	deaths int64
	free   int64   // instant until which it has something to do
	inside []visit // in no order
}

// serve gives a request to a node. What the node has it answers in its turn. What it lacks it asks the database for, and whoever else
// asks for the same key meanwhile waits for the same answer.
func (s *taking) serve(env *labs.Env, way, i, k int, expired bool) {
	w := &s.ways[way]
	m := &w.nodes[i]
	s.settle(env, way, i)
	now := env.Now()
	m.free = max(m.free, now) + s.cost[i]*1_000_000/s.power[i]
	until, missed := m.free, false
	switch there := w.held[k] == int8(i); {
	case there && now < w.ready[k]:
		until = max(until, w.ready[k])
	case !there || expired:
		missed = true
		until = max(until, s.load(w, i, k, now))
	}
	takes := until - now
	awaited := takes <= s.timeout
	m.inside = append(m.inside, visit{until: until, request: s.requests, key: int32(k), awaited: awaited})
	if way == s.judged {
		kind := takeoverServe
		if missed {
			kind = takeoverMiss
			env.Add(takeoverColumnLoads, 1)
		}
		env.Emit(kind, entityNode+i, s.requests, takes)
	}
	if !awaited {
		s.fallback(env, way, s.requests, k)
	}
	if len(m.inside) > s.places {
		s.overfull(env, way, i)
	}
}

// load asks the database for a key, which it has to give when that is there.
func (s *taking) load(w *inheriting, i, k int, now int64) int64 {
	w.waited = max(w.waited, w.base-now)
	w.base = max(w.base, now) + s.read
	w.held[k], w.ready[k] = int8(i), w.base
	return w.base
}

// settle takes out what a node has answered by now.
func (s *taking) settle(env *labs.Env, way, i int) {
	m := &s.ways[way].nodes[i]
	kept := m.inside[:0]
	for _, v := range m.inside {
		if v.until > env.Now() {
			kept = append(kept, v)
			continue
		}
		if !v.awaited {
			continue
		}
		s.ways[way].fresh++
		if way == s.judged {
			s.outcomes[outcomeFresh]++
			env.Add(takeoverColumnFresh, 1)
		}
	}
	m.inside = kept
}

// overfull is the death of a node that took in more than it has room for: the domino.
func (s *taking) overfull(env *labs.Env, way, i int) {
	s.ways[way].lost++
	if way == s.judged {
		since := int64(0)
		if s.died >= 0 {
			since = env.Now() - s.died
		}
		env.Fail(checkCascade, s.requests, int64(i+1), int64(len(s.ways[way].nodes[i].inside)), since)
	}
	s.crash(env, way, i)
}

// crash takes a node down with all that it has: whoever waits for it is told nothing and helps itself.
func (s *taking) crash(env *labs.Env, way, i int) {
	w := &s.ways[way]
	m := &w.nodes[i]
	if m.down {
		return
	}
	s.settle(env, way, i)
	m.down = true
	m.deaths++
	for k := range w.held {
		if w.held[k] == int8(i) {
			w.held[k] = -1
		}
	}
	env.At(env.Now()+s.known, takenKnown, uint16(i), int64(way), m.deaths)
	if way == s.judged {
		if s.first < 0 {
			s.first, s.died = i, env.Now()
		}
		env.Set(takeoverColumn(i, takeoverColumnInside), int64(len(m.inside)))
		env.Set(takeoverColumn(i, takeoverColumnInside), 0)
		env.Set(takeoverColumn(i, takeoverColumnDown), 1)
		env.Emit(takeoverDie, entityNode+i, int64(len(m.inside)), 0)
	}
	for _, v := range m.inside {
		if v.awaited {
			s.fallback(env, way, v.request, int(v.key))
		}
	}
	m.inside = m.inside[:0]
}

// revive brings a node back, empty.
func (s *taking) revive(env *labs.Env, way, i int) {
	w := &s.ways[way]
	m := &w.nodes[i]
	m.down, m.free = false, env.Now()
	w.take.ReturnAt(env.Now(), i)
	if way == s.judged {
		env.Set(takeoverColumn(i, takeoverColumnDown), 0)
		env.Emit(takeoverBack, entityNode+i, 0, 0)
	}
}

// copyNext loads the next key of the shadow copy for its heir, at a pace that the database can bear.
func (s *taking) copyNext(env *labs.Env, way int) {
	w := &s.ways[way]
	n := len(w.copy)
	if n == 0 {
		return
	}
	k := int(w.copy[n-1])
	w.copy = w.copy[:n-1]
	if heir := w.take.RouteAt(env.Now(), s.keys[k]).Heir; heir >= 0 && !w.nodes[heir].down && w.held[k] != int8(heir) {
		s.load(w, heir, k, env.Now())
	}
	env.At(env.Now()+s.copied, takenCopy, 0, int64(way), 0)
}

// cloned is a copy with room of its own.
func (m machine) cloned(places int) machine {
	m.inside = append(make([]visit, 0, places+1), m.inside...)
	return m
}

// clone copies a way.
func (w *inheriting) clone(places int) inheriting {
	c := *w
	c.take = w.take.Clone()
	for i := range c.nodes {
		c.nodes[i] = w.nodes[i].cloned(places)
	}
	c.held, c.ready, c.copy = slices.Clone(w.held), slices.Clone(w.ready), slices.Clone(w.copy)
	return c
}
