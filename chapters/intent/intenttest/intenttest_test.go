package intenttest_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/intent"
	"seedbed/chapters/intent/intenttest"
)

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// bent is a store in memory, to be bent.
type bent struct {
	mu sync.Mutex
	in intent.Memory

	trims, rounds, swaps, sticks, overfills, shared, refuses, drops, loses bool
}

var common bent // what shared ones write to

func (b *bent) Append(r intent.Record) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.shared && b != &common:
		return common.Append(r)
	case b.refuses:
		return errors.New("no")
	case b.trims:
		r.Body = strings.TrimSpace(r.Body)
	case b.rounds:
		r.At = int64(float64(r.At))
	case b.drops && r.Kind == intent.WasBegun:
		return nil
	case b.loses && b.in.Len() == 5:
		b.loses = false
		return nil
	}
	return b.in.Append(r)
}

func (b *bent) ReadAt(from int64, into []intent.Record) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.shared && b != &common:
		return common.ReadAt(from, into)
	case b.sticks && from > 3:
		from = 3
	case b.overfills:
		return len(into) + 1, nil
	}
	n, err := b.in.ReadAt(from, into)
	if b.swaps && n > 1 {
		into[0], into[1] = into[1], into[0]
	}
	return n, err
}

// TestMemory: this project's own store.
func TestMemory(t *testing.T) {
	intenttest.Run(t, intenttest.Target{
		New: func() intent.Store { return &intent.Memory{} },
		Reopen: func(s intent.Store) intent.Store {
			c := s.(*intent.Memory).Clone()
			return &c
		},
		Claims: intenttest.Full | intenttest.Durable,
	})
	intenttest.Run(t, intenttest.Target{New: func() intent.Store { return &bent{} }, Claims: intenttest.Full | intenttest.Concurrent})
}

// TestEachClaimCanFail: for each claim a store that breaks it, and nothing is said of the one that breaks none.
func TestEachClaimCanFail(t *testing.T) {
	for name, c := range map[string]struct {
		claim intenttest.Claim
		bend  func(*bent)
		want  string
	}{
		"trims":     {intenttest.Ordered, func(b *bent) { b.trims = true }, "want {"},
		"rounds":    {intenttest.Ordered, func(b *bent) { b.rounds = true }, "want {"},
		"swaps":     {intenttest.Ordered, func(b *bent) { b.swaps = true }, "record "},
		"refuses":   {intenttest.Ordered, func(b *bent) { b.refuses = true }, "append 0: no"},
		"overfills": {intenttest.Paged, func(b *bent) { b.overfills = true }, "places"},
		"sticks":    {intenttest.Paged, func(b *bent) { b.sticks = true }, ""},
		"shared":    {intenttest.Apart, func(b *bent) { b.shared = true }, "of another store"},
		"drops":     {intenttest.Follows, func(b *bent) { b.drops = true }, "step "},
		"loses":     {intenttest.Concurrent, func(b *bent) { b.loses = true }, ""},
		"forgets":   {intenttest.Durable, func(*bent) {}, "opened again"},
		"right":     {intenttest.Full | intenttest.Concurrent, nil, ""},
	} {
		r := &recorder{}
		intenttest.Check(r, intenttest.Target{
			New: func() intent.Store {
				b := &bent{}
				if c.bend != nil {
					c.bend(b)
				}
				return b
			},
			Reopen: func(intent.Store) intent.Store { return &bent{} },
			Claims: c.claim,
		})
		got := strings.Join(r.said, "\n")
		if (c.bend == nil) != (got == "") || !strings.Contains(got, c.want) || c.bend != nil && !strings.HasPrefix(got, c.claim.String()+": seed ") {
			t.Errorf("%s: the suite says %q, want %q", name, got, c.want)
		}
	}
}

// TestTargetsThatMakeNoSense are told so.
func TestTargetsThatMakeNoSense(t *testing.T) {
	fresh := func() intent.Store { return &intent.Memory{} }
	for want, target := range map[string]intenttest.Target{
		"New is nil":    {Claims: intenttest.Full},
		"no claims":     {New: fresh},
		"Reopen is nil": {New: fresh, Claims: intenttest.Durable},
		"-1 seeds":      {New: fresh, Claims: intenttest.Full, Seeds: -1},
	} {
		r := &recorder{}
		intenttest.Check(r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one line with %q", r.said, want)
		}
	}
	if got := (intenttest.Paged | intenttest.Ordered).String(); got != "ordered|paged" {
		t.Errorf("claims are called %q", got)
	}
	if got := intenttest.Claim(0).String(); got != "none" {
		t.Errorf("no claims are called %q", got)
	}
}
