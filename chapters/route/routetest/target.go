package routetest

import "seedbed/chapters/route"

// Balancer is what is tested. Instants never go back. Peers are indexes into the list given to New.
type Balancer interface {
	// Pick chooses a peer for one request, or reports false when none may be chosen.
	Pick(now int64) (peer int, ok bool)
	// Done ends one request of a peer; failed says that the peer is to blame.
	Done(now int64, peer int, failed bool)
	// SetHealth says that a peer is up or down. All are up at first.
	SetHealth(now int64, peer int, up bool)
}

// Target is a balancer under test and what it promises.
type Target struct {
	// New returns a fresh balancer over these peers, which have weights of at least 1, and room for MaxConns requests, 0 meaning no
	// limit. Two with the same seed must behave alike; from the seed comes all that is random in it.
	New func(peers []route.Peer, seed uint64) Balancer

	// Seeds is how many schedules each claim is tried on; 0 means 50.
	Seeds int

	Claims Claim
}

// Claim is a set of promises.
type Claim uint

// The promises, each a subtest.
const (
	// WithinRoom: no peer has more than MaxConns in flight.
	WithinRoom Claim = 1 << iota
	// HealthyOnly: a peer that is down gets nothing, and one that is up again gets something again.
	HealthyOnly
	// UsesRoom: nothing is refused while a healthy peer has room, and everything while none has.
	UsesRoom
	// Repeats: two with the same seed choose alike.
	Repeats
	// Turns: with each request ended before the next, of as many picks as the weights sum to, each peer gets its weight, give or
	// take one.
	Turns
	// EqualTurns is Turns for peers of one weight, all that plain round robin can promise.
	EqualTurns
	// Even: while requests do not end, no peer of equals has more than two above the mean in flight.
	Even
	// Scattered: of many with seeds of their own, not all choose the same peer first.
	Scattered
	// Evades: a peer that fails at once, among others that take their time and succeed, gets less than half of its share.
	Evades

	// Always is what every balancer with health and room can promise.
	Always = WithinRoom | HealthyOnly | UsesRoom | Repeats
)

// TB is the part of *testing.T that the checks use. A recording implementation shows that a check can fail.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// check is one claim and how it is tried: it returns what is wrong, "" when nothing is.
type check struct {
	claim Claim
	name  string
	run   func(g *Target, c *course) string
}

var checks = []check{
	{WithinRoom, "within-room", withinRoom},
	{HealthyOnly, "healthy-only", healthyOnly},
	{UsesRoom, "uses-room", usesRoom},
	{Repeats, "repeats", repeats},
	{Turns, "turns", turns},
	{EqualTurns, "equal-turns", equalTurns},
	{Even, "even", even},
	{Scattered, "scattered", scattered},
	{Evades, "evades", evades},
}

// String lists the claims, as the subtests are named.
func (c Claim) String() string {
	s := ""
	for _, k := range checks {
		if c&k.claim != 0 {
			if s != "" {
				s += "|"
			}
			s += k.name
		}
	}
	if s == "" {
		return "none"
	}
	return s
}
