package rings

import (
	"seedbed/chapters/ring"
	"seedbed/labs"
)

// WeightedRing asks whether weights that follow the machines' use cool a machine that is too hot, or only make it flap: halving a weight
// halves the use, which then looks normal.
var WeightedRing = &labs.Lab{
	ID: "weighted-ring", Version: 1, Family: "rings",
	Params: []labs.Param{
		{Name: "use", Choices: weighings},
		{Name: "nodes", Min: 2, Max: maxWeighed, Default: 8},
		{Name: "points", Min: 1, Max: 1000, Default: 160, Log: true},
		{Name: "keys", Min: 100, Max: 20_000, Default: 5000, Log: true},
		{Name: "rate", Unit: labs.PerSecond, Min: 100, Max: 1_000_000, Default: 12_000, Log: true},
		{Name: "scarce", Choices: []string{"cpu", "memory", "network"}},
		{Name: "hot", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 920_000},
		{Name: "cpu", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 500_000},
		{Name: "memory", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 400_000},
		{Name: "network", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 350_000},
		{Name: "read", Unit: labs.Seconds, Min: 1_000_000_000, Max: 600_000_000_000, Default: 60_000_000_000, Log: true},
		{Name: "every", Unit: labs.Seconds, Min: 60_000_000_000, Max: 3_600_000_000_000, Default: 300_000_000_000, Log: true},
		{Name: "low", Unit: labs.Percent, Min: 10_000, Max: 990_000, Default: 300_000},
		{Name: "high", Unit: labs.Percent, Min: 20_000, Max: 1_000_000, Default: 700_000},
		{Name: "low-exit", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 480_000},
		{Name: "high-exit", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 330_000},
		{Name: "smoothing", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 200_000},
		{Name: "idle", Unit: labs.Percent, Min: 100_000, Max: 4_000_000, Default: 1_500_000},
		{Name: "busy", Unit: labs.Percent, Min: 10_000, Max: 1_000_000, Default: 500_000},
		{Name: "cool", Unit: labs.Seconds, Min: 10_000_000_000, Max: 36_000_000_000_000, Default: 900_000_000_000, Log: true},
		{Name: "calm", Unit: labs.Seconds, Min: 10_000_000_000, Max: 36_000_000_000_000, Default: 1_200_000_000_000, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: 60_000_000_000, Max: 14_400_000_000_000, Default: 2_400_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "power", Targets: []string{"node"}, Value: &labs.Param{Name: "power", Unit: labs.Percent, Min: 50_000, Max: 4_000_000, Default: 500_000}},
		{Verb: "load", Value: &labs.Param{Name: "load", Unit: labs.Percent, Min: 0, Max: 10_000_000, Default: 1_300_000}},
		{Verb: "kill", Targets: []string{"node"}},
		{Verb: "revive", Targets: []string{"node"}},
	},
	Checks: []labs.Check{
		{Name: "hot-node-cooled", Facts: []labs.Quantity{{Name: "node"}, {Name: "share", Unit: labs.Percent}, {Name: "lasts", Unit: labs.Seconds}}},
		{Name: "no-flapping", Facts: []labs.Quantity{{Name: "node"}, {Name: "weight", Unit: labs.Percent}, {Name: "after", Unit: labs.Seconds}}},
	},
	Metrics: weightedMetrics(),
	Events: []labs.EventKind{
		{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "miss", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
		{Name: "weigh", A: labs.Quantity{Name: "weight", Unit: labs.Percent}, B: labs.Quantity{Name: "share", Unit: labs.Percent}, Mark: true},
		{Name: "turn", A: labs.Quantity{Name: "moved"}, B: labs.Quantity{Name: "keys"}, Mark: true},
		{Name: "refuse", A: labs.Quantity{Name: "nodes"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "memory", Query: "scarce=memory"},
		{Name: "idle-machine", Query: "hot=20&memory=20&network=20"},
		{Name: "one-bad-minute", Query: "points=300&cpu=42&do=300s:power:node-0002:30&do=360s:power:node-0002:100"},
		{Name: "no-hysteresis", Query: "use=smoothing", Breaks: "no-flapping"},
		{Name: "neither", Query: "use=neither", Breaks: "no-flapping"},
		{Name: "no-smoothing", Query: "use=hysteresis&points=300&cpu=42&do=300s:power:node-0002:30&do=360s:power:node-0002:100", Breaks: "no-flapping"},
		{Name: "fixed", Query: "use=fixed", Breaks: "hot-node-cooled"},
	},
	Valid:   validWeighing,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  weightedLayout,
	Start:   startWeighted,
}

const maxWeighed = 16

// The ways to weigh, in the order of the choices of use.
const (
	weighBoth = iota
	weighHysteresis
	weighSmoothing
	weighNeither
	weighFixed
	nWeighing
)

var weighings = []string{"both", "hysteresis", "smoothing", "neither", "fixed"}

// unit is the weight of a normal machine. A weight is a share of it in parts per million, which a Weigher takes in hundredths of these.
const unit = 10_000

// The codes of the lab's tables, in their order.
const (
	weightedServe = iota
	weightedMiss
	weightedWeigh
	weightedTurn
	weightedRefuse
)

const (
	checkCooled = iota
	checkFlapping
)

// The metrics: those of the judged way and of arithmetic, then five a way.
const (
	weightedRequests = iota
	weightedHalved
	weightedMoved
	weightedKeysOfHot
	weightedEach
)

func weightedMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "requests"}, {Name: "halved", Unit: labs.Percent}, {Name: "moved", Unit: labs.Percent},
		{Name: "keys-of-hot", Unit: labs.Percent},
	}
	for _, w := range weighings {
		m = append(m,
			labs.Quantity{Name: "hot." + w, Unit: labs.Percent}, labs.Quantity{Name: "hottest." + w, Unit: labs.Percent},
			labs.Quantity{Name: "changes." + w}, labs.Quantity{Name: "flaps." + w}, labs.Quantity{Name: "misses." + w})
	}
	return m
}

