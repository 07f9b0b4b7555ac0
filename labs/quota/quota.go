// Package quota holds the lab about one limit that several services share: who decides, and what happens to the limit when whoever
// decides is cut off, crashes, is slow, or reads a wrong clock.
//
// The coordinator is go.etcd.io/raft/v3 itself: a RawNode a replica, whose messages, ticks and disk are those of the simulation. What it
// agrees on is the calls of a Pool of chapters/quota. A module with the library is twice as large as any other, so this package has one of
// its own (see DL-9), and is the only one that may import it.
//
// # What is different here
//
//   - A run cannot be copied, because a RawNode cannot: Clone returns nil, no checkpoints are kept, and seeking replays from the start.
//   - An event allocates, because the library does.
//   - The library draws election time-outs from crypto/rand. clockwork.go overwrites the one field
//     that holds them, from a stream of ours.
//   - The library keeps maps. Where the order could matter it walks them sorted (tracker.Visit); where it does not sort it only counts.
//     TestRunsAreTheSame holds it to that.
package quota

import (
	"strconv"

	"seedbed/labs"
)

// Coordinator lets three services spend one limit, by whatever way to decide the reader chooses, while replicas and services fail.
var Coordinator = &labs.Lab{
	ID: "quota-coordinator", Version: 1, Family: "quota",
	Params: []labs.Param{
		{Name: "use", Choices: []string{"raft", "leases", "store", "local"}},
		{Name: "nodes", Min: 3, Max: maxReplicas, Default: 3},
		{Name: "limit", Unit: labs.Count, Min: 3, Max: 2000, Default: 100, Log: true},
		{Name: "demand", Unit: labs.PerSecond, Min: 1000, Max: 4_000_000, Default: 120_000, Log: true},
		{Name: "skew", Unit: labs.Percent, Min: 0, Max: 1_000_000, Default: 340_000},
		{Name: "batch", Unit: labs.Count, Min: 1, Max: 500, Default: 1, Log: true},
		{Name: "local", Choices: []string{"reserved", "late", "at-once", "none"}},
		{Name: "reserve", Unit: labs.Count, Min: 0, Max: 600, Default: 6, Unused: "local=reserved"},
		{Name: "start", Choices: []string{"degraded", "never"}},
		{Name: "slow-leader", Choices: []string{"hands-over", "stays"}},
		{Name: "disk", Unit: labs.Millis, Min: 0, Max: 1_000_000_000, Default: 2_000_000},
		{Name: "keeps", Choices: []string{"written", "nothing"}},
		{Name: "net", Unit: labs.Millis, Min: 1000, Max: 100_000_000, Default: 500_000, Log: true},
		{Name: "election", Unit: labs.Millis, Min: 20_000_000, Max: 5_000_000_000, Default: 300_000_000, Log: true},
		{Name: "timeout", Unit: labs.Millis, Min: 1_000_000, Max: 2_000_000_000, Default: 100_000_000, Log: true},
		{Name: "clocks", Unit: labs.Millis, Min: 0, Max: 50_000_000, Default: 5_000_000},
		{Name: "drift", Unit: labs.Percent, Min: 0, Max: 100_000, Default: 200},
		{Name: "failover", Unit: labs.Millis, Min: 0, Max: 5_000_000_000, Default: 300_000_000, Unused: "use=store"},
		{Name: "lag", Unit: labs.Millis, Min: 1_000_000, Max: 5_000_000_000, Default: 10_000_000, Unused: "use=store"},
		{Name: "down", Unit: labs.Seconds, Min: 1_000_000, Max: 30_000_000_000, Default: 1_000_000_000},
		{Name: "length", Unit: labs.Seconds, Min: 1_000_000_000, Max: 30_000_000_000, Default: 5_000_000_000, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "crash", Targets: []string{"replica", "service"}},
		{Verb: "partition", Targets: []string{"replica"}},
		{Verb: "cut", Targets: []string{"service"}},
		{Verb: "heal", Targets: []string{"replica", "service"}},
		{Verb: "slow", Targets: []string{"replica"}, Value: &labs.Param{Name: "disk", Unit: labs.Millis, Min: 0, Max: 5_000_000_000, Default: 150_000_000}},
		{Verb: "drift", Targets: []string{"replica", "service"}, Value: &labs.Param{Name: "rate", Unit: labs.Percent, Min: 500_000, Max: 1_500_000, Default: 900_000}},
		{Verb: "transfer", Targets: []string{"replica"}},
	},
	Checks: []labs.Check{
		{Name: "quota-never-exceeded", Facts: []labs.Quantity{{Name: "spent"}, {Name: "limit"}, {Name: "period"}}},
		{Name: "one-leader-per-term", Facts: []labs.Quantity{{Name: "term"}, {Name: "first"}, {Name: "second"}}},
		{Name: "logs-agree", Facts: []labs.Quantity{{Name: "entry"}, {Name: "replica"}}},
		{Name: "serves-when-minority-lost", Facts: []labs.Quantity{{Name: "service"}, {Name: "silence", Unit: labs.Millis}, {Name: "well"}}},
	},
	Metrics: []labs.Quantity{
		{Name: "requests"}, {Name: "admitted"}, {Name: "own"}, {Name: "refused"}, {Name: "unanswered"},
		{Name: "peak"}, {Name: "over"}, {Name: "decision", Unit: labs.Millis}, {Name: "decision-p99", Unit: labs.Millis}, {Name: "asks"},
		{Name: "terms"}, {Name: "outlived", Unit: labs.Millis}, {Name: "silence", Unit: labs.Millis}, {Name: "alone", Unit: labs.Millis}, {Name: "entries"},
	},
	Events:  events,
	Presets: presets,
	Valid:   valid,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  layout,
	Start:   start,
}

