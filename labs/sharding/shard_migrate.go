package sharding

import (
	"strconv"

	"seedbed/chapters/shard"
	"seedbed/labs"
)

// ShardMigrate moves ownership from one shard to another while clients write and read, some of them by old routes, and while the
// reader crashes, cuts off and rolls back what he likes. The migration and the stores are those of chapters/shard.
var ShardMigrate = &labs.Lab{
	ID: "shard-migrate", Version: 1, Family: "sharding",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"safe", "strict-snapshot", "no-fence", "route-only-rollback", "same-epoch"}},
		{Name: "old-route", Choices: []string{"reject", "forward"}},
		{Name: "rows", Min: 1, Max: maxMigrateRows, Default: 100, Log: true},
		{Name: "writes", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 50_000},
		{Name: "reads", Unit: labs.PerSecond, Min: 0, Max: 1_000_000, Default: 100_000},
		{Name: "stale", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 200_000},
		{Name: "hold", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 3_000_000_000},
		{Name: "delay", Unit: labs.Millis, Min: 0, Max: 1_000_000_000, Default: 2_000_000},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 1_000_000_000},
		{Name: "pace", Unit: labs.Millis, Min: 1_000_000, Max: 60_000_000_000, Default: 50_000_000, Log: true},
		{Name: "batch", Min: 1, Max: maxMigrateRows, Default: 20, Log: true},
		{Name: "lag", Min: 0, Max: maxMigrateRows, Default: 5},
		{Name: "fence-max", Unit: labs.Millis, Min: 0, Max: 600_000_000_000, Default: 2_000_000_000},
		{Name: "drain", Unit: labs.Seconds, Min: 0, Max: 600_000_000_000, Default: 3_000_000_000},
		{Name: "down", Unit: labs.Seconds, Min: 1_000_000, Max: 600_000_000_000, Default: 1_000_000_000},
		{Name: "length", Unit: labs.Seconds, Min: 100_000_000, Max: 600_000_000_000, Default: 12_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "write", Targets: []string{"client", "stale"}, Value: &labs.Param{Name: "row", Min: 0, Max: maxMigrateRows - 1, Default: 7}, Of: "rows"},
		{Verb: "crash", Targets: []string{"coordinator", "old", "new"}, Value: &labs.Param{Name: "operations", Min: 0, Max: 20, Default: 2}},
		{Verb: "partition", Targets: []string{"old", "new"}},
		{Verb: "heal", Targets: []string{"old", "new"}},
		{Verb: "step"},
		{Verb: "rollback"},
	},
	Checks: []labs.Check{
		{Name: "no-acknowledged-write-lost", Facts: []labs.Quantity{{Name: "row"}, {Name: "version"}, {Name: "left"}}},
		{Name: "versions-never-go-back", Facts: []labs.Quantity{{Name: "row"}, {Name: "version"}, {Name: "before"}}},
		{Name: "one-writer-per-epoch", Facts: []labs.Quantity{{Name: "epoch"}, {Name: "row"}}},
		{Name: "no-write-below-fence", Facts: []labs.Quantity{{Name: "epoch"}, {Name: "fence"}, {Name: "row"}}},
		{Name: "rollback-loses-nothing", Facts: []labs.Quantity{{Name: "row"}, {Name: "version"}, {Name: "left"}}},
	},
	Metrics: []labs.Quantity{
		{Name: "writes"}, {Name: "acknowledged"}, {Name: "reads"}, {Name: "refused"}, {Name: "waited"}, {Name: "forwarded"}, {Name: "given-up"},
		{Name: "lost"}, {Name: "epoch"}, {Name: "moved"}, {Name: "peak-lag"}, {Name: "shut", Unit: labs.Millis}, {Name: "done"},
	},
	Events:  migrateEvents,
	Presets: migratePresets,
	Valid: func(c labs.Config) error {
		if c.Int("lag") > c.Int("batch") {
			return &labs.Error{Code: "conflict", Field: "lag", Got: strconv.FormatInt(c.Int("lag"), 10), Want: "at most one batch, " + strconv.FormatInt(c.Int("batch"), 10) + ", so that one step can carry the rest"}
		}
		return nil
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  migrateLayout,
	Start:   startMigrate,
}

var migratePresets = []labs.Preset{
	{Name: "default"},
	{Name: "crash", Query: "do=1.81s:crash:coordinator:6&do=4.2s:crash:coordinator:4&do=6.5s:crash:new"},
	{Name: "rollback", Query: "do=4s:rollback"},
	{Name: "stale-client", Query: "old-route=forward&stale=60&hold=10"},
	{Name: "cut-off", Query: "fence-max=500&do=1.6s:partition:new&do=4s:heal:new"},
	{Name: "strict-snapshot", Query: "use=strict-snapshot", Breaks: "no-acknowledged-write-lost"},
	{Name: "no-fence", Query: "use=no-fence", Breaks: "no-write-below-fence"},
	{Name: "route-only-rollback", Query: "use=route-only-rollback&do=4s:rollback", Breaks: "rollback-loses-nothing"},
	{Name: "same-epoch", Query: "use=same-epoch", Breaks: "one-writer-per-epoch"},
	{Name: "ready-comes-back-as-draft", Query: "use=strict-snapshot&stale=0", Breaks: "versions-never-go-back"},
}

