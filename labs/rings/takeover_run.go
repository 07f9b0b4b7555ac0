package rings

import (
	"slices"

	"seedbed/chapters/pmath"
	"seedbed/chapters/ring"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of takeover.
const (
	takenArrive = iota
	takenCrash  // node Node
	takenKnown  // that node Node has died is known, by way A; B tells which of its deaths
	takenCopy   // the next key of the shadow copy, by way A
	takenTick   // levels and shares are looked at
)

const (
	tick = 2 * second
	// What was asked for before the run is known as well, for so long.
	past = 100
)

// inheriting is one way to inherit, with nodes and a database of its own. All keys lie on their home to begin with.
type inheriting struct {
	take  ring.Takeover
	nodes [maxHeirs]machine
	base  int64   // instant until which the database has something to do
	held  []int8  // by key: the node that has it, or will have it; -1 for none
	ready []int64 // by key: instant from which it is there
	copy  []int32 // keys of the shadow copy that are still to be loaded, the last first

	lost   int64 // nodes that died of too much
	fresh  int64
	waited int64 // longest wait for the database, ns
}

// taking is the state of one run.
type taking struct {
	judged         int
	old            bool // what is not taken over, or comes too late, is answered from something old
	nodes, places  int
	rate           int64
	timeout, known int64           // ns
	read, copied   int64           // ns: the database for one key, and from one key of a shadow copy to the next
	hits           int64           // parts per million
	keys           []uint64        // the most popular one first
	demand         []int64         // by key: how much all up to it are asked for
	home           []int8          // by key: the node that owns it
	cost           [maxHeirs]int64 // ns of one request
	power          [maxHeirs]int64 // parts per million
	ring           *ring.Ring
	recent         ring.Recent
	arrivals       sim.Arrivals
	pick, expire   sim.Stream
	ways           [nInheritance]inheriting

	requests                            int64
	outcomes, told                      [nOutcome]int64 // of the judged way: by now, and as last told
	shares                              [maxHeirs]int64 // of the judged way, as last told
	first                               int             // the node that died first, by the judged way; -1 for none
	died, knownAt, ramp                 int64           // ns: when it died, when that was known, and how long it took to inherit all
	heirs, largest, warmed, warmedShare int64           // of the first node that died
}

func startTakeover(c labs.Config, env *labs.Env) labs.State {
	s := &taking{
		judged: int(c.Int("use")), old: c.Choice("rest") == "old", nodes: int(c.Int("nodes")), places: int(c.Int("places")), rate: c.Int("rate"),
		timeout: c.Int("timeout"), known: c.Int("known"), read: perThousandSeconds / c.Int("database"), copied: perThousandSeconds / c.Int("copy"),
		hits: c.Int("hits"), pick: env.Stream("pick"), expire: env.Stream("expire"), first: -1, died: -1, ramp: -1,
	}
	r := env.Stream("ring")
	members := make([]ring.Member, s.nodes)
	for i := range members {
		members[i] = ring.Member{Name: nodeName(i), Weight: 1}
	}
	var err error
	if s.ring, err = ring.New(ring.Config{Points: int(c.Int("points")), Seed: r.Uint64()}, members); err != nil {
		panic("rings: takeover: " + err.Error())
	}
	s.popular(c, env)
	for k := range s.ways {
		w := &s.ways[k]
		if w.take, err = ring.NewTakeover(takeover(c, k), s.ring); err != nil {
			panic("rings: takeover: " + err.Error())
		}
		w.held, w.ready = slices.Clone(s.home), make([]int64, len(s.keys))
		for i := range s.nodes {
			w.nodes[i].inside = make([]visit, 0, s.places+1)
		}
	}
	busiest := s.size(c.Int("load"))
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stream: env.Stream("client")}
	s.come(env)
	switch c.Choice("dies") {
	case "third":
		env.At(c.Int("begin"), takenCrash, 2, 0, 0)
	case "busiest":
		env.At(c.Int("begin"), takenCrash, uint16(busiest), 0, 0)
	}
	env.At(tick, takenTick, 0, 0, 0)
	s.draw(env)
	return s
}

// perThousandSeconds turns a rate of one per 1000 s into an interval, ns.
const perThousandSeconds = 1_000_000_000_000

// popular draws the keys. The k-th is asked for as often as 1/k to the power of the skew, and has been for a while.
func (s *taking) popular(c labs.Config, env *labs.Env) {
	r := env.Stream("keys")
	n := c.Int("keys")
	s.keys, s.home, s.demand = make([]uint64, n), make([]int8, n), make([]int64, n)
	skew := float64(c.Int("skew")) / 1e6
	total := int64(0)
	for k := range s.keys {
		s.keys[k] = r.Uint64()
		s.home[k] = int8(s.ring.OwnerOfHash(s.keys[k]))
		total += max(1, pmath.Round64(float64(1e9*pmath.Pow(float64(k+1), -skew))))
		s.demand[k] = total
	}
	var err error
	if s.recent, err = ring.NewRecent(ring.RecentConfig{MaxKeys: len(s.keys)}); err != nil {
		panic("rings: takeover: " + err.Error())
	}
	before := int64(0)
	for k, h := range s.keys {
		asked := s.demand[k] / (total/(s.rate/1000*past) + 1)
		for ; before < asked; before++ {
			s.recent.TouchAt(0, h)
		}
	}
}

