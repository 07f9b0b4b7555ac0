package caching

import "seedbed/labs"

// Penetration asks what keeps a database from being asked for what does not exist, and whether what does so denies anything that exists.
var Penetration = &labs.Lab{
	ID: "cache-penetration", Version: 2, Family: "caching",
	Params: []labs.Param{
		{Name: "use", Choices: guards},
		{Name: "attack", Choices: []string{"random", "few"}},
		{Name: "reads", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 300_000, Log: true},
		{Name: "absent", Unit: labs.Percent, Min: 0, Max: million, Default: 500_000},
		{Name: "few", Min: 1, Max: 1000, Default: 5, Log: true, Unused: "attack=few"},
		{Name: "ids", Min: 10, Max: 20_000, Default: 1000, Log: true},
		{Name: "skew", Unit: labs.Ratio, Min: 0, Max: 1_500_000, Default: 500_000},
		{Name: "capacity", Min: 10, Max: 50_000, Default: 1000, Log: true},
		{Name: "ttl", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 60 * second, Log: true},
		{Name: "negative", Unit: labs.Seconds, Min: 1_000_000, Max: 3600 * second, Default: 5 * second, Log: true},
		{Name: "sized", Min: 10, Max: 1_000_000, Default: 1100, Log: true},
		{Name: "error", Unit: labs.Percent, Min: 1, Max: 500_000, Default: 10_000, Log: true},
		{Name: "creates", Unit: labs.PerSecond, Min: 0, Max: 100_000, Default: 2000},
		{Name: "told", Choices: []string{"write", "rebuild", "delete"}},
		{Name: "rebuild", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 10 * second, Log: true, Unused: "told=rebuild"},
		{Name: "query", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 5_000_000, Log: true},
		{Name: "limit", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 100_000, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 20 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "attack", Value: &labs.Param{Name: "absent", Unit: labs.Percent, Min: 0, Max: million, Default: 900_000}},
		{Verb: "rebuild"},
	},
	Checks: []labs.Check{
		{Name: "db-load-under", Facts: []labs.Quantity{{Name: "reads"}}},
		{Name: "no-false-negative", Facts: []labs.Quantity{{Name: "id"}, {Name: "since", Unit: labs.Seconds}}},
	},
	Metrics: penetrationMetrics(),
	Events: []labs.EventKind{
		{Name: "hit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "id"}, Flow: labs.Bounce},
		{Name: "absent", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "id"}, Flow: labs.Bounce},
		{Name: "deny", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "id"}, Flow: labs.Bounce},
		{Name: "load", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "id"}, Flow: labs.Pass},
		{Name: "join", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "id"}, Flow: labs.Wait},
		{Name: "create", A: labs.Quantity{Name: "id"}},
		{Name: "rebuild", A: labs.Quantity{Name: "ids"}, B: labs.Quantity{Name: "error", Unit: labs.Percent}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "filter", Query: "use=filter"},
		{Name: "null-few", Query: "use=null&attack=few"},
		{Name: "slips-through", Query: "attack=few&few=50&error=10"},
		{Name: "slow-and-void", Query: "use=null&attack=few&query=1100"},
		{Name: "no-guard", Query: "use=none", Breaks: "db-load-under"},
		{Name: "null-random", Query: "use=null", Breaks: "db-load-under"},
		{Name: "filter-too-small", Query: "use=filter&sized=100", Breaks: "db-load-under"},
		{Name: "filter-behind", Query: "told=rebuild", Breaks: "no-false-negative"},
		{Name: "null-behind", Query: "use=null&attack=few&told=rebuild", Breaks: "no-false-negative"},
		{Name: "slow-and-kept", Query: "use=null&attack=few&told=delete&query=1100", Breaks: "no-false-negative"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  penetrationLayout,
	Start:   startPenetration,
}

// The ways to guard the store, in the order of the choices of use.
const (
	guardBoth = iota
	guardFilter
	guardNull
	guardNone
	nGuard
)

var guards = []string{"both", "filter", "null", "none"}

// filters and nulls say what a way has.
func filters(way int) bool { return way <= guardFilter }
func nulls(way int) bool   { return way == guardBoth || way == guardNull }

// The codes of the lab's tables, in their order.
const (
	penetrationHit = iota
	penetrationAbsent
	penetrationDeny
	penetrationLoad
	penetrationJoin
	penetrationCreate
	penetrationRebuild
)

const (
	checkLoad = iota
	checkDenied
)

// The metrics: those of the judged way and of the filter, then four a way.
const penetrationEach = 13

func penetrationMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "reads"}, {Name: "absent-reads"}, {Name: "hits"}, {Name: "absent-hits"}, {Name: "denied"}, {Name: "loads"}, {Name: "joined"},
		{Name: "false-negatives"}, {Name: "filter-size", Unit: labs.Bytes}, {Name: "filter-hashes"}, {Name: "filter-ids"},
		{Name: "filter-error", Unit: labs.Percent}, {Name: "passed", Unit: labs.Percent},
	}
	for _, g := range guards {
		m = append(m, labs.Quantity{Name: "loads." + g}, labs.Quantity{Name: "in-vain." + g}, labs.Quantity{Name: "peak." + g}, labs.Quantity{Name: "hit-ratio." + g, Unit: labs.Percent})
	}
	return m
}

// The columns: those of the judged way, then one a way.
const (
	penetrationColumnHits = iota
	penetrationColumnAbsent
	penetrationColumnDenied
	penetrationColumnLoads
	penetrationColumnRate
)

// The entities. The filter comes last, as it stands only where it is in use.
const (
	entityGuarded = 1
	entityStore   = 2
	entityFilter  = 3
)

func penetrationLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"hits", "absent", "denied", "loads"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	rate := make([]string, nGuard)
	for k, name := range guards {
		rate[k] = "rate." + name
		l.Record(rate[k], labs.Count, labs.Last)
	}
	use, rank, before := int(c.Int("use")), 1, "client"
	if filters(use) {
		rank, before = 2, "filter"
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "cache", Kind: labs.Cache, Rank: rank, Judged: true, Passed: "hits", Refused: "absent"}, before)
	l.Place(labs.Entity{Name: "database", Kind: labs.Database, Rank: rank + 1, Level: rate[use], Full: c.Int("limit") / 1000, Passed: "loads"}, "cache")
	if filters(use) {
		l.Place(labs.Entity{Name: "filter", Kind: labs.Gateway, Rank: 1, Refused: "denied"}, "client")
	}
	l.Plot("rate", c.Int("limit")/1000, rate...)
	l.Plot("answers", 0, "hits", "absent", "denied", "loads")
	return l
}
