package overload

import (
	"seedbed/chapters/degrade"
	"seedbed/labs"
)

// DegradeLadder asks what a shop gives up, and in which order, when it is asked for more than it can do: pages and orders share the places of
// one service, and each level of the ladder makes them cheaper.
var DegradeLadder = &labs.Lab{
	ID: "degrade-ladder", Version: 2, Family: "overload",
	Params: []labs.Param{
		{Name: "use", Choices: ways},
		{Name: "kept", Choices: []string{"log", "memory"}},
		{Name: "sees", Choices: []string{"need", "line"}},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 20_000, Log: true},
		{Name: "peak", Min: 1, Max: 100, Default: 7, Log: true},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 4 * second},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 12 * second},
		{Name: "buy", Unit: labs.Percent, Min: 0, Max: million, Default: 200_000},
		{Name: "places", Min: 1, Max: 1000, Default: 5, Log: true},
		{Name: "page", Unit: labs.Millis, Min: 100_000, Max: 10 * second, Default: 20_000_000, Log: true},
		{Name: "extras", Unit: labs.Millis, Min: 0, Max: 10 * second, Default: 60_000_000},
		{Name: "order", Unit: labs.Millis, Min: 100_000, Max: 10 * second, Default: 120_000_000, Log: true},
		{Name: "points", Unit: labs.Millis, Min: 0, Max: 10 * second, Default: 80_000_000},
		{Name: "accept", Unit: labs.Millis, Min: 100_000, Max: 10 * second, Default: 10_000_000, Log: true},
		{Name: "patience", Unit: labs.Seconds, Min: 10_000_000, Max: 60 * second, Default: 3 * second, Log: true},
		{Name: "behind", Min: 1, Max: 1000, Default: 3, Log: true},
		{Name: "open", Min: 1, Max: 1_000_000, Default: 1000, Log: true},
		{Name: "let-in", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 60_000, Log: true},
		{Name: "high", Unit: labs.Percent, Min: 20_000, Max: 2 * million, Default: 900_000},
		{Name: "low", Unit: labs.Percent, Min: 10_000, Max: 2 * million, Default: 600_000},
		{Name: "long", Min: 2, Max: 10_000, Default: 30, Log: true},
		{Name: "up-for", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 500_000_000},
		{Name: "down-for", Unit: labs.Seconds, Min: ladderGap, Max: 600 * second, Default: 4 * second},
		{Name: "hand-for", Unit: labs.Seconds, Min: ladderGap, Max: 3600 * second, Default: 10 * second, Log: true},
		{Name: "in-room", Unit: labs.Seconds, Min: 0, Max: 3600 * second, Default: 60 * second},
		{Name: "steady", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 10 * second},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 42 * second, Log: true},
	},
	Actions: []labs.Action{
		handOn(degrade.Normal), handOn(degrade.DropExtras), handOn(degrade.DeferWrites), handOn(degrade.AcceptFirst), handOn(degrade.QueuePage),
		{Verb: "release"},
		{Verb: "crash", Targets: []string{"worker"}},
		{Verb: "burst", Value: &labs.Param{Name: "visitors", Min: 1, Max: 10_000, Default: 200}},
	},
	Checks: []labs.Check{
		{Name: "core-answered", Facts: []labs.Quantity{{Name: "waited", Unit: labs.Seconds}, {Name: "waiting"}}},
		{Name: "no-order-lost", Facts: []labs.Quantity{{Name: "age", Unit: labs.Seconds}}},
		{Name: "room-in-time", Facts: []labs.Quantity{{Name: "wait", Unit: labs.Seconds}, {Name: "waiting"}}},
		{Name: "level-steady", Facts: []labs.Quantity{{Name: "level"}, {Name: "since", Unit: labs.Seconds}}},
	},
	Metrics: ladderMetrics(),
	Events: []labs.EventKind{
		{Name: "page", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "plain", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "place", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "accept", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "open"}, Flow: labs.Wait},
		{Name: "finish", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "age", Unit: labs.Seconds}, Flow: labs.Leave},
		{Name: "queue", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waiting"}, Flow: labs.Wait},
		{Name: "enter", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Leave},
		{Name: "give-up", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "waited", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "full", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "open"}, Flow: labs.Bounce},
		{Name: "vanish", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "age", Unit: labs.Seconds}, Flow: labs.Bounce},
		{Name: "up", A: labs.Quantity{Name: "level"}, Mark: true},
		{Name: "down", A: labs.Quantity{Name: "level"}, Mark: true},
		{Name: "hold", A: labs.Quantity{Name: "level"}, B: labs.Quantity{Name: "share", Unit: labs.Percent}, Mark: true},
		{Name: "normal", Mark: true},
		{Name: "hold-normal", B: labs.Quantity{Name: "share", Unit: labs.Percent}, Mark: true},
		{Name: "release", Mark: true},
		{Name: "crash", A: labs.Quantity{Name: "begun"}, Mark: true},
		{Name: "restart", A: labs.Quantity{Name: "open"}, Mark: true},
		{Name: "peak", Mark: true},
		{Name: "over", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "small-peak", Query: "peak=3"},
		{Name: "middle-peak", Query: "peak=4"},
		{Name: "great-peak", Query: "peak=14&length=70"},
		{Name: "worker-dies", Query: "do=14s:crash:worker"},
		{Name: "by-share", Query: "lasts=0&length=30&do=5s:hold-1::20&do=15s:hold-1::60"},
		{Name: "fail-hard", Query: "use=hard", Breaks: "core-answered"},
		{Name: "extras-alone", Query: "use=extras&lasts=20", Breaks: "core-answered"},
		{Name: "forgotten-switch", Query: "hand-for=3600&do=1s:hold-0", Breaks: "core-answered"},
		{Name: "log-full", Query: "open=50", Breaks: "core-answered"},
		{Name: "kept-in-memory", Query: "kept=memory&do=14s:crash:worker", Breaks: "no-order-lost"},
		{Name: "narrow-door", Query: "peak=14&let-in=20&length=70", Breaks: "room-in-time"},
		{Name: "line-alone", Query: "sees=line&lasts=24&down-for=2", Breaks: "level-steady"},
		{Name: "no-hysteresis", Query: "peak=2&lasts=24&low=89&up-for=0&down-for=0.25", Breaks: "level-steady"},
	},
	Valid: func(c labs.Config) error {
		if c.Int("low") >= c.Int("high") {
			return &labs.Error{Code: "conflict", Field: "low", Got: labs.Percent.Format(c.Int("low")), Want: "less than the " + labs.Percent.Format(c.Int("high")) + " % at which it goes up"}
		}
		return nil
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  ladderLayout,
	Start:   startLadder,
}

