package limits

import (
	"strconv"

	"seedbed/labs"
)

// CapacityTest asks how many machines a peak needs, and whether they are there in time. One machine's safe rate is found by a load
// test; the cluster is that rate × machines × a safety factor; and a machine that is asked for at the peak comes after it.
var CapacityTest = &labs.Lab{
	ID: "capacity-test", Version: 1, Family: "limits",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"ahead", "cpu", "fixed"}},
		{Name: "shadow", Choices: []string{"on", "off"}, Unused: "use=ahead"},
		{Name: "nodes", Min: 1, Max: maxNodes, Default: 3},
		{Name: "cores", Min: 1, Max: 64, Default: 4},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10_000_000_000, Default: 100_000_000, Log: true},
		{Name: "safe", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 28_000, Log: true},
		{Name: "factor", Unit: labs.Percent, Min: 100_000, Max: 1_000_000, Default: 750_000},
		{Name: "base", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 50_000, Log: true},
		{Name: "expected", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 100_000, Log: true},
		{Name: "peak", Unit: labs.PerSecond, Min: 100, Max: 10_000_000, Default: 220_000, Log: true},
		{Name: "start", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 45_000_000_000},
		{Name: "ramp", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 15_000_000_000},
		{Name: "boot", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 30_000_000_000},
		{Name: "slo", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 800_000_000, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: 10_000_000_000, Max: 1800_000_000_000, Default: 120_000_000_000, Log: true},
	},
	Checks: []labs.Check{
		{Name: "slo-held-at-peak", Facts: []labs.Quantity{{Name: "p99", Unit: labs.Millis}, {Name: "refused"}, {Name: "answered"}}},
		{Name: "scale-out-in-time", Facts: []labs.Quantity{{Name: "arrivals", Unit: labs.PerSecond}, {Name: "capacity", Unit: labs.PerSecond}}},
	},
	Metrics: []labs.Quantity{
		{Name: "offered"}, {Name: "served"}, {Name: "refused"}, {Name: "p99", Unit: labs.Millis}, {Name: "p50", Unit: labs.Millis},
		{Name: "cpu", Unit: labs.Percent}, {Name: "needed"}, {Name: "ready"}, {Name: "late", Unit: labs.Seconds},
	},
	Events: []labs.EventKind{
		{Name: "start", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Wait},
		{Name: "finish", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Leave},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Bounce},
		{Name: "order", A: labs.Quantity{Name: "nodes"}, B: labs.Quantity{Name: "cpu", Unit: labs.Percent}, Mark: true},
		{Name: "ready", Mark: true},
		{Name: "lose", Mark: true},
	},
	Actions: []labs.Action{{Verb: "kill", Targets: []string{"node"}}},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "one-machine", Query: "use=fixed&nodes=1&base=28&expected=28&peak=28&length=240"},
		{Name: "past-the-bend", Query: "use=fixed&nodes=1&base=39&expected=39&peak=39&length=240", Breaks: "slo-held-at-peak"},
		{Name: "planned-for-expected-peak", Query: "shadow=off", Breaks: "slo-held-at-peak"},
		{Name: "scale-on-cpu-only", Query: "use=cpu", Breaks: "scale-out-in-time"},
	},
	Valid: func(c labs.Config) error {
		if n := nodesFor(c.Int("peak"), c.Int("safe"), c.Int("factor")); n > maxNodes && c.Choice("use") == "ahead" {
			return &labs.Error{Code: "conflict", Field: "peak", Got: strconv.FormatInt(n, 10) + " nodes", Want: "the lab has at most " + strconv.Itoa(maxNodes) + " nodes"}
		}
		return nil
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  capacityLayout,
	Start:   startCapacity,
}

const maxNodes = 12

// The codes of the lab's tables, in their order.
const (
	capacityStart = iota
	capacityFinish
	capacityRefuse
	capacityOrder
	capacityReady
	capacityLose
)

const (
	checkSLO = iota
	checkInTime
)

// The columns: six of all, then two a node.
const (
	capacityColumnOffered = iota
	capacityColumnServed
	capacityColumnRefused
	capacityColumnWaiting
	capacityColumnRate
	capacityColumnCapacity
	capacityColumnNode
)

// nodesFor is how many nodes a rate needs when each is trusted with its safe rate times the factor.
func nodesFor(rate, safe, factor int64) int64 {
	each := max(1, safe*factor/1_000_000)
	return (rate + each - 1) / each
}

func capacityLayout(c labs.Config) (l labs.Layout) {
	l.Record("offered", labs.Count, labs.Sum)
	l.Record("served", labs.Count, labs.Sum)
	l.Record("refused", labs.Count, labs.Sum)
	l.Record("waiting", labs.Count, labs.Peak)
	l.Record("rate", labs.PerSecond, labs.Last)
	l.Record("capacity", labs.PerSecond, labs.Last)
	n := capacityNodesShown(c)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client, Row: (n - 1) / 2})
	l.Place(labs.Entity{Name: "gateway", Kind: labs.Gateway, Rank: 1, Row: (n - 1) / 2, Level: "waiting", Full: queueBound, Passed: "served", Refused: "refused"}, "client")
	for i := range n {
		name := nodeName(i)
		l.Record("busy."+name, labs.Count, labs.Peak)
		l.Record("down."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "node", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Judged: true, Level: "busy." + name, Full: c.Int("cores"), Down: "down." + name}, "gateway")
	}
	l.Plot("rate", 0, "rate", "capacity")
	l.Plot("waiting", 0, "waiting", "refused")
	return l
}

// capacityNodesShown is how many nodes a run of the configuration can come to have.
func capacityNodesShown(c labs.Config) int {
	n := c.Int("nodes")
	switch c.Choice("use") {
	case "ahead":
		n = max(n, nodesFor(c.Int("peak"), c.Int("safe"), c.Int("factor")))
	case "cpu":
		n = maxNodes
	}
	return int(min(n, maxNodes))
}
