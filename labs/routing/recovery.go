package routing

import (
	"strconv"

	"seedbed/chapters/route"
	"seedbed/labs"
)

// Recovery asks how a peer comes back: it is alive, its caches are empty, and whoever gives it its whole share at once loses it again.
var Recovery = &labs.Lab{
	ID: "recovery", Version: 1, Family: "routing",
	Params: []labs.Param{
		{Name: "use", Choices: returns},
		{Name: "policy", Choices: policies, Default: 1},
		{Name: "peers", Min: 2, Max: maxPeers, Default: 4},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 80_000, Log: true},
		{Name: "servers", Min: 1, Max: 100, Default: 1, Log: true},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 25_000_000, Log: true},
		{Name: "cold", Min: 1, Max: 100, Default: 8, Log: true},
		{Name: "warm", Min: 1, Max: 10_000, Default: 100, Log: true},
		{Name: "timeout", Unit: labs.Seconds, Min: 10_000_000, Max: 60_000_000_000, Default: 2_000_000_000, Log: true},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 5_000_000_000},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 10_000_000_000},
		{Name: "consecutive", Min: 1, Max: 100, Default: 5},
		{Name: "ejection", Unit: labs.Seconds, Min: 100_000_000, Max: 60_000_000_000, Default: 5_000_000_000, Log: true},
		{Name: "probes", Min: 1, Max: 100, Default: 1},
		{Name: "successes", Min: 1, Max: 1000, Default: 10, Log: true},
		{Name: "window", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 40_000_000_000, Log: true},
		{Name: "least", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 100_000},
		{Name: "goal", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 10_000},
		{Name: "length", Unit: labs.Seconds, Min: 5_000_000_000, Max: 600_000_000_000, Default: 75_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "crash", Targets: []string{"peer"}},
		{Verb: "restart", Targets: []string{"peer"}},
	},
	Checks: []labs.Check{
		{Name: "no-flap", Facts: []labs.Quantity{{Name: "ejections"}, {Name: "since", Unit: labs.Seconds}}},
		{Name: "error-share-under", Facts: []labs.Quantity{{Name: "share", Unit: labs.Percent}, {Name: "failed"}}},
	},
	Metrics: recoveryMetrics(),
	Events: []labs.EventKind{
		{Name: "send", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "active"}, Flow: labs.Wait},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "error", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "active"}, Flow: labs.Leave},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "crash", A: labs.Quantity{Name: "lost"}, Mark: true},
		{Name: "restart", Mark: true},
		{Name: "up", Mark: true},
		{Name: "warming", Mark: true},
		{Name: "probing", Mark: true},
		{Name: "ejected", A: labs.Quantity{Name: "lasts", Unit: labs.Seconds}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "slow-start", Query: "use=slow-start&cold=5"},
		{Name: "sees-the-load", Query: "use=at-once&policy=least-conn"},
		{Name: "all-traffic-back", Query: "use=at-once", Breaks: "no-flap"},
		{Name: "probes-alone", Query: "use=probes", Breaks: "no-flap"},
		{Name: "too-fast", Query: "use=slow-start&window=5", Breaks: "no-flap"},
		{Name: "many-errors", Query: "use=at-once&cold=20", Breaks: "error-share-under"},
	},
	Valid:   func(c labs.Config) error { return whole(c, "least", labs.Percent, percent) },
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  recoveryLayout,
	Start:   startRecovery,
}

// The ways to return, in the order of the choices of use.
const (
	returnGentle = iota
	returnSlowly
	returnProbed
	returnAtOnce
	nReturn
)

var returns = []string{"gentle", "slow-start", "probes", "at-once"}

// mostEjections is how many base times an ejection lasts at most.
const mostEjections = 10

// The codes of the lab's events and checks, in the order of the tables above. The states of a peer follow those of route.
const (
	recoverySend = iota
	recoveryAnswer
	recoveryError
	recoveryRefuse
	recoveryCrash
	recoveryRestart
	recoveryState
)

const (
	checkFlap = iota
	checkErrors
)

// The metrics: five of the judged way, then three a way.
const recoveryEach = 5

func recoveryMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "requests"}, {Name: "failed"}, {Name: "failed-share", Unit: labs.Percent}, {Name: "ejections"}, {Name: "p99", Unit: labs.Millis}}
	for _, w := range returns {
		m = append(m, labs.Quantity{Name: "failed." + w}, labs.Quantity{Name: "flaps." + w}, labs.Quantity{Name: "back." + w, Unit: labs.Seconds})
	}
	return m
}

// The columns: two of all, one a way, then five a peer.
const (
	recoveryColumnSent = iota
	recoveryColumnRefused
	recoveryColumnErrors
	recoveryColumnPeer = recoveryColumnErrors + nReturn
)

const (
	recoveryColumnActive = iota
	recoveryColumnAnswered
	recoveryColumnFailed
	recoveryColumnOut
	recoveryColumnShare
	recoveryColumnsEach
)

// The gateway bears the name of the judged way, so that its columns are known as those that the checks judge.
func recoveryLayout(c labs.Config) (l labs.Layout) {
	n, use := int(c.Int("peers")), c.Choice("use")
	l.Record("sent", labs.Count, labs.Sum)
	l.Record("refused", labs.Count, labs.Sum)
	errors, share := make([]string, nReturn), make([]string, n)
	for k, w := range returns {
		errors[k] = "errors." + w
		l.Record(errors[k], labs.Count, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	l.Place(labs.Entity{Name: use, Label: "gateway", Kind: labs.Gateway, Rank: 1, Row: (n - 1) / 2, Judged: true, Passed: "sent", Refused: "refused"}, "client")
	for i := range n {
		name := "peer-" + strconv.Itoa(i+1)
		share[i] = "share." + name
		l.Record("active."+name, labs.Count, labs.Peak)
		l.Record("answered."+name, labs.Count, labs.Sum)
		l.Record("failed."+name, labs.Count, labs.Sum)
		l.Record("out."+name, labs.Count, labs.Last)
		l.Record(share[i], labs.Percent, labs.Last)
		l.Place(labs.Entity{
			Name: name, Label: "peer", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Level: "active." + name,
			Passed: "answered." + name, Refused: "failed." + name, Down: "out." + name,
		}, use)
	}
	l.Plot("share", 0, share...)
	l.Plot("errors", 0, errors...)
	return l
}

// recoveryPool is how one way lets a peer return.
func recoveryPool(c labs.Config, way int) route.Config {
	ejection := c.Int("ejection")
	cfg := route.Config{
		Policy:  route.Policy(c.Int("policy")),
		Outlier: route.Outlier{Consecutive: c.Int("consecutive"), BaseEjection: ejection, MaxEjection: mostEjections * ejection, Interval: 10 * second, MaxPercent: 50},
	}
	if way == returnGentle || way == returnSlowly {
		cfg.SlowStart = route.SlowStart{Window: c.Int("window"), MinPercent: c.Int("least") / percent}
	}
	if way == returnGentle || way == returnProbed {
		// A probe that fails is told at its time-out; the pool's own comes later, for one that is lost altogether.
		cfg.Probe = route.Probe{Conns: c.Int("probes"), Successes: c.Int("successes"), Timeout: 2 * c.Int("timeout")}
	}
	for i := range c.Int("peers") {
		cfg.Peers = append(cfg.Peers, route.Peer{Name: "peer-" + strconv.FormatInt(i+1, 10), Weight: 1})
	}
	return cfg
}
