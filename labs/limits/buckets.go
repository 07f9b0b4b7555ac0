package limits

import (
	"math/bits"

	"seedbed/chapters/limiter"
	"seedbed/chapters/pmath"
)

// The ways to count a rate and a burst, in the order of the choices of `use`.
const (
	kindToken = iota
	kindPolicer
	kindQueue
	kindGCRA
	kindNaive
	nBucketKind
)

var bucketKinds = []string{"token", "policer", "queue", "gcra", "naive"}

// nanosPerMilliRate is the period of a rate in thousandths per second.
const nanosPerMilliRate = 1_000_000_000_000

// buckets is the five of them as one flat value, so that a copy is an assignment and asking one never allocates.
type buckets struct {
	token   limiter.TokenBucket
	policer limiter.Policer
	queue   limiter.Queue
	gcra    limiter.SerialGCRA
	naive   naiveBucket
}

// newBuckets builds the five for one rate and burst. The ranges of the lab's parameters lie within those of the limiters, so an
// error here is a fault of the lab.
func newBuckets(rate limiter.Rate, burst, milliRate, horizon int64) buckets {
	cfg := limiter.RateConfig{Rate: rate, Burst: burst}
	var b buckets
	var err [4]error
	b.token, err[0] = limiter.NewTokenBucket(cfg)
	b.policer, err[1] = limiter.NewPolicer(cfg)
	// A queue serves one at once and lets the others wait: burst units at one instant need burst − 1 places.
	b.queue, err[2] = limiter.NewQueue(limiter.QueueConfig{Rate: rate, Depth: burst - 1})
	b.gcra, err[3] = limiter.NewSerialGCRA(limiter.GCRAConfig{Rate: rate, Burst: burst, Horizon: 2 * horizon})
	for _, e := range err {
		if e != nil {
			panic("limits: token-bucket: " + e.Error())
		}
	}
	b.naive = naiveBucket{tokens: float64(burst), burst: float64(burst), perNano: float64(milliRate) / nanosPerMilliRate}
	return b
}

// take asks one of them for one unit.
func (b *buckets) take(k int, now int64) limiter.Decision {
	switch k {
	case kindToken:
		return b.token.TakeAt(now, 1)
	case kindPolicer:
		return b.policer.TakeAt(now, 1)
	case kindQueue:
		return b.queue.TakeAt(now, 1)
	case kindGCRA:
		return b.gcra.TakeAt(now, 1)
	}
	return b.naive.takeAt(now)
}

// size is the bytes of state of one of them.
func (b *buckets) size(k int) int {
	switch k {
	case kindToken:
		return b.token.Size()
	case kindPolicer:
		return b.policer.Size()
	case kindQueue:
		return b.queue.Size()
	case kindGCRA:
		return b.gcra.Size()
	}
	return 16 // naive: a float64 and an instant
}

// naiveBucket is the token bucket that most people write first, and the lab's counterexample: tokens in a float, added up at each
// request, and the instant of each request taken as it comes. Added-up fractions never quite make a whole token, and a timestamp
// from the past moves the clock back, so that the same time is paid out again.
type naiveBucket struct {
	tokens, burst, perNano float64
	last                   int64
}

func (b *naiveBucket) takeAt(now int64) limiter.Decision {
	if now > b.last {
		b.tokens = min(b.burst, b.tokens+float64(float64(now-b.last)*b.perNano))
	}
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return limiter.Decision{OK: true, Remaining: pmath.Floor64(b.tokens)}
	}
	return limiter.Decision{RetryAfter: pmath.Round64((1 - b.tokens) / b.perNano)}
}

// meter judges "admitted in any span t ≤ burst + rate·t": a level rises by one with each admission, falls at the rate, and must not
// pass the burst. One admission is 10^12 parts, and each nanosecond brings down as many as the rate has thousandths.
type meter struct {
	rate, burst int64
	level       int64
	last        int64
}

// admit counts one admission at an instant not before the last, and returns by how many whole units the promise is passed, rounded
// up; 0 when it is kept.
func (m *meter) admit(at int64) int64 {
	hi, leaked := bits.Mul64(uint64(at-m.last), uint64(m.rate))
	if hi > 0 || leaked > uint64(m.level) {
		leaked = uint64(m.level)
	}
	m.last = at
	m.level += nanosPerMilliRate - int64(leaked)
	over := m.level - m.burst*nanosPerMilliRate
	return max(0, (over+nanosPerMilliRate-1)/nanosPerMilliRate)
}

// perMilliRate is how many units a rate of thousandths per second brings in a span of ns, rounded down.
func perMilliRate(span, rate int64) int64 {
	hi, lo := bits.Mul64(uint64(span), uint64(rate))
	n, _ := bits.Div64(hi, lo, nanosPerMilliRate)
	return int64(n)
}
