package queue

// Bounds of a configuration.
const (
	MaxDepth    = 1 << 20
	MaxRate     = 1_000_000_000 // per period
	MaxPeriod   = 86_400 * second
	MaxDuration = 1 << 62 // ns, 146 years
)

// Order is who is served first.
type Order uint8

// The orders.
const (
	FIFO     Order = iota // who came first
	LIFO                  // who came last: under overload that one's caller is the likeliest to be still there
	Adaptive              // FIFO, and LIFO while Crowded or more wait (Maurer, 2015)
)

var orders = [...]string{"fifo", "lifo", "adaptive"}

// String is the order in words.
func (o Order) String() string { return nameOf(orders[:], uint8(o)) }

// Shedding is by which rule some are dropped to keep the queue short.
type Shedding uint8

// The rules.
const (
	KeepAll  Shedding = iota
	ByCoDel           // RFC 8289, see CoDel; FIFO only
	BySlough          // all who waited too long while it is overloaded, see Slough
)

var sheddings = [...]string{"keep all", "codel", "slough"}

// String is the rule in words.
func (s Shedding) String() string { return nameOf(sheddings[:], uint8(s)) }

// Rate is N served in each period of Per nanoseconds, kept as a ratio: 300 a second is exactly 300 in each second.
type Rate struct {
	N   int64 // 1..MaxRate
	Per int64 // ns, 1..MaxPeriod
}

// PerSecond is n a second.
func PerSecond(n int64) Rate { return Rate{N: n, Per: second} }

// Config describes a Queue.
type Config struct {
	Depth    int64 // most who wait, 0..MaxDepth; 0 lets nobody wait
	Order    Order
	Crowded  int64 // for Adaptive: from so many on the last is first, 1..MaxDepth
	Rate     Rate  // of the consumer; zero when it takes whenever it can
	Shed     Shedding
	Target   int64 // ns that a wait is acceptable, 1..Interval; only to shed. 5 ms is usual
	Interval int64 // ns that all waits must be longer before anybody is dropped, 1..MaxDuration; only to shed. 100 ms is usual
}

func (c *Config) check() error {
	err := firstOf(
		within("depth", c.Depth, 0, MaxDepth, "requests"),
		within("order", int64(c.Order), 0, int64(Adaptive), ""),
		within("shed", int64(c.Shed), 0, int64(BySlough), ""),
	)
	if err == nil && c.Order == Adaptive {
		err = within("crowded", c.Crowded, 1, MaxDepth, "requests")
	}
	if err == nil && c.Rate != (Rate{}) {
		err = firstOf(within("rate", c.Rate.N, 1, MaxRate, "per period"), within("period", c.Rate.Per, 1, MaxPeriod, "ns"))
	}
	if err == nil && c.Shed != KeepAll {
		err = checkTarget(c.Target, c.Interval)
	}
	if err == nil && c.Shed == ByCoDel && c.Order != FIFO {
		// It takes the wait of whoever leaves for the wait of the queue; from the other end that is always short.
		err = &MatchError{Field: "shed by codel", Needs: "the order fifo"}
	}
	return err
}

func checkTarget(target, interval int64) error {
	return firstOf(within("interval", interval, 1, MaxDuration, "ns"), within("target", target, 1, interval, "ns"))
}
