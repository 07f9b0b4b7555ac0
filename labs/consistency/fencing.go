package consistency

import (
	"seedbed/chapters/lease"
	"seedbed/labs"
)

// Fencing asks what a holder still writes after its lock has passed on: it was stopped, its write is late, or its clock is slow. Clients
// take turns at a number in a store, each of which reads it, works, and writes it one higher.
var Fencing = &labs.Lab{
	ID: "lock-fencing", Version: 1, Family: "consistency",
	Params: []labs.Param{
		{Name: "use", Choices: guardNames},
		{Name: "look", Choices: []string{"job", "write"}},
		{Name: "clients", Min: 2, Max: maxClients, Default: 3},
		{Name: "ttl", Unit: labs.Seconds, Min: 10 * milli, Max: 600 * second, Default: 3 * second, Log: true},
		{Name: "delay", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 0},
		{Name: "jobs", Min: 1, Max: 1000, Default: 5, Log: true},
		{Name: "work", Unit: labs.Millis, Min: milli, Max: 60 * second, Default: 400 * milli, Log: true},
		{Name: "rest", Unit: labs.Millis, Min: milli, Max: 60 * second, Default: 500 * milli, Log: true},
		{Name: "poll", Unit: labs.Millis, Min: milli, Max: 60 * second, Default: 100 * milli, Log: true},
		{Name: "hop", Unit: labs.Millis, Min: 1000, Max: second, Default: 2 * milli, Log: true},
		{Name: "timeout", Unit: labs.Seconds, Min: milli, Max: 60 * second, Default: second, Log: true},
		{Name: "every", Unit: labs.Seconds, Min: 0, Max: 3600 * second, Default: 10 * second},
		{Name: "stop", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 4 * second},
		{Name: "slow", Unit: labs.Percent, Min: 0, Max: lease.MaxDrift, Default: 0},
		{Name: "drift", Unit: labs.Percent, Min: 0, Max: lease.MaxDrift, Default: 200},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 3600 * second, Default: 60 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "pause", Targets: []string{"client"}, Value: &labs.Param{Name: "for", Unit: labs.Seconds, Min: milli, Max: 600 * second, Default: 6 * second}},
		{Verb: "hold-up", Targets: []string{"client"}, Value: &labs.Param{Name: "for", Unit: labs.Seconds, Min: milli, Max: 600 * second, Default: 6 * second}},
		{Verb: "cut", Targets: []string{"client"}},
		{Verb: "heal", Targets: []string{"client"}},
	},
	Checks: []labs.Check{
		{Name: "no-stale-write-after-fence", Facts: []labs.Quantity{{Name: "client"}, {Name: "token"}, {Name: "newest"}}},
		{Name: "no-update-lost", Facts: []labs.Quantity{{Name: "client"}, {Name: "seen"}, {Name: "value"}}},
	},
	Metrics: fencingMetrics(),
	Events: []labs.EventKind{
		{Name: "grant", A: labs.Quantity{Name: "token"}, Flow: labs.Pass, Mark: true},
		{Name: "raise", A: labs.Quantity{Name: "token"}, Flow: labs.Leave},
		{Name: "read", A: labs.Quantity{Name: "token"}, B: labs.Quantity{Name: "value"}, Flow: labs.Leave},
		{Name: "write", A: labs.Quantity{Name: "token"}, B: labs.Quantity{Name: "value"}, Flow: labs.Leave},
		{Name: "refuse", A: labs.Quantity{Name: "token"}, B: labs.Quantity{Name: "newest"}, Mark: true},
		{Name: "stale", A: labs.Quantity{Name: "token"}, B: labs.Quantity{Name: "newest"}, Mark: true},
		{Name: "lose", A: labs.Quantity{Name: "value"}, B: labs.Quantity{Name: "seen"}, Mark: true},
		{Name: "release", A: labs.Quantity{Name: "token"}},
		{Name: "notice", A: labs.Quantity{Name: "token"}},
		{Name: "time-out", A: labs.Quantity{Name: "token"}},
		{Name: "pause", A: labs.Quantity{Name: "for", Unit: labs.Seconds}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "paused", Query: calm + paused},
		{Name: "held-up", Query: "look=write&" + calm + heldUp},
		{Name: "looks-again", Query: "use=none&look=write&" + calm + paused},
		{Name: "lock-delay", Query: "use=none&delay=8&" + calm + paused},
		{Name: "cut-off", Query: "use=none&look=write&jobs=100&work=300&every=0" + cutOff},
		{Name: "drift-allowed-for", Query: "use=none&look=write&jobs=100&work=300&every=0&slow=30&drift=30" + cutOff},
		{Name: "slow-clock-fenced", Query: "look=write&jobs=100&work=300&every=0&slow=30" + cutOff},
		{Name: "no-token", Query: "use=none&" + calm + paused, Breaks: "no-stale-write-after-fence"},
		{Name: "token-seen-too-late", Query: "use=late&" + calm + "&do=0.3s:pause:client-1:3.1", Breaks: "no-stale-write-after-fence"},
		{Name: "many-pauses", Query: "use=none&every=8&length=90", Breaks: "no-update-lost"},
		{Name: "write-held-up", Query: "use=none&look=write&" + calm + heldUp, Breaks: "no-stale-write-after-fence"},
		{Name: "slow-clock", Query: "use=none&look=write&jobs=100&work=300&every=0&slow=30" + cutOff, Breaks: "no-stale-write-after-fence"},
	},
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  fencingLayout,
	Start:   startFencing,
}

