package shardtest

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"seedbed/chapters/shard"
)

// mix says how often which call is drawn, relative to the others.
type mix struct {
	read, write, apply, turn, reset, rows, log, digest, trim, reopen int

	open bool // the store is opened first
}

// stream is a small random stream (SplitMix64, Steele, Lea and Flood 2014), so that calls are the same everywhere.
type stream uint64

func (s *stream) below(n int) int {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	hi, _ := bits.Mul64(z^z>>31, uint64(n))
	return int(hi)
}

// player plays one sequence of calls to a store and its twin.
type player struct {
	stream
	g     *Target
	store shard.Store
	twin  *twin
	calls []string
	value int
}

const calls = 80

// play returns what went wrong, or nothing.
func (g *Target) play(m *mix, seed uint64) string {
	p := &player{stream: stream(seed), g: g, store: g.New("a"), twin: newTwin("a")}
	if m.open {
		p.turn(shard.ToOpen, shard.Term{Epoch: 1, Writer: "a"}, shard.Cursor{})
	}
	kinds := [...]struct {
		weight int
		call   func() string
	}{
		{m.read, p.read}, {m.write, p.write}, {m.apply, p.apply}, {m.rows, p.rows}, {m.log, p.log}, {m.digest, p.digest},
		{m.turn, func() string { return p.turn(shard.OrderKind(p.below(3)), p.term(), p.was()) }},
		{m.reset, func() string { return p.turn(shard.ToReset, p.term(), p.was()) }},
		{m.trim, p.trim}, {m.reopen, p.reopen},
	}
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	for range calls {
		at := p.below(total)
		for _, k := range kinds {
			if at -= k.weight; at >= 0 {
				continue
			}
			why := k.call()
			if why == "" {
				why = p.same()
			}
			if why != "" {
				return why + p.transcript()
			}
			break
		}
	}
	return ""
}

// transcript is the calls that led here, the last ones.
func (p *player) transcript() string {
	from := max(0, len(p.calls)-5)
	var b strings.Builder
	for i, c := range p.calls[from:] {
		fmt.Fprintf(&b, "\n  call %d: %s", from+i+1, c)
	}
	return b.String()
}

func (p *player) note(format string, args ...any) {
	p.calls = append(p.calls, fmt.Sprintf(format, args...))
}

// refusal compares an answer's error with the twin's reason.
func (p *player) refusal(err error, want shard.Reason) string {
	var r *shard.Refused
	switch {
	case err == nil && want == shard.Admitted:
		return ""
	case err == nil:
		return fmt.Sprintf("got no refusal, want %q", want)
	case !errors.As(err, &r):
		return fmt.Sprintf("got the error %v, want a *shard.Refused with %q", err, want)
	case r.Reason != want:
		return fmt.Sprintf("got %q (%v), want %q", r.Reason, err, want)
	case r.Store != "a" || r.Op == "":
		return fmt.Sprintf("the refusal does not say where and what: %+v", *r)
	}
	return ""
}

// same compares the states.
func (p *player) same() string {
	got, err := p.store.State()
	if err != nil {
		return "state: " + err.Error()
	}
	if got != p.twin.state {
		return fmt.Sprintf("got the state %+v, want %+v", got, p.twin.state)
	}
	if name := p.store.Name(); name != "a" {
		return fmt.Sprintf("got the name %q, want %q", name, "a")
	}
	return ""
}

// term is one that is served, heard of, a little older or newer, or foreign.
func (p *player) term() shard.Term {
	g := p.twin.state.Gate
	switch p.below(8) {
	case 0, 1, 2:
		return g.Serves
	case 3:
		return g.Fence
	case 4:
		return shard.Term{Epoch: g.Fence.Epoch, Writer: [...]string{"a", "b", ""}[p.below(3)]}
	case 5:
		return shard.Term{Epoch: g.Fence.Epoch - int64(p.below(3)), Writer: g.Serves.Writer}
	}
	return shard.Term{Epoch: g.Fence.Epoch + int64(1+p.below(2)), Writer: [...]string{"a", "b"}[p.below(2)]}
}

// was is the cursor that is there, seldom another.
func (p *player) was() shard.Cursor {
	c := p.twin.state.Cursor
	switch p.below(30) {
	case 0:
		c.Applied++
	case 1:
		c.Step++
	case 2:
		c.Next++
	case 3:
		c.Term.Epoch++
	case 4:
		c.Since++
	case 5:
		c.Term.Writer += "b"
	}
	return c
}

// row is one of a few keys, so that versions meet.
func (p *player) row() shard.Row {
	p.value++
	keys := [...]shard.Key{0, 1, 2, 3, 50, 51, 1 << 40, shard.End - 1}
	r := shard.Row{Key: keys[p.below(len(keys))], Value: fmt.Sprint("v", p.value), Deleted: p.below(5) == 0}
	switch p.below(6) {
	case 0:
		r.Value = ""
	case 1:
		r.Value = "\x00\xff"
	}
	return r
}

