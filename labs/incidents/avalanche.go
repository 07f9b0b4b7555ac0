package incidents

import "seedbed/labs"

// Avalanche replays an incident: a sale several times larger than planned, keys that end together, a storm of misses on the database's
// pool, and orders that fail in it. Every defence is a switch; the switches stand in three layers, and all eight combinations of layers
// see the same people, each with caches, instances and a database of its own. The checks judge the one that the parameter use names.
var Avalanche = &labs.Lab{
	ID: "avalanche", Version: 2, Family: "incidents",
	Params: []labs.Param{
		{Name: "use", Choices: layerings},
		{Name: "load", Unit: labs.Ratio, Min: 100_000, Max: 20_000_000, Default: 5_000_000, Log: true},
		{Name: "jitter", Choices: onOff},
		{Name: "single", Choices: onOff},
		{Name: "stale", Choices: onOff},
		{Name: "local", Choices: onOff},
		{Name: "limiter", Choices: onOff},
		{Name: "breaker", Choices: onOff},
		{Name: "bulkhead", Choices: onOff},
		{Name: "degrade", Choices: onOff},
		{Name: "queue", Choices: onOff},
		{Name: "alerts", Choices: onOff},
		{Name: "scale", Choices: onOff},
		{Name: "warm", Choices: onOff},
		{Name: "limit", Unit: labs.PerSecond, Min: 1000, Max: 10_000_000, Default: 120_000, Log: true, Unused: "limiter=on"},
		{Name: "reserved", Min: 0, Max: 99, Default: 2, Unused: "bulkhead=on"},
		{Name: "backlog", Min: 0, Max: 100_000, Default: 90, Unused: "queue=on"},
		{Name: "promise", Unit: labs.Seconds, Min: 1_000_000, Max: 600 * second, Default: 5 * second, Log: true},
		{Name: "notice", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: second, Unused: "alerts=on"},
		{Name: "boot", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 2 * second, Unused: "scale=on"},
		{Name: "most", Min: 1, Max: maxInstances, Default: 6, Unused: "scale=on"},
		{Name: "pace", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 10_000, Log: true, Unused: "warm=on"},
		{Name: "visitors", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 50_000},
		{Name: "buyers", Unit: labs.PerSecond, Min: 0, Max: 100_000, Default: 8_000},
		{Name: "edge", Unit: labs.Percent, Min: 0, Max: million, Default: 500_000},
		{Name: "reloads", Min: 0, Max: 10, Default: 2},
		{Name: "keys", Min: 10, Max: 5000, Default: 1000, Log: true},
		{Name: "instances", Min: 1, Max: maxInstances, Default: 2},
		{Name: "connections", Min: 1, Max: 100, Default: 4, Log: true},
		{Name: "cores", Min: 1, Max: 1000, Default: 15, Log: true},
		{Name: "query", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 100_000_000, Log: true},
		{Name: "patience", Unit: labs.Millis, Min: 1_000_000, Max: 60 * second, Default: second, Log: true},
		{Name: "end", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 4 * second},
		{Name: "until", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 16 * second},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 24 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "expire", Targets: []string{"redis"}},
		{Verb: "kill", Targets: []string{"redis"}},
		{Verb: "revive", Targets: []string{"redis"}},
		{Verb: "slow", Targets: []string{"database"}, Value: &labs.Param{Name: "times", Unit: labs.Percent, Min: 10_000, Max: 10_000_000, Default: 3_000_000}},
		{Verb: "surge", Value: &labs.Param{Name: "load", Unit: labs.Percent, Min: 0, Max: 10_000_000, Default: 2_000_000}},
	},
	Checks: []labs.Check{
		{Name: "orders-survive", Facts: []labs.Quantity{{Name: "waited", Unit: labs.Millis}, {Name: "line"}}},
		{Name: "orders-in-time", Facts: []labs.Quantity{{Name: "took", Unit: labs.Millis}, {Name: "promised", Unit: labs.Millis}}},
	},
	Metrics: avalancheMetrics(),
	Events:  avalancheEvents,
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "load-test", Query: "use=none&load=1"},
		{Name: "calm-cache-flow", Query: "use=cache-flow&load=2.5"},
		{Name: "calm-cache-heal", Query: "use=cache-heal&load=1.8"},
		{Name: "calm-flow-heal", Query: "use=flow-heal&load=2.5"},
		{Name: "queue-too-long", Query: "use=cache-flow&backlog=300", Breaks: "orders-in-time"},
		{Name: "patient-buyers", Query: "use=cache-flow&backlog=300&promise=15&length=40"},
		{Name: "redis-dies", Query: "load=3&do=12s:kill:redis"},
		{Name: "as-it-happened", Query: "use=none", Breaks: "orders-survive"},
		{Name: "limiter-only", Query: "use=flow&breaker=off&bulkhead=off&degrade=off&queue=off", Breaks: "orders-survive"},
		{Name: "limiter-stricter", Query: "use=flow&breaker=off&bulkhead=off&degrade=off&queue=off&limit=10", Breaks: "orders-survive"},
		{Name: "cache-only", Query: "use=cache", Breaks: "orders-survive"},
		{Name: "flow-only", Query: "use=flow", Breaks: "orders-survive"},
		{Name: "heal-only", Query: "use=heal", Breaks: "orders-survive"},
		{Name: "cache-flow", Query: "use=cache-flow", Breaks: "orders-survive"},
		{Name: "cache-heal", Query: "use=cache-heal", Breaks: "orders-survive"},
		{Name: "flow-heal", Query: "use=flow-heal", Breaks: "orders-survive"},
		{Name: "alarm-too-late", Query: "alerts=off", Breaks: "orders-survive"},
		{Name: "boot-too-slow", Query: "boot=20", Breaks: "orders-survive"},
		{Name: "half-a-layer", Query: "jitter=off&stale=off", Breaks: "orders-survive"},
	},
	Valid:   validAvalanche,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  avalancheLayout,
	Start:   startAvalanche,
}

