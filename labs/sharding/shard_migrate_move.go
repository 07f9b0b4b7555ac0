package sharding

import (
	"errors"

	"seedbed/chapters/shard"
	"seedbed/labs"
	"seedbed/labs/sim"
)

// This file is the coordinator of shard-migrate: it steps, it crashes between two operations, it does not reach a shard, and what it
// has brought about is judged.

var (
	errCrashed = errors.New("the coordinator has crashed")
	errSilent  = errors.New("the shard does not answer")
)

// operation counts down to the crash: what comes after it does not happen.
func (s *migrate) operation() error {
	if s.left <= 0 {
		return errCrashed
	}
	if s.left < never {
		s.left--
	}
	return nil
}

// door is a store as the coordinator sees it.
type door struct {
	shard.Store
	run    *migrate
	number int
}

// knock fails when the coordinator is dead or the shard does not answer it.
func (d *door) knock() error {
	if err := d.run.operation(); err != nil {
		return err
	}
	if d.run.down[d.number] || d.run.cut[d.number] {
		return errSilent
	}
	return nil
}

func (d *door) State() (shard.State, error) {
	if err := d.knock(); err != nil {
		return shard.State{}, err
	}
	return d.Store.State()
}

func (d *door) Rows(from shard.Key, n int) ([]shard.Row, error) {
	if err := d.knock(); err != nil {
		return nil, err
	}
	return d.Store.Rows(from, n)
}

func (d *door) Log(after int64, n int) ([]shard.Change, error) {
	if err := d.knock(); err != nil {
		return nil, err
	}
	return d.Store.Log(after, n)
}

func (d *door) Digest(from, to shard.Key, n int) (shard.Digest, error) {
	if err := d.knock(); err != nil {
		return shard.Digest{}, err
	}
	return d.Store.Digest(from, to, n)
}

func (d *door) Apply(b shard.Batch) error {
	if err := d.knock(); err != nil {
		return err
	}
	return d.Store.Apply(b)
}

func (d *door) Turn(o shard.Order) error {
	if err := d.knock(); err != nil {
		return err
	}
	return d.Store.Turn(o)
}

// gate is the map as the coordinator sees it.
type gate struct{ run *migrate }

func (g gate) Load() (shard.Map, error) {
	if err := g.run.operation(); err != nil {
		return shard.Map{}, err
	}
	return g.run.owners.Load()
}

func (g gate) Publish(m shard.Map) error {
	if err := g.run.operation(); err != nil {
		return err
	}
	return g.run.owners.Publish(m)
}

// step lets the coordinator do one step, or what comes before the first or instead of it.
func (s *migrate) step(env *labs.Env) {
	if s.down[coordinator] {
		return // it goes on when it is back
	}
	var p shard.Progress
	var err error
	switch {
	case !s.begun:
		err = s.move.Begin()
		s.begun = err == nil
		s.back = s.back && s.begun
	case s.back:
		err = s.rollBack(env)
	default:
		p, err = s.move.Step(env.Now())
	}
	s.learn(env)
	if err == errCrashed {
		s.left = never
		s.crash(env, coordinator)
		return
	}
	s.report(env, &p, err)
	s.show(env)
	if s.part.Move.Epoch > 0 || !s.begun {
		s.schedule(env)
	}
}

// schedule makes sure that one step, and one only, is to come.
func (s *migrate) schedule(env *labs.Env) {
	if s.resting {
		s.resting = false
		env.At(env.Now()+s.pace, migrateStep, 0, 0, 0)
	}
}

// rollBack decides to go back. Where nothing moves there is nothing to do.
func (s *migrate) rollBack(env *labs.Env) error {
	err := s.move.RollBack()
	if _, none := err.(*shard.PlanError); none || err == nil {
		s.back = false
	}
	if err == nil {
		s.learn(env)
		env.Emit(eventRollback, entityCoordinator, s.part.Move.Epoch, 0)
	}
	return err
}

// report tells what a step did.
func (s *migrate) report(env *labs.Env, p *shard.Progress, err error) {
	if err != nil {
		row := int64(-1)
		if differ, ok := err.(*shard.MismatchError); ok {
			row = int64(differ.Key)
		}
		env.Emit(eventStuck, entityCoordinator, row, 0)
		return
	}
	if p.Late {
		env.Emit(eventLate, entityCoordinator, p.Owner.Epoch, 0)
		return
	}
	if p.Did == shard.Idle {
		return
	}
	if p.Did != s.did {
		s.did = p.Did
		env.Emit(eventStep+int(p.Did-shard.Planning), entityCoordinator, p.Applied, p.Owner.Epoch)
	}
	if p.Rows > 0 {
		s.counts[migrateMoved] += int64(p.Rows)
		env.Emit(eventCarry, entityCoordinator, int64(p.Rows), p.Applied)
	}
	lag := max(0, p.Head-p.Applied)
	s.counts[migratePeakLag] = max(s.counts[migratePeakLag], lag)
	set(env, columnLag, lag)
	set(env, columnApplied, p.Applied)
	set(env, columnStep, int64(p.Next))
	if p.Next == shard.Idle {
		s.counts[migrateDone]++
		s.did = shard.Idle
		env.Emit(eventDone, entityCoordinator, p.Owner.Epoch, 0)
	}
}

