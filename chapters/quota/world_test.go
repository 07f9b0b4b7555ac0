package quota_test

import (
	"math/rand/v2"

	"seedbed/chapters/quota"
)

const (
	ms     = 1_000_000
	second = 1_000_000_000
	limit  = 100
	drift  = 20_000 // 2 percent, so that it shows
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newPool(reserved int64) *quota.Pool {
	p := must(quota.NewPool(quota.Config{Limit: limit, Reserved: reserved, Period: second, Most: 20}))
	return &p
}

// clock runs at a rate of its own and says a time of its own.
type clock struct{ offset, ppm int64 }

func (c clock) at(true64 int64) int64 { return c.offset + true64 + true64/1_000_000*c.ppm }

// world is three nodes that spend as fast as they can, in true time, with clocks that agree on nothing and are off by up to the drift.
// Answers take their time or are lost. What is spent counts in the periods of the clock that all coordinators share.
type world struct {
	r     *rand.Rand
	now   int64
	clock clock
	nodes []node
	spent map[int64]int64
	// What a test sets.
	ask     func(node int) *quota.Pool // whom a node asks; nil: nobody is there
	reserve int64
	assume  int64 // drift that the nodes assume
	forgets bool  // a node gives back what it has spent, as if it had not
	early   bool  // nodes spend in the first tenth of a period only, so that they hold grants when it ends
}

type node struct {
	clock
	quota.Spender
	reply quota.Grant
	sent  int64
	due   int64 // true instant at which the answer comes; 0: none is on its way
}

func newWorld(seed uint64, reserve, assume int64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 5)), spent: map[int64]int64{}, reserve: reserve, assume: assume}
	w.clock = w.anyClock()
	for i := range uint64(3) {
		w.nodes = append(w.nodes, node{clock: w.anyClock(), Spender: w.spender(i)})
	}
	return w
}

func (w *world) spender(i uint64) quota.Spender {
	return must(quota.NewSpender(quota.SpenderConfig{Node: i, Period: second, Reserve: w.reserve, Drift: w.assume}))
}

func (w *world) anyClock() clock {
	return clock{w.r.Int64N(10*second) - 5*second, []int64{-drift, drift, w.r.Int64N(2*drift) - drift}[w.r.IntN(3)]}
}

// period is the number of the coordinators' period now.
func (w *world) period() int64 {
	at := w.clock.at(w.now)
	p := at / second
	if at%second < 0 {
		p--
	}
	return p
}

// run lets everybody act, about each millisecond, until an instant.
func (w *world) run(until int64) {
	for ; w.now < until; w.now += ms/2 + w.r.Int64N(ms) {
		for i := range w.nodes {
			w.act(i)
		}
	}
}

func (w *world) act(i int) {
	n := &w.nodes[i]
	if n.due != 0 && w.now >= n.due {
		n.Granted(n.at(w.now), n.sent, n.reply)
		n.due = 0
	}
	for range w.r.IntN(6) {
		if w.early && w.clock.at(w.now)-w.period()*second > second/10 {
			break
		}
		units := 1 + w.r.Int64N(3)
		if n.TakeAt(n.at(w.now), units) {
			w.spent[w.period()] += units
		}
	}
	p := w.ask(i)
	if p == nil {
		return
	}
	if w.r.IntN(20) == 0 {
		if r, ok := n.GiveBackAt(n.at(w.now)); ok {
			if w.forgets {
				r.Used = 0
			}
			p.ReturnAt(w.clock.at(w.now), r)
		}
	}
	if n.due == 0 && n.LeftAt(n.at(w.now)) < 5 {
		g, why := p.GrantAt(w.clock.at(w.now), uint64(i), 1+w.r.Int64N(30))
		if why == quota.Granted && w.r.IntN(10) > 0 {
			n.reply, n.sent, n.due = g, n.at(w.now), w.now+1+w.r.Int64N(40*ms)
		}
	}
}

// most is the most that was spent in one period.
func (w *world) most() int64 {
	top := int64(0)
	for _, n := range w.spent { // the greatest, in any order
		top = max(top, n)
	}
	return top
}
