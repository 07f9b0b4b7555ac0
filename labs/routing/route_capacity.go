package routing

import (
	"seedbed/chapters/route"
	"seedbed/labs"
)

// RouteCapacity asks where a request may go, and what it is told when it may go nowhere: health and free places are two questions, and
// who counts the places decides what the answer is worth.
var RouteCapacity = &labs.Lab{
	ID: "route-capacity", Version: 1, Family: "routing",
	Params: []labs.Param{
		{Name: "use", Choices: policies},
		{Name: "peers", Min: 1, Max: maxPeers, Default: 2},
		{Name: "max", Min: 1, Max: 1000, Default: 2, Log: true},
		{Name: "capacity", Choices: []string{"kept", "ignored"}},
		{Name: "panic", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 0},
		{Name: "workers", Min: 1, Max: maxWorkers, Default: 1},
		{Name: "memory", Choices: []string{"shared", "own"}},
		{Name: "weight", Min: 1, Max: 100, Default: 1},
		{Name: "traffic", Choices: []string{"sequence", "poisson"}},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 100_000, Log: true, Unused: "traffic=poisson"},
		{Name: "stay", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 100_000_000, Log: true, Unused: "traffic=poisson"},
		{Name: "slow", Min: 1, Max: 100, Default: 1, Unused: "traffic=poisson"},
		{Name: "idle", Min: 0, Max: 64, Default: 2},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 3600_000_000_000, Default: 8_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "unhealthy", Targets: peerNames},
		{Verb: "healthy", Targets: peerNames},
		{Verb: "finish", Targets: peerNames},
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 5}},
	},
	Checks: []labs.Check{
		{Name: "active-within-max", Facts: []labs.Quantity{{Name: "active"}, {Name: "peer"}}},
		{Name: "unhealthy-gets-none", Facts: []labs.Quantity{{Name: "healthy"}, {Name: "peer"}}},
	},
	Metrics: capacityMetrics(),
	Events: []labs.EventKind{
		{Name: "send", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "active"}, Flow: labs.Wait},
		{Name: "panic", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "active"}, Flow: labs.Wait},
		{Name: "finish", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "active"}, Flow: labs.Leave},
		{Name: "all-full", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "none-healthy", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "unhealthy", Mark: true},
		{Name: "healthy", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default", Query: "do=5.3s:unhealthy:a&do=5.6s:finish:b"},
		{Name: "five-one-one", Query: "use=smooth&peers=3&max=10&weight=5"},
		{Name: "workers-share", Query: "workers=2"},
		{Name: "idle-on-top", Query: "peers=3&max=4&workers=4&traffic=poisson&idle=8&length=20"},
		{Name: "one-is-slow", Query: "use=least-conn&peers=4&max=8&traffic=poisson&slow=5&length=40"},
		{Name: "ignore-capacity", Query: "capacity=ignored&do=4.5s:unhealthy:a", Breaks: "active-within-max"},
		{Name: "per-worker-max", Query: "workers=2&memory=own", Breaks: "active-within-max"},
		{Name: "panic-mode", Query: "peers=3&panic=50&do=3.3s:unhealthy:a&do=3.6s:unhealthy:b", Breaks: "unhealthy-gets-none"},
	},
	Valid:   func(c labs.Config) error { return whole(c, "panic", labs.Percent, percent) },
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  capacityLayout,
	Start:   startCapacity,
}

const (
	maxPeers   = 6
	maxWorkers = 8
	nPolicy    = 5
	percent    = 10_000 // parts per million in a percent
	second     = 1_000_000_000
)

// policies are the choices of use, in the order of route's Policy.
var policies = []string{"round-robin", "smooth", "least-conn", "two-choices", "peak-ewma"}

// peerNames are the peers of the lab, the first ones of which there are.
var peerNames = []string{"a", "b", "c", "d", "e", "f"}

// The codes of the lab's events and checks, in the order of the tables above.
const (
	capacitySend = iota
	capacityPanic
	capacityFinish
	capacityAllFull
	capacityNoneHealthy
	capacityUnhealthy
)

const (
	checkActive = iota
	checkHealthy
)

// The metrics: seven of the judged policy, then two a policy.
const capacityEach = 7

func capacityMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "offered"}, {Name: "sent"}, {Name: "refused"}, {Name: "peak-active"}, {Name: "peak-open"}, {Name: "descriptors"}, {Name: "reused"}}
	for _, p := range policies {
		m = append(m, labs.Quantity{Name: "refused." + p}, labs.Quantity{Name: "mean-time." + p, Unit: labs.Millis})
	}
	return m
}

// The columns: three of the gateway, one a policy, then four a peer.
const (
	capacityColumnSent = iota
	capacityColumnRefused
	capacityColumnDescriptors
	capacityColumnTurned
	capacityColumnPeer = capacityColumnTurned + nPolicy
)

const (
	capacityColumnActive = iota
	capacityColumnOpen
	capacityColumnTaken
	capacityColumnOut
	capacityColumnsEach
)

// The entities: the client, the gateway, then the peers.
const (
	entityGateway = 1
	entityPeer    = 2
)

// The gateway bears the name of the judged policy, so that the policy's columns are known as those that the checks judge.
func capacityLayout(c labs.Config) (l labs.Layout) {
	n, use := int(c.Int("peers")), c.Choice("use")
	l.Record("sent", labs.Count, labs.Sum)
	l.Record("refused", labs.Count, labs.Sum)
	l.Record("descriptors", labs.Count, labs.Peak)
	turned, active, open := make([]string, nPolicy), make([]string, n), make([]string, n)
	for k, p := range policies {
		turned[k] = "turned-away." + p
		l.Record(turned[k], labs.Count, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	l.Place(labs.Entity{Name: use, Label: "gateway", Kind: labs.Gateway, Rank: 1, Row: (n - 1) / 2, Judged: true, Passed: "sent", Refused: "refused"}, "client")
	for i, name := range peerNames[:n] {
		active[i], open[i] = "active."+name, "open."+name
		l.Record(active[i], labs.Count, labs.Peak)
		l.Record(open[i], labs.Count, labs.Peak)
		l.Record("taken."+name, labs.Count, labs.Sum)
		l.Record("unhealthy."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: name, Kind: labs.Pool, Rank: 2, Row: i, Level: active[i], Full: c.Int("max"), Passed: "taken." + name, Down: "unhealthy." + name}, use)
	}
	l.Plot("active", c.Int("max"), active...)
	l.Plot("turned-away", 0, turned...)
	l.Plot("open", 0, open...)
	l.Plot("descriptors", 0, "descriptors")
	return l
}

// whole refuses a value that is no multiple of a step: what the algorithm counts in whole numbers.
func whole(c labs.Config, name string, unit labs.Unit, step int64) error {
	if v := c.Int(name); v%step != 0 {
		return &labs.Error{Code: "too-fine", Field: name, Got: unit.Format(v), Want: unit.Format(step)}
	}
	return nil
}

// capacityPool is what one policy decides by.
func capacityPool(c labs.Config, policy int) route.Config {
	cfg := route.Config{Policy: route.Policy(policy), PanicPercent: c.Int("panic") / percent}
	for i, name := range peerNames[:c.Int("peers")] {
		p := route.Peer{Name: name, Weight: 1}
		if i == 0 {
			p.Weight = c.Int("weight")
		}
		if c.Choice("capacity") == "kept" {
			p.MaxConns = c.Int("max")
		}
		cfg.Peers = append(cfg.Peers, p)
	}
	return cfg
}
