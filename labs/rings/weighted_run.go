package rings

import (
	"slices"

	"seedbed/chapters/ring"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// The kinds of simulated events of weighted-ring.
const (
	weighedArrive = iota
	weighedRead   // all machines are read, and weights may follow
)

// leastPower is the most that a machine can lack, as a factor in parts per million.
const leastPower = 1_000_000_000

// cost is what a request costs on average, in CPU and in bytes; a machine's power is told in the same measure.
const cost = 1_000_000

// load is what the machines of one way have done since it was last looked at.
type load struct{ cpu, network [maxWeighed]int64 }

// weighing is one way to weigh, with a ring of its own. Snapshots never change once made, so that copies share them.
type weighing struct {
	weigher  ring.Weigher
	ring     ring.Snapshot
	node     [maxWeighed]int8  // by member, as number of the machine
	owned    [maxWeighed]int64 // keys, by machine
	read     load              // since the last reading
	period   load              // of the readings since the last period began
	looks    int64             // how many readings those are
	where    []uint8           // by key: the machine that answered for it last
	level    [maxWeighed]ring.Level
	left     [maxWeighed][3]int64 // instant at which each level was left, -1 for never
	hotSince [maxWeighed]int64    // where the newest period ended in which it was not over the bound

	changes, flaps, misses, moved int64
	hottest                       int64 // use in the hottest period after the time to cool
	hot                           int64 // use of the hot machine, newest period
}

// weighted is the state of one run.
type weighted struct {
	judged              int
	nodes, hotNode      int
	rate                int64
	gap, every          int64 // ns
	high                int64
	cool, calm          int64                // ns
	hot, busy           int64                // parts per million
	mean                [3]int64             // use of a machine like the others, by resource, parts per million
	lack                [3][maxWeighed]int64 // how much more than of others a request takes of a machine, parts per million
	fit                 [maxWeighed]int64    // the same of its CPU at full power
	keys                []uint64
	names               []string
	down                [maxWeighed]bool
	arrivals            sim.Arrivals
	pick, work, traffic sim.Stream
	requests            int64
	next                int64 // instant from which the next reading may change weights, as a Weigher counts it; 0 before the first
	ways                [nWeighing]weighing
}

// The resources, in the order of the choices of scarce.
const (
	resourceCPU = iota
	resourceMemory
	resourceNetwork
)

func startWeighted(c labs.Config, env *labs.Env) labs.State {
	s := &weighted{
		judged: int(c.Int("use")), nodes: int(c.Int("nodes")), hotNode: hotNode(c.Int("nodes")), rate: c.Int("rate"), gap: c.Int("read"), every: c.Int("every"),
		high: c.Int("high"), cool: c.Int("cool"), calm: c.Int("calm"), hot: c.Int("hot"), busy: c.Int("busy"),
		mean: [3]int64{c.Int("cpu"), c.Int("memory"), c.Int("network")},
		keys: make([]uint64, c.Int("keys")), pick: env.Stream("pick"), work: env.Stream("work"), traffic: env.Stream("traffic"),
	}
	r := env.Stream("keys")
	for i := range s.keys {
		s.keys[i] = r.Uint64()
	}
	slices.Sort(s.keys)
	for i := range s.nodes {
		s.names = append(s.names, nodeName(i))
	}
	r = env.Stream("ring")
	snapshot, err := ring.New(ring.Config{Points: int(c.Int("points")), Unit: unit, Seed: r.Uint64()}, s.members())
	if err != nil {
		panic("rings: weighted-ring: " + err.Error())
	}
	for k := range s.ways {
		w := &s.ways[k]
		if w.weigher, err = ring.NewWeigher(weigher(c, k), s.names); err != nil {
			panic("rings: weighted-ring: " + err.Error())
		}
		for i := range w.left {
			w.left[i] = [3]int64{-1, -1, -1}
		}
		s.over(w, snapshot)
		w.where = make([]uint8, len(s.keys))
		for i, h := range s.keys {
			w.where[i] = uint8(w.node[snapshot.OwnerOfHash(h)])
		}
	}
	s.size(int(c.Int("scarce")))
	s.arrivals = sim.Arrivals{Pattern: sim.Poisson, Rate: s.rate, Stream: env.Stream("client")}
	s.come(env)
	s.show(env)
	s.draw(env, nil)
	env.At(s.gap, weighedRead, 0, 0, 0)
	return s
}

// members are the machines that are up, all of normal weight.
func (s *weighted) members() (m []ring.Member) {
	for i, name := range s.names {
		if !s.down[i] {
			m = append(m, ring.Member{Name: name, Weight: unit})
		}
	}
	return m
}

// size fits the machines to what they have at the start, so that each begins with the stated use, whatever part of the circle is its own:
// how uneven a ring is shows in hash-ring. The hot machine has so much less of what is scarce.
func (s *weighted) size(scarce int) {
	for i := range s.nodes {
		even := int64(len(s.keys)) * 1_000_000 / (int64(s.nodes) * max(1, s.ways[0].owned[i]))
		for r := range s.lack {
			s.lack[r][i] = min(leastPower, even)
		}
	}
	hot := &s.lack[scarce][s.hotNode]
	*hot = min(leastPower, *hot*s.hot/s.mean[scarce])
	s.fit = s.lack[resourceCPU]
}

func (s *weighted) come(env *labs.Env) {
	if at, _, ok := s.arrivals.Next(); ok {
		env.At(at, weighedArrive, 0, 0, 0)
	}
}

// Handle lets a request arrive, or takes a reading.
func (s *weighted) Handle(env *labs.Env, e sim.Event) {
	switch e.Kind {
	case weighedArrive:
		s.arrive(env)
		s.come(env)
	case weighedRead:
		if s.next == 0 {
			s.next = env.Now() + s.every
		}
		due := env.Now() >= s.next
		if due {
			s.next = env.Now() + s.every
		}
		for k := range s.ways {
			s.read(env, k, due)
		}
		s.show(env)
		env.At(env.Now()+s.gap, weighedRead, 0, 0, 0)
	}
}

// arrive sends one request by every way. A key is missing where another machine answered for it last.
func (s *weighted) arrive(env *labs.Env) {
	s.requests++
	key := s.pick.Below(int64(len(s.keys)))
	work, bytes := s.work.Exp(cost), s.traffic.Exp(cost)
	for k := range s.ways {
		w := &s.ways[k]
		i := w.node[w.ring.OwnerOfHash(s.keys[key])]
		w.read.add(s, int(i), work, bytes)
		missed := w.where[key] != uint8(i)
		if missed {
			w.where[key] = uint8(i)
			w.misses++
		}
		if k != s.judged {
			continue
		}
		kind := weightedServe
		if missed {
			kind = weightedMiss
			env.Add(weightedColumnMisses, 1)
		}
		env.Emit(kind, entityNode+int(i), s.requests, key+1)
	}
}

// add counts a request by what it takes of the machine as it is now.
func (l *load) add(s *weighted, i int, work, bytes int64) {
	l.cpu[i] += work * s.lack[resourceCPU][i] / 1_000_000
	l.network[i] += bytes * s.lack[resourceNetwork][i] / 1_000_000
}

// use is what a machine's load over a span of time comes to: against what one like the others would have at the stated rate and with an
// even share, which is the stated mean.
func (s *weighted) use(w *weighing, l *load, i int, span int64) ring.Use {
	even := max(1, s.rate*(span/1000)/int64(s.nodes)/1000) // a request costs 10^6, a rate counts 1000 s, and a span 10^9 a second
	held := w.owned[i] * int64(s.nodes) * s.lack[resourceMemory][i] / 1_000_000
	return ring.Use{
		CPU:     part(l.cpu[i], even, s.mean[resourceCPU]),
		Memory:  part(held, int64(len(s.keys)), s.mean[resourceMemory]),
		Network: part(l.network[i], even, s.mean[resourceNetwork]),
	}
}

// part is mean for an even load, and as many times as much for more; all of the machine at most.
func part(load, even, mean int64) int64 {
	return min(1_000_000, min(1_000_000_000, load*1000/even)*mean/1000)
}

// scarcest is the use of what ends first.
func scarcest(u ring.Use) int64 { return max(u.CPU, u.Memory, u.Network) }

// read takes one reading of each machine by one way, and lets the weights follow. When that is due a period ends: what was read in it was
// read under the same weights.
func (s *weighted) read(env *labs.Env, k int, due bool) {
	w := &s.ways[k]
	var room [maxWeighed]ring.Use
	uses := room[:0]
	for i := range s.nodes {
		if s.down[i] {
			continue
		}
		u := s.use(w, &w.read, i, s.gap)
		uses = append(uses, u)
		if k == s.judged {
			env.Set(weightedColumn(i, weightedColumnUse), scarcest(u))
		}
		if i == s.hotNode {
			env.Set(weightedColumnHot+k, scarcest(u))
		}
	}
	for i := range s.nodes {
		w.period.cpu[i] += w.read.cpu[i]
		w.period.network[i] += w.read.network[i]
	}
	w.looks++
	w.read = load{}
	if due {
		s.judge(env, k)
	}
	if k == weighFixed {
		return
	}
	changed, err := w.weigher.ReadAt(env.Now(), uses)
	if err != nil {
		panic("rings: weighted-ring: " + err.Error())
	}
	if changed {
		s.reweigh(env, k)
	}
}

// reweigh goes over to the weights of now, and judges them: a level that a machine comes back to soon after it left it is a flap.
func (s *weighted) reweigh(env *labs.Env, k int) {
	w := &s.ways[k]
	for m := range w.ring.Len() {
		i, now := int(w.node[m]), w.weigher.Level(m)
		was := w.level[i]
		if now == was {
			continue
		}
		w.changes++
		w.level[i] = now
		left := w.left[i][now]
		w.left[i][was] = env.Now()
		if k == s.judged {
			env.Emit(weightedWeigh, entityNode+i, w.weigher.Weight(m)*(1_000_000/unit), w.weigher.Smooth(m))
		}
		if left < 0 || env.Now()-left >= s.calm {
			continue
		}
		w.flaps++
		if k == s.judged {
			env.Fail(checkFlapping, s.requests, int64(i+1), w.weigher.Weight(m)*(1_000_000/unit), env.Now()-left)
		}
	}
	s.turn(env, k, w.weigher.Members())
}

// turn goes over to another set of members and counts the keys that move.
func (s *weighted) turn(env *labs.Env, k int, members []ring.Member) {
	w := &s.ways[k]
	before := w.ring
	after, err := before.With(members)
	if err != nil {
		panic("rings: weighted-ring: " + err.Error())
	}
	moved := int64(ring.Moved(before, after, s.keys, nil).Moved)
	w.moved += moved
	s.over(w, after)
	if k == s.judged {
		s.draw(env, before)
		env.Emit(weightedTurn, entityRing, moved, int64(len(s.keys)))
	}
}

// over takes a way over to a snapshot.
func (s *weighted) over(w *weighing, snapshot ring.Snapshot) {
	w.ring = snapshot
	w.owned = [maxWeighed]int64{}
	for m, n := range ring.CountOwned(snapshot, s.keys, nil) {
		i := number(snapshot.Member(m).Name)
		w.node[m] = int8(i)
		w.owned[i] = n
	}
}

// judge looks at a whole period: a machine that is over the bound in one after another is not cooled.
func (s *weighted) judge(env *labs.Env, k int) {
	w := &s.ways[k]
	for i := range s.nodes {
		use := scarcest(s.use(w, &w.period, i, w.looks*s.gap))
		if i == s.hotNode {
			w.hot = use
		}
		if env.Now() > s.cool {
			w.hottest = max(w.hottest, use)
		}
		if use <= s.high || s.down[i] {
			w.hotSince[i] = env.Now()
			continue
		}
		if lasts := env.Now() - w.hotSince[i]; lasts > s.cool && k == s.judged {
			env.Fail(checkCooled, s.requests, int64(i+1), use, lasts)
		}
	}
	w.period, w.looks = load{}, 0
}
