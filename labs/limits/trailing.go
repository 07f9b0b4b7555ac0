package limits

import (
	"math/bits"
	"slices"
)

// trailing counts what was admitted in a window that ends now: the judge's own log, one entry an instant. The zero value is empty.
type trailing struct {
	log  []batch
	head int // entries before it have left the window
	sum  int64
}

type batch struct{ at, n int64 }

// within drops what was admitted at or before the instant, and returns how many are left: those of the window (since, now].
// Amortised O(1).
func (t *trailing) within(since int64) int64 {
	for t.head < len(t.log) && t.log[t.head].at <= since {
		t.sum -= t.log[t.head].n
		t.head++
	}
	if t.head > 64 && 2*t.head > len(t.log) {
		t.log = t.log[:copy(t.log, t.log[t.head:])]
		t.head = 0
	}
	return t.sum
}

// add counts n admissions at an instant not before the newest.
func (t *trailing) add(at, n int64) {
	t.sum += n
	if last := len(t.log) - 1; last >= t.head && t.log[last].at == at {
		t.log[last].n += n
		return
	}
	t.log = append(t.log, batch{at, n})
}

// oldest is the instant of the earliest admission that is still within; it must not be called on an empty window.
func (t *trailing) oldest() int64 { return t.log[t.head].at }

func (t *trailing) clone() trailing {
	return trailing{log: slices.Clone(t.log[t.head:]), sum: t.sum}
}

func (t *trailing) bytes() int { return 16 * (len(t.log) - t.head) }

// perSecond is n in a span of ns as a rate, in thousandths per second, rounded down.
func perSecond(n, span int64) int64 {
	hi, lo := bits.Mul64(uint64(n), 1_000_000_000_000)
	rate, _ := bits.Div64(hi, lo, uint64(span))
	return int64(rate)
}
