package intent_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/intent"
)

// twin keeps a map and lists, and no store.
type twin struct {
	cfg     intent.Config
	all     map[uint64]*order
	waiting []uint64
	claimed []uint64
	ended   []uint64
	begins  int
}

type order struct {
	body, result string
	state        intent.State
	attempt      int64
	until        int64
	begun        int // a number that grows with each begin; 0 when what happened to it last is something else
}

func without(list []uint64, id uint64) []uint64 {
	return slices.DeleteFunc(list, func(x uint64) bool { return x == id })
}

func (w *twin) accept(id uint64, body string) intent.Receipt {
	if o := w.all[id]; o != nil {
		if o.body != body {
			return intent.Receipt{Answer: intent.Conflict, State: o.state}
		}
		return intent.Receipt{Answer: intent.Known, State: o.state, Result: o.result}
	}
	if int64(len(w.waiting)+len(w.claimed)) >= w.cfg.MaxOpen {
		return intent.Receipt{}
	}
	w.all[id] = &order{body: body, state: intent.Open}
	w.waiting = append(w.waiting, id)
	return intent.Receipt{Answer: intent.Accepted, State: intent.Open}
}

func (w *twin) claim(now int64) (intent.Claim, bool) {
	for {
		var id uint64
		switch {
		case len(w.claimed) > 0 && w.all[w.claimed[0]].until <= now:
			id = w.claimed[0]
		case len(w.waiting) > 0:
			id = w.waiting[0]
		default:
			return intent.Claim{}, false
		}
		o := w.all[id]
		w.waiting, w.claimed = without(w.waiting, id), without(w.claimed, id)
		if o.attempt == w.cfg.MaxAttempts {
			w.end(id, intent.GivenUp, "no result of the last attempt")
			continue
		}
		w.begins++
		o.attempt++
		o.begun = w.begins
		o.until = now + w.cfg.Lease
		w.claimed = append(w.claimed, id)
		return intent.Claim{ID: id, Attempt: o.attempt, Body: o.body}, true
	}
}

func (w *twin) end(id uint64, s intent.State, result string) {
	w.waiting, w.claimed = without(w.waiting, id), without(w.claimed, id)
	w.all[id].state, w.all[id].result = s, result
	if w.ended = append(w.ended, id); int64(len(w.ended)) > w.cfg.MaxDone {
		delete(w.all, w.ended[0])
		w.ended = w.ended[1:]
	}
}

func (w *twin) finish(c intent.Claim, failed bool) bool {
	o := w.all[c.ID]
	switch {
	case o == nil || o.state != intent.Open || o.attempt != c.Attempt:
		return false
	case !failed:
		w.end(c.ID, intent.Done, "yes")
	case c.Attempt == w.cfg.MaxAttempts:
		w.end(c.ID, intent.GivenUp, "no")
	case !slices.Contains(w.claimed, c.ID):
		return false
	default:
		w.claimed = without(w.claimed, c.ID)
		w.waiting = append(w.waiting, c.ID)
		o.begun = 0
	}
	return true
}

// restart puts those that somebody had begun behind the others, in the order in which they were.
func (w *twin) restart() {
	w.waiting, w.claimed = append(w.waiting, w.claimed...), nil
	slices.SortStableFunc(w.waiting, func(a, b uint64) int { return w.all[a].begun - w.all[b].begun })
}

// TestLogIsItsTwin: whatever is accepted, claimed, finished, failed, with claims of long ago, through copies, and through restarts from the
// store alone.
func TestLogIsItsTwin(t *testing.T) {
	restarts, givenUp := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		in := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
		cfg := intent.Config{MaxOpen: in("open", 1, 6), MaxDone: in("done", 0, 4), MaxAttempts: in("attempts", 1, 3), Lease: in("lease", 1, 9)}
		store := &intent.Memory{}
		l, w := must(intent.New(cfg, store)), twin{cfg: cfg, all: map[uint64]*order{}}
		var claims []intent.Claim
		now := int64(0)
		for step := range rapid.IntRange(1, 100).Draw(t, "steps") {
			now += in("passes", 0, 3)
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op < 4:
				id, body := uint64(in("id", 0, 40)), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "body")
				if got, want := must(l.AcceptAt(now, id, body)), w.accept(id, body); got != want {
					t.Fatalf("step %d: accept %d: %+v, want %+v", step, id, got, want)
				}
			case op < 6:
				got, ok, err := l.ClaimAt(now)
				if want, wantOK := w.claim(now); got != want || ok != wantOK || err != nil {
					t.Fatalf("step %d: claim %+v %v %v, want %+v %v", step, got, ok, err, want, wantOK)
				}
				claims = append(claims, got)
			case op < 8 && len(claims) > 0:
				c, failed := rapid.SampledFrom(claims).Draw(t, "claim"), rapid.Bool().Draw(t, "failed")
				want := c.Attempt > 0 && w.finish(c, failed)
				end, say := l.FinishAt, "yes"
				if failed {
					end, say = l.FailAt, "no"
				}
				if got := must(end(now, c, say)); got != want {
					t.Fatalf("step %d: %+v ends, failed %v: %v, want %v", step, c, failed, got, want)
				}
			case op == 8:
				l = must(intent.New(cfg, store))
				w.restart()
				restarts++
			default:
				copied := store.Clone()
				store = &copied
				l = l.Clone(store)
			}
			if l.Backlog() != int64(len(w.waiting)+len(w.claimed)) {
				t.Fatalf("step %d: %d open, want %d", step, l.Backlog(), len(w.waiting)+len(w.claimed))
			}
			for id := range uint64(41) {
				state, result := l.StatusOf(id)
				if o := w.all[id]; o == nil && state != intent.Unknown || o != nil && (state != o.state || result != o.result) {
					t.Fatalf("step %d: order %d is %v %q, want %+v", step, id, state, result, o)
				}
				if state == intent.GivenUp {
					givenUp++
				}
			}
		}
	})
	if restarts < 100 || givenUp == 0 {
		t.Errorf("%d restarts, %d given up: too few to have compared anything", restarts, givenUp)
	}
}
