package sharding

import (
	"slices"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of shard-migrate.
const (
	migrateArrive  = iota // a write (Node 0) or a read (Node 1) begins
	migrateReach          // the request in slot A reaches shard Node
	migrateSend           // the request in slot A is sent once more
	migrateStep           // the coordinator's next step
	migrateRestart        // process Node is there again: a shard, or the coordinator
)

const (
	coordinator = 2              // its number beside the two shards
	triesMost   = 200            // of a request, before it is given up
	retryAfter  = 20_000_000     // ns that a client waits after a fence or silence
	keepLog     = 1000           // changes that an owner keeps while nothing moves
	never       = int64(1 << 62) // operations until a crash
)

// ask is a request under way.
type ask struct {
	id    int64
	key   shard.Key
	term  shard.Term
	read  bool
	stale bool // by the client that keeps its route
	tries uint8
}

// promised is what is known of a row by acknowledgements.
type promised struct {
	version, request int64
	lost             bool
}

// migrate is the state of one run.
type migrate struct {
	plan    shard.Plan
	forward bool
	pace    int64
	stay    int64 // ns that a crashed process is away
	hold    int64
	delay   int64

	// The memories and the directory hold all data of a run in memory; stores and owners point to them, or to others.
	memory    [2]shard.Memory
	directory shard.Directory
	stores    [2]shard.Store
	owners    shard.Owners
	elsewhere bool // stores and owners are not ours to copy
	doors     [2]door
	move      shard.Migration

	down    [3]bool // shards and coordinator
	cut     [2]bool // shards that the coordinator does not reach
	left    int64   // operations until the coordinator crashes
	begun   bool
	resting bool // no step is scheduled
	back    bool // a roll back is asked for
	did     shard.Step
	part    shard.Part // as the map was seen last
	looks   [2]look    // of the shards and their logs, as they were told last
	shutAt  int64      // since when nobody takes writes, -1 when somebody does
	route   shard.Term // that the stale client keeps
	routeAt int64

	arrivals [2]sim.Arrivals
	keys     sim.Stream
	who      sim.Stream
	net      sim.Stream
	stalePpm int64
	asks     []ask
	vacant   []int32
	rows     []promised
	writer   []uint8 // by epoch: number of the shard + 1
	trimmed  int64
	counts   [nMigrateMetric]int64
}

func startMigrate(c labs.Config, env *labs.Env) labs.State {
	s := newMigrate(c, env)
	s.memory = [2]shard.Memory{shard.NewMemory(shardNames[0]), shard.NewMemory(shardNames[1])}
	s.wire()
	s.found(env, c.Int("begin"))
	return s
}

// ShardMigrateOn is the lab on stores and a map of somebody else's, empty ones named "old" and "new": the very same runs, event by
// event, so that a database that keeps what package shard asks of it gives the same trace as the memory. A run takes them as its own
// and cannot be replayed; errors of theirs that are no refusals look to the clients like silence, so keep them yourself.
func ShardMigrateOn(owners shard.Owners, old, new shard.Store) *labs.Lab {
	lab := *ShardMigrate
	lab.Start = func(c labs.Config, env *labs.Env) labs.State {
		s := newMigrate(c, env)
		s.elsewhere, s.owners, s.stores = true, owners, [2]shard.Store{old, new}
		s.wire()
		s.found(env, c.Int("begin"))
		return s
	}
	return &lab
}

func newMigrate(c labs.Config, env *labs.Env) *migrate {
	rows := c.Int("rows")
	s := &migrate{
		plan: shard.Plan{
			To: shardNames[1], Batch: int(c.Int("batch")), MaxLag: c.Int("lag"), FenceMax: c.Int("fence-max"), Drain: c.Int("drain"),
			Fault: migrateFaults[c.Int("use")],
		},
		forward: c.Choice("old-route") == "forward", pace: c.Int("pace"), stay: c.Int("down"), hold: c.Int("hold"), delay: c.Int("delay"),
		left: never, looks: [2]look{unknown, unknown}, resting: true, shutAt: -1, rows: make([]promised, rows), writer: make([]uint8, 2),
		keys: stream(env, "keys"), who: stream(env, "who"), net: stream(env, "network"), stalePpm: c.Int("stale"),
	}
	s.arrivals[0] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("writes"), Stream: stream(env, "writes")}
	s.arrivals[1] = sim.Arrivals{Pattern: sim.Poisson, Rate: c.Int("reads"), Stream: stream(env, "reads")}
	return s
}

