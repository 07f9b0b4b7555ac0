package shardtest

import (
	"slices"

	"seedbed/chapters/shard"
)

// twin is a store as one would write it without a thought of speed or of crashes. It shares no code with the stores that it judges.
type twin struct {
	name  string
	state shard.State
	kept  int64
	rows  map[shard.Key]shard.Row
	log   []shard.Change
}

func newTwin(name string) *twin { return &twin{name: name, rows: map[shard.Key]shard.Row{}} }

// old says whether a term was overtaken by another that this store has heard of.
func (w *twin) old(t shard.Term) shard.Reason {
	newest := w.state.Gate.Fence
	if t.Epoch <= 0 || t.Epoch < newest.Epoch {
		return shard.Stale
	}
	if t.Epoch == newest.Epoch && t.Writer != newest.Writer {
		return shard.Foreign
	}
	return shard.Admitted
}

// client says whether a client's term is the one that is served.
func (w *twin) client(t shard.Term, writes bool) shard.Reason {
	g := w.state.Gate
	right := t.Epoch == g.Serves.Epoch && t.Writer == g.Serves.Writer
	switch {
	case right && g.Mode == shard.Open, right && g.Mode == shard.Fenced && !writes:
		return shard.Admitted
	case right && g.Mode == shard.Fenced:
		return shard.Halted
	}
	if why := w.old(t); why != shard.Admitted {
		return why
	}
	return shard.Elsewhere
}

func (w *twin) read(t shard.Term, k shard.Key) (shard.Row, shard.Reason) {
	if why := w.client(t, false); why != shard.Admitted {
		return shard.Row{}, why
	}
	if r, ok := w.rows[k]; ok {
		return r, shard.Admitted
	}
	return shard.Row{Key: k}, shard.Admitted
}

func (w *twin) write(t shard.Term, r shard.Row) (shard.Row, shard.Reason) {
	if why := w.client(t, true); why != shard.Admitted {
		return shard.Row{}, why
	}
	if r.Key < 0 || r.Key >= shard.End {
		return shard.Row{}, shard.BadKey
	}
	there := w.rows[r.Key].Version
	if r.Version != 0 && r.Version <= there {
		return shard.Row{}, shard.OldVersion
	}
	if r.Version == 0 {
		r.Version = there + 1
	}
	if r.Deleted {
		r.Value = ""
	}
	w.rows[r.Key] = r
	w.state.Head++
	w.log = append(w.log, shard.Change{Position: w.state.Head, Term: t, Row: r})
	return r, shard.Admitted
}

func (w *twin) apply(b shard.Batch) shard.Reason {
	if why := w.old(b.Term); why != shard.Admitted {
		return why
	}
	if w.state.Gate.Mode == shard.Open {
		return shard.Owning
	}
	if b.Was != w.state.Cursor {
		return shard.Overtaken
	}
	for _, r := range b.Rows {
		if r.Version > w.rows[r.Key].Version {
			w.rows[r.Key] = r
		}
	}
	w.state.Cursor, w.state.Gate.Fence = b.Cursor, b.Term
	return shard.Admitted
}

func (w *twin) turn(o shard.Order) shard.Reason {
	g := &w.state.Gate
	if why := w.old(o.Term); why != shard.Admitted {
		return why
	}
	own := o.Term.Writer == w.name
	if o.Kind == shard.ToOpen && !own {
		return shard.Elsewhere
	}
	if own && (o.Kind == shard.ToFence || o.Kind == shard.ToClose) || o.Kind == shard.ToReset && g.Mode != shard.Closed {
		return shard.Owning
	}
	if o.Was != w.state.Cursor {
		return shard.Overtaken
	}
	was := *g
	switch o.Kind {
	case shard.ToOpen:
		g.Mode, g.Serves = shard.Open, o.Term
	case shard.ToFence:
		if g.Mode == shard.Open {
			g.Mode = shard.Fenced
		}
	case shard.ToClose:
		g.Mode = shard.Closed
	case shard.ToReset:
		w.rows, w.log = map[shard.Key]shard.Row{}, nil
		w.kept, w.state.Cursor = w.state.Head, shard.Cursor{Term: o.Term}
	}
	g.Fence = o.Term
	if opened := g.Mode == shard.Open && (was.Mode != shard.Open || was.Serves != g.Serves); opened || was.Mode == shard.Open && g.Mode != shard.Open {
		g.Since = o.At
	}
	return shard.Admitted
}

// sorted are the rows of a range in the order of their keys, at most n.
func (w *twin) sorted(from, to shard.Key, n int) []shard.Row {
	var out []shard.Row
	for k, r := range w.rows {
		if k >= from && k < to {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b shard.Row) int { return int(a.Key - b.Key) })
	return out[:min(n, len(out))]
}

// after are the changes after a position, at most n; ok is false when some of them are gone.
func (w *twin) after(position int64, n int) (out []shard.Change, ok bool) {
	for _, c := range w.log {
		if c.Position > position && len(out) < n {
			out = append(out, c)
		}
	}
	return out, position >= w.kept
}

func (w *twin) trim(upTo int64) {
	w.log = slices.DeleteFunc(w.log, func(c shard.Change) bool { return c.Position <= upTo })
	w.kept = max(w.kept, min(upTo, w.state.Head))
}

func (w *twin) digest(from, to shard.Key, n int) shard.Digest {
	rows := w.sorted(from, to, n+1)
	d := shard.Digest{Next: to, Head: w.state.Head, Applied: w.state.Cursor.Applied}
	if len(rows) > n {
		d.Next, rows = rows[n].Key, rows[:n]
	}
	for i := range rows {
		d.Add(&rows[i])
	}
	return d
}