// The columns: one of all, one a way, then two a node.
const (
	weightedColumnMisses = iota
	weightedColumnHot
	weightedColumnNode = weightedColumnHot + nWeighing
)

const (
	weightedColumnUse = iota
	weightedColumnWeight
	weightedColumnsEach
)

func weightedColumn(node, what int) int { return weightedColumnNode + weightedColumnsEach*node + what }

func weightedLayout(c labs.Config) (l labs.Layout) {
	n := int(c.Int("nodes"))
	uses, hot := make([]string, n), make([]string, nWeighing)
	l.Record("misses", labs.Count, labs.Sum)
	for k, w := range weighings {
		hot[k] = "hot." + w
		l.Record(hot[k], labs.Percent, labs.Last)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "ring", Kind: labs.Ring, Rank: 1, Judged: true}, "client")
	for i := range n {
		name := nodeName(i)
		uses[i] = "use." + name
		l.Record(uses[i], labs.Percent, labs.Last)
		l.Record("weight."+name, labs.Percent, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "node", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Level: uses[i], Full: 1_000_000}, "ring")
	}
	l.Plot("nodes", c.Int("high"), uses...)
	l.Plot("hot", c.Int("high"), hot...)
	l.Plot("misses", 0, "misses")
	return l
}

// hotNode is the machine that has less of what is scarce than the others: one in the middle.
func hotNode(nodes int64) int { return int(nodes-1) / 2 }

// weigher is how one way weighs.
func weigher(c labs.Config, way int) ring.WeigherConfig {
	cfg := ring.WeigherConfig{
		Every: c.Int("every"), Low: c.Int("low"), High: c.Int("high"), LowExit: c.Int("low-exit"), HighExit: c.Int("high-exit"), Smoothing: c.Int("smoothing"),
		Idle: c.Int("idle") / (1_000_000 / unit), Normal: unit, Busy: c.Int("busy") / (1_000_000 / unit),
	}
	if way == weighSmoothing || way == weighNeither {
		cfg.LowExit, cfg.HighExit = cfg.Low, cfg.High
	}
	if way == weighHysteresis || way == weighNeither {
		cfg.Smoothing = 1_000_000
	}
	return cfg
}

// validWeighing refuses bounds that lie the wrong way round.
func validWeighing(c labs.Config) error {
	low, high := c.Int("low"), c.Int("high")
	if low >= high {
		return between("low", low)
	}
	for _, f := range [...]string{"low-exit", "high-exit"} {
		if at := c.Int(f); at < low || at > high {
			return between(f, at)
		}
	}
	return nil
}

//go:noinline
func between(field string, got int64) error {
	return &labs.Error{Code: "conflict", Field: field, Got: labs.Percent.Format(got), Want: "low < high, low ≤ low-exit ≤ high, low ≤ high-exit ≤ high"}
}