// wire points to the run's own stores, and makes the migration that works on them.
func (s *migrate) wire() {
	if !s.elsewhere {
		s.stores, s.owners = [2]shard.Store{&s.memory[0], &s.memory[1]}, &s.directory
	}
	for i := range s.doors {
		s.doors[i] = door{Store: s.stores[i], run: s, number: i}
	}
	m, err := shard.NewMigration(gate{s}, s.plan, &s.doors[0], &s.doors[1])
	if err != nil {
		panic("sharding: shard-migrate: " + err.Error()) // the parameters' ranges lie within the plan's
	}
	s.move = m
}

// found gives the old shard its first epoch and its rows.
func (s *migrate) found(env *labs.Env, begin int64) {
	s.part = shard.Part{Shard: shardNames[0], Epoch: 1}
	first, err := shard.NewMap(s.part)
	if err == nil {
		err = s.owners.Publish(first)
	}
	if err == nil {
		err = shard.Grant(s.stores[0], s.part.Term(), 0)
	}
	for k := 0; k < len(s.rows) && err == nil; k++ {
		_, err = s.stores[0].Write(s.part.Term(), shard.Row{Key: shard.Key(k), Value: "draft"})
		s.rows[k].version = 1
	}
	if err != nil {
		panic("sharding: shard-migrate: the stores are not new: " + err.Error())
	}
	s.route, s.writer[1] = s.part.Term(), 1
	for i := range s.arrivals {
		s.next(env, i)
	}
	s.resting = false
	env.At(begin, migrateStep, 0, 0, 0)
	s.show(env)
}

func (s *migrate) next(env *labs.Env, kind int) {
	if at, _, ok := s.arrivals[kind].Next(); ok {
		env.At(at, migrateArrive, uint16(kind), 0, 0)
	}
}

// Handle lets a request or the coordinator go on.
func (s *migrate) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case migrateArrive:
		key := shard.Key(s.keys.Below(int64(len(s.rows))))
		s.begin(env, ask{key: key, read: e.Node == 1, stale: s.who.Chance(s.stalePpm)})
		s.next(env, int(e.Node))
	case migrateReach:
		s.reach(env, int32(e.A), int(e.Node))
	case migrateSend:
		s.send(env, int32(e.A))
	case migrateStep:
		s.resting = true
		s.step(env)
	case migrateRestart:
		s.down[e.Node] = false
		s.setDown(env, int(e.Node), 0)
		env.Emit(eventRestart, entityOf(int(e.Node)), 0, 0)
		if e.Node == coordinator && s.resting {
			s.step(env)
		}
	}
}

// begin gives a request its number and its place.
func (s *migrate) begin(env *labs.Env, a ask) {
	a.id = s.counts[migrateWrites] + s.counts[migrateReads] + 1
	if a.read {
		s.counts[migrateReads]++
	} else {
		s.counts[migrateWrites]++
	}
	slot := int32(len(s.asks))
	if n := len(s.vacant); n > 0 {
		slot, s.vacant = s.vacant[n-1], s.vacant[:n-1]
	} else {
		s.asks = append(s.asks, ask{})
	}
	s.asks[slot] = a
	s.send(env, slot)
}

// send sends a request by its client's route: the newest, or the one that the stale client keeps.
func (s *migrate) send(env *labs.Env, slot int32) {
	a := &s.asks[slot]
	if a.tries++; a.tries > triesMost {
		s.counts[migrateGivenUp]++
		env.Emit(eventGiveUp, a.entity(), a.id, 0)
		s.vacant = append(s.vacant, slot)
		return
	}
	a.term = s.part.Term()
	if a.stale {
		if env.Now()-s.routeAt >= s.hold {
			s.route, s.routeAt = a.term, env.Now()
		}
		a.term = s.route
	}
	s.hop(env, slot)
}

