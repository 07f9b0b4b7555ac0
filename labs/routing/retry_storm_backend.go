package routing

import (
	"seedbed/chapters/route"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// This file is the backend of retry-storm: a few servers behind a line, which work on whatever was accepted, whether or not anybody
// still waits for it.

// trouble is what is wrong with a backend, in the order of the lab's verbs and events.
type trouble uint8

const (
	troubleSlow trouble = iota
	troubleErrors
	troubleNone
)

// backendLimits is what all backends have in common.
type backendLimits struct {
	servers int64
	service int64 // ns, the mean
	depth   int64
	factor  int64 // while slow
	failing int64 // parts per million, while there are errors
	trouble trouble
	names   string // the texts of the idempotency keys
}

const (
	maxKeys  = 1 << 17 // that a backend remembers
	keyLease = route.MaxDuration / 4
	keyBytes = 4
	keyTexts = 1 << 18 // after so many requests the texts begin anew; by then the old ones are forgotten
)

func newBackendLimits(c labs.Config) backendLimits {
	n := min(keyTexts, 2*c.Int("rate")*(c.Int("length")/second)/1000+10_000)
	names := make([]byte, 0, keyBytes*n)
	for i := range n {
		names = append(names, byte(i>>24), byte(i>>16), byte(i>>8), byte(i))
	}
	return backendLimits{
		servers: c.Int("servers"), service: c.Int("service"), depth: c.Int("queue"), factor: c.Int("factor"), failing: c.Int("failing"), trouble: troubleNone,
		names: string(names),
	}
}

// keyOf is the idempotency key of a request.
func (l *backendLimits) keyOf(request int64) string {
	at := request * keyBytes % int64(len(l.names))
	return l.names[at : at+keyBytes]
}

// fails draws whether an attempt meets an error.
func (l *backendLimits) fails(w *caller) bool {
	return l.trouble == troubleErrors && w.luck.Chance(l.failing)
}

// backend is the state of one.
type backend struct {
	service  sim.Stream
	keys     route.Keys[struct{}]
	attempts sim.Slots[try]
	line     sim.Line[int64]
	busy     int64
}

// accept takes an attempt in, unless the line is full.
func (s *retryStorm) accept(env *labs.Env, k int, slot int64) bool {
	w := &s.callers[k]
	if w.busy == s.limits.servers && int64(w.line.Len()) >= s.limits.depth {
		return false
	}
	w.tries++
	c := &w.calls.All[slot]
	c.inside++
	t := w.attempts.Take(try{id: w.tries, call: slot, awaited: true})
	env.At(min(env.Now()+s.timeout, c.deadline), stormLate, uint16(k), t, w.tries)
	w.line.Push(t)
	s.serve(env, k)
	return true
}

// serve gives the free servers work.
func (s *retryStorm) serve(env *labs.Env, k int) {
	w := &s.callers[k]
	for w.busy < s.limits.servers && w.line.Len() > 0 {
		t := w.line.Pop()
		if !s.begin(env, k, t) {
			continue
		}
		w.busy++
		mean := s.limits.service
		if s.limits.trouble == troubleSlow {
			mean *= s.limits.factor
		}
		env.At(env.Now()+sim.Exponential.Draw(&w.service, mean), stormServed, uint16(k), t, w.attempts.All[t].id)
	}
	env.Set(stormColumn(k, stormColumnWaiting), int64(w.line.Len()))
}

// begin asks the key store whether an attempt is to be worked on. One that is not is answered at once: with the first result, or with
// an error while that is still to come.
func (s *retryStorm) begin(env *labs.Env, k int, slot int64) bool {
	w := &s.callers[k]
	t := &w.attempts.All[slot]
	c := &w.calls.All[t.call]
	if !c.post || s.repeat != repeatKeyed {
		return true
	}
	d := w.keys.BeginAt(env.Now(), s.limits.keyOf(c.id), uint64(c.id))
	t.claim = d.Claim
	switch d.State {
	case route.First:
		return true
	case route.Finished:
		w.replays++
		s.tell(env, k, stormReplay, c)
		s.leave(env, k, slot, true)
	default:
		s.leave(env, k, slot, false)
	}
	return false
}

// served ends the work on an attempt. The effect of a keyed one is committed together with its result, or not at all.
func (s *retryStorm) served(env *labs.Env, k int, slot int64) {
	w := &s.callers[k]
	t := &w.attempts.All[slot]
	c := &w.calls.All[t.call]
	w.busy--
	if c.post && (s.repeat != repeatKeyed || w.keys.FinishAt(env.Now(), t.claim, struct{}{})) {
		s.effect(env, k, c)
	}
	s.leave(env, k, slot, true)
	s.serve(env, k)
}

// effect counts what a POST has done.
func (s *retryStorm) effect(env *labs.Env, k int, c *call) {
	w := &s.callers[k]
	c.effects++
	w.effects++
	if c.effects > 1 {
		w.duplicates++
	}
	if k != s.judged {
		return
	}
	env.Emit(stormEffect, entityCaller+k, c.id, int64(c.effects))
	if c.effects > 1 {
		env.Fail(checkDuplicate, c.id, int64(c.effects))
	}
}

// leave lets an attempt go, with an answer or an error for whoever still waits for it.
func (s *retryStorm) leave(env *labs.Env, k int, slot int64, good bool) {
	w := &s.callers[k]
	t := w.attempts.All[slot]
	w.attempts.All[slot].id = 0
	w.attempts.Free(slot)
	c := &w.calls.All[t.call]
	c.inside--
	switch {
	case !t.awaited:
		w.release(t.call)
	case good:
		if s.throttle {
			w.throttle.AcceptAt(env.Now())
		}
		if k == s.judged {
			env.Emit(stormAnswer, entityCaller+k, c.id, env.Now()-c.arrived)
		}
		s.settle(env, k, t.call, true)
	default:
		env.At(env.Now()+errorTime, stormTold, uint16(k), t.call, c.id)
	}
}

func (b *backend) clone() backend {
	c := *b
	c.keys, c.attempts, c.line = b.keys.Clone(), b.attempts.Clone(), b.line.Clone()
	return c
}

func (b *backend) size() int { return b.keys.Size() + b.attempts.Bytes(44) + b.line.Bytes(8) }
