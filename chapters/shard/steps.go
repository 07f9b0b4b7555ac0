package shard

// work is one step in the making: what the map and the stores say, and what comes of it.
type work struct {
	Progress
	m    *Migration
	now  int64
	all  Map
	part Part
	term Term // that the move's orders carry

	// source has the log that is carried, target receives it. After the cut-over the two have changed places.
	source, target     Store
	sourceIs, targetIs State
}

// look reads everything that decides, and finds the step that is to be done.
func (w *work) look() (err error) {
	if w.all, w.part, err = w.m.part(); err != nil || !w.part.moving() {
		return err
	}
	move := &w.part.Move
	source, target := move.From, move.To
	w.term = Term{move.Epoch, move.To}
	if w.part.published() {
		source, target = target, source
	}
	if move.Undo {
		w.term.Writer = move.From
	}
	if w.source, err = w.m.store(source); err != nil {
		return err
	}
	if w.target, err = w.m.store(target); err != nil {
		return err
	}
	// The target first: when its cursor says that the source is fenced, the source's head, read after it, is the fence position.
	targetIs, lost := w.target.State()
	if w.sourceIs, err = w.source.State(); err != nil {
		return err
	}
	w.targetIs = targetIs
	w.Back, w.Head, w.Applied = move.Back, w.sourceIs.Head, targetIs.Cursor.Applied
	w.Did = w.step()
	g := &w.sourceIs.Gate
	w.Late = w.Did < Drain && g.Mode != Open && w.m.plan.FenceMax > 0 && w.now-g.Since > w.m.plan.FenceMax
	if w.Late || w.Did == Undo {
		return nil // a target that cannot be reached must not keep the source shut
	}
	return lost
}

// step tells the step from what is there.
func (w *work) step() Step {
	c := &w.targetIs.Cursor
	known := c.Term == w.term && c.Step != Idle
	switch {
	case w.part.Move.Undo:
		return Undo
	case known && w.part.published():
		return max(c.Step, Drain)
	case known:
		return c.Step
	case w.part.published(): // the old copy is empty already
		return CleanUp
	}
	return Planning
}

// do does it.
func (w *work) do() error {
	if w.Late {
		w.Next = Undo
		return w.publish(w.part.back())
	}
	switch w.Did {
	case Planning:
		return w.begin()
	case Snapshot:
		return w.copy()
	case Replay, CatchUp, FenceReplay, Drain:
		return w.carry()
	case Fencing:
		return w.fence()
	case Verify:
		return w.verify()
	case CutOver:
		return w.cutOver()
	case CleanUp:
		return w.cleanUp()
	case Undo:
		return w.undo()
	}
	return nil
}

// receive hands rows to the target, with the cursor that says so.
func (w *work) receive(c Cursor, rows []Row) error {
	w.Rows = len(rows)
	if err := w.target.Apply(Batch{Term: w.term, Was: w.targetIs.Cursor, Cursor: c, Rows: rows}); err != nil {
		return err
	}
	w.Next, w.Applied = c.Step, c.Applied
	return nil
}

// begin clears the target and notes where the log stands. On the way back the old copy is good, up to its cursor.
func (w *work) begin() error {
	c := w.targetIs.Cursor
	if w.part.Move.Back && c.Term == w.sourceIs.Gate.Serves && c.Step != Idle {
		c.Term, c.Step, c.Since = w.term, Replay, 0
		if w.part.Move.Fault&RouteOnlyRollback != 0 {
			c.Step = Fencing
		}
		return w.receive(c, nil)
	}
	if err := w.target.Turn(w.order(ToReset, c)); err != nil {
		return err
	}
	w.targetIs.Cursor = Cursor{Term: w.term}
	return w.receive(Cursor{Term: w.term, Step: Snapshot, Applied: w.sourceIs.Head}, nil)
}

// copy takes the next rows in the order of keys, as they are now. Those that change behind it are in the log.
func (w *work) copy() error {
	c, n := w.targetIs.Cursor, w.m.plan.Batch
	rows, err := w.source.Rows(c.Next, n)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		c.Next = rows[len(rows)-1].Key + 1
	}
	if len(rows) < n {
		c.Step = Replay
		if w.part.Move.Fault&StrictSnapshot != 0 {
			c.Step = Fencing
		}
	}
	return w.receive(c, rows)
}

// carry takes the next changes of the log, and decides from what is left of it.
func (w *work) carry() error {
	c, plan := w.targetIs.Cursor, &w.m.plan
	if w.Did == Drain && c.Step != Drain {
		c.Step, c.Since = Drain, w.now
	}
	var rows []Row
	if w.Did != Drain || w.part.Move.Fault&RouteOnlyRollback == 0 {
		changes, err := w.source.Log(c.Applied, plan.Batch)
		if err != nil {
			return w.still(err)
		}
		rows = make([]Row, len(changes))
		for i := range changes {
			rows[i], c.Applied = changes[i].Row, changes[i].Position
		}
	}
	lag := w.sourceIs.Head - c.Applied
	switch {
	case w.Did == Replay && lag <= plan.MaxLag:
		c.Step = CatchUp
	case w.Did == CatchUp && lag > plan.MaxLag:
		c.Step = Replay
	case w.Did == CatchUp && lag <= 0:
		c.Step = Fencing
		if w.part.Move.Fault&NoFence != 0 {
			c.Step = CutOver
		}
	case w.Did == FenceReplay && lag <= 0:
		c.Step, c.Next = Verify, 0
	case w.Did == Drain && w.now-c.Since >= plan.Drain:
		c.Step = CleanUp
	}
	return w.receive(c, rows)
}

