package runs

import (
	"fmt"
	"strings"
	"sync"

	"seedbed/chapters/limiter"
)

// limits are the two rate limits on starting a run.
type limits struct {
	mu               sync.Mutex // over both: taken all or nothing
	session, address keyed
	policies         [2]Policy // of session and address, in that order
}

type keyed = limiter.Keyed[limiter.TokenBucket, *limiter.TokenBucket]

// Policy is one limit as HTTP tells it: so many in a window of so many seconds.
type Policy struct {
	Name    string
	Quota   int64
	Seconds int64
}

// Limited says that a client has asked for too many runs.
type Limited struct {
	Decision limiter.Decision // of all limits together; RetryAfter says when asking again would be granted
	Policies []Policy         // all limits there are
	Tightest string           // the name of the policy with the least left
}

// Error says for how long.
func (l *Limited) Error() string {
	return fmt.Sprintf("runs: too many runs asked for; try again in %d s", Seconds(l.Decision.RetryAfter))
}

// RetryAfter is the field's value: whole seconds, rounded up, at least 1.
func (l *Limited) RetryAfter() int64 { return max(1, Seconds(l.Decision.RetryAfter)) }

// Fields are the values of RateLimit-Policy and RateLimit, as in draft-ietf-httpapi-ratelimit-headers-11.
func (l *Limited) Fields() (policy, limit string) {
	var p []string
	for _, one := range l.Policies {
		p = append(p, fmt.Sprintf(`"%s";q=%d;w=%d`, one.Name, one.Quota, one.Seconds))
	}
	return strings.Join(p, ", "), fmt.Sprintf(`"%s";r=%d;t=%d`, l.Tightest, l.Decision.Remaining, max(1, Seconds(l.Decision.RetryAfter)))
}

// Seconds rounds nanoseconds up to whole seconds.
func Seconds(ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return (ns-1)/1e9 + 1
}

func newLimits(c Config) (*limits, error) {
	l := &limits{}
	for i, one := range []struct {
		name  string
		rate  Rate
		keyed *keyed
	}{{"session", c.Session, &l.session}, {"address", c.Address, &l.address}} {
		bucket, err := limiter.NewTokenBucket(limiter.RateConfig{Rate: limiter.Rate{N: one.rate.PerMinute, Per: 60e9}, Burst: one.rate.Burst})
		if err != nil {
			return nil, fmt.Errorf("runs: %s: %w", one.name, err)
		}
		*one.keyed, err = limiter.NewKeyed(limiter.KeyedConfig[limiter.TokenBucket]{New: bucket, MaxKeys: c.Keys, Seed: c.Seed + uint64(i)})
		if err != nil {
			return nil, fmt.Errorf("runs: %s: %w", one.name, err)
		}
		// A bucket is full again after burst/rate: that is the window in which its quota may be used.
		l.policies[i] = Policy{one.name, one.rate.Burst, Seconds(one.rate.Burst * 60e9 / one.rate.PerMinute)}
	}
	return l, nil
}

// take takes one unit of both limits or of none. A client without a session shares one with all of its address that have none.
func (l *limits) take(who Client, now int64) *Limited {
	session := "s:" + who.Session
	if who.Session == "" {
		session = "a:" + who.Address
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	both := [2]limiter.Limiter{one{&l.session, session}, one{&l.address, who.Address}}
	d := limiter.TakeAll(now, 1, both[:]...)
	if d.OK {
		return nil
	}
	refused := &Limited{Decision: d, Policies: l.policies[:], Tightest: l.policies[0].Name}
	if both[0].TakeAt(now, 0).Remaining > both[1].TakeAt(now, 0).Remaining {
		refused.Tightest = l.policies[1].Name
	}
	return refused
}

// one is the limiter of one key.
type one struct {
	keyed *keyed
	key   string
}

func (o one) TakeAt(now, n int64) limiter.Decision { return o.keyed.TakeAt(o.key, now, n) }
