package intent_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"seedbed/chapters/intent"
)

const second = 1_000_000_000

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func config() intent.Config {
	return intent.Config{MaxOpen: 3, MaxDone: 2, MaxAttempts: 2, Lease: 10 * second}
}

// say is a call's answer in words.
func accept(t *testing.T, l *intent.Log, now int64, id uint64, body string) string {
	t.Helper()
	r, err := l.AcceptAt(now, id, body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(r.Answer.String() + ", " + r.State.String() + " " + r.Result)
}

func claim(t *testing.T, l *intent.Log, now int64) (intent.Claim, bool) {
	t.Helper()
	c, ok, err := l.ClaimAt(now)
	if err != nil {
		t.Fatal(err)
	}
	return c, ok
}

// TestAsking: orders come, are known when they come again, and are refused when too many are open or the body is another.
func TestAsking(t *testing.T) {
	store := &intent.Memory{}
	l := must(intent.New(config(), store))
	for i, c := range []struct {
		id         uint64
		body, want string
	}{
		{1, "two cups", "accepted, open"},
		{1, "two cups", "known, open"},
		{1, "three cups", "conflict, open"},
		{2, "a plate", "accepted, open"},
		{0, "", "accepted, open"}, // an id like any other
		{4, "a bowl", "full, unknown"},
		{2, "a plate", "known, open"},
	} {
		if got := accept(t, &l, second, c.id, c.body); got != c.want {
			t.Errorf("t%d: order %d: %s, want %s", i, c.id, got, c.want)
		}
	}
	if store.Len() != 3 || l.Backlog() != 3 || l.OldestAt(5*second) != 4*second {
		t.Errorf("%d records, %d open, the oldest is %d", store.Len(), l.Backlog(), l.OldestAt(5*second))
	}
}

// TestWorking: orders are worked off, fail, are taken over, are given up, and are forgotten.
func TestWorking(t *testing.T) {
	l := must(intent.New(config(), &intent.Memory{}))
	accept(t, &l, second, 1, "two cups")
	accept(t, &l, second, 2, "a plate")
	accept(t, &l, second, 0, "")
	one, ok := claim(t, &l, 5*second)
	if want := (intent.Claim{ID: 1, Attempt: 1, Body: "two cups"}); !ok || one != want {
		t.Fatalf("claimed %+v, want %+v", one, want)
	}
	two, _ := claim(t, &l, 5*second)
	zero, _ := claim(t, &l, 6*second)
	if _, ok := claim(t, &l, 6*second); ok || two.ID != 2 || zero.ID != 0 {
		t.Fatalf("claimed %+v, %+v and a fourth: %v", two, zero, ok)
	}
	if ok, _ := l.FailAt(7*second, two, "no plates"); !ok {
		t.Error("an attempt cannot fail")
	}
	if ok, _ := l.FailAt(7*second, two, "no plates"); ok {
		t.Error("an attempt fails twice")
	}
	again, _ := claim(t, &l, 15*second-1)
	if again != (intent.Claim{ID: 2, Attempt: 2, Body: "a plate"}) {
		t.Errorf("claimed %+v, want the one that failed", again)
	}
	later, _ := claim(t, &l, 15*second) // the lease of one is over
	if later != (intent.Claim{ID: 1, Attempt: 2, Body: "two cups"}) {
		t.Errorf("claimed %+v, want the one whose lease is over", later)
	}
	if ok, _ := l.FinishAt(16*second, one, "too late"); ok {
		t.Error("a result is taken from an attempt after which another has begun")
	}
	if ok, _ := l.FinishAt(30*second, zero, "done"); !ok { // its lease is over too, but nobody else has begun
		t.Error("a late result is not taken though nobody else has begun")
	}
	if ok, _ := l.FinishAt(30*second, later, "sent"); !ok {
		t.Error("a result is not taken")
	}
	if ok, _ := l.FinishAt(31*second, later, "sent"); ok {
		t.Error("an intent ends twice")
	}
	if got := accept(t, &l, 31*second, 1, "two cups"); got != "known, done sent" {
		t.Errorf("asked again: %s", got)
	}
	if got := accept(t, &l, 31*second, 1, "three cups"); got != "conflict, done" {
		t.Errorf("asked for something else: %s", got)
	}
	if ok, _ := l.FailAt(31*second, again, "no plates at all"); !ok {
		t.Error("the last attempt cannot fail")
	}
	if state, why := l.StatusOf(2); state != intent.GivenUp || why != "no plates at all" {
		t.Errorf("after two attempts: %v, %q", state, why)
	}
	if state, _ := l.StatusOf(0); state != intent.Unknown {
		t.Errorf("the oldest of three that ended: %v, want it forgotten", state)
	}
	if got := accept(t, &l, 32*second, 0, ""); got != "accepted, open" || l.Backlog() != 1 {
		t.Errorf("what is forgotten is new: %s, %d open", got, l.Backlog())
	}
}

// TestPoison: an order that ends the process each time that somebody takes it up. It is begun MaxAttempts times in all, and given up; the
// others are served.
func TestPoison(t *testing.T) {
	store := &intent.Memory{}
	l := must(intent.New(config(), store))
	accept(t, &l, 0, 7, "poison")
	accept(t, &l, 0, 8, "a cup")
	var begun []uint64
	for range 10 {
		c, ok := claim(t, &l, 0)
		if !ok {
			break
		}
		if begun = append(begun, c.ID); c.ID == 7 {
			l = must(intent.New(config(), store)) // the process ends, and comes back
			continue
		}
		l.FinishAt(0, c, "sent")
	}
	if !slices.Equal(begun, []uint64{7, 8, 7}) {
		t.Errorf("begun %v, want the poison twice, and not before the other", begun)
	}
	if state, why := l.StatusOf(7); state != intent.GivenUp || why != "no result of the last attempt" {
		t.Errorf("the poison: %v, %q", state, why)
	}
}

// TestTheStoreFailsWhileGivingUp: the record that an intent is given up cannot be written. Nothing is claimed instead, and the log says why.
func TestTheStoreFailsWhileGivingUp(t *testing.T) {
	store := &failing{left: 3} // accepted, begun, given up
	cfg := config()
	cfg.MaxAttempts = 1
	l := must(intent.New(cfg, store))
	accept(t, &l, 0, 1, "x")
	claim(t, &l, 0)
	_, ok, err := l.ClaimAt(10 * second)
	if want := "intent: the store failed, and what it holds is not known; open the log anew: disk full"; ok || err == nil || err.Error() != want {
		t.Errorf("claimed %v, error %v, want %q", ok, err, want)
	}
	if state, _ := l.StatusOf(1); state != intent.Open || l.Broken() == nil {
		t.Errorf("%v, want it open in a broken log", state)
	}
}

// TestFarEndsOfTime: instants and leases at their bounds overflow nothing, and a clock that was set back counts as the newest.
func TestFarEndsOfTime(t *testing.T) {
	const first, last = -1 << 63, 1<<63 - 1
	cfg := config()
	cfg.Lease = intent.MaxDuration
	l := must(intent.New(cfg, &intent.Memory{}))
	accept(t, &l, first, 1, "x")
	if got := l.OldestAt(last); got != last {
		t.Errorf("an age that no int64 can say: %d", got)
	}
	claim(t, &l, last-1)
	if _, ok := claim(t, &l, first); ok {
		t.Error("a clock that was set back ends a lease")
	}
	if c, ok := claim(t, &l, last); !ok || c.Attempt != 2 {
		t.Errorf("a lease that would end later than an int64 can say ends at its last instant: %+v %v", c, ok)
	}
	accept(t, &l, first, 2, "y")
	if got := l.OldestAt(first); got != 0 {
		t.Errorf("just accepted, and %d old", got)
	}
}

// failing is a store that fails at one append, before or after the record is there.
type failing struct {
	intent.Memory
	left  int
	after bool
}

var errDisk = errors.New("disk full")

func (f *failing) Append(r intent.Record) error {
	if f.left--; f.left != 0 {
		return f.Memory.Append(r)
	}
	if f.after {
		f.Memory.Append(r)
	}
	return errDisk
}

// run plays one evening against a log: six orders, each asked for until it is acknowledged, worked off with some failures. When the store
// fails, the log is opened anew. It returns which orders were acknowledged and how often each effect took place.
func run(t *testing.T, store *failing) (acknowledged map[uint64]bool, effects map[uint64]int, crashes int) {
	acknowledged, effects = map[uint64]bool{}, map[uint64]int{}
	cfg := intent.Config{MaxOpen: 10, MaxDone: 10, MaxAttempts: 5, Lease: 10 * second}
	l := must(intent.New(cfg, store))
	down := func(err error) bool {
		if err == nil {
			return false
		}
		var broken *intent.BrokenError
		if !errors.As(err, &broken) || !errors.Is(err, errDisk) || l.Broken() == nil {
			t.Fatalf("the store failed, and the error is %v", err)
		}
		if _, err := l.AcceptAt(0, 99, ""); err == nil {
			t.Fatal("a broken log accepts")
		}
		crashes++
		l = must(intent.New(cfg, store))
		return true
	}
	work := func(now int64) bool {
		c, ok, err := l.ClaimAt(now)
		if down(err) || !ok {
			return err != nil
		}
		if c.ID%3 == 0 && c.Attempt == 1 {
			_, err := l.FailAt(now, c, "try again")
			down(err)
			return true
		}
		effects[c.ID]++
		_, err = l.FinishAt(now, c, "sent")
		down(err)
		return true
	}
	now := int64(0)
	for id := uint64(1); id <= 6; id++ {
		for !acknowledged[id] {
			now += second
			r, err := l.AcceptAt(now, id, "order")
			if !down(err) {
				acknowledged[id] = r.Answer == intent.Accepted || r.Answer == intent.Known
			}
		}
		if id%2 == 0 {
			work(now)
		}
	}
	for work(now) {
		now += second
	}
	return acknowledged, effects, crashes
}

// TestNothingIsLost: the store fails at each of its appends in turn, with the record there and without. Every order that was acknowledged
// ends with a result, exactly once in the store; its effect took place, and twice only where the result of the first was not written.
func TestNothingIsLost(t *testing.T) {
	whole := &failing{left: -1}
	run(t, whole)
	total := whole.Len()
	if total < 20 {
		t.Fatalf("an evening of %d records only", total)
	}
	twice := 0
	for at := 1; at <= total; at++ {
		for _, after := range []bool{false, true} {
			store := &failing{left: at, after: after}
			acknowledged, effects, crashes := run(t, store)
			if crashes != 1 {
				t.Fatalf("append %d: %d crashes, want one", at, crashes)
			}
			ends := map[uint64]int{}
			records := make([]intent.Record, store.Len())
			store.ReadAt(0, records)
			for _, r := range records {
				if r.Kind == intent.WasDone {
					ends[r.ID]++
				}
			}
			l := must(intent.New(intent.Config{MaxOpen: 1, MaxDone: 10, MaxAttempts: 5, Lease: 1}, store))
			for id := range acknowledged {
				state, result := l.StatusOf(id)
				if state != intent.Done || result != "sent" || ends[id] != 1 || effects[id] < 1 || effects[id] > 2 {
					t.Errorf("append %d fails (record there: %v): order %d is %v %q, ended %d times, took effect %d times", at, after, id, state, result, ends[id], effects[id])
				}
				if effects[id] == 2 {
					if twice++; after {
						t.Errorf("append %d: order %d took effect twice though its result is there", at, id)
					}
				}
			}
			if l.Backlog() != 0 {
				t.Errorf("append %d: %d are still open", at, l.Backlog())
			}
		}
	}
	if twice == 0 {
		t.Error("no effect took place twice: then the note on that would be wrong")
	}
}
