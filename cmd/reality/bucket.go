package main

import (
	"fmt"
	"math"
	"strings"

	"seedbed/chapters/limiter"
)

// thousand is how finely nginx counts: in 1/1000 of a request.
const thousand = 1000

// zone is limit_req's own arithmetic (nginx, src/http/modules/ngx_http_limit_req_module.c), which explains where it differs from
// ours: a rate is a whole number of 1/1000 of a request a second, an instant a whole millisecond, and what leaks between two requests
// is rounded down to 1/1000.
type zone struct {
	rate  int64 // 1/1000 requests a second
	burst int64 // requests
	used  bool
	last  int64 // ms
	full  int64 // 1/1000 requests above the rate: nginx's excess
}

// newZone rounds a rate as nginx does when it reads "100r/m".
func newZone(r limiter.Rate, burst int64) zone {
	const minute = 60
	n, seconds := r.N, r.Per/1_000_000_000
	if seconds != minute {
		seconds = 1
	}
	return zone{rate: n * thousand / seconds, burst: burst}
}

// takeAt decides about one request at an instant in ms.
func (z *zone) takeAt(now int64) verdict {
	if !z.used {
		z.used, z.last = true, now
		return verdict{at: now, ok: true}
	}
	passed := max(0, now-z.last)
	excess := max(0, z.full-z.rate*passed/thousand+thousand)
	v := verdict{at: now, ok: excess <= z.burst*thousand, excess: excess}
	if !v.ok {
		return v
	}
	z.full = excess
	if passed > 0 {
		z.last = now
	}
	v.delay = excess * thousand / z.rate
	return v
}

// bucket is one of ours that decides at instants in ms, and tells what nginx would log.
type bucket struct {
	limiter limiter.Limiter
	rate    limiter.Rate
}

// newBucket is the leaky bucket that should decide as a stream's limit does: as a meter it holds one more than nginx's burst, because
// nginx does not count the request that the rate itself carries; as a queue it has burst places behind that one.
func (s *stream) newBucket() (bucket, error) {
	if s.delay {
		q, err := limiter.NewQueue(limiter.QueueConfig{Rate: s.rate, Depth: s.burst})
		return bucket{&q, s.rate}, err
	}
	p, err := limiter.NewPolicer(limiter.RateConfig{Rate: s.rate, Burst: s.burst + 1})
	return bucket{&p, s.rate}, err
}

func (b *bucket) takeAt(now int64) verdict {
	const milli = 1_000_000
	d := b.limiter.TakeAt(now*milli, 1)
	// What is in the bucket takes ResetAfter to leak out. All of it is above the rate but the request that has just come.
	v := verdict{at: now, ok: d.OK, excess: int64(math.Round(float64(d.ResetAfter) * float64(b.rate.N) / float64(b.rate.Per) * thousand))}
	if d.OK {
		v.excess -= thousand
	}
	v.delay = d.Delay / milli
	return v
}

// judge compares decision by decision.
func (s *stream) judge(p *paper, verdicts []verdict, refusals int) error {
	b, err := s.newBucket()
	if err != nil {
		return err
	}
	z := newZone(s.rate, s.burst)
	var same, explained, admitted, ours, excess, delay, sustained, once int64
	var head, differ []string
	first := verdicts[0].at
	for i, v := range verdicts {
		us, twin := b.takeAt(v.at), z.takeAt(v.at)
		admitted += one(v.ok)
		ours += one(us.ok)
		if v.at >= first+thousand && v.at < first+4*thousand {
			sustained += one(v.ok)
		}
		if i < 150 {
			once += one(v.ok)
		}
		explained += one(twin.ok == v.ok && twin.excess == v.excess)
		line := fmt.Sprintf("%6d ms  nginx %s  ours %s", v.at-first, v.told(s.delay), us.told(s.delay))
		if i < 8 {
			head = append(head, line)
		}
		if v.ok != us.ok {
			differ = append(differ, line)
			continue
		}
		same++
		excess = max(excess, abs(v.excess-us.excess))
		if v.ok {
			delay = max(delay, abs(v.delay-us.delay))
		}
	}
	n := int64(len(verdicts))
	for _, f := range []struct {
		name  string
		value any
	}{
		{"same", same}, {"of", n}, {"twin", explained}, {"admitted", admitted}, {"ours", ours}, {"excess", excess}, {"delay", delay},
		{"sustained", fmt.Sprintf("%.1f", float64(sustained)/3)}, {"once", once}, {"once-ms", verdicts[min(149, len(verdicts)-1)].at - first}, {"differ", n - same},
	} {
		p.fact(s.name+"."+f.name, f.value)
	}
	p.raw(s.name, "%s", strings.Join(head, "\n"))
	p.raw(s.name+".differ", "%s", strings.Join(differ[:min(8, len(differ))], "\n"))
	p.claim(n-admitted == int64(refusals), "%s: the log has %d refusals, the clients saw %d", s.name, n-admitted, refusals)
	p.claim(explained == n, "%s: nginx's own arithmetic, in Go, gives all %d of its verdicts (%d)", s.name, n, explained)
	if s.name == "minutes" {
		p.claim(same < n, "%s: rounding makes some of %d decisions differ", s.name, n)
	} else {
		p.claim(same == n && excess == 0, "%s: all %d decisions are the same (%d), and what is above the rate, to 1/1000 of a request (%d)", s.name, n, same, excess)
		p.claim(delay <= 1, "%s: delays differ by at most 1 ms (%d)", s.name, delay)
	}
	return nil
}

// told is a verdict as a short line.
func (v verdict) told(delays bool) string {
	word := "refuse"
	if v.ok {
		word = "admit "
	}
	s := fmt.Sprintf("%s %3d.%03d", word, v.excess/thousand, v.excess%thousand)
	if delays && v.ok {
		s += fmt.Sprintf(" wait %3d ms", v.delay)
	}
	return s
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func abs(n int64) int64 { return max(n, -n) }