// fence stops the source's writes. Since no write follows, its head is the fence position, and needs no other record.
func (w *work) fence() error {
	if err := w.source.Turn(w.order(ToFence, w.sourceIs.Cursor)); err != nil {
		return err
	}
	c, f := w.targetIs.Cursor, w.part.Move.Fault
	c.Step = FenceReplay
	if f&StrictSnapshot != 0 || f&RouteOnlyRollback != 0 && w.Back {
		c.Step = CutOver
	}
	return w.receive(c, nil)
}

// verify compares one range of both copies, at the fence position. A digest that covers a range from one key to another finds a row
// that only one of the two has, whichever it is.
func (w *work) verify() error {
	c, n := w.targetIs.Cursor, w.m.plan.Batch
	a, err := w.source.Digest(c.Next, End, n)
	if err != nil {
		return err
	}
	b, err := w.target.Digest(c.Next, a.Next, a.Rows+1)
	if err != nil {
		return err
	}
	if a.Head != b.Applied {
		return w.still(&PositionError{Source: w.source.Name(), Head: a.Head, Compared: b.Applied})
	}
	if a.Rows != b.Rows || a.Sum != b.Sum {
		return w.still(difference(w.source, w.target, &MismatchError{From: c.Next, To: a.Next, Position: a.Head}, n))
	}
	if c.Next = a.Next; c.Next == End {
		c.Step = CutOver
	}
	err = w.receive(c, nil)
	w.Rows = a.Rows
	return err
}

// still is a finding, unless another migration has gone on meanwhile: then the two copies were not of one time.
func (w *work) still(finding error) error {
	is, err := w.target.State()
	if err != nil {
		return err
	}
	from, err := w.source.State()
	if err != nil {
		return err
	}
	newest := max(is.Gate.Fence.Epoch, from.Gate.Fence.Epoch)
	if is.Cursor != w.targetIs.Cursor || from.Gate != w.sourceIs.Gate || newest > w.term.Epoch {
		return &Refused{Store: w.target.Name(), Op: w.Did.String(), Reason: Overtaken, Term: w.term, Gate: is.Gate}
	}
	return finding
}

// cutOver changes the owner. The way back is tried first: the old store must take a row and a position from the new one, or it would
// turn out at the roll back that it cannot.
func (w *work) cutOver() error {
	p, noFence := w.part, w.part.Move.Fault&NoFence != 0
	if !noFence {
		if err := w.wayBack(); err != nil {
			return err
		}
		if err := w.source.Turn(w.order(ToClose, w.sourceIs.Cursor)); err != nil {
			return err
		}
	}
	if err := w.target.Turn(w.order(ToOpen, w.targetIs.Cursor)); err != nil {
		return err
	}
	p.Shard, p.Epoch, w.Next = w.term.Writer, w.term.Epoch, Drain
	if noFence {
		p.Move, w.Next = Move{}, Idle
	}
	return w.publish(p)
}

// wayBack gives the source the cursor from which it will follow the target's log, and one row that it has already. Once it is there
// it stays: another migration may have opened the target meanwhile, and the log there may be longer.
func (w *work) wayBack() error {
	if w.sourceIs.Cursor.Term == w.term {
		return nil
	}
	rows, err := w.target.Rows(0, 1)
	if err != nil {
		return err
	}
	c := Cursor{Term: w.term, Step: CutOver, Applied: w.targetIs.Head}
	if err := w.source.Apply(Batch{Term: w.term, Was: w.sourceIs.Cursor, Cursor: c, Rows: rows}); err != nil {
		return err
	}
	w.sourceIs.Cursor = c
	return nil
}

// cleanUp empties the old copy and ends the move.
func (w *work) cleanUp() error {
	if err := w.target.Turn(w.order(ToReset, w.targetIs.Cursor)); err != nil {
		return err
	}
	return w.end()
}

// undo opens the source again under the new epoch, and only then sees to the target: it may be out of reach, and whatever it serves,
// no map ever named it.
func (w *work) undo() error {
	if p := w.part; p.Epoch < w.term.Epoch {
		if err := w.source.Turn(w.order(ToOpen, w.sourceIs.Cursor)); err != nil {
			return err
		}
		p.Epoch = w.term.Epoch
		if err := w.publish(p); err != nil {
			return err
		}
	}
	is, err := w.target.State()
	if err != nil {
		return err
	}
	if err := w.target.Turn(w.order(ToClose, is.Cursor)); err != nil {
		return err
	}
	if err := w.target.Turn(w.order(ToReset, is.Cursor)); err != nil {
		return err
	}
	return w.end()
}

// end publishes the part without its move.
func (w *work) end() error {
	p := w.part
	p.Move, w.Next = Move{}, Idle
	return w.publish(p)
}

//go:noinline
func (w *work) publish(p Part) error {
	next := w.all.With(w.m.plan.Part, p)
	if err := w.m.owners.Publish(next); err != nil {
		return err
	}
	w.all, w.part = next, p
	return nil
}

//go:noinline
func (w *work) order(kind OrderKind, was Cursor) Order {
	return Order{Kind: kind, Term: w.term, Was: was, At: w.now}
}
