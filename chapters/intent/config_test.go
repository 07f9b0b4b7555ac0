package intent_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"seedbed/chapters/intent"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	for _, c := range []struct {
		change func(*intent.Config)
		want   string
	}{
		{func(c *intent.Config) { c.MaxOpen = 0 }, "max open: 0 is outside 1..16777216 intents"},
		{func(c *intent.Config) { c.MaxDone = -1 }, "max done: -1 is outside 0..16777216 intents"},
		{func(c *intent.Config) { c.MaxAttempts = 0 }, "max attempts: 0 is outside 1..1000000"},
		{func(c *intent.Config) { c.Lease = 0 }, "lease: 0 is outside 1..4611686018427387904 ns"},
	} {
		cfg := config()
		c.change(&cfg)
		if _, err := intent.NewLocked(cfg, &intent.Memory{}, nil); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestZeroValueRefuses: a log that nobody opened keeps nothing, and says so.
func TestZeroValueRefuses(t *testing.T) {
	var l intent.Log
	_, err := l.AcceptAt(0, 1, "x")
	_, _, err2 := l.ClaimAt(0)
	_, err3 := l.FinishAt(0, intent.Claim{}, "")
	for _, err := range []error{err, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), "there is no store") {
			t.Errorf("error %v", err)
		}
	}
	if s, _ := l.StatusOf(1); s != intent.Unknown || l.Backlog() != 0 || l.OldestAt(5) != 0 || l.Broken() != nil {
		t.Errorf("it keeps something: %v", s)
	}
}

// unreadable is a store that cannot be read.
type unreadable struct{ intent.Memory }

func (*unreadable) ReadAt(int64, []intent.Record) (int, error) { return 0, errDisk }

// TestRecordsThatMakeNoSense are named by number and id, and nothing is guessed.
func TestRecordsThatMakeNoSense(t *testing.T) {
	good := []intent.Record{{Kind: intent.WasAccepted, ID: 5, Body: "x"}, {Kind: intent.WasBegun, ID: 5, Attempt: 1}}
	for _, c := range []struct {
		bad  intent.Record
		want string
	}{
		{intent.Record{Kind: intent.WasAccepted, ID: 5}, "intent: record 2, id 5: accepted twice"},
		{intent.Record{Kind: intent.WasDone, ID: 6, Attempt: 1}, "intent: record 2, id 6: it is not open, and something happens to it"},
		{intent.Record{Kind: intent.WasBegun, ID: 5, Attempt: 3}, "intent: record 2, id 5: attempts do not count up"},
		{intent.Record{Kind: intent.HasFailed, ID: 5, Attempt: 2}, "intent: record 2, id 5: an attempt fails that is not the last"},
		{intent.Record{Kind: intent.WasGivenUp, ID: 5, Attempt: 2}, "intent: record 2, id 5: an attempt ends that is not the last"},
		{intent.Record{Kind: 9, ID: 5, Attempt: 1}, "intent: record 2, id 5: a kind of record that is not known"},
	} {
		store := &intent.Memory{}
		for _, r := range append(good[:2:2], c.bad) {
			store.Append(r)
		}
		var corrupt *intent.CorruptError
		if _, err := intent.New(config(), store); !errors.As(err, &corrupt) || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := intent.New(config(), &unreadable{}); err != errDisk {
		t.Errorf("a store that cannot be read: %v", err)
	}
}

// TestOtherLimitsAtAnotherStart: what was accepted is kept though fewer may be open now; and a larger memory of what ended reads a store
// whose log had forgotten some and accepted them again.
func TestOtherLimitsAtAnotherStart(t *testing.T) {
	store := &intent.Memory{}
	cfg := intent.Config{MaxOpen: 200, MaxDone: 0, MaxAttempts: 1, Lease: 1}
	l := must(intent.New(cfg, store))
	for id := range uint64(150) { // more than New reads at once
		accept(t, &l, 0, id, "x")
	}
	c, _ := claim(t, &l, 0)
	l.FinishAt(0, c, "sent")
	if got := accept(t, &l, 0, c.ID, "another"); got != "accepted, open" {
		t.Errorf("forgotten at once: %s", got)
	}
	cfg.MaxOpen, cfg.MaxDone = 1, 10
	l = must(intent.New(cfg, store))
	if l.Backlog() != 150 {
		t.Errorf("%d open after a start with a lower limit, want all 150", l.Backlog())
	}
	if got := accept(t, &l, 0, 1000, "y"); got != "full, unknown" {
		t.Errorf("beyond the limit: %s", got)
	}
	served := 0
	for c, ok := claim(t, &l, 0); ok; c, ok = claim(t, &l, 0) {
		l.FinishAt(0, c, "sent")
		served++
	}
	if served != 150 {
		t.Errorf("%d served, want 150", served)
	}
}

// TestLockedInARace: everybody asks for the same forty orders, and sixteen workers serve them. Each order ends once.
func TestLockedInARace(t *testing.T) {
	var clock atomic.Int64
	store := &intent.Memory{}
	l := must(intent.NewLocked(intent.Config{MaxOpen: 40, MaxDone: 40, MaxAttempts: 3, Lease: 1 << 40}, store, func() int64 { return clock.Add(1) }))
	var all sync.WaitGroup
	var accepted, ended atomic.Int64
	for range 16 {
		all.Go(func() {
			for id := range uint64(40) {
				if r, err := l.Accept(id, "x"); err != nil || r.Answer != intent.Accepted && r.Answer != intent.Known {
					t.Errorf("order %d: %+v %v", id, r, err)
				} else if r.Answer == intent.Accepted {
					accepted.Add(1)
				}
				c, ok, _ := l.Claim()
				if !ok {
					continue
				}
				if c.ID%5 == 0 && c.Attempt == 1 {
					l.Fail(c, "once more")
					c, ok, _ = l.Claim()
				}
				if done, _ := l.Finish(c, "sent"); ok && done {
					ended.Add(1)
				}
			}
		})
	}
	all.Wait()
	if accepted.Load() != 40 || ended.Load() != 40 || l.Backlog() != 0 {
		t.Errorf("%d accepted, %d ended, %d open; want 40, 40, 0", accepted.Load(), ended.Load(), l.Backlog())
	}
	if s, result := l.Status(5); s != intent.Done || result != "sent" {
		t.Errorf("order 5: %v %q", s, result)
	}
}

// TestWords: every state and answer has a word of its own; what is none shows its number.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for i := range uint8(4) {
		for n, word := range []string{intent.State(i).String(), intent.Answer(i).String()} {
			if key := string('0'+rune(n)) + word; seen[key] || word == "" {
				t.Errorf("%q twice", word)
			} else {
				seen[key] = true
			}
		}
	}
	if intent.State(4).String() != "4" || intent.Answer(9).String() != "9" {
		t.Error("what is none should show its number")
	}
}
