package limitertest_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/limiter"
	"seedbed/chapters/limiter/limitertest"
)

const second = 1_000_000_000

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// limit is 5 at once and 10 a second in all the tests here.
const burst = 5

var rate = limiter.PerSecond(10)

func right() limiter.TokenBucket {
	b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: rate, Burst: burst})
	if err != nil {
		panic(err)
	}
	return b
}

// bent is a right limiter whose answers are bent.
func bent(bend func(inner *limiter.TokenBucket, now, n int64) limiter.Decision) func() limiter.Limiter {
	return func() limiter.Limiter {
		b := right()
		return takeFunc(func(now, n int64) limiter.Decision { return bend(&b, now, n) })
	}
}

// reportBent is a right limiter whose reports are bent.
func reportBent(bend func(d *limiter.Decision, n int64)) func() limiter.Limiter {
	return bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		d := b.TakeAt(now, n)
		bend(&d, n)
		return d
	})
}

// bucket is a right limiter with other numbers than promised.
func bucket(r limiter.Rate, burst int64) func() limiter.Limiter {
	return func() limiter.Limiter {
		b, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: r, Burst: burst})
		if err != nil {
			panic(err)
		}
		return &b
	}
}

// never denies everything, even a peek.
func never() limiter.Limiter {
	return takeFunc(func(int64, int64) limiter.Decision { return limiter.Decision{} })
}

type takeFunc func(now, n int64) limiter.Decision

func (f takeFunc) TakeAt(now, n int64) limiter.Decision { return f(now, n) }

// float is a bucket as it is often written. Each field turns one right habit off.
type float struct {
	tokens                     float64
	last                       int64
	trustsOld, refunds, strict bool
}

func (f *float) TakeAt(now, n int64) limiter.Decision {
	if now > f.last || f.trustsOld {
		f.tokens = min(burst, f.tokens+max(0, float64(now-f.last)/second*10))
		f.last = now
	}
	switch {
	case n < 0 && !f.refunds, float64(n) > f.tokens+1e-9, f.strict && float64(n) >= burst:
		return limiter.Decision{}
	}
	f.tokens -= float64(n)
	return limiter.Decision{OK: true}
}

// leaky loses a race on purpose: it reads, lets others run, and writes.
type leaky struct{ used atomic.Int64 }

func (l *leaky) TakeAt(_, n int64) limiter.Decision {
	used := l.used.Load()
	runtime.Gosched()
	if used+n > burst {
		return limiter.Decision{}
	}
	l.used.Store(used + n)
	return limiter.Decision{OK: true}
}

// lockedFloat is safe for concurrent use as far as memory goes, and believes instants read before the lock.
type lockedFloat struct {
	mu sync.Mutex
	float
}

func (l *lockedFloat) TakeAt(now, n int64) limiter.Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.float.TakeAt(now, n)
}

var instances atomic.Int64

// wrong is a limiter that is wrong in one way: the claims it is tried on, and those of them that must fail.
type wrong struct {
	what  string
	fails limitertest.Claim
	tries limitertest.Claim
	fresh func() limiter.Limiter
}

const (
	yesNo = limitertest.YesNo
	full  = limitertest.Full
)

