package incidents

import "seedbed/labs"

// The columns: those of the judged combination, then one a combination.
const (
	colEdge = iota
	colLocal
	colRedis
	colPassed
	colShed
	colLoads
	colCut
	colUnserved
	colOrders
	colDone
	colLate
	colLost
	colBusy
	colWaiting
	colPlaces
	colBacklog
	colLevel
	colInstances
	colDown
	colOpen
	colEach
)

// The entities. Those that belong to a switch stand there only where it is on.
const (
	entClient = iota
	entEdge
	entGateway
	entRedis
	entService
	entPool
	entDatabase
	entLocal
	entLine // of orders before the pool, beside Redis: it keeps the way of orders clear of it
)

func avalancheLayout(c labs.Config) (l labs.Layout) {
	for _, name := range [...]string{"edge", "local", "redis", "passed", "shed", "loads", "cut", "unserved", "orders", "done", "late", "lost"} {
		l.Record(name, labs.Count, labs.Sum)
	}
	for _, name := range [...]string{"busy", "waiting"} {
		l.Record(name, labs.Count, labs.Peak)
	}
	l.Record("places", labs.Count, labs.Last)
	l.Record("backlog", labs.Count, labs.Peak)
	for _, name := range [...]string{"level", "instances", "down", "open"} {
		l.Record(name, labs.Count, labs.Last)
	}
	lost := make([]string, nLayering)
	for k, name := range layerings {
		lost[k] = "lost." + name
		l.Record(lost[k], labs.Count, labs.Last)
	}
	on := switchesOf(c, masks[c.Int("use")])
	before, rank := "gateway", 3
	if on[swLocal] {
		before, rank = "local", 4
	}
	most := c.Int("instances")
	if on[swScale] {
		most = max(most, c.Int("most"))
	}
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "edge", Kind: labs.Cache, Rank: 1, Passed: "edge"}, "client")
	gateway := labs.Entity{Name: "gateway", Kind: labs.Gateway, Rank: 2, Passed: "passed", Refused: "shed"}
	if on[swLimiter] {
		gateway.Kind = labs.Limiter
	}
	l.Place(gateway, "edge")
	l.Place(labs.Entity{Name: "redis", Kind: labs.Cache, Rank: rank, Passed: "redis", Refused: "unserved", Down: "down"}, before)
	full, last := int64(lineBound), "orders"
	if on[swQueue] {
		full = c.Int("backlog")
	}
	service := labs.Entity{Name: "orders", Kind: labs.Node, Rank: 3, Row: 1, Judged: true, Passed: "done", Refused: "lost"}
	if on[swLocal] {
		last = "line"
	} else if on[swQueue] {
		service.Kind, service.Level, service.Full = labs.Queue, "backlog", full
	}
	l.Place(service, "gateway")
	guard := labs.Entity{Name: "pool", Kind: labs.Pool, Rank: rank + 1, Level: "busy", Full: most * c.Int("connections"), Passed: "loads", Refused: "cut", Down: "open"}
	l.Place(guard, "redis", last)
	l.Place(labs.Entity{Name: "database", Kind: labs.Database, Rank: rank + 2, Level: "busy", Full: c.Int("cores")}, "pool")
	if on[swLocal] {
		l.Place(labs.Entity{Name: "local", Kind: labs.Cache, Rank: 3, Passed: "local"}, "gateway")
		l.Place(labs.Entity{Name: "line", Kind: labs.Queue, Rank: 4, Row: 1, Level: "backlog", Full: full}, "orders")
	}
	l.Plot("pool", 0, "busy", "waiting", "places")
	l.Plot("orders", 0, "orders", "done", "late", "lost")
	l.Plot("lost", 0, lost...)
	return l
}