var onOff = []string{"on", "off"}

// The layers, each a bit of what is on.
const (
	layerCache = 1 << iota
	layerFlow
	layerHeal
	nLayering
)

// layerings are the combinations of layers in the order of the choices of use, masks what is on in each.
var (
	layerings = []string{"all", "none", "cache", "flow", "heal", "cache-flow", "cache-heal", "flow-heal"}
	masks     = [nLayering]int{
		layerCache | layerFlow | layerHeal, 0, layerCache, layerFlow, layerHeal,
		layerCache | layerFlow, layerCache | layerHeal, layerFlow | layerHeal,
	}
)

// The switches, in the order of their parameters.
const (
	swJitter = iota
	swSingle
	swStale
	swLocal
	swLimiter
	swBreaker
	swBulkhead
	swDegrade
	swQueue
	swAlerts
	swScale
	swWarm
	nSwitch
)

// switchNames are the parameters of the switches; the first four are of the cache, the next five of the flow, the rest heal.
var switchNames = [nSwitch]string{
	"jitter", "single", "stale", "local", "limiter", "breaker", "bulkhead", "degrade", "queue", "alerts", "scale", "warm",
}

// switchesOf are the switches that are on in a combination of layers.
func switchesOf(c labs.Config, mask int) (on [nSwitch]bool) {
	for i, name := range switchNames {
		layer := layerCache
		switch {
		case i >= swAlerts:
			layer = layerHeal
		case i >= swLimiter:
			layer = layerFlow
		}
		on[i] = mask&layer != 0 && c.Int(name) == 0
	}
	return on
}

const maxInstances = 16

// The checks, in their order.
const (
	checkOrders = iota
	checkInTime
)

// The codes of the lab's events, in the order of the table below.
const (
	evEdge = iota
	evPass
	evLocal
	evRedis
	evOld
	evLoad
	evJoin
	evShed
	evCut
	evGiveUp
	evReload
	evOrder
	evAccept
	evDone
	evDoneLate
	evLosePage
	evLoseWait
	evLoseFull
	evEnd
	evDie
	evBack
	evSlow
	evSame
	evPoolFull
	evAlert
	evWarm
	evReady
	evLevel
	evState
)