var presets = []labs.Preset{
	{Name: "default", Query: "do=2.4s:crash:r1"},
	{Name: "batches", Query: "batch=10&do=2.4s:crash:r1"},
	{Name: "leases", Query: "use=leases&do=2.4s:crash:r1"},
	{Name: "partitioned-leader", Query: "seed=3&do=2.4s:partition:r1&do=4.2s:heal:r1"},
	{Name: "quorum-lost", Query: "down=1.5&do=1.4s:crash:r2&do=1.4s:crash:r3"},
	{Name: "cut-off", Query: "do=1.4s:cut:s1&do=3.6s:heal:s1"},
	{Name: "five", Query: "nodes=5&do=1.4s:crash:r1&do=1.5s:partition:r2&do=3.6s:heal:r2"},
	{Name: "handover", Query: "do=1.4s:slow:r1&do=3.6s:transfer:r3"},
	{Name: "born-alone", Query: "do=1.2s:partition:r1&do=1.2s:partition:r2&do=1.4s:crash:s1&do=3.8s:heal:r1&do=3.8s:heal:r2"},
	{Name: "never-starts", Query: "start=never&do=1.2s:partition:r1&do=1.2s:partition:r2&do=1.4s:crash:s1&do=3.8s:heal:r1&do=3.8s:heal:r2"},
	{Name: "late-and-all-alone", Query: "local=late&down=2.4&do=1.4s:crash:r2&do=1.4s:crash:r3"},
	{Name: "local-share", Query: "use=local&skew=80"},
	{Name: "calm-store", Query: "use=store"},
	{Name: "split-brain", Query: "use=store&demand=600&local=none&do=1.4s:partition:r1&do=4.2s:heal:r1", Breaks: "quota-never-exceeded"},
	{Name: "three-issuers", Query: "use=store&demand=600&local=none&do=1.2s:partition:r1&do=1.2s:partition:r2&do=1.2s:partition:r3&do=4.2s:heal:r1&do=4.2s:heal:r2&do=4.2s:heal:r3", Breaks: "quota-never-exceeded"},
	{Name: "lost-grants", Query: "use=store&demand=240&failover=150&lag=1000&do=2.25s:crash:r1", Breaks: "quota-never-exceeded"},
	{Name: "local-without-shares", Query: "demand=300&local=at-once&do=1.4s:cut:s1&do=3.6s:heal:s1", Breaks: "quota-never-exceeded"},
	{Name: "late-and-cut-off", Query: "demand=300&local=late&do=1.2s:cut:s1&do=4.8s:heal:s1", Breaks: "quota-never-exceeded"},
	{Name: "fast-clock", Query: "demand=200&do=1.4s:drift:r1:130", Breaks: "quota-never-exceeded"},
	{Name: "forgetful-disks", Query: "demand=200&keeps=nothing&down=0.1&do=1.4s:partition:r1&do=1.4s:crash:r2&do=1.4s:crash:r3&do=3.6s:heal:r1", Breaks: "logs-agree"},
	{Name: "slow-leader", Query: "slow-leader=stays&do=1.4s:slow:r1", Breaks: "serves-when-minority-lost"},
	{Name: "no-failover", Query: "use=store&failover=0&down=4&do=1.4s:crash:r1", Breaks: "serves-when-minority-lost"},
	{Name: "two-of-one-term", Query: "use=store&nodes=5&do=1.4s:partition:r1&do=1.4s:partition:r2&do=1.4s:partition:r3", Breaks: "one-leader-per-term"},
}

func valid(c labs.Config) error {
	if reserve, limit := c.Int("reserve"), c.Int("limit"); c.Choice("local") == "reserved" && reserve*services > limit {
		return &labs.Error{Code: "conflict", Field: "reserve", Got: strconv.FormatInt(reserve, 10), Want: "at most a third of the limit, " + strconv.FormatInt(limit/services, 10) + ", since three services have one each"}
	}
	if election, timeout := c.Int("election"), c.Int("timeout"); timeout > 10*election {
		return &labs.Error{Code: "conflict", Field: "timeout", Got: labs.Millis.Format(timeout) + "ms", Want: "at most ten election time-outs, " + labs.Millis.Format(10*election) + "ms"}
	}
	return nil
}

// The sizes of the lab.
const (
	services    = 3
	maxReplicas = 5
	period      = 1_000_000_000 // ns: the limit is for each second
	million     = 1_000_000
)

// The ways to decide, and to go on without a decision: the choices of use and local in their order.
const (
	useRaft = iota
	useLeases
	useStore
	useLocal
)

const (
	localReserved = iota // each service's share is taken off the limit beforehand
	localLate            // an equal share, once everything that a coordinator granted must be over
	localAtOnce          // an equal share, at once
	localNone
)

const (
	verbCrash = iota
	verbPartition
	verbCut
	verbHeal
	verbSlow
	verbDrift
	verbTransfer
)

const (
	checkQuota = iota
	checkLeader
	checkLogs
	checkServes
)

const (
	metricRequests = iota
	metricAdmitted
	metricOwn
	metricRefused
	metricUnanswered
	metricPeak
	metricOver
	metricDecision
	metricDecision99
	metricAsks
	metricTerms
	metricOutlived
	metricSilence
	metricAlone
	metricEntries
	nMetric
)
