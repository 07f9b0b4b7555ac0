package route_test

import (
	"sort"

	"seedbed/chapters/route"
)

// backend is how a simulated peer answers.
type backend struct {
	takes int64 // ns; 0: never answers
	fails bool
}

// request is one in flight.
type request struct {
	ends  int64
	lease route.Lease
	peer  int
}

// load sends a request every gap ns for a time to a pool, lets the backends answer, and counts what each peer got.
type load struct {
	pool     *route.Pool
	backends []backend
	source   route.Source
	now      int64
	open     []request
	got      []int
	refused  int
	// onDone, if set, sees what each end of a request changed.
	onDone func(now int64, d route.Done)
}

func (l *load) run(length, gap int64) {
	l.got = make([]int, l.pool.Len())
	for end := l.now + length; l.now < end; l.now += gap {
		l.finish(l.now)
		d := l.pool.PickAt(l.now, l.source)
		if !d.OK {
			l.refused++
			continue
		}
		l.got[d.Peer]++
		if b := l.backends[d.Peer]; b.takes > 0 {
			l.open = append(l.open, request{ends: l.now + b.takes, lease: d.Lease, peer: d.Peer})
		}
	}
}

// finish ends what is over by now, in order.
func (l *load) finish(now int64) {
	sort.SliceStable(l.open, func(i, j int) bool { return l.open[i].ends < l.open[j].ends })
	for len(l.open) > 0 && l.open[0].ends <= now {
		r := l.open[0]
		l.open = l.open[1:]
		o := route.Success
		if l.backends[r.peer].fails {
			o = route.Failure
		}
		d := l.pool.DoneAt(r.ends, r.lease, o)
		if l.onDone != nil {
			l.onDone(r.ends, d)
		}
	}
}

// share is the part of all picks that a peer got, in percent.
func (l *load) share(i int) float64 {
	all := 0
	for _, n := range l.got {
		all += n
	}
	return 100 * float64(l.got[i]) / float64(all)
}