var avalancheEvents = []labs.EventKind{
	{Name: "edge", A: labs.Quantity{Name: "visit"}, Flow: labs.Pass},
	{Name: "pass", A: labs.Quantity{Name: "visit"}, Flow: labs.Pass},
	{Name: "local", A: labs.Quantity{Name: "visit"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
	{Name: "redis", A: labs.Quantity{Name: "visit"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
	{Name: "old", A: labs.Quantity{Name: "visit"}, B: labs.Quantity{Name: "key"}, Flow: labs.Pass},
	{Name: "load", A: labs.Quantity{Name: "key"}, Flow: labs.Pass},
	{Name: "join", A: labs.Quantity{Name: "visit"}, B: labs.Quantity{Name: "key"}, Flow: labs.Wait},
	{Name: "shed", A: labs.Quantity{Name: "visit"}, Flow: labs.Bounce},
	{Name: "cut", A: labs.Quantity{Name: "key"}, Flow: labs.Bounce},
	{Name: "give-up", A: labs.Quantity{Name: "key"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
	{Name: "reload", A: labs.Quantity{Name: "visit"}, B: labs.Quantity{Name: "try"}, Flow: labs.Still},
	{Name: "order", A: labs.Quantity{Name: "order"}, Flow: labs.Pass},
	{Name: "accept", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Wait},
	{Name: "done", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
	{Name: "done-late", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
	{Name: "lose-page", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
	{Name: "lose-wait", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
	{Name: "lose-full", A: labs.Quantity{Name: "order"}, B: labs.Quantity{Name: "waited", Unit: labs.Millis}, Flow: labs.Bounce},
	{Name: "end", A: labs.Quantity{Name: "keys"}, Mark: true},
	{Name: "die", Mark: true},
	{Name: "back", Mark: true},
	{Name: "slow", Mark: true},
	{Name: "same"},
	{Name: "pool-full", Mark: true},
	{Name: "alert", A: labs.Quantity{Name: "use", Unit: labs.Percent}, Mark: true},
	{Name: "warm", Mark: true},
	{Name: "ready", A: labs.Quantity{Name: "instances"}, Mark: true},
	{Name: "level", A: labs.Quantity{Name: "level"}, Mark: true},
	{Name: "to-open", Mark: true},
	{Name: "to-half-open", Mark: true},
	{Name: "to-recovering", Mark: true},
	{Name: "to-closed", Mark: true},
}

func validAvalanche(c labs.Config) error {
	if reserved, connections := c.Int("reserved"), c.Int("connections"); reserved >= connections {
		return &labs.Error{
			Code: "conflict", Field: "reserved", Got: labs.Count.Format(reserved),
			Want: "fewer than the " + labs.Count.Format(connections) + " connections of an instance, so that pages have one",
		}
	}
	return nil
}

// The metrics: those of the judged combination, then some a combination.
const (
	avalancheJudged = 21
	avalancheEach   = 3
)

func avalancheMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "visits"}, {Name: "edge"}, {Name: "local"}, {Name: "redis"}, {Name: "old"}, {Name: "loads"}, {Name: "shed"}, {Name: "reloads"},
		{Name: "orders"}, {Name: "done"}, {Name: "late"}, {Name: "open"}, {Name: "lost-at-page"}, {Name: "lost-waiting"}, {Name: "lost-refused"},
		{Name: "pool-full", Unit: labs.Seconds}, {Name: "first-lost", Unit: labs.Seconds}, {Name: "alerted", Unit: labs.Seconds}, {Name: "helped", Unit: labs.Seconds},
		{Name: "instances"}, {Name: "longest", Unit: labs.Seconds},
	}
	for _, l := range layerings {
		m = append(m, labs.Quantity{Name: "lost." + l}, labs.Quantity{Name: "late." + l}, labs.Quantity{Name: "unserved." + l})
	}
	return m
}
