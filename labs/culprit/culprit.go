// Package culprit holds the lab of the same name: a shop of nine services in which something has gone wrong, and a reader with metrics,
// traces, logs and five minutes to say what and where.
//
// What goes wrong is drawn from the parameter case. Each cause is a change of how one service works, and all that the panels show follows
// from how the requests then fare: nothing is written into a panel because of the cause. (One thing is not derived: an exception, a
// handshake and an overlong wait have codes of their own, as they would have.) Which traces are kept is decided by chapters/sampling.
//
// The answer is an action of the reader's, accuse, at an instant of the run and on a service, with the cause as its value: so a run stays
// a function of its Spec, a link to a case tells nothing, and one to a solved case tells all, on purpose.
package culprit

import "seedbed/labs"

const (
	million = 1_000_000
	milli   = 1_000_000 // ns
	second  = 1_000_000_000

	length  = 300 * second // five minutes
	scrape  = 5 * second   // how often metrics are read
	penalty = 60 * second  // what an accusation costs that is not right
)

// Culprit asks what is wrong in a shop, and where, from what the shop tells about itself.
var Culprit = &labs.Lab{
	ID: "culprit", Version: 1, Family: "incidents",
	Params: []labs.Param{
		{Name: "case", Min: 0, Max: 9999, Default: couponIncident},
		{Name: "look", Choices: names(), Default: gateway},
		{Name: "sampling", Unit: labs.Percent, Min: 0, Max: million, Default: 1000},
		{Name: "keep", Choices: []string{"bad", "none"}},
		{Name: "slow-db", Unit: labs.Millis, Min: milli, Max: 10 * second, Default: 100 * milli, Log: true},
		{Name: "slow-http", Unit: labs.Millis, Min: milli, Max: 10 * second, Default: 500 * milli, Log: true},
		{Name: "target", Unit: labs.Millis, Min: 10 * milli, Max: 10 * second, Default: 750 * milli, Log: true},
		{Name: "rate", Unit: labs.PerSecond, Min: 20_000, Max: 30_000, Default: 20_000},
	},
	Actions: []labs.Action{
		{Verb: "accuse", Targets: names(), Value: &labs.Param{Name: "cause", Choices: causes}},
	},
	Checks: []labs.Check{
		{Name: "named-rightly", Facts: []labs.Quantity{{Name: "wrong"}, {Name: "cost", Unit: labs.Seconds}}},
	},
	Metrics: []labs.Quantity{
		{Name: "points"}, {Name: "found", Unit: labs.Seconds}, {Name: "wrong"}, {Name: "orders"}, {Name: "failed", Unit: labs.Percent},
		{Name: "mean", Unit: labs.Millis}, {Name: "p50", Unit: labs.Millis}, {Name: "p99", Unit: labs.Millis},
		{Name: "traces"}, {Name: "lines"},
	},
	Events: []labs.EventKind{
		{Name: "order", A: labs.Quantity{Name: "trace"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Pass},
		{Name: "failed", A: labs.Quantity{Name: "trace"}, B: labs.Quantity{Name: "took", Unit: labs.Millis}, Flow: labs.Bounce},
		{Name: "alarm", A: labs.Quantity{Name: "p99", Unit: labs.Millis}, B: labs.Quantity{Name: "share", Unit: labs.Percent}, Mark: true},
		{Name: "right", B: labs.Quantity{Name: "after", Unit: labs.Seconds}, Mark: true},
		{Name: "wrong", B: labs.Quantity{Name: "left", Unit: labs.Seconds}, Mark: true},
		{Name: "wrong-cause", B: labs.Quantity{Name: "left", Unit: labs.Seconds}, Mark: true},
		{Name: "wrong-place", B: labs.Quantity{Name: "left", Unit: labs.Seconds}, Mark: true},
		{Name: "no-cause", Mark: true},
		{Name: "too-early", Mark: true},
		{Name: "too-late", B: labs.Quantity{Name: "cost", Unit: labs.Seconds}, Mark: true},
		{Name: "closed", Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "coupons", Query: "do=150s:accuse:coupons:big-batch"},
		{Name: "the-tail", Query: "look=coupons"},
		{Name: "case-1", Query: "case=37"},
		{Name: "case-2", Query: "case=246"},
		{Name: "case-3", Query: "case=48"},
		{Name: "case-4", Query: "case=231"},
		{Name: "case-5", Query: "case=96"},
		{Name: "case-6", Query: "case=182"},
		{Name: "second-thought", Query: "do=110s:accuse:pricing:slow-query&do=150s:accuse:coupons:big-batch"},
		{Name: "one-in-a-thousand", Query: "keep=none"},
		{Name: "all-of-it", Query: "sampling=100&keep=none"},
		{Name: "wrong-accusation", Query: "do=90s:accuse:pricing:slow-query", Breaks: "named-rightly"},
		{Name: "blame-who-complains", Query: "do=120s:accuse:orders:big-batch", Breaks: "named-rightly"},
		{Name: "guessing", Query: "do=80s:accuse:coupons:slow-query&do=90s:accuse:coupons:hot-key&do=100s:accuse:coupons:cache-expiry&do=110s:accuse:coupons:network-loss&do=120s:accuse:coupons:big-batch", Breaks: "named-rightly"},
	},
	Horizon: func(labs.Config) int64 { return length },
	Layout:  layout,
	Start:   start,
}

// couponIncident is the case of the worked example: large baskets are asked of the cache in one batch by the coupon service.
const couponIncident = 91

// The codes of the lab's events, in the order of the table above.
const (
	eventOrder = iota
	eventFailed
	eventAlarm
	eventRight
	eventWrong
	eventWrongCause
	eventWrongPlace
	eventNoCause
	eventTooEarly
	eventTooLate
	eventClosed
)

// The metrics, in the order of the table above.
const (
	metricPoints = iota
	metricFound
	metricWrong
	metricOrders
	metricFailed
	metricMean
	metricP50
	metricP99
	metricTraces
	metricLines
)

// The services. What may be wrong lies in one of the first nPlace: the two behind them only call others. The gateway is last because a
// picture has room for eight lanes, and the charts show it.
const (
	users = iota
	cart
	pricing
	coupons
	stock
	payment
	shipping
	orders
	gateway
	nService
	nPlace = orders
)

// service is what is fixed about one.
type service struct {
	name    string
	outside bool  // asks somebody else's API
	self    int64 // ns of its own work, on average
	row     int
}

var services = [nService]service{
	users:    {"users", true, 23 * milli, 0},
	cart:     {"cart", false, 36 * milli, 0},
	pricing:  {"pricing", false, 36 * milli, 1},
	coupons:  {"coupons", true, 23 * milli, 1},
	stock:    {"stock", false, 36 * milli, 2},
	payment:  {"payment", true, 23 * milli, 3},
	shipping: {"shipping", true, 23 * milli, 4},
	orders:   {"orders", false, 6 * milli, 2},
	gateway:  {"gateway", false, 2 * milli, 1},
}

func names() []string {
	all := make([]string, nService)
	for i := range services {
		all[i] = services[i].name
	}
	return all
}

// The columns of a service.
const (
	columnOK = iota
	columnFailed
	columnP50
	columnMean
	columnP99
	columnBusy
	columnsEach
)

// The panels.
const (
	panelTraces = iota
	panelLines
)

func layout(c labs.Config) (l labs.Layout) {
	l.Place(labs.Entity{Name: "shoppers", Kind: labs.Client, Row: 1})
	for i := range services {
		s := &services[i]
		for k, what := range []string{"ok.", "failed.", "p50.", "mean.", "p99.", "busy."} {
			unit, gather := labs.Count, labs.Sum
			if k >= columnP50 {
				unit, gather = labs.Millis, labs.Last
			}
			if k == columnBusy {
				unit = labs.Percent
			}
			l.Record(what+s.name, unit, gather)
		}
		e := labs.Entity{Name: s.name, Kind: labs.Node, Rank: 3, Row: s.row, Passed: "ok." + s.name, Refused: "failed." + s.name, Level: "p99." + s.name, Full: timeout}
		from := "orders"
		switch i {
		case gateway:
			e.Kind, e.Rank, e.Full, from = labs.Gateway, 1, 2*timeout, "shoppers"
		case orders:
			e.Rank, e.Full, from = 2, 2*timeout, "gateway"
		case users:
			e.Rank, from = 2, "gateway"
		case coupons:
			e.Rank, from = 4, "pricing"
		}
		l.Place(e, from)
	}
	look := c.Choice("look")
	l.Plot("latency", 0, "p99."+look, "mean."+look, "p50."+look)
	l.Plot("busy", 0, "busy."+look)
	l.Panels = []labs.Panel{
		{Name: "traces", Kind: labs.Waterfall, Words: words},
		{Name: "lines", Kind: labs.LogLines, Words: words},
	}
	return l
}

// The words of the panels: what a span works at, levels, codes. Codes are those of errors and warnings, the same in every language.
const (
	wordHandle = iota
	wordCache
	wordQuery
	wordOutside
	wordWarn
	wordError
	codeSlowDB
	codeSlowCache
	codeSlowHTTP
	codeTimeout
	codePool
	codeInternal
	codeConnect
	nWord
)

var words = []string{
	"handle", "cache", "query", "outside", "WARN", "ERROR",
	"SLOW_DB", "SLOW_CACHE", "SLOW_HTTP", "TIMEOUT", "POOL_EXHAUSTED", "INTERNAL", "CONNECT_FAILED",
}