// asked is how much of all demand is for key k, in the measure of demand.
func (s *taking) asked(k int) int64 {
	if k == 0 {
		return s.demand[0]
	}
	return s.demand[k] - s.demand[k-1]
}

// size fits each node to what it serves, so that it starts with the stated load: how uneven a ring is shows in hash-ring. None is smaller
// than for a quarter of an even share. It returns the node that serves most.
func (s *taking) size(load int64) (busiest int) {
	var served [maxHeirs]int64
	for k, home := range s.home {
		served[home] += s.asked(k)
	}
	total := s.demand[len(s.demand)-1]
	for i := range s.nodes {
		if served[i] > served[busiest] {
			busiest = i
		}
		share := max(served[i], total/int64(4*s.nodes))
		s.cost[i] = max(1, load*(perThousandSeconds/s.rate)/max(1, share/(total/1_000_000+1)))
		s.power[i] = 1_000_000
	}
	return busiest
}

func (s *taking) come(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, takenArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive, a node die, its death be known, a key be copied, or time go by.
func (s *taking) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case takenArrive:
		s.arrive(env)
		s.come(env)
	case takenCrash:
		for k := range s.ways {
			s.crash(env, k, int(e.Node))
		}
	case takenKnown:
		if m := &s.ways[e.A].nodes[e.Node]; m.down && m.deaths == e.B {
			s.inherit(env, int(e.A), int(e.Node))
		}
	case takenCopy:
		s.copyNext(env, int(e.A))
	case takenTick:
		s.look(env)
		s.tell(env)
		env.At(env.Now()+tick, takenTick, 0, 0, 0)
	}
}

// arrive sends one request by every way.
func (s *taking) arrive(env *labs.Env) {
	s.requests++
	at := s.pick.Below(s.demand[len(s.demand)-1]) + 1
	k, _ := slices.BinarySearch(s.demand, at)
	expired := !s.expire.Chance(s.hits)
	for way := range s.ways {
		w := &s.ways[way]
		heir, taken := int(s.home[k]), true
		if w.take.Failed() == s.nodes {
			taken = false // nobody is left to ask about
		} else if w.take.Down(heir) { // else the key has its home
			r := w.take.RouteAt(env.Now(), s.keys[k])
			heir, taken = r.Heir, r.Taken
		}
		if !taken || w.nodes[heir].down {
			s.fallback(env, way, s.requests, k)
			continue
		}
		s.serve(env, way, heir, k, expired)
	}
	s.recent.TouchAt(env.Now(), s.keys[k])
}

// fallback answers a request without its owner: from what was seen of the key not long ago, with nothing, or not at all.
func (s *taking) fallback(env *labs.Env, way int, request int64, k int) {
	if way != s.judged {
		return
	}
	outcome := outcomeEmpty
	switch {
	case !s.old:
		outcome = outcomeFailed
	case s.recent.CountAt(env.Now(), s.keys[k]) > 0:
		outcome = outcomeOld
	}
	s.outcomes[outcome]++
	env.Emit(takeoverOld+outcome-outcomeOld, entityRing, request, int64(k+1))
	if outcome == outcomeFailed {
		env.Add(takeoverColumnFailed, 1)
		env.Fail(checkAnswered, request, s.outcomes[outcomeFailed])
	}
}

// inherit lets the heirs of a node begin, once its death is known.
func (s *taking) inherit(env *labs.Env, way, i int) {
	w := &s.ways[way]
	recent := &s.recent
	if way != inheritGradual {
		recent = nil
	}
	warmed, _ := w.take.FailAt(env.Now(), i, recent)
	if warmed > 0 {
		s.shadow(env, way)
	}
	if way != s.judged {
		return
	}
	if s.first == i && s.knownAt == 0 {
		s.knownAt, s.warmed = env.Now(), int64(warmed)
		s.measure(env, i)
	}
	env.Emit(takeoverKnown, entityNode+i, int64(warmed), 0)
	s.look(env)
}

// shadow lines up the keys that heirs are to copy.
func (s *taking) shadow(env *labs.Env, way int) {
	w := &s.ways[way]
	if len(w.copy) == 0 {
		env.At(env.Now(), takenCopy, 0, int64(way), 0)
	}
	for k := len(s.keys) - 1; k >= 0; k-- { // the most popular one last, so that it is loaded first
		if !w.take.Down(int(s.home[k])) {
			continue
		}
		if r := w.take.RouteAt(env.Now(), s.keys[k]); r.Warm && w.held[k] != int8(r.Heir) {
			w.copy = append(w.copy, int32(k))
		}
	}
}

// measure tells how the demand for what a node had falls to its heirs, and how much of it a shadow copy covers.
func (s *taking) measure(env *labs.Env, i int) {
	var by [maxHeirs]int64
	all, warm := int64(0), int64(0)
	for k, home := range s.home {
		if int(home) != i {
			continue
		}
		r := s.ways[s.judged].take.RouteAt(env.Now(), s.keys[k])
		if r.Heir < 0 {
			return
		}
		by[r.Heir] += s.asked(k)
		all += s.asked(k)
		if r.Warm {
			warm += s.asked(k)
		}
	}
	for _, n := range by {
		if n > 0 {
			s.heirs++
		}
		s.largest = max(s.largest, n)
	}
	part := all/1_000_000 + 1
	s.largest, s.warmedShare = min(1_000_000, (s.largest+part-1)/part), warm/part
}
