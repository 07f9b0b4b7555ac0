package limits

import (
	"strconv"

	"seedbed/labs"
)

// LayeredLimit asks what to limit when one entrance serves a cheap action and a dear one: search suggestions of 30 ms and product
// pages of 800 ms share a pool of connections. A rate for the cheap one and permits for the dear one keep the pool; one rate for
// both reports that all is well while the pool is gone.
var LayeredLimit = &labs.Lab{
	ID: "layered-limit", Version: 1, Family: "limits",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"layered", "qps-only"}},
		{Name: "pool", Min: 1, Max: 10_000, Default: 50, Log: true},
		{Name: "permits", Min: 1, Max: 10_000, Default: 40, Log: true, Unused: "use=layered"},
		{Name: "nodes", Min: 1, Max: 8, Default: 2, Unused: "use=layered"},
		{Name: "suggest", Unit: labs.PerSecond, Min: 0, Max: 100_000_000, Default: 50_000, Log: true},
		{Name: "suggest-limit", Unit: labs.PerSecond, Min: 1000, Max: 100_000_000, Default: 100_000, Log: true, Unused: "use=layered"},
		{Name: "suggest-time", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 30_000_000, Log: true},
		{Name: "detail", Unit: labs.PerSecond, Min: 0, Max: 100_000_000, Default: 40_000, Log: true},
		{Name: "detail-time", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 800_000_000, Log: true},
		{Name: "slow", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 8000},
		{Name: "slow-time", Unit: labs.Seconds, Min: 100_000_000, Max: 60_000_000_000, Default: 5_000_000_000, Log: true},
		{Name: "qps", Unit: labs.PerSecond, Min: 1000, Max: 100_000_000, Default: 200_000, Log: true, Unused: "use=qps-only"},
		{Name: "patience", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 1_000_000_000, Log: true},
		{Name: "goal", Unit: labs.Percent, Min: 500_000, Max: 1_000_000, Default: 990_000},
		{Name: "length", Unit: labs.Seconds, Min: 100_000_000, Max: 600_000_000_000, Default: 20_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "bypass", Targets: []string{"gateway"}},
		{Verb: "restore", Targets: []string{"gateway"}},
		{Verb: "burst", Targets: []string{"suggest", "detail", "slow"}, Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 50}},
	},
	Checks: []labs.Check{
		{Name: "pool-never-exhausted", Facts: []labs.Quantity{{Name: "busy"}, {Name: "waiting"}}},
		{Name: "cheap-action-served", Facts: []labs.Quantity{{Name: "share", Unit: labs.Percent}, {Name: "failed"}}},
	},
	Metrics: layeredMetrics(),
	Events: []labs.EventKind{
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "retry", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "pass", A: labs.Quantity{Name: "request"}, Flow: labs.Pass},
		{Name: "connect", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Wait},
		{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "give-up", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "bypass", Mark: true},
		{Name: "restore", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "calm", Query: "slow=0"},
		{Name: "ten-thousand-a-second", Query: "detail=10000&goal=95&length=4"},
		{Name: "without-the-gateway", Query: "do=5s:bypass:gateway"},
		{Name: "qps-only", Query: "use=qps-only", Breaks: "pool-never-exhausted"},
	},
	Valid:   validLayered,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  layeredLayout,
	Start:   startLayered,
}

// The classes of requests. Suggest is the cheap action; the other two are dear.
const (
	classSuggest = iota
	classDetail
	classSlow
	nClass
)

var classNames = [nClass]string{"suggest", "detail", "slow"}

// The codes of the lab's events and checks, in the order of the tables above.
const (
	layeredRefuse = iota
	layeredPass
	layeredConnect
	layeredServe
	layeredGiveUp
	layeredBypass
	layeredRestore
)

const (
	checkPool = iota
	checkCheap
)

// The metrics: three a class, then the pool's and the limits'.
const (
	layeredOffered = iota
	layeredServed
	layeredFailed
	layeredClassStep
)

const (
	layeredShare = nClass*layeredClassStep + iota
	layeredP99
	layeredPeakBusy
	layeredPeakWaiting
	layeredAtGateway
	layeredAtNodes
	layeredGaveUp
)

func layeredMetrics() []labs.Quantity {
	var m []labs.Quantity
	for _, c := range classNames {
		m = append(m, labs.Quantity{Name: "offered." + c}, labs.Quantity{Name: "served." + c}, labs.Quantity{Name: "failed." + c})
	}
	return append(m,
		labs.Quantity{Name: "share.suggest", Unit: labs.Percent}, labs.Quantity{Name: "p99.suggest", Unit: labs.Millis},
		labs.Quantity{Name: "peak-busy"}, labs.Quantity{Name: "peak-waiting"},
		labs.Quantity{Name: "refused-at-gateway"}, labs.Quantity{Name: "refused-at-nodes"}, labs.Quantity{Name: "gave-up"})
}

// The columns: three a class, five of gateway and pool, then two a node.
const (
	columnGatewayPassed = nClass*layeredClassStep + iota
	columnGatewayRefused
	columnGatewayDown
	columnBusy
	columnWaiting
	columnNode
)

// The entities: the three clients, the gateway, the nodes, the pool.
const (
	entityGateway = nClass
	entityNode    = entityGateway + 1
)

func validLayered(c labs.Config) error {
	if c.Int("permits") < c.Int("nodes") {
		return &labs.Error{Code: "conflict", Field: "permits", Got: strconv.FormatInt(c.Int("permits"), 10), Want: "each of the " + strconv.FormatInt(c.Int("nodes"), 10) + " nodes needs at least one"}
	}
	return nil
}

func layeredLayout(c labs.Config) (l labs.Layout) {
	nodes := int(c.Int("nodes"))
	for i, name := range classNames {
		l.Record("offered."+name, labs.Count, labs.Sum)
		l.Record("served."+name, labs.Count, labs.Sum)
		l.Record("failed."+name, labs.Count, labs.Sum)
		l.Place(labs.Entity{Name: name, Kind: labs.Client, Row: i, Passed: "served." + name, Refused: "failed." + name})
	}
	l.Record("passed.gateway", labs.Count, labs.Sum)
	l.Record("refused.gateway", labs.Count, labs.Sum)
	l.Record("down.gateway", labs.Count, labs.Last)
	l.Record("busy", labs.Count, labs.Peak)
	l.Record("waiting", labs.Count, labs.Peak)
	l.Place(labs.Entity{Name: "gateway", Kind: labs.Gateway, Rank: 1, Row: 1, Judged: true, Passed: "passed.gateway", Refused: "refused.gateway", Down: "down.gateway"}, classNames[:]...)
	names := make([]string, nodes)
	for i := range names {
		name := nodeName(i)
		names[i] = name
		l.Record("refused."+name, labs.Count, labs.Sum)
		l.Record("busy."+name, labs.Count, labs.Peak)
		l.Place(labs.Entity{
			Name: name, Label: "node", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Level: "busy." + name, Full: c.Int("permits") / int64(nodes), Refused: "refused." + name,
		}, "gateway")
	}
	l.Place(labs.Entity{Name: "pool", Kind: labs.Pool, Rank: 3, Row: (nodes - 1) / 2, Level: "busy", Full: c.Int("pool")}, names...)
	l.Plot("pool", c.Int("pool"), "busy", "waiting")
	l.Plot("suggest", 0, "offered.suggest", "served.suggest", "failed.suggest")
	l.Plot("detail", 0, "offered.detail", "served.detail", "failed.detail")
	return l
}

// nodeName is the name of the i-th node, from 0.
func nodeName(i int) string { return "node-" + strconv.Itoa(i+1) }
