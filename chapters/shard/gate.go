package shard

import "strconv"

// Mode is what a store does for clients.
type Mode uint8

// The modes.
const (
	Closed Mode = iota // serves nobody
	Fenced             // serves reads of its term, and no writes
	Open               // serves reads and writes of its term
)

func (m Mode) String() string { return [...]string{"closed", "fenced", "open"}[m] }

// Gate decides what a store serves. It is a value, and its methods are the whole law: every Store calls them inside its transactions.
// The zero Gate is closed and has heard of no term.
type Gate struct {
	Mode   Mode
	Serves Term  // the term for which it was opened last
	Fence  Term  // the newest term that it has heard of; nothing older is obeyed
	Since  int64 // instant at which it was opened, or stopped taking writes
}

// Reason is why a store refused, or Admitted.
type Reason uint8

// The reasons.
const (
	Admitted   Reason = iota
	Stale             // the epoch is below the newest that the store has heard of: the route is old
	Foreign           // the epoch belongs to another writer
	Halted            // the term is the right one, and fenced: a new owner is about to take over
	Elsewhere         // the store does not serve this term: a wrong turn, or it is not open yet
	Owning            // the store is an owner and takes no copies, no fence of its own term, and is not emptied
	Overtaken         // the cursor is not the expected one: another migration has moved it
	OldVersion        // the row is there in this or a greater version
	BadKey            // the key is outside 0..End−1
)

var reasons = [...]string{
	"admitted", "stale epoch", "epoch of another writer", "fenced", "not served here", "it is an owner", "overtaken by another migration",
	"the version is not greater", "the key is out of range",
}

func (r Reason) String() string { return reasons[r] }

// hears says whether a term may still be obeyed. It and serves are out of line: every method of a store comes through them.
//
//go:noinline
func (g Gate) hears(t Term) Reason {
	switch {
	case t.Epoch < 1, t.Epoch < g.Fence.Epoch:
		return Stale
	case t.Epoch == g.Fence.Epoch && t.Writer != g.Fence.Writer:
		return Foreign
	}
	return Admitted
}

// Write says whether a write that carries the term is taken.
func (g Gate) Write(t Term) Reason {
	if g.Mode == Fenced && t == g.Serves {
		return Halted
	}
	return g.serves(t)
}

// Accept is the row as it is to be stored for a write that carries the term, beside the row that is there (version 0 when there is
// none), or why it is refused.
func (g Gate) Accept(t Term, r, is Row) (Row, Reason) {
	if why := g.Write(t); why != Admitted {
		return r, why
	}
	if r.Key < 0 || r.Key >= End {
		return r, BadKey
	}
	if r.Version == 0 {
		r.Version = is.Version + 1
	}
	if r.Version <= is.Version {
		return r, OldVersion
	}
	if r.Deleted {
		r.Value = ""
	}
	return r, Admitted
}

// Read says whether a read that carries the term is served: by an open store, and by a fenced one, which holds all that was ever
// acknowledged until another is opened.
func (g Gate) Read(t Term) Reason { return g.serves(t) }

//go:noinline
func (g Gate) serves(t Term) Reason {
	if g.Mode != Closed && t == g.Serves {
		return Admitted
	}
	if r := g.hears(t); r != Admitted {
		return r
	}
	return Elsewhere
}

// Apply is the gate after a batch of that term, or why it is refused: an owner takes no copies.
func (g Gate) Apply(t Term) (Gate, Reason) {
	if r := g.hears(t); r != Admitted {
		return g, r
	}
	if g.Mode == Open {
		return g, Owning
	}
	g.Fence = t
	return g, Admitted
}

// OrderKind is what an Order asks for.
type OrderKind uint8

// The orders. Within one term a store's mode only falls, unless the term is its own: then it only rises. So an order that comes late
// or twice does no harm.
const (
	ToOpen  OrderKind = iota // serve the term, which must be the store's own
	ToFence                  // take no more writes: the term is another's
	ToClose                  // serve nobody: the term is another's
	ToReset                  // drop rows, log and cursor; only a closed store obeys
)

func (k OrderKind) String() string { return [...]string{"open", "fence", "close", "reset"}[k] }

// Order changes a store's gate.
type Order struct {
	Kind OrderKind
	Term Term
	Was  Cursor // the cursor that must be there, so that an order decided on an old view changes nothing
	At   int64  // the instant
}

// Turn is the gate after an order to the store of that name, or why it is refused.
func (g Gate) Turn(o Order, name string) (Gate, Reason) {
	if r := g.hears(o.Term); r != Admitted {
		return g, r
	}
	own := o.Term.Writer == name
	switch o.Kind {
	case ToOpen:
		if !own {
			return g, Elsewhere
		}
		if g.Mode == Open && g.Serves == o.Term {
			return g, Admitted
		}
		return Gate{Mode: Open, Serves: o.Term, Fence: o.Term, Since: o.At}, Admitted
	case ToFence, ToClose:
		if own {
			return g, Owning
		}
		mode := Closed
		if o.Kind == ToFence {
			mode = Fenced
		}
		if g.Mode == Open {
			g.Since = o.At
		}
		g.Mode = min(g.Mode, mode)
	case ToReset:
		if g.Mode != Closed {
			return g, Owning
		}
	}
	g.Fence = o.Term
	return g, Admitted
}

// Refused is a store's refusal: who refused what, for which reason, and what would be right. The store is as before.
type Refused struct {
	Store  string
	Op     string // read, write, apply, open, fence, close, reset
	Reason Reason
	Term   Term // that the request carried
	Gate   Gate
	Row    Row // write: the row that is there, for OldVersion; else only its key
}

// Error says it in one line: `write to old: stale epoch: it carries epoch 1 of old, the store has heard of epoch 2 of new; ask new`.
func (e *Refused) Error() string {
	s := e.Op + " at " + e.Store + ": " + e.Reason.String()
	switch e.Reason {
	case Overtaken:
		return s + "; read where it stands and try again"
	case OldVersion:
		return s + ": row " + strconv.FormatInt(int64(e.Row.Key), 10) + " is there in version " + strconv.FormatInt(e.Row.Version, 10) + "; write a greater one, or 0 for the next"
	case BadKey:
		return s + ": " + strconv.FormatInt(int64(e.Row.Key), 10) + " is not in 0.." + strconv.FormatInt(int64(End)-1, 10)
	}
	s += ": it carries " + e.Term.String() + ", the store is " + e.Gate.Mode.String() + " and has heard of " + e.Gate.Fence.String()
	switch {
	case e.Reason == Owning:
		return s + "; fence and close it first"
	case e.Gate.Fence.Writer != "" && e.Gate.Fence.Writer != e.Store:
		return s + "; ask " + e.Gate.Fence.Writer
	}
	return s + "; ask the owner that the map names"
}

// String is "epoch 2 of new".
func (t Term) String() string {
	if t == (Term{}) {
		return "no epoch"
	}
	return "epoch " + strconv.FormatInt(t.Epoch, 10) + " of " + t.Writer
}

// GapError is a log that no longer reaches back to where it is wanted from.
type GapError struct {
	Store       string
	After, Kept int64 // wanted: all after After; kept: all after Kept
}

// Error says what is missing and what would be right.
func (e *GapError) Error() string {
	return "log of " + e.Store + ": changes after " + strconv.FormatInt(e.After, 10) + " are wanted, those up to " +
		strconv.FormatInt(e.Kept, 10) + " are gone; roll back and begin with a new snapshot"
}
