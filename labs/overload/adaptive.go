package overload

import (
	"seedbed/chapters/adaptive"
	"seedbed/labs"
)

// AdaptiveLimit asks whether a limit on what is in flight can follow a service that changes: places that come and go, a dependency that
// slows everything down, a neighbour that slows some. A limit that stands still and four that learn see the very same requests, each with
// a service of its own.
var AdaptiveLimit = &labs.Lab{
	ID: "adaptive-limit", Version: 1, Family: "overload",
	Params: []labs.Param{
		{Name: "use", Choices: followers, Default: followGradient},
		{Name: "limit", Min: 1, Max: followMost, Default: 20, Log: true},
		{Name: "initial", Min: 1, Max: followMost, Default: 5, Log: true},
		{Name: "most", Min: 1, Max: followMost, Default: 60, Log: true},
		{Name: "change", Choices: []string{"places", "slow", "neighbour"}},
		{Name: "to", Min: 1, Max: 1000, Default: 3, Log: true, Unused: "change=places"},
		{Name: "factor", Min: 2, Max: 100, Default: 3, Log: true},
		{Name: "begin", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 8 * second},
		{Name: "lasts", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 10 * second},
		{Name: "rate", Unit: labs.PerSecond, Min: 1000, Max: 1_000_000, Default: 140_000, Log: true},
		{Name: "arrive", Choices: []string{"by-chance", "in-bursts"}},
		{Name: "size", Min: 1, Max: 1000, Default: 50, Log: true, Unused: "arrive=in-bursts"},
		{Name: "callers", Min: 1, Max: maxCallers, Default: 1},
		{Name: "joins", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 0},
		{Name: "places", Min: 1, Max: 1000, Default: 10, Log: true},
		{Name: "service", Unit: labs.Millis, Min: 1_000_000, Max: 10 * second, Default: 100_000_000, Log: true},
		{Name: "times", Choices: []string{"alike", "exponential", "log-normal"}},
		{Name: "window", Unit: labs.Millis, Min: 1_000_000, Max: 60 * second, Default: 200_000_000, Log: true},
		{Name: "samples", Min: 1, Max: 1000, Default: 10, Log: true},
		{Name: "backoff", Unit: labs.Percent, Min: 500_000, Max: 999_000, Default: 900_000},
		{Name: "late", Unit: labs.Millis, Min: 1_000_000, Max: 60 * second, Default: 300_000_000, Log: true},
		{Name: "alpha", Min: 0, Max: followMost, Default: 3},
		{Name: "beta", Min: 0, Max: followMost, Default: 6},
		{Name: "tolerance", Unit: labs.Ratio, Min: million, Max: 10 * million, Default: million},
		{Name: "smoothing", Unit: labs.Percent, Min: percent, Max: million, Default: 200_000},
		{Name: "life", Unit: labs.Seconds, Min: 10_000_000, Max: 3600 * second, Default: 3 * second, Log: true},
		{Name: "slo", Unit: labs.Millis, Min: 1_000_000, Max: 600 * second, Default: 650_000_000, Log: true},
		{Name: "floor", Unit: labs.Percent, Min: 0, Max: million, Default: 600_000},
		{Name: "settle", Unit: labs.Seconds, Min: 0, Max: 600 * second, Default: 6 * second},
		{Name: "span", Unit: labs.Seconds, Min: 100_000_000, Max: 60 * second, Default: 2 * second, Log: true},
		{Name: "length", Unit: labs.Seconds, Min: second, Max: 600 * second, Default: 26 * second, Log: true},
	},
	Actions: []labs.Action{
		{Verb: "resize", Targets: []string{"service"}, Value: &labs.Param{Name: "places", Min: 1, Max: 1000, Default: 3}},
		{Verb: "slow", Targets: []string{"service"}},
		{Verb: "neighbour", Targets: []string{"service"}},
		{Verb: "heal", Targets: []string{"service"}},
		{Verb: "burst", Value: &labs.Param{Name: "requests", Min: 1, Max: 10_000, Default: 100}},
	},
	Checks: []labs.Check{
		{Name: "p99-held", Facts: []labs.Quantity{{Name: "late"}, {Name: "answered"}, {Name: "p99", Unit: labs.Millis}, {Name: "limit"}}},
		{Name: "no-starvation", Facts: []labs.Quantity{{Name: "let-in"}, {Name: "due"}, {Name: "asked"}, {Name: "limit"}}},
	},
	Metrics: adaptiveMetrics(),
	Events: []labs.EventKind{
		{Name: "admit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "inside"}, Flow: labs.Pass},
		{Name: "refuse", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "limit"}, Flow: labs.Bounce},
		{Name: "answer", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}},
		{Name: "move", A: labs.Quantity{Name: "was"}, B: labs.Quantity{Name: "limit"}},
		{Name: "resize", A: labs.Quantity{Name: "was"}, B: labs.Quantity{Name: "places"}, Mark: true},
		{Name: "slow", Mark: true},
		{Name: "neighbour", Mark: true},
		{Name: "heal", A: labs.Quantity{Name: "places"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "aimd", Query: "use=aimd"},
		{Name: "vegas", Query: "use=vegas"},
		{Name: "bbr", Query: "use=bbr&rate=300"},
		{Name: "scale-out", Query: "to=20&rate=300&length=18"},
		{Name: "slow-dependency", Query: "change=slow"},
		{Name: "neighbour", Query: "change=neighbour"},
		{Name: "static-well-chosen", Query: "use=static&limit=8"},
		{Name: "room-for-bursts", Query: "use=static&limit=60&lasts=0&rate=80&arrive=in-bursts&length=12.5"},
		{Name: "tolerant", Query: "lasts=0&times=log-normal&window=100&tolerance=2&slo=5000&length=14"},
		{Name: "two-callers", Query: "lasts=0&callers=2&joins=6&length=20"},
		{Name: "static-too-high", Query: "use=static&limit=200&lasts=0&length=14", Breaks: "p99-held"},
		{Name: "static-too-low", Query: "use=static&limit=3&lasts=0&length=14", Breaks: "no-starvation"},
		{Name: "static-after-scale-out", Query: "use=static&limit=8&to=20&rate=300&length=18", Breaks: "no-starvation"},
		{Name: "late-below-base", Query: "use=aimd&change=slow", Breaks: "no-starvation"},
		{Name: "base-too-old", Query: "change=slow&lasts=14&life=60", Breaks: "no-starvation"},
		{Name: "base-of-a-queue", Query: "use=vegas&initial=200&most=200&lasts=0&length=14", Breaks: "p99-held"},
		{Name: "uneven-times", Query: "lasts=0&times=log-normal&window=100&slo=5000", Breaks: "no-starvation"},
		{Name: "bursts", Query: "lasts=0&rate=80&arrive=in-bursts&length=12.5", Breaks: "no-starvation"},
		{Name: "newcomer", Query: "lasts=0&callers=2&joins=6&life=60", Breaks: "no-starvation"},
		{Name: "two-bbrs", Query: "use=bbr&most=1000&lasts=0&callers=2&joins=6&life=60", Breaks: "no-starvation"},
	},
	Valid:   validAdaptive,
	Horizon: func(c labs.Config) int64 { return c.Int("length") },
	Layout:  adaptiveLayout,
	Start:   startAdaptive,
}

