package quota

import (
	"seedbed/chapters/lease"
	grants "seedbed/chapters/quota"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events.
const (
	atArrive  = iota // a request comes to service Node
	atTick           // replica Node's clock ticks, in its life A
	atCopy           // the primary of a store sends copies, in its life A
	atMail           // the mail in slot A arrives
	atWritten        // what replica Node was writing is on its disk, in its life A
	atTimeout        // ask in slot A, number B, has waited long enough
	atBack           // process Node runs again, or for the first time
)

const (
	openingAt = 50_000_000  // ns: services start
	trafficAt = 200_000_000 // ns: requests come
	quietFor  = 20_000_000  // ns that a service leaves a coordinator alone that may not decide yet
	slowest   = 20_000_000  // ns a write: a disk above it makes its replica none that a majority can count on
)

// process is a service or a replica as the machine that it runs on: what time it believes it is, and what has befallen it. Instants are
// ns of true time, but for local.
type process struct {
	rate        int64 // of its clock, parts of a million of true time
	base, local int64 // at the instant base its clock said local
	wrong       bool  // its clock errs by more than clocks may
	down        bool
	cut         bool                          // see severed
	life        int64                         // how often it has started
	disk        int64                         // ns that a write takes
	inOrder     [services + maxReplicas]int64 // when the last mail to each arrives: none overtakes another
}

// now is what its clock says.
func (p *process) now(instant int64) int64 { return p.local + (instant-p.base)*p.rate/million }

// after is the true time that so much of its own takes.
func (p *process) after(own int64) int64 { return own * million / p.rate }

// run is the state of one run. Processes are numbered: services first, then replicas.
type run struct {
	cfg      config
	process  [services + maxReplicas]process
	service  [services]service
	replica  [maxReplicas]replica
	net      sim.Stream
	mails    []mail
	free     []int32
	asks     []ask
	freeAsks []int32
	askNo    int64
	judge    judge
	counts   [nMetric]int64
	waits    sim.Histogram
	turn     int // replica whose node is at work: see halt
}

// config is the parameters that are read all the time.
type config struct {
	use, local, replicas     int
	limit, batch, reserve    int64
	disk, net, tick, timeout int64
	election, clocks, drift  int64
	failover, lag, down      int64
	degrades, handsOver      bool
	forgets                  bool
}

func start(c labs.Config, env *labs.Env) labs.State {
	s := &run{cfg: config{
		use: int(c.Int("use")), local: int(c.Int("local")), replicas: replicas(c),
		limit: c.Int("limit"), batch: c.Int("batch"), reserve: c.Int("reserve"),
		disk: c.Int("disk"), net: c.Int("net"), tick: c.Int("election") / electionTick, timeout: c.Int("timeout"),
		election: c.Int("election"), clocks: c.Int("clocks"), drift: c.Int("drift"),
		failover: c.Int("failover"), lag: c.Int("lag"), down: c.Int("down"),
		degrades: c.Choice("start") == "degraded", handsOver: c.Choice("slow-leader") == "hands-over",
		forgets: c.Choice("keeps") == "nothing",
	}, net: env.Stream("quota/network")}
	if s.cfg.use == useLocal {
		s.cfg.reserve, s.cfg.local = s.cfg.limit/services, localReserved
	} else if s.cfg.local != localReserved {
		s.cfg.reserve = s.cfg.limit / services
	}
	s.judge.begin()
	s.setClocks(c, env)
	for i := range s.cfg.replicas {
		s.found(env, i)
	}
	for i := range s.service {
		s.openService(c, env, i)
	}
	return s
}

// setClocks gives every process a clock that errs by at most the bound, for as long as the run lasts: half of it from the beginning, and
// half by its rate.
func (s *run) setClocks(c labs.Config, env *labs.Env) {
	clocks := env.Stream("quota/clocks")
	half := s.cfg.clocks / 2
	most := min(s.cfg.drift, half*million/c.Int("length"))
	for i := range s.process {
		s.process[i].rate = million - most + clocks.Below(2*most+1)
		s.process[i].local = clocks.Below(2*half+1) - half
		s.process[i].disk = s.cfg.disk
	}
}

// Handle lets one thing happen, and then holds all to the promises.
func (s *run) Handle(env *labs.Env, e sim.Event) {
	defer s.halt(env)
	i := int(e.Node)
	switch e.Kind {
	case atArrive:
		s.arrive(env, i)
	case atTick:
		if p := &s.process[services+i]; !p.down && p.life == e.A {
			env.At(env.Now()+p.after(s.cfg.tick), atTick, e.Node, e.A, 0)
			if s.cfg.use == useStore {
				s.beat(env, i)
			} else {
				s.tick(env, i)
			}
		}
	case atCopy:
		if p := &s.process[services+i]; !p.down && p.life == e.A {
			env.At(env.Now()+s.cfg.lag, atCopy, e.Node, e.A, 0)
			s.copies(env, i)
		}
	case atMail:
		s.arrived(env, int32(e.A))
	case atWritten:
		if p := &s.process[services+i]; !p.down && p.life == e.A {
			s.written(env, i)
		}
	case atTimeout:
		s.expired(env, int32(e.A), e.B)
	case atBack:
		s.back(env, i)
	}
}

// halt stops the replica whose node has found itself broken, for good: that is what the program would do that runs it.
func (s *run) halt(env *labs.Env) {
	switch why := recover().(type) {
	case nil:
	case broken:
		s.fall(env, s.turn)
		env.Emit(eventHalt, entityReplica+s.turn, 0, 0)
		s.count(env)
	default:
		panic(why)
	}
}

// Finish measures.
func (s *run) Finish(env *labs.Env) {
	for i := range s.service {
		s.aloneUntil(env, i)
		if v := &s.service[i]; v.unheard >= 0 {
			s.counts[metricSilence] = max(s.counts[metricSilence], env.Now()-v.unheard)
		}
	}
	for i := range s.cfg.replicas {
		s.outlived(env, i)
	}
	s.counts[metricDecision], s.counts[metricDecision99] = s.waits.Mean(), s.waits.Quantile(990_000)
	for i, v := range s.counts {
		env.Metric(i, v)
	}
}

// Clone returns nil: a RawNode cannot be copied.
func (s *run) Clone() labs.State { return nil }

// Bytes is asked of runs that can be copied.
func (s *run) Bytes() int { return 0 }

// newPool is the coordinator's state at the beginning of a log, or of a term that knows nothing.
func (s *run) newPool() grants.Pool {
	c := grants.Config{Limit: s.cfg.limit, Period: period, Most: s.cfg.batch}
	if s.cfg.local == localReserved {
		c.Reserved = services * s.cfg.reserve
	}
	p, err := grants.NewPool(c)
	if err != nil {
		panic("quota: " + err.Error()) // the parameters' ranges lie within the pool's
	}
	return p
}

// stamp is the instant that a coordinator writes into a decision: as late as any clock may be behind its own, so that no period begins
// before its time.
func (s *run) stamp(env *labs.Env, i int) int64 {
	return s.process[services+i].now(env.Now()) - s.cfg.clocks
}

// lengthened is how long to wait by a clock of ours for d to have passed by another's.
func (s *run) lengthened(d int64) int64 {
	return d + d - lease.Span(d, s.cfg.drift) + 1
}