// text is a row as a failure shows it.
func text(r shard.Row) string {
	if r.Deleted {
		return fmt.Sprintf("%d version %d deleted", r.Key, r.Version)
	}
	return fmt.Sprintf("%d version %d %q", r.Key, r.Version, r.Value)
}

func (p *player) read() string {
	t, k := p.term(), p.row().Key
	p.note("read %d under %v", k, t)
	got, err := p.store.Read(t, k)
	want, why := p.twin.read(t, k)
	if bad := p.refusal(err, why); bad != "" || err != nil {
		return bad
	}
	return differ(got, want)
}

func (p *player) write() string {
	t, r := p.term(), p.row()
	switch p.below(24) {
	case 0:
		r.Key = shard.Key(-1 - p.below(3))
	case 1:
		r.Key = shard.End
	case 2, 3, 4, 5, 6, 7:
		r.Version = max(0, p.twin.rows[r.Key].Version+int64(p.below(5)-2))
	}
	p.note("write %s under %v", text(r), t)
	got, err := p.store.Write(t, r)
	want, why := p.twin.write(t, r)
	if bad := p.refusal(err, why); bad != "" || err != nil {
		return bad
	}
	return differ(got, want)
}

func (p *player) apply() string {
	b := shard.Batch{Term: p.term(), Was: p.was(), Cursor: shard.Cursor{
		Term: p.term(), Step: shard.Step(p.below(int(shard.NStep))), Next: shard.Key(p.below(99)), Applied: int64(p.below(99)), Since: int64(p.below(9)),
	}}
	for range p.below(4) {
		r := p.row()
		r.Version = max(1, p.twin.rows[r.Key].Version+int64(p.below(5)-2))
		if r.Deleted {
			r.Value = ""
		}
		b.Rows = append(b.Rows, r)
	}
	note := fmt.Sprintf("apply under %v, cursor as it is: %v, new cursor %+v, rows", b.Term, b.Was == p.twin.state.Cursor, b.Cursor)
	for _, r := range b.Rows {
		note += " " + text(r) + ","
	}
	p.note("%s", strings.TrimSuffix(note, ","))
	return p.refusal(p.store.Apply(b), p.twin.apply(b))
}

func (p *player) turn(kind shard.OrderKind, t shard.Term, was shard.Cursor) string {
	o := shard.Order{Kind: kind, Term: t, Was: was, At: int64(len(p.calls) + 1)}
	p.note("%v under %v, cursor as it is: %v", kind, t, was == p.twin.state.Cursor)
	return p.refusal(p.store.Turn(o), p.twin.turn(o))
}

func (p *player) rows() string {
	from, n := p.row().Key, 1+p.below(5)
	p.note("%d rows from %d", n, from)
	got, err := p.store.Rows(from, n)
	if err != nil {
		return err.Error()
	}
	return differ(slices.Clone(got), p.twin.sorted(from, shard.End, n))
}

func (p *player) log() string {
	after, n := int64(p.below(int(p.twin.state.Head)+2)), 1+p.below(5)
	p.note("%d changes after %d", n, after)
	got, err := p.store.Log(after, n)
	want, ok := p.twin.after(after, n)
	var gap *shard.GapError
	switch {
	case ok && err != nil:
		return err.Error()
	case !ok && !errors.As(err, &gap):
		return fmt.Sprintf("got %v %v, want a *shard.GapError: only changes after %d are kept", got, err, p.twin.kept)
	case !ok:
		return differ(*gap, shard.GapError{Store: "a", After: after, Kept: p.twin.kept})
	}
	return differ(slices.Clone(got), want)
}

func (p *player) digest() string {
	from, n := p.row().Key, 1+p.below(5)
	to := [...]shard.Key{shard.End, from + 1, from + 49}[p.below(3)]
	p.note("digest of %d rows in %d..%d", n, from, to-1)
	got, err := p.store.Digest(from, to, n)
	if err != nil {
		return err.Error()
	}
	return differ(got, p.twin.digest(from, to, n))
}

func (p *player) trim() string {
	if p.g.Trim == nil {
		return ""
	}
	upTo := int64(p.below(int(p.twin.state.Head) + 3))
	p.note("trim up to %d", upTo)
	if err := p.g.Trim(p.store, upTo); err != nil {
		return err.Error()
	}
	p.twin.trim(upTo)
	return ""
}

func (p *player) reopen() string {
	p.note("reopen")
	p.store = p.g.Reopen(p.store)
	if why := p.same(); why != "" {
		return why
	}
	return p.rows()
}

// differ is nothing when both print alike: that tells nil from an empty slice no more than a caller can.
func differ(got, want any) string {
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		return "got " + g + ", want " + w
	}
	return ""
}