// The limits, in the order of the choices of use.
const (
	followStatic = iota
	followAIMD
	followVegas
	followGradient
	followBBR
	nFollow
)

var followers = []string{"static", "aimd", "vegas", "gradient", "bbr"}

const (
	followMost = 1000 // requests: the highest that a limit may be set to
	maxCallers = 2
)

var callerNames = []string{"first", "second"}

// The changes of a service, in the order of the choices of change and of the verbs.
const (
	changePlaces = iota
	changeSlow
	changeNeighbour
	changeNone
)

// The shapes of how long requests take, in the order of the choices of times.
const (
	timesAlike = iota
	timesExponential
	timesLogNormal
)

// The codes of the lab's events and checks, in the order of the tables above; the changes come in their order after adaptiveChange.
const (
	adaptiveAdmit = iota
	adaptiveRefuse
	adaptiveAnswer
	adaptiveMove
	adaptiveChange
)

const (
	checkHeld = iota
	checkFed
)

// The metrics: two of all, four of the judged limit, then four a limit.
const (
	adaptiveOf   = 6
	adaptiveEach = 4
)

func adaptiveMetrics() []labs.Quantity {
	m := []labs.Quantity{{Name: "requests"}, {Name: "could"}, {Name: "refused"}, {Name: "in-flight"}, {Name: "limit"}, {Name: "second", Unit: labs.Percent}}
	for _, f := range followers {
		m = append(m, labs.Quantity{Name: "answered." + f}, labs.Quantity{Name: "p99." + f, Unit: labs.Millis}, labs.Quantity{Name: "late." + f},
			labs.Quantity{Name: "least." + f, Unit: labs.Percent})
	}
	return m
}