// handOn is the action that puts a share of the users on a level by hand.
func handOn(level degrade.Level) labs.Action {
	return labs.Action{
		Verb:  "hold-" + string(rune('0'+level)),
		Value: &labs.Param{Name: "share", Unit: labs.Percent, Min: percent, Max: million, Default: million},
	}
}

// The ways to meet the load, in the order of the choices of use.
const (
	wayLadder = iota
	wayExtras // a ladder with one level
	wayHard   // none
	nWay
)

var ways = []string{"ladder", "extras", "hard"}

// The choices of kept and of sees that are not the first.
const (
	keptInMemory = 1
	seesLine     = 1
)

// The codes of the lab's events and checks, in the order of the tables above.
const (
	ladderPage = iota
	ladderPlain
	ladderPlace
	ladderAccept
	ladderFinish
	ladderQueue
	ladderEnter
	ladderGiveUp
	ladderFull
	ladderVanish
	ladderUp
	ladderDown
	ladderHold
	ladderNormal
	ladderHoldNormal
	ladderRelease
	ladderCrash
	ladderRestart
	ladderPeak
	ladderOver
)

const (
	checkAnswered = iota
	checkOrder
	checkRoom
	checkSteady
)

// The metrics: fourteen of the judged way, then three a way.
const (
	ladderEach    = 14
	ladderEachWay = 3
)

func ladderMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "visitors"}, {Name: "orders"}, {Name: "with-extras", Unit: labs.Percent}, {Name: "highest"}, {Name: "asked"}, {Name: "changes"}, {Name: "placed"},
		{Name: "accepted"}, {Name: "finished"}, {Name: "open"}, {Name: "longest", Unit: labs.Seconds}, {Name: "vanished"}, {Name: "queued", Unit: labs.Seconds}, {Name: "in-room"},
	}
	for _, w := range ways {
		m = append(m, labs.Quantity{Name: "pages-lost." + w}, labs.Quantity{Name: "orders-lost." + w}, labs.Quantity{Name: "orders-taken." + w})
	}
	return m
}

// The columns: those of the judged way, then two a way.
const (
	ladderColumnLevel = iota
	ladderColumnNeed
	ladderColumnBusy
	ladderColumnFull
	ladderColumnPlain
	ladderColumnPlaced
	ladderColumnAccepted
	ladderColumnFinished
	ladderColumnAnswered
	ladderColumnLost
	ladderColumnEntered
	ladderColumnRoom
	ladderColumnOpen
	ladderColumnDown
	ladderColumnEach
)

const (
	entityRoom = 1 + iota
	entityService
	entityLadder
	entityExtras
	entityWorker
)

func ladderLayout(c labs.Config) (l labs.Layout) {
	l.Record("level", labs.Count, labs.Last)
	l.Record("need", labs.Percent, labs.Last)
	l.Record("busy", labs.Count, labs.Peak)
	for _, name := range [...]string{"full", "plain", "placed", "accepted", "finished", "answered", "lost", "entered"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	l.Record("room", labs.Count, labs.Peak)
	l.Record("open", labs.Count, labs.Peak)
	l.Record("down", labs.Count, labs.Last)
	waiting, lost := make([]string, nWay), make([]string, nWay)
	for k, name := range ways {
		waiting[k], lost[k] = "waiting."+name, "lost."+name
		l.Record(waiting[k], labs.Count, labs.Peak)
		l.Record(lost[k], labs.Count, labs.Sum)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "room", Kind: labs.Queue, Rank: 1, Level: "room", Passed: "entered"}, "client")
	l.Place(labs.Entity{
		Name: "service", Kind: labs.Pool, Rank: 2, Judged: true, Level: "busy", Full: c.Int("places"), Passed: "answered", Refused: "lost",
	}, "room")
	l.Place(labs.Entity{Name: "ladder", Kind: labs.Coordinator, Rank: 1, Row: 1, Level: "level", Full: degrade.Levels - 1})
	l.Place(labs.Entity{Name: "extras", Kind: labs.Node, Rank: 3, Passed: "full"}, "service")
	l.Place(labs.Entity{Name: "worker", Kind: labs.Node, Rank: 3, Row: 1, Level: "open", Full: c.Int("open"), Passed: "finished", Down: "down"}, "service")
	l.Plot("lost", 0, lost...)
	l.Plot("waiting", 0, waiting...)
	l.Plot("need", million, "need")
	return l
}

// The signals of a ladder: what the present load would need on each level below the highest, in parts per million of what the places can
// do, and how many wait for a place.
const (
	signalLine = degrade.Levels - 1
	nSignal    = signalLine + 1
)

var needs = [signalLine]string{"need", "need on L1", "need on L2", "need on L3"}

// ladderConfig is the ladder of one way. It wants a level when the one before would not do, and leaves it when the one before has been
// enough for a while; and it wants a level more for each so many who wait.
func ladderConfig(c labs.Config, way int) degrade.Config {
	most := [nWay]int{degrade.Levels - 1, 1, 0}[way]
	cfg := degrade.Config{UpFor: c.Int("up-for"), DownFor: c.Int("down-for")}
	if most == 0 {
		return cfg
	}
	for k, name := range needs {
		s := degrade.Signal{Name: name}
		for range min(most, k+1) {
			s.Steps = append(s.Steps, degrade.Step{Up: c.Int("high"), Down: c.Int("low")})
		}
		cfg.Signals = append(cfg.Signals, s)
	}
	line := degrade.Signal{Name: "line"}
	for k := range int64(most) {
		line.Steps = append(line.Steps, degrade.Step{Up: (k + 1) * c.Int("long"), Down: (k + 1) * c.Int("long") / 2})
	}
	cfg.Signals = append(cfg.Signals, line)
	return cfg
}