// migrateFaults are the choices of use, in their order.
var migrateFaults = [...]shard.Fault{0, shard.StrictSnapshot, shard.NoFence, shard.RouteOnlyRollback, shard.NoFence | shard.SameEpoch}

const maxMigrateRows = 5000

// The codes of the lab's tables, in their order.
const (
	verbWrite = iota
	verbCrash
	verbPartition
	verbHeal
	verbStep
	verbRollback
)

const (
	checkLost = iota
	checkBack
	checkWriter
	checkFence
	checkRollback
)

const (
	migrateWrites = iota
	migrateAcknowledged
	migrateReads
	migrateRefused
	migrateWaited
	migrateForwarded
	migrateGivenUp
	migrateLost
	migrateEpoch
	migrateMoved
	migratePeakLag
	migrateShut
	migrateDone
	nMigrateMetric
)

// The events: those of requests, then of the coordinator, then one mark a step.
const (
	eventAccept = iota
	eventServe
	eventRefuse
	eventHalt
	eventForward
	eventGiveUp
	eventCarry
	eventStuck
	eventCrash
	eventRestart
	eventPartition
	eventHeal
	eventRollback
	eventLate
	eventDone
	eventStep // and as many as there are steps
)

// migrateEvents is written out, though the steps could be appended to it: a table of constants costs no code.
var migrateEvents = []labs.EventKind{
	{Name: "accept", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "version"}, Flow: labs.Pass},
	{Name: "serve", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "version"}, Flow: labs.Pass},
	{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "epoch"}, Flow: labs.Bounce},
	{Name: "halt", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "epoch"}, Flow: labs.Bounce},
	{Name: "forward", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "epoch"}, Flow: labs.Pass},
	{Name: "give-up", A: labs.Quantity{Name: "request"}, Flow: labs.Bounce},
	{Name: "carry", A: labs.Quantity{Name: "rows"}, B: labs.Quantity{Name: "position"}},
	{Name: "stuck", A: labs.Quantity{Name: "row"}},
	{Name: "crash", Mark: true},
	{Name: "restart", Mark: true},
	{Name: "partition", Mark: true},
	{Name: "heal", Mark: true},
	{Name: "roll-back", A: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "late", A: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "done", A: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "plan", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "snapshot", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "replay", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "catch-up", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "fence", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "fence-replay", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "verify", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "cut-over", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "drain", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "clean-up", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
	{Name: "undo", A: labs.Quantity{Name: "position"}, B: labs.Quantity{Name: "epoch"}, Mark: true},
}

// The entities.
const (
	entityClient = iota
	entityStale
	entityRouter
	entityCoordinator
	entityOld // and the new one after it, then their logs in that order
)

const entityOldLog = entityOld + len(shardNames)

// The columns: those of the move, then those of each shard.
const (
	columnEpoch = iota
	columnStep
	columnApplied
	columnLag
	columnLost
	columnForwarded
	columnDown
	columnShard
)

// What is recorded of each shard.
const (
	ofAccepted = iota
	ofRefused
	ofHead
	ofMode
	ofDown
	nOfShard
)

var shardNames = [2]string{"old", "new"}

func migrateLayout(labs.Config) (l labs.Layout) {
	for _, c := range [...]struct {
		name   string
		gather labs.Gather
	}{{"epoch", labs.Last}, {"step", labs.Last}, {"applied", labs.Last}, {"lag", labs.Last}, {"lost", labs.Last}, {"forwarded", labs.Sum}, {"down.coordinator", labs.Last}} {
		l.Record(c.name, labs.Count, c.gather)
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "stale", Kind: labs.Client, Row: 1})
	l.Place(labs.Entity{Name: "router", Kind: labs.Gateway, Rank: 1, Level: "epoch", Passed: "forwarded"}, "client", "stale")
	l.Place(labs.Entity{Name: "coordinator", Kind: labs.Coordinator, Rank: 1, Row: 1, Judged: true, Level: "lag", Down: "down.coordinator"})
	for i, name := range shardNames {
		for j, what := range [nOfShard]string{"accepted.", "refused.", "head.", "mode.", "down."} {
			gather := labs.Last
			if j <= ofRefused {
				gather = labs.Sum
			}
			l.Record(what+name, labs.Count, gather)
		}
		l.Place(labs.Entity{
			Name: name, Kind: labs.Shard, Rank: 2, Row: i, Judged: true, Level: "mode." + name, Full: int64(shard.Open),
			Passed: "accepted." + name, Refused: "refused." + name, Down: "down." + name,
		}, "router", "coordinator")
	}
	for i, name := range shardNames {
		l.Place(labs.Entity{Name: name + "-log", Kind: labs.EventLog, Rank: 3, Row: i, Level: "head." + name}, name)
	}
	l.Plot("positions", 0, "head.old", "head.new", "applied")
	l.Plot("lag", 0, "lag")
	l.Plot("accepted", 0, "accepted.old", "accepted.new")
	l.Plot("refused", 0, "refused.old", "refused.new")
	l.Plot("epoch", 0, "epoch")
	return l
}