// The columns: three of the judged service, then four a limit, then one a caller where there are two.
const (
	adaptiveColumnPlaces = iota
	adaptiveColumnBusy
	adaptiveColumnChanged
	adaptiveColumnLimit
)

const (
	adaptiveColumnStands = iota
	adaptiveColumnP99
	adaptiveColumnPassed
	adaptiveColumnRefused
	adaptiveColumnsEach
)

const adaptiveColumnCaller = adaptiveColumnLimit + adaptiveColumnsEach*nFollow

func adaptiveColumn(k, what int) int { return adaptiveColumnLimit + adaptiveColumnsEach*k + what }

func adaptiveLayout(c labs.Config) (l labs.Layout) {
	l.Record("places", labs.Count, labs.Last)
	l.Record("busy", labs.Count, labs.Peak)
	l.Record("changed", labs.Count, labs.Last)
	callers := []string{"caller"}
	if c.Int("callers") == maxCallers {
		callers = callerNames
	}
	for i, name := range callers {
		l.Place(labs.Entity{Name: name, Kind: labs.Client, Row: 2 + i})
	}
	limits, p99s := []string{"places"}, []string(nil)
	for k, f := range followers {
		l.Record("limit."+f, labs.Count, labs.Last)
		l.Record("p99."+f, labs.Millis, labs.Last)
		l.Record("passed."+f, labs.Count, labs.Sum)
		l.Record("refused."+f, labs.Count, labs.Sum)
		limits, p99s = append(limits, "limit."+f), append(p99s, "p99."+f)
		l.Place(labs.Entity{
			Name: f, Kind: labs.Limiter, Rank: 1, Row: k, Judged: k == int(c.Int("use")), Passed: "passed." + f, Refused: "refused." + f,
		}, callers...)
	}
	l.Place(labs.Entity{Name: "service", Kind: labs.Pool, Rank: 2, Row: 2, Level: "busy", Full: c.Int("places"), Down: "changed"}, followers...)
	l.Plot("limit", 0, limits...)
	l.Plot("p99", c.Int("slo"), p99s...)
	if len(callers) == maxCallers {
		var own []string
		for _, name := range callers {
			l.Record("own."+name, labs.Count, labs.Last)
			own = append(own, "own."+name)
		}
		l.Plot("own", 0, own...)
	}
	return l
}

// adaptiveLimit is one of the limits.
func adaptiveLimit(c labs.Config, k int) adaptive.Limit {
	common := adaptive.Common{
		Min: 1, Max: c.Int("most"), Initial: c.Int("initial"), Window: c.Int("window"), Samples: c.Int("samples"), Backoff: c.Int("backoff") / thousandth,
	}
	life := c.Int("life")
	switch k {
	case followAIMD:
		l, err := adaptive.NewAIMD(adaptive.AIMDConfig{Common: common, Timeout: c.Int("late")})
		labs.Must(err)
		return &l
	case followVegas:
		l, err := adaptive.NewVegas(adaptive.VegasConfig{Common: common, Alpha: c.Int("alpha"), Beta: c.Int("beta"), Life: life})
		labs.Must(err)
		return &l
	case followGradient:
		l, err := adaptive.NewGradient(adaptive.GradientConfig{
			Common: common, Tolerance: c.Int("tolerance") / thousandth, Smoothing: c.Int("smoothing") / thousandth, Life: life,
		})
		labs.Must(err)
		return &l
	case followBBR:
		l, err := adaptive.NewBBR(adaptive.BBRConfig{Common: common, Life: life})
		labs.Must(err)
		return &l
	}
	return adaptive.Fixed(c.Int("limit"))
}

// thousandth is one, in parts per million.
const thousandth = 1000

func validAdaptive(c labs.Config) error {
	if alpha, beta := c.Int("alpha"), c.Int("beta"); alpha > beta {
		return &labs.Error{Code: "conflict", Field: "alpha", Got: labs.Count.Format(alpha), Want: "at most beta, " + labs.Count.Format(beta)}
	}
	if initial, most := c.Int("initial"), c.Int("most"); initial > most {
		return &labs.Error{Code: "conflict", Field: "initial", Got: labs.Count.Format(initial), Want: "at most the highest, " + labs.Count.Format(most)}
	}
	for _, p := range []struct {
		name string
		unit labs.Unit
	}{{"backoff", labs.Percent}, {"tolerance", labs.Ratio}, {"smoothing", labs.Percent}} {
		if v := c.Int(p.name); v%thousandth != 0 {
			return &labs.Error{Code: "too-fine", Field: p.name, Got: p.unit.Format(v), Want: p.unit.Format(thousandth)}
		}
	}
	return nil
}