// wrongVerdicts say yes or no when they should not.
var wrongVerdicts = []wrong{
	{"nothing", 0, full, bent((*limiter.TokenBucket).TakeAt)},
	{"one unit too many at once", limitertest.Bounded | limitertest.Stale | limitertest.Fills, yesNo, bucket(rate, burst+1)},
	{"twice the rate", limitertest.Bounded | limitertest.Stale, yesNo, bucket(limiter.PerSecond(20), burst)},
	{"believes an old instant", limitertest.Stale, yesNo, func() limiter.Limiter { return &float{tokens: burst, trustsOld: true} }},
	{"refuses the whole burst", limitertest.Fills | limitertest.Negative, yesNo, func() limiter.Limiter {
		return &float{tokens: burst, strict: true}
	}},
	{"refuses everything", limitertest.Fills | limitertest.Negative | limitertest.Peeks, yesNo, never},
	{"refunds what is negative", limitertest.Negative, yesNo, func() limiter.Limiter {
		return &float{tokens: burst, refunds: true}
	}},
	{"fills up when asked for less than nothing amid others", limitertest.Negative, yesNo, bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		if left := b.TakeAt(now, 0).Remaining; n < 0 && left > 0 && left < burst {
			*b = right()
			b.TakeAt(now, 0)
		}
		return b.TakeAt(now, n)
	})},
	{"counts what is negative", limitertest.Negative, yesNo, bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		d := b.TakeAt(now, n)
		if n < 0 {
			b.TakeAt(now, 1)
		}
		return d
	})},
	{"counts what it denies", limitertest.Silent | limitertest.Fills, yesNo, bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		d := b.TakeAt(now, n)
		if !d.OK && n > 0 {
			b.TakeAt(now, d.Remaining)
		}
		return d
	})},
	{"counts a peek", limitertest.Peeks, yesNo, bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		d := b.TakeAt(now, n)
		if n == 0 {
			b.TakeAt(now, 1)
		}
		return d
	})},
	{"denies a peek when spent", limitertest.Peeks, yesNo, bent(func(b *limiter.TokenBucket, now, n int64) limiter.Decision {
		d := b.TakeAt(now, n)
		d.OK = d.OK && (n != 0 || d.Remaining > 0)
		return d
	})},
	{"differs from one to the next", limitertest.Repeats, limitertest.Repeats, func() limiter.Limiter {
		b := right()
		if instances.Add(1)%2 == 0 {
			b.TakeAt(0, 1)
		}
		return &b
	}},
	{"checks, then acts", limitertest.Concurrent, limitertest.Concurrent, func() limiter.Limiter { return &leaky{} }},
	{"believes an instant read before the lock", limitertest.Concurrent, limitertest.Concurrent, func() limiter.Limiter {
		return &lockedFloat{float: float{tokens: burst, trustsOld: true}}
	}},
}

// wrongReports decide rightly and say something wrong about it.
var wrongReports = []wrong{
	{"says one too few remain", limitertest.Remains, full &^ limitertest.Resets, reportBent(func(d *limiter.Decision, _ int64) {
		d.Remaining = max(0, d.Remaining-1)
	})},
	{"says one too many remain", limitertest.Remains, full &^ limitertest.Resets, reportBent(func(d *limiter.Decision, _ int64) {
		d.Remaining = min(burst, d.Remaining+1)
	})},
	{"says another limit", limitertest.Remains, full, reportBent(func(d *limiter.Decision, _ int64) { d.Limit++ })},
	{"says to retry too early", limitertest.Retries, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.RetryAfter > 0 {
			d.RetryAfter--
		}
	})},
	{"says to retry too late", limitertest.Retries, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.RetryAfter > 0 {
			d.RetryAfter++
		}
	})},
	{"says never to the whole burst", limitertest.Retries, full, reportBent(func(d *limiter.Decision, n int64) {
		if n == burst && !d.OK {
			d.RetryAfter = limiter.Never
		}
	})},
	{"says to retry what cannot pass", limitertest.Retries, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.RetryAfter == limiter.Never {
			d.RetryAfter = second
		}
	})},
	{"says to retry on success", limitertest.Retries, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.OK {
			d.RetryAfter = 1
		}
	})},
	{"says reset a nanosecond too early", limitertest.Resets, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.ResetAfter > 1 {
			d.ResetAfter--
		}
	})},
	{"says reset a nanosecond too late", limitertest.Resets, full, reportBent(func(d *limiter.Decision, _ int64) {
		if d.ResetAfter > 1 {
			d.ResetAfter++
		}
	})},
	{"says reset is past", limitertest.Resets, full, reportBent(func(d *limiter.Decision, _ int64) { d.ResetAfter = -d.ResetAfter })},
}

// TestEachClaimCanFail wants exactly the claims to fail that a wrong limiter breaks, and each failure to begin with its claim.
func TestEachClaimCanFail(t *testing.T) {
	var seen limitertest.Claim
	for _, c := range append(wrongVerdicts, wrongReports...) {
		t.Run(c.what, func(t *testing.T) {
			var failed limitertest.Claim
			for claim := limitertest.Bounded; claim <= limitertest.Concurrent; claim <<= 1 {
				if c.tries&claim == 0 {
					continue
				}
				var r recorder
				limitertest.Check(&r, limitertest.Target{New: c.fresh, Limit: burst, Burst: burst, Rate: rate, Claims: claim})
				for _, s := range r.said {
					if !strings.HasPrefix(s, claim.String()+": ") {
						t.Errorf("a failure of %v does not begin with its name: %q", claim, s)
					}
				}
				if len(r.said) > 0 {
					failed |= claim
				}
			}
			if failed != c.fails {
				t.Errorf("claims that failed: %v, want %v", failed, c.fails)
			}
			seen |= failed
		})
	}
	if all := full | limitertest.Concurrent; seen != all {
		t.Errorf("no wrong limiter failed %v", all&^seen)
	}
}