// show brings the levels of both shards up to date, and the time in which nobody takes writes.
func (s *migrate) show(env *labs.Env) {
	open := false
	var are [2]shard.State
	for i, st := range s.stores {
		is, err := st.State()
		if err != nil {
			continue
		}
		are[i] = is
		set(env, columnShard+i*nOfShard+ofHead, is.Head)
		set(env, columnShard+i*nOfShard+ofMode, int64(is.Gate.Mode))
		open = open || is.Gate.Write(s.part.Term()) == shard.Admitted
	}
	s.draw(env, &are)
	set(env, columnEpoch, s.part.Epoch)
	switch {
	case open && s.shutAt >= 0:
		s.counts[migrateShut] += env.Now() - s.shutAt
		s.shutAt = -1
	case !open && s.shutAt < 0:
		s.shutAt = env.Now()
	}
}

// learn looks at the map, as routers do at once, and judges a new owner.
func (s *migrate) learn(env *labs.Env) {
	m, err := s.owners.Load()
	if err != nil || len(m.Parts) == 0 {
		return
	}
	was := s.part
	s.part = m.Parts[0]
	if s.part.Shard == was.Shard {
		return
	}
	check := checkLost
	if was.Move.Back {
		check = checkRollback
	}
	s.judgeOwner(env, check)
}

// judgeOwner looks for acknowledged rows that the owner of now does not have.
func (s *migrate) judgeOwner(env *labs.Env, check int) {
	rows, err := s.stores[numberOf(s.part.Shard)].Rows(0, len(s.rows))
	if err != nil {
		return
	}
	i := 0
	for k := range s.rows {
		r := &s.rows[k]
		left := int64(0)
		if i < len(rows) && rows[i].Key == shard.Key(k) {
			left = rows[i].Version
			i++
		}
		if left < r.version && !r.lost {
			r.lost = true
			s.counts[migrateLost]++
			env.Fail(check, r.request, int64(k), r.version, left)
		}
	}
	set(env, columnLost, s.counts[migrateLost])
}

// judgeWrite holds an acknowledgement to the ones before it.
func (s *migrate) judgeWrite(env *labs.Env, a *ask, version int64, at int) {
	row, epoch := &s.rows[a.key], a.term.Epoch
	if version <= row.version {
		env.Fail(checkBack, a.id, int64(a.key), version, row.version)
	}
	if epoch < s.part.Epoch {
		env.Fail(checkFence, a.id, epoch, s.part.Epoch, int64(a.key))
	}
	for int64(len(s.writer)) <= epoch {
		s.writer = append(s.writer, 0)
	}
	if w := &s.writer[epoch]; *w == 0 {
		*w = uint8(at + 1)
	} else if *w != uint8(at+1) {
		env.Fail(checkWriter, a.id, epoch, int64(a.key))
	}
	row.version, row.request, row.lost = max(version, row.version), a.id, false
}

// judgeRead holds what was read to what was acknowledged before.
func (s *migrate) judgeRead(env *labs.Env, a *ask, version int64) {
	if before := s.rows[a.key].version; version < before {
		env.Fail(checkBack, a.id, int64(a.key), version, before)
	}
}

// Finish judges what is left, and measures.
func (s *migrate) Finish(env *labs.Env) {
	s.judgeOwner(env, checkLost)
	if s.shutAt >= 0 {
		s.counts[migrateShut] += env.Now() - s.shutAt
	}
	s.counts[migrateEpoch] = s.part.Epoch
	for i, n := range s.counts {
		env.Metric(i, n)
	}
}

// set, count and stream stand between the lab and Env, out of line: each is called a dozen times, and would be spelled out each time.
//
//go:noinline
func set(env *labs.Env, column int, value int64) { env.Set(column, value) }

//go:noinline
func count(env *labs.Env, column int) { env.Add(column, 1) }

//go:noinline
func stream(env *labs.Env, name string) sim.Stream { return env.Stream(name) }
