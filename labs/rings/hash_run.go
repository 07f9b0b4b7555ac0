package rings

import (
	"slices"

	"seedbed/chapters/ring"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// hashRing is the state of one run. Snapshots and keys never change once made, so that copies share them.
type hashRing struct {
	use    int
	bound  int64
	seed   uint64
	points int
	change int
	shown  int

	keys    []uint64 // ascending
	sample  []uint64 // of them, ascending: what the shadows are asked about
	placed  int
	members []ring.Member
	next    int // number of the node that comes next
	all     [nWay]ring.Snapshot
	loads   []int64 // by member of the judged snapshot
	bounded ring.Loads
	where   []int32       // bounded loads: the node of each key, as a number
	owners  []int32       // other ways: the judged snapshot's owner of each key, and
	shadows [nWay][]int32 // each shadow's of the sample; nil before the first change, and never changed once made

	moved, needless int64
	firstMoved      int64 // number of the first key that moved at the newest change
	shadowMoved     [nWay]int64
	fullest         int64
}

func startHashRing(c labs.Config, env *labs.Env) labs.State {
	s := &hashRing{
		use: int(c.Int("use")), bound: c.Int("bound"), points: int(c.Int("points")), change: int(c.Int("change")), shown: shownNodes(c), next: int(c.Int("nodes")),
	}
	r := env.Stream("ring")
	s.seed = r.Uint64()
	r = env.Stream("keys")
	s.keys = make([]uint64, c.Int("keys"))
	for i := range s.keys {
		s.keys[i] = r.Uint64()
	}
	// Batches take every fiftieth key in order, so that the ring fills evenly, and look-ups stay in order of hash.
	slices.Sort(s.keys)
	// Every k-th: the first ones would lie on a part of the circle.
	for i, step := 0, (len(s.keys)+shadowedKeys-1)/shadowedKeys; i < len(s.keys); i += step {
		s.sample = append(s.sample, s.keys[i])
	}
	for i := range s.next {
		s.members = append(s.members, ring.Member{Name: nodeName(i), Weight: 1})
	}
	for w := range s.all {
		s.all[w] = s.build(w)
	}
	s.loads = make([]int64, s.all[s.use].Len())
	if s.use == wayBounded {
		s.bounded = s.newLoads()
		s.where = make([]int32, len(s.keys))
	}
	s.draw(env, nil)
	env.At(0, hashBatch, 0, 0, 0)
	if c.Choice("change") != "none" {
		env.At(2*second, hashChange, 0, 0, 0)
	}
	return s
}

func (s *hashRing) build(way int) ring.Snapshot {
	snapshot, err := ring.Build(algorithm[way], ring.BuildConfig{Points: s.points, Seed: s.seed}, s.members)
	if err != nil {
		panic("rings: hash-ring: " + err.Error())
	}
	return snapshot
}

func (s *hashRing) newLoads() ring.Loads {
	l, err := ring.NewLoads(ring.LoadsConfig{Epsilon: s.bound}, s.all[wayBounded])
	if err != nil {
		panic("rings: hash-ring: " + err.Error())
	}
	return l
}

// Handle places a batch of keys, or lets a node come or go.
func (s *hashRing) Handle(env *labs.Env, e sim.Event) {
	if e.Kind == hashChange {
		if s.change == 0 {
			s.remove(env, nodeName(s.next/2)) // one in the middle: a change at the end is the case that even jump survives
		} else {
			s.add(env)
		}
		return
	}
	s.placed += s.placeBatch(env, int(e.A))
	env.Add(hashColumnPlaced, int64((len(s.keys)-int(e.A)+batches-1)/batches))
	s.show(env)
	env.Emit(hashPlace, entityRing, int64(s.placed), s.fullest)
	if e.A+1 < batches {
		env.At(env.Now()+second/batches, hashBatch, 0, e.A+1, 0)
	}
}

// pace is after how many keys a run looks whether it is to stop: where each of a thousand nodes is asked about a key, a million of them
// take seconds.
const pace = 1024

// placeBatch places every fiftieth key, from the first one on, and returns how many there were.
func (s *hashRing) placeBatch(env *labs.Env, first int) (n int) {
	for i := first; i < len(s.keys); i += batches {
		if n%pace == 0 && env.Stopped() {
			break
		}
		s.place(i)
		n++
	}
	return n
}

// place gives key i to its owner.
func (s *hashRing) place(i int) {
	if s.use != wayBounded {
		s.loads[s.all[s.use].OwnerOfHash(s.keys[i])]++
		return
	}
	p, err := s.bounded.Place(s.keys[i])
	if err != nil {
		panic("rings: hash-ring: " + err.Error())
	}
	s.where[i] = int32(p.Member)
	s.loads[p.Member]++
}

// Act lets a node go or come.
func (s *hashRing) Act(env *labs.Env, do labs.Do) {
	if do.Verb == 0 {
		s.remove(env, do.Target)
		return
	}
	s.add(env)
}

func (s *hashRing) remove(env *labs.Env, name string) {
	i := slices.IndexFunc(s.members, func(m ring.Member) bool { return m.Name == name })
	switch {
	case s.tooEarly(env):
		return
	case i < 0:
		env.Emit(hashRefuseAbsent, entityNode+number(name), 0, 0)
		return
	case len(s.members) == 1:
		env.Emit(hashRefuseLast, entityNode+number(name), 0, 0)
		return
	}
	s.turn(env, hashRemove, slices.Concat(s.members[:i], s.members[i+1:]))
}

func (s *hashRing) add(env *labs.Env) {
	if s.tooEarly(env) {
		return
	}
	if len(s.members) >= maxNodes || s.shown > 0 && s.next >= s.shown {
		env.Emit(hashRefuseFull, entityRing, int64(len(s.members)), 0)
		return
	}
	m := ring.Member{Name: nodeName(s.next), Weight: 1}
	s.next++
	s.turn(env, hashAdd, append(slices.Clone(s.members), m))
}

// tooEarly refuses a change while keys still arrive.
func (s *hashRing) tooEarly(env *labs.Env) bool {
	if s.placed == len(s.keys) {
		return false
	}
	env.Emit(hashRefuseEarly, entityRing, int64(s.placed), int64(len(s.keys)))
	return true
}

// turn goes over to another set of nodes, counts what moves, and judges it. A key's move is needed when its owner went, or when its
// new owner came.
func (s *hashRing) turn(env *labs.Env, kind int, members []ring.Member) {
	before := s.all
	s.members = members
	for w := range s.all {
		next, err := before[w].With(members)
		if err != nil {
			panic("rings: hash-ring: " + err.Error())
		}
		s.all[w] = next
		if w != s.use {
			s.shadowMoved[w] += s.moveShadow(w, before[w])
		}
	}
	moves := s.move(env, before[s.use])
	s.moved += int64(moves.Moved)
	s.needless += int64(moves.Needless)
	s.shadowMoved[s.use] += int64(moves.Moved) * 1_000_000 / int64(len(s.keys))
	env.Add(hashColumnMoved, int64(moves.Moved))
	s.show(env)
	s.draw(env, before[s.use])
	env.Emit(kind, entityRing, int64(moves.Moved), int64(moves.Needless))
	if allowed := s.allowance(moves); int64(moves.Needless) > allowed {
		env.Fail(checkNeeded, s.firstMoved, int64(moves.Needless), int64(moves.Moved), int64(len(s.keys)))
	}
}

// allowance is how many keys may move without need: none, but for Maglev less than one in a hundred, and for bounded loads those
// that a bound sends on, at most as many as had to move and a twentieth of all.
func (s *hashRing) allowance(m ring.Moves) int64 {
	switch s.use {
	case wayMaglev:
		return int64(len(s.keys)) / 100
	case wayBounded:
		return int64(m.Moved-m.Needless) + int64(len(s.keys))/20
	}
	return 0
}

// move takes the loads over to the new snapshot.
func (s *hashRing) move(env *labs.Env, before ring.Snapshot) (m ring.Moves) {
	after := s.all[s.use]
	s.firstMoved = -1
	if s.use == wayBounded {
		return s.moveBounded(env, before, after)
	}
	was := s.owners
	if was == nil {
		was = s.ownersIn(env, before)
	}
	is := s.ownersIn(env, after)
	if n := min(len(was), len(is)); n < len(s.keys) { // the run is to stop
		was, is = was[:n], is[:n]
	}
	m = ring.MovedOwners(before, after, was, is, func(i, _, _ int) {
		if s.firstMoved < 0 {
			s.firstMoved = int64(i + 1)
		}
	})
	s.owners, s.loads = is, countOwners(is, after.Len())
	return m
}

// ownersIn is the owner of each key in a snapshot; of fewer keys where the run is to stop.
func (s *hashRing) ownersIn(env *labs.Env, snapshot ring.Snapshot) []int32 {
	owners := make([]int32, 0, len(s.keys))
	for from := 0; from < len(s.keys) && !env.Stopped(); from += pace {
		owners = ring.AppendOwners(snapshot, s.keys[from:min(from+pace, len(s.keys))], owners)
	}
	return owners
}

// moveShadow takes a way that is not judged over to its new snapshot and returns how much of the sample moved, in millionths. The owners
// are kept, for the next change and for the end.
func (s *hashRing) moveShadow(way int, before ring.Snapshot) int64 {
	was := s.shadows[way]
	if was == nil {
		was = ring.AppendOwners(before, s.sample, make([]int32, 0, len(s.sample)))
	}
	is := ring.AppendOwners(s.all[way], s.sample, make([]int32, 0, len(s.sample)))
	s.shadows[way] = is
	m := ring.MovedOwners(before, s.all[way], was, is, nil)
	return int64(m.Moved) * 1_000_000 / int64(len(s.sample))
}

// countOwners is how many keys each of n members owns.
func countOwners(owners []int32, n int) []int64 {
	loads := make([]int64, n)
	for _, o := range owners {
		loads[o]++
	}
	return loads
}

// moveBounded places all keys anew under the bound, in the order in which they came.
func (s *hashRing) moveBounded(env *labs.Env, before, after ring.Snapshot) (m ring.Moves) {
	s.bounded = s.newLoads()
	s.loads = make([]int64, after.Len())
	was := slices.Clone(s.where)
	s.where = make([]int32, len(s.keys))
	for batch := range batches {
		s.placeBatch(env, batch)
	}
	for i := range s.keys {
		from, to := before.Member(int(was[i])).Name, after.Member(int(s.where[i])).Name
		if from == to {
			continue
		}
		m.Moved++
		if s.firstMoved < 0 {
			s.firstMoved = int64(i + 1)
		}
		if has(after, from) && has(before, to) {
			m.Needless++
		}
	}
	m.Keys = len(s.keys)
	return m
}

func has(s ring.Snapshot, name string) bool {
	_, ok := slices.BinarySearchFunc(s.Members(), name, func(m ring.Member, name string) int {
		switch {
		case m.Name < name:
			return -1
		case m.Name > name:
			return 1
		}
		return 0
	})
	return ok
}
