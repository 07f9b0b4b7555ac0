package overload

import (
	"math/bits"

	"seedbed/labs"
	"seedbed/labs/sim"
)

// This file is what the checks of adaptive-limit make of what happened, span by span, and what is measured.

// spanned is what happened at one limit within a span.
type spanned struct {
	times   sim.Histogram     // of those that were answered
	late    int64             // of them, later than the promise
	latest  int64             // the last of those
	letIn   [maxCallers]int64 // of each caller
	refused [maxCallers]int64 // the last one of each caller; 0 when there is none
}

// fewest is how many requests must be due to a caller within a span for the span to say something.
const fewest = 10

// close judges the span that is over, if one is, before anything else happens at this instant.
func (s *follow) close(env *labs.Env) {
	if env.Now() >= s.spanEnd {
		s.judge(env)
		s.spanEnd += s.spanFor
	}
}

// judge closes a span. One that begins before everybody has had the time to settle is not judged.
func (s *follow) judge(env *labs.Env) {
	s.count(env)
	from := s.spanEnd - s.spanFor
	changed := s.turnedAt
	if s.callers == maxCallers && from >= s.joins {
		changed = max(changed, s.joins)
	}
	settled := from >= changed+s.settle
	for k := range s.limits {
		f := &s.limits[k]
		w := &f.span
		p99 := w.times.Quantile(990_000)
		env.Set(adaptiveColumn(k, adaptiveColumnP99), p99)
		if settled {
			if k == s.judged && w.late*100 > w.times.Count() {
				env.Fail(checkHeld, w.latest, w.late, w.times.Count(), p99, s.stands(k))
			}
			for i := range s.callers {
				s.judgeFed(env, k, i)
			}
		}
		f.span = spanned{}
	}
	s.asked = [maxCallers]int64{}
}

// judgeFed asks whether a caller got enough of what it asked for, or of its part of what the service can do if that is less.
func (s *follow) judgeFed(env *labs.Env, k, i int) {
	f := &s.limits[k]
	due := min(s.asked[i], s.fair())
	if due < fewest {
		return
	}
	share := min(labs.PerMillion(f.span.letIn[i], due), million)
	f.least = min(f.least, share)
	if k == s.judged && share < s.floor {
		env.Fail(checkFed, f.span.refused[i], f.span.letIn[i], due, s.asked[i], f.gates[i].Limit())
	}
}

// stands is the limit of all callers together.
func (s *follow) stands(k int) (sum int64) {
	for i := range s.callers {
		sum += s.limits[k].gates[i].Limit()
	}
	return sum
}

// mean is how long a request takes on average as the service is now, ns.
func (s *follow) mean() int64 {
	switch {
	case s.slow:
		return s.service * s.factor
	case s.crowded:
		return s.service + ratioOf(s.service*(s.factor-1), neighbourShare)
	}
	return s.service
}

// ratioOf is a part, in parts per million, of v.
func ratioOf(v, part int64) int64 {
	hi, lo := bits.Mul64(uint64(v), uint64(part))
	q, _ := bits.Div64(hi, lo, million)
	return int64(q)
}

// fair is how many requests the service can answer within a span, as it is now, for each of the callers.
func (s *follow) fair() int64 {
	return s.now * s.spanFor / s.mean() / int64(s.callers)
}

// count adds up what the service could have done with requests of the mean length, all places busy: thousandths of requests since the last time. By
// chance those that come are shorter, and then more are answered.
func (s *follow) count(env *labs.Env) {
	s.could += s.now * ((env.Now() - s.since) * thousandth / s.mean())
	s.since = env.Now()
}

// Finish measures.
func (s *follow) Finish(env *labs.Env) {
	s.close(env)
	s.count(env)
	j := &s.limits[s.judged]
	letIn := j.letIn[0] + j.letIn[1]
	for i, v := range [adaptiveOf]int64{s.requests, s.could / thousandth, s.requests - letIn, letIn - j.answered, s.stands(s.judged), labs.PerMillion(j.letIn[1], letIn)} {
		env.Metric(i, v)
	}
	for k := range s.limits {
		f := &s.limits[k]
		at := adaptiveOf + adaptiveEach*k
		env.Metric(at, f.answered)
		env.Metric(at+1, f.whole.Quantile(990_000))
		env.Metric(at+2, f.late)
		env.Metric(at+3, f.least)
	}
}
