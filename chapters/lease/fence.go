package lease

import "strconv"

// Fence is the store's side: it knows the greatest token that it has heard of, and obeys nothing older. It must be checked and changed in the
// same transaction as what it guards, and be as durable as that.
//
// O(1), flat. The zero value has heard of nothing.
type Fence struct{ highest Token }

// Verdict is what a fence says of a token.
type Verdict uint8

// The verdicts.
const (
	Admitted Verdict = iota
	Stale            // a greater token was seen: the lock has passed on
	Foreign          // the same number with another holder: two lock services give out tokens
	Nobody           // the number is below 1
)

var verdicts = [...]string{"admitted", "stale", "foreign", "nobody"}

// String is the verdict in words.
func (v Verdict) String() string {
	if int(v) < len(verdicts) {
		return verdicts[v]
	}
	return "verdict " + strconv.Itoa(int(v))
}

// Raise makes a token known, and reports whether it is the highest now: the first thing that a new holder does, before it reads.
func (f *Fence) Raise(t Token) (bool, Verdict) {
	v := f.Judge(t)
	if v == Admitted {
		f.highest = t
	}
	return v == Admitted, v
}

// Judge says what Raise would, and changes nothing.
func (f *Fence) Judge(t Token) Verdict {
	switch {
	case t.N < 1:
		return Nobody
	case t.N < f.highest.N:
		return Stale
	case t.N == f.highest.N && t.Who != f.highest.Who:
		return Foreign
	}
	return Admitted
}

// Highest is the greatest token heard of.
func (f *Fence) Highest() Token { return f.highest }

// Cell is one value behind a fence: the least store that is safe.
type Cell[V any] struct {
	Fence
	value V
}

// Read is the value as it is now, for a token that is not stale. It raises no fence: who will write what follows from it must have done that
// before, else what is read may still be changed by the holder of before.
func (c *Cell[V]) Read(t Token) (V, Verdict) {
	if v := c.Judge(t); v != Admitted {
		var none V
		return none, v
	}
	return c.value, Admitted
}

// Write sets the value, and raises the fence.
func (c *Cell[V]) Write(t Token, value V) Verdict {
	ok, v := c.Raise(t)
	if ok {
		c.value = value
	}
	return v
}

// Peek is the value for those who do not care who holds the lock.
func (c *Cell[V]) Peek() V { return c.value }