// hop lets it travel to the shard that its term names.
func (s *migrate) hop(env *labs.Env, slot int32) {
	to := numberOf(s.asks[slot].term.Writer)
	env.At(env.Now()+s.net.Exp(s.delay), migrateReach, uint16(to), int64(slot), 0)
}

// reach lets a shard take, serve or refuse it. The gate is asked first, so that a refusal costs no error.
func (s *migrate) reach(env *labs.Env, slot int32, at int) {
	a := &s.asks[slot]
	is, err := s.stores[at].State()
	if s.down[at] || err != nil {
		env.At(env.Now()+retryAfter, migrateSend, 0, int64(slot), 0)
		return
	}
	why := is.Gate.Write(a.term)
	if a.read {
		why = is.Gate.Read(a.term)
	}
	switch why {
	case shard.Admitted:
		s.answer(env, slot, at)
	case shard.Halted:
		s.counts[migrateWaited]++
		env.Emit(eventHalt, entityOld+at, a.id, a.term.Epoch)
		env.At(env.Now()+retryAfter, migrateSend, 0, int64(slot), 0)
	default:
		s.refuse(env, slot, at, is.Gate.Fence)
	}
}

// refuse turns an old route away. The shard knows who came after it, and may forward.
func (s *migrate) refuse(env *labs.Env, slot int32, at int, newest shard.Term) {
	a := &s.asks[slot]
	s.counts[migrateRefused]++
	count(env, columnShard+at*nOfShard+ofRefused)
	if s.forward && newest.Epoch > a.term.Epoch {
		s.counts[migrateForwarded]++
		count(env, columnForwarded)
		env.Emit(eventForward, entityOld+at, a.id, newest.Epoch)
		a.term = newest
		s.hop(env, slot)
		return
	}
	env.Emit(eventRefuse, entityOld+at, a.id, a.term.Epoch)
	wait := 2 * s.net.Exp(s.delay) // to the router and back
	if a.stale {
		s.route, s.routeAt = s.part.Term(), env.Now()
	}
	if newest.Epoch > s.part.Epoch { // the map does not say yet who came after
		wait = retryAfter
	}
	env.At(env.Now()+wait, migrateSend, 0, int64(slot), 0)
}

// answer writes or reads, and holds the answer to what was promised.
func (s *migrate) answer(env *labs.Env, slot int32, at int) {
	a := s.asks[slot]
	s.vacant = append(s.vacant, slot)
	if a.read {
		r, err := s.stores[at].Read(a.term, a.key)
		if err == nil {
			s.judgeRead(env, &a, r.Version)
			env.Emit(eventServe, entityOld+at, a.id, r.Version)
		}
		return
	}
	r, err := s.stores[at].Write(a.term, shard.Row{Key: a.key, Value: "ready", Deleted: a.id%16 == 0})
	if err != nil {
		return // no answer, no promise
	}
	s.counts[migrateAcknowledged]++
	count(env, columnShard+at*nOfShard+ofAccepted)
	env.Emit(eventAccept, entityOld+at, a.id, r.Version)
	s.judgeWrite(env, &a, r.Version, at)
	is, err := s.stores[at].State()
	if err != nil {
		return
	}
	set(env, columnShard+at*nOfShard+ofHead, is.Head)
	if s.part.Move.Epoch == 0 && !s.elsewhere && is.Head-s.trimmed > 2*keepLog {
		s.trimmed = is.Head - keepLog
		s.memory[at].Trim(s.trimmed)
	}
}

// Clone copies the run.
func (s *migrate) Clone() labs.State {
	if s.elsewhere {
		panic("sharding: shard-migrate: a run on stores of somebody else's has no checkpoints")
	}
	c := *s
	c.memory = [2]shard.Memory{s.memory[0].Clone(), s.memory[1].Clone()}
	c.asks, c.vacant, c.rows, c.writer = slices.Clone(s.asks), slices.Clone(s.vacant), slices.Clone(s.rows), slices.Clone(s.writer)
	c.wire()
	return &c
}

// Bytes is what a clone costs.
func (s *migrate) Bytes() int {
	return 1500 + s.memory[0].Size() + s.memory[1].Size() + 72*len(s.asks) + 24*len(s.rows)
}
