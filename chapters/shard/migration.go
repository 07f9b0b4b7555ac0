package shard

import "strconv"

// Step is a step of a migration.
type Step uint8

// The steps, in order. Undo is the way out before the cut-over.
const (
	Idle Step = iota
	Planning
	Snapshot
	Replay
	CatchUp
	Fencing
	FenceReplay
	Verify
	CutOver
	Drain
	CleanUp
	Undo
	NStep // how many there are
)

func (s Step) String() string {
	return [...]string{"idle", "plan", "snapshot", "replay", "catch-up", "fence", "fence-replay", "verify", "cut-over", "drain", "clean-up", "undo"}[s]
}

// Fault is a way to migrate wrongly, for teaching: each leaves out what people leave out. Real migrations have none.
type Fault uint8

// The faults; they can be combined.
const (
	StrictSnapshot    Fault = 1 << iota // cut over after the snapshot: nothing is replayed, nothing verified
	NoFence                             // cut over once caught up: the source is neither fenced nor closed, nor verified, nor drained
	RouteOnlyRollback                   // roll back by the route alone: what the new owner took does not come along
	SameEpoch                           // the new owner gets the old one's epoch; any store that was fenced or opened before refuses it
)

// Plan is how to migrate. Durations are nanoseconds.
type Plan struct {
	Part     int    // number of the part in the map
	To       string // name of the target
	Batch    int    // most rows in one step, 1..100000; a step is one transaction of that many rows
	MaxLag   int64  // catch up begins once so few changes are left, 0..Batch
	FenceMax int64  // most time without writes, from the fence to the cut-over, after which a Step undoes the move; 0 for no bound
	Drain    int64  // time from the cut-over for which the old copy is kept up to date, ≥ 0
	Fault    Fault  // 0
}

// Migration moves one part. It keeps nothing between calls: any number of them may work on the same move, one after the other or at
// once, each with its own Plan. It is as safe for concurrent use as its stores are.
type Migration struct {
	owners Owners
	stores []Store
	plan   Plan
}

// PlanError is a Plan, or a request to a Migration, that cannot be carried out.
type PlanError struct {
	Field, Got, Want string
}

// Error says what is wrong, where, and what would be right.
func (e *PlanError) Error() string { return e.Field + ": " + e.Got + " does not fit; " + e.Want }

// NewMigration checks the plan once and returns a *PlanError for what cannot be. The stores are those of the part: where it is, and
// where it goes.
func NewMigration(owners Owners, plan Plan, stores ...Store) (Migration, error) {
	m := Migration{owners: owners, stores: stores, plan: plan}
	if plan.Batch < 1 || plan.Batch > 100_000 {
		return m, &PlanError{"batch", strconv.Itoa(plan.Batch), "1..100000 rows"}
	}
	for _, f := range [...]struct {
		name       string
		got, limit int64
	}{{"max lag", plan.MaxLag, int64(plan.Batch)}, {"fence max", plan.FenceMax, End64}, {"drain", plan.Drain, End64}, {"part", int64(plan.Part), End64}} {
		if f.got < 0 || f.got > f.limit {
			return m, &PlanError{f.name, strconv.FormatInt(f.got, 10), "0.." + strconv.FormatInt(f.limit, 10)}
		}
	}
	for i, s := range stores {
		for _, t := range stores[:i] {
			if s.Name() == t.Name() {
				return m, &PlanError{"stores", s.Name(), "two stores bear that name; a name is a writer's"}
			}
		}
	}
	_, err := m.store(plan.To)
	return m, err
}

// End64 is the greatest duration or number of a plan.
const End64 = int64(End)

// store finds a store by its name.
//
//go:noinline
func (m *Migration) store(name string) (Store, error) {
	known := ""
	for _, s := range m.stores {
		if s.Name() == name {
			return s, nil
		}
		known += " " + s.Name()
	}
	return nil, &PlanError{"store", name, "the stores given are:" + known}
}

// part loads the map and the part of the plan.
//
//go:noinline
func (m *Migration) part() (Map, Part, error) {
	all, err := m.owners.Load()
	if err != nil {
		return all, Part{}, err
	}
	if m.plan.Part >= len(all.Parts) {
		return all, Part{}, &PlanError{"part", strconv.Itoa(m.plan.Part), "the map has " + strconv.Itoa(len(all.Parts)) + " parts, from 0"}
	}
	return all, all.Parts[m.plan.Part], nil
}

// Begin decides the move of the plan. It does nothing when that very move is under way, so it may be repeated.
func (m *Migration) Begin() error {
	all, p, err := m.part()
	if err != nil {
		return err
	}
	if p.moving() {
		if p.Move.To == m.plan.To && !p.Move.Undo {
			return nil
		}
		return &PlanError{"move", "to " + m.plan.To, "one to " + p.Move.To + " is under way; finish it first, or roll it back"}
	}
	if p.Shard == m.plan.To {
		return &PlanError{"move", "to " + m.plan.To, "it is there already"}
	}
	if _, err := m.store(p.Shard); err != nil {
		return err
	}
	p.Move = Move{From: p.Shard, To: m.plan.To, Epoch: p.Epoch + 1, Fault: m.plan.Fault}
	if p.Move.Fault&SameEpoch != 0 {
		p.Move.Epoch = p.Epoch
	}
	return m.owners.Publish(all.With(m.plan.Part, p))
}

// RollBack decides to go back, whatever the step; the steps that follow do it. Before the cut-over the source is opened again under a
// new epoch. After it the partition migrates back to the old owner, from the copy kept there, and nothing that the new owner took is
// lost. Once the move is cleaned up there is nothing to roll back, and a new plan is the way.
func (m *Migration) RollBack() error {
	all, p, err := m.part()
	if err != nil {
		return err
	}
	if !p.moving() {
		return &PlanError{"roll back", "part " + strconv.Itoa(m.plan.Part), "no move is under way; plan one to the old owner"}
	}
	if p.Move.Undo {
		return nil
	}
	return m.owners.Publish(all.With(m.plan.Part, p.back()))
}

// back is the part with the decision to go back.
//
//go:noinline
func (p Part) back() Part {
	epoch := p.newest() + 1
	if p.published() {
		p.Move = Move{From: p.Move.To, To: p.Move.From, Epoch: epoch, Back: true, Fault: p.Move.Fault & RouteOnlyRollback}
	} else {
		p.Move.Undo, p.Move.Epoch = true, epoch
	}
	return p
}

// Progress is what one Step did, and where it left things.
type Progress struct {
	Did     Step  // Idle when there was nothing to do
	Next    Step  // what the next one will do; Idle when the move is done
	Back    bool  // the move is a roll back
	Late    bool  // the fence had lasted too long, and the step decided to undo the move
	Rows    int   // moved or compared in this step
	Owner   Term  // as the map says now
	Head    int64 // end of the log that is carried over
	Applied int64 // how far it has been carried
}

// Step does the next bounded piece of work, at the instant now: at most Plan.Batch rows, in one transaction or a few. When it returns
// an error, what was done of it stays and the next Step goes on from there: mend what the error names, if it names something, and
// call again. A *Refused with Overtaken and a *VersionError only mean that another Migration was quicker.
func (m *Migration) Step(now int64) (Progress, error) {
	w := work{m: m, now: now}
	err := w.look()
	if err == nil {
		w.Next = w.Did
		err = w.do()
	}
	w.Owner = w.part.Term()
	return w.Progress, err
}
