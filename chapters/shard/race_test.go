package shard_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"seedbed/chapters/shard"
)

// rival is one of several processes that work on the same move at once. Its steps run in a goroutine that stops before each operation
// of a store or of the map until it is let on, so that any interleaving can be played, operation by operation.
type rival struct {
	on    chan struct{}
	at    chan string // what it is about to do; closed when its call has ended
	err   error
	live  bool
	doing string
}

// start begins a call; it stops before its first operation.
func (r *rival) start(w *world, call func(m *shard.Migration) error) {
	*r = rival{on: make(chan struct{}), at: make(chan string), live: true}
	f := &fuse{left: -1, gate: func(op string) { r.at <- op; <-r.on }}
	m, err := shard.NewMigration(fusedOwners{&w.dir, f}, w.plan, fusedStore{&w.old, f}, fusedStore{&w.new, f})
	if err != nil {
		w.fail("%v", err)
	}
	go func() {
		r.err = call(&m)
		close(r.at)
	}()
	r.doing = <-r.at
}

// next lets it do one operation, and reports whether its call is still under way.
func (r *rival) next() bool {
	r.on <- struct{}{}
	r.doing, r.live = <-r.at
	return r.live
}

// harmless is an error that only says that somebody else was quicker, or that the one in the way has gone on.
func harmless(err error) bool {
	var refused *shard.Refused
	var version *shard.VersionError
	var plan *shard.PlanError
	return err == nil || errors.As(err, &refused) || errors.As(err, &version) || errors.As(err, &plan)
}

// Three processes step, roll back and begin at will, each stopping between any two operations while the others go on, and while
// clients write and read by every route that there ever was. Nothing that was acknowledged is ever missing where it must be.
func TestProcessesThatKnowNothingOfEachOther(t *testing.T) {
	plays, moved, back := 1500, 0, 0
	if testing.Short() {
		plays = 300
	}
	for seed := range plays {
		switch p := playRivals(t, uint64(seed)); {
		case p.Shard == "new":
			moved++
		case p.Epoch > 1:
			back++
		}
	}
	if moved < plays/10 || back < plays/10 {
		t.Errorf("of %d plays %d ended at the new store and %d back at the old one, too few to say something", plays, moved, back)
	}
}

func playRivals(t *testing.T, seed uint64) shard.Part {
	rng := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t, rng.IntN(8))
	w.note("seed %d", seed)
	w.plan.FenceMax = [...]int64{0, 4 * ms}[rng.IntN(2)]
	w.plan.Drain = [...]int64{0, 3 * ms, 50 * ms}[rng.IntN(3)]
	var rivals [3]rival
	for i := range rivals {
		w.call(&rivals[i], 4)
	}
	i, patience := 0, [...]int{2, 8, 25}[rng.IntN(3)]
	for range 50 + rng.IntN(500) {
		if rng.IntN(12) == 0 {
			w.now += ms
			w.pester(shard.Key(10 * rng.IntN(10)))
			continue
		}
		// One works on for a while, the other two sleep, and wake up with an old view.
		if rng.IntN(patience) == 0 {
			i = rng.IntN(3)
		}
		w.note("process %d: %s", i, rivals[i].doing)
		if r := &rivals[i]; !r.next() {
			w.note("process %d ended with %v", i, r.err)
			if !harmless(r.err) {
				w.fail("%v", r.err)
			}
			w.call(r, rng.IntN(60))
		}
		w.learn()
	}
	for i := range rivals {
		for rivals[i].live {
			rivals[i].next()
		}
	}
	w.learn()
	w.settle()
	return w.part()
}

// call lets a rival begin its next call: mostly a step.
func (w *world) call(r *rival, kind int) {
	r.start(w, func(m *shard.Migration) error {
		switch {
		case kind < 2:
			return m.RollBack()
		case kind < 10:
			return m.Begin()
		}
		_, err := m.Step(w.now)
		return err
	})
}

// settle ends what is under way, alone, and compares.
func (w *world) settle() {
	w.t.Helper()
	w.now += 100 * ms
	w.plan.FenceMax = 0
	for i := range 300 {
		p, err := w.step()
		if err != nil {
			w.fail("%v", err)
		}
		if i%3 == 0 { // a step carries at least one change, so it catches up
			w.pester(10)
		}
		if p.Next == shard.Idle {
			w.judge()
			return
		}
	}
	w.fail("the move does not end")
}