// TestOneFaultOneClaim: a failure shows no call whose answer is another claim's business, and what is negative has no time to be asked
// again.
func TestOneFaultOneClaim(t *testing.T) {
	var r recorder
	limitertest.Check(&r, limitertest.Target{
		New:   func() limiter.Limiter { return &float{tokens: burst, refunds: true, trustsOld: true} },
		Limit: burst, Burst: burst, Rate: rate, Claims: yesNo,
	})
	if len(r.said) < 2 {
		t.Fatalf("said %q, want that it believes old instants and pays out", r.said)
	}
	for _, s := range r.said {
		if !strings.HasPrefix(s, "negative: ") && strings.Contains(s, "n -") {
			t.Errorf("a failure of another claim shows a call for less than nothing:\n%s", s)
		}
	}
	r = recorder{}
	limitertest.Check(&r, limitertest.Target{
		New: reportBent(func(d *limiter.Decision, n int64) {
			if n < 0 {
				d.RetryAfter = second
			}
		}),
		Limit: burst, Burst: burst, Rate: rate, Claims: full,
	})
	if len(r.said) != 1 || r.said[0] != "negative: a request for -1 units is to be made again after 1000000000 ns, want Never" {
		t.Errorf("said %q, want that no wait helps", r.said)
	}
}

func TestAWindowThatDoublesFails(t *testing.T) {
	fresh := func() limiter.Limiter {
		w, _ := limiter.NewFixedWindow(limiter.WindowConfig{Limit: 100, Window: second})
		return &w
	}
	target := limitertest.Target{
		New: fresh, Limit: 100, Burst: 200, Rate: limiter.PerSecond(200),
		Window: second, InWindow: 100, Claims: limitertest.Bounded,
	}
	var r recorder
	limitertest.Check(&r, target)
	if len(r.said) != 1 || !strings.Contains(r.said[0], "at most 100 promised") {
		t.Errorf("a fixed window claims 100 in any second: %q, want one failure that says 100 were promised", r.said)
	}
	target.InWindow = 200
	limitertest.Run(t, target)
}

func TestATooStrictLimiterFailsToSustain(t *testing.T) {
	target := limitertest.Target{
		New: bent((*limiter.TokenBucket).TakeAt), Limit: burst, Burst: burst, Rate: rate,
		Sustained: limiter.PerSecond(11), Claims: limitertest.Bounded,
	}
	var r recorder
	limitertest.Check(&r, target)
	if len(r.said) != 1 || !strings.HasPrefix(r.said[0], "sustained: ") {
		t.Errorf("10 a second claimed as 11: %q, want one failure to sustain", r.said)
	}
	stuck := target
	stuck.New = never
	r = recorder{}
	limitertest.Check(&r, stuck)
	if len(r.said) != 1 || !strings.Contains(r.said[0], "never goes on") {
		t.Errorf("a limiter that never goes on: %q, want one failure that says so", r.said)
	}
	target.Sustained = rate
	limitertest.Run(t, target)
}

func TestATargetWithoutSenseFails(t *testing.T) {
	fresh := bent((*limiter.TokenBucket).TakeAt)
	for want, target := range map[string]limitertest.Target{
		"New is nil":       {Limit: 1, Burst: 1, Rate: rate, Claims: limitertest.Full},
		"do not fit":       {New: fresh, Limit: 2, Burst: 1, Rate: rate, Claims: limitertest.Full},
		"promises nothing": {New: fresh, Limit: 1, Burst: 1, Claims: limitertest.Full},
		"no claims":        {New: fresh, Limit: 1, Burst: 1, Rate: rate},
	} {
		var r recorder
		limitertest.Check(&r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one failure with %q", r.said, want)
		}
	}
}

func TestClaimsAreNamed(t *testing.T) {
	if got, want := (limitertest.Bounded | limitertest.Concurrent).String(), "bounded|concurrent"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := limitertest.Claim(0).String(), "none"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := limitertest.Full.String(), "bounded|stale|fills|repeats|silent|negative|peeks|remains|retries|resets"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