const (
	calm   = "work=1000&every=0&length=20" // nobody stops but by an action
	paused = "&do=0.3s:pause:client-1"
	heldUp = "&do=0.3s:hold-up:client-1"
	cutOff = "&length=20&do=0.3s:cut:client-1"
)

const maxClients = 5

// The ways to guard the store, in the order of the choices of use.
const (
	guardFence = iota // tokens, and a new holder raises the fence before it reads
	guardLate         // tokens, which the store hears of by writes
	guardNone
	nGuard
)

var guardNames = []string{"fence", "late", "none"}

// lookWrite is the choice of look that looks before each write as well.
const lookWrite = 1

// The codes of the lab's tables, in their order.
const (
	fencingGrant = iota
	fencingRaise
	fencingRead
	fencingWrite
	fencingRefuse
	fencingStale
	fencingLose
	fencingRelease
	fencingNotice
	fencingTimeOut
	fencingPause
)

const (
	verbPause = iota
	verbHoldUp
	verbCut
	verbHeal
)

const (
	checkStaleWrite = iota
	checkLostUpdate
)

// The metrics: of the judged guard, then four a guard.
const nFencingShared = 3

func fencingMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "grants"}, {Name: "pauses"}, {Name: "both", Unit: labs.Seconds}}
	for _, g := range guardNames {
		m = append(m, labs.Quantity{Name: "taken." + g}, labs.Quantity{Name: "refused." + g}, labs.Quantity{Name: "stale." + g}, labs.Quantity{Name: "lost." + g})
	}
	return m
}

// The columns: those of the locks and stores, then four a client.
const (
	fencingColumnToken = iota
	fencingColumnFence
	fencingColumnLost
	fencingColumnClient = fencingColumnLost + nGuard
)

const (
	ofBelief = iota
	ofTaken
	ofRefused
	ofDown
	nOfClient
)

func fencingColumn(client int64, what int) int {
	return fencingColumnClient + nOfClient*int(client) + what
}

// The entities: the lock service, the store, then the clients.
const (
	entityStore  = 1
	entityClient = 2
)

var clientNames = [maxClients]string{"client-1", "client-2", "client-3", "client-4", "client-5"}

func fencingLayout(c labs.Config) (l labs.Layout) {
	l.Record("token.lock", labs.Count, labs.Last)
	l.Record("fence.store", labs.Count, labs.Last)
	lost := make([]string, nGuard)
	for k, name := range guardNames {
		lost[k] = "lost." + name
		l.Record(lost[k], labs.Count, labs.Last)
	}
	clients := clientNames[:c.Int("clients")]
	l.Place(labs.Entity{Name: "lock", Kind: labs.Coordinator, Level: "token.lock"})
	l.Place(labs.Entity{Name: "store", Kind: labs.Database, Rank: 2, Judged: true, Level: "fence.store"}, clients...)
	for i, name := range clients {
		l.Record("believes."+name, labs.Count, labs.Last)
		l.Record("taken."+name, labs.Count, labs.Sum)
		l.Record("refused."+name, labs.Count, labs.Sum)
		l.Record("down."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{
			Name: name, Label: "client", N: i + 1, Kind: labs.Node, Rank: 1, Row: i, Level: "believes." + name, Full: 1,
			Passed: "taken." + name, Refused: "refused." + name, Down: "down." + name,
		}, "lock")
	}
	l.Plot("lost", 0, lost...)
	l.Plot("tokens", 0, "token.lock", "fence.store")
	return l
}
