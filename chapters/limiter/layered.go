package limiter

// TakeAll asks several limiters for n units at once: all of them grant, or none does and none has changed. It first peeks at each
// and takes only when all have room, so each must report Remaining rightly, and nobody else may use them in between: hold one lock
// over all of them, or use them in one goroutine.
//
// The decision is the tightest of all: the least Limit and Remaining, the greatest ResetAfter, Delay and RetryAfter, and Never if
// any of them says Never. It has no state and allocates nothing.
func TakeAll(now, n int64, limits ...Limiter) Decision {
	if len(limits) == 0 {
		return Unlimited{}.TakeAt(now, n)
	}
	ok := n >= 0
	for _, l := range limits {
		if l.TakeAt(now, 0).Remaining < n {
			ok = false
		}
	}
	all := Decision{OK: true, Limit: maxInt64, Remaining: maxInt64}
	for _, l := range limits {
		d := l.TakeAt(now, 0)
		// A layer without room denies and says when; one with room is asked for nothing when another has none.
		if ok || d.Remaining < n || n < 0 {
			d = l.TakeAt(now, n)
		}
		all.add(d)
	}
	return all
}

// add keeps the tighter of two decisions, field by field.
func (d *Decision) add(e Decision) {
	d.OK = d.OK && e.OK
	d.Limit = min(d.Limit, e.Limit)
	d.Remaining = min(d.Remaining, e.Remaining)
	d.ResetAfter = longer(d.ResetAfter, e.ResetAfter)
	d.RetryAfter = longer(d.RetryAfter, e.RetryAfter)
	d.Delay = max(d.Delay, e.Delay)
}

// longer is the greater of two waits, of which Never is the greatest.
func longer(a, b int64) int64 {
	if a == Never || b == Never {
		return Never
	}
	return max(a, b)
}

// Layered puts several limits before one request, all or nothing: a limit an action, one a user and one for all, say. It owns its
// layers: nobody else may use them.
type Layered struct {
	layers []Serial
	all    []Limiter // the same, as TakeAll wants them
}

// NewLayered takes the layers in any order. Without any it admits everything.
func NewLayered(layers ...Serial) Layered {
	l := Layered{layers: append([]Serial(nil), layers...)}
	for _, s := range layers {
		l.all = append(l.all, s)
	}
	return l
}

// TakeAt takes n units of every layer, or of none.
func (l *Layered) TakeAt(now, n int64) Decision { return TakeAll(now, n, l.all...) }

// TakeWith takes n units of every layer and one permit of p, or nothing at all: for a request that is limited both by rate and by
// how many are in flight. The permit must be released when the request ends.
func (l *Layered) TakeWith(now, n int64, p *Permits) (Permit, Decision) {
	if n <= 0 || p.InFlight() == p.limit {
		d := l.TakeAt(now, min(n, 0))
		e := p.Peek()
		if n != 0 {
			e.OK, e.RetryAfter = false, Never
		}
		d.add(e)
		return Permit{}, d
	}
	d := l.TakeAt(now, n)
	if !d.OK {
		d.add(p.Peek())
		return Permit{}, d
	}
	permit, e := p.Take()
	d.add(e)
	return permit, d
}

// Clone copies every layer.
func (l *Layered) Clone() Layered {
	layers := make([]Serial, len(l.layers))
	for i, s := range l.layers {
		layers[i] = s.Copy()
	}
	return NewLayered(layers...)
}

// Copy is Clone behind the interface.
func (l *Layered) Copy() Serial { c := l.Clone(); return &c }

// Size is the sum over the layers.
func (l *Layered) Size() int {
	total := 0
	for _, s := range l.layers {
		total += s.Size()
	}
	return total
}
