package runs

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"seedbed/labs"
	"seedbed/labs/sim"
)

// toy counts to n, an event each nanosecond, and does at event 0 what the test asks for.
func toy(n int64, first func()) *labs.Lab {
	return &labs.Lab{
		ID: "toy", Version: 1,
		Params:  []labs.Param{{Name: "n", Min: 0, Max: 1 << 40, Default: n}, {Name: "id", Min: 0, Max: 1 << 20}},
		Metrics: []labs.Quantity{{Name: "handled"}},
		Horizon: func(c labs.Config) int64 { return c.Int("n") + 1 },
		Layout: func(labs.Config) labs.Layout {
			return labs.Layout{Columns: []labs.Column{{Quantity: labs.Quantity{Name: "handled"}}}}
		},
		Start: func(c labs.Config, env *labs.Env) labs.State {
			env.At(0, 0, 0, 0, 0)
			return &count{first: first}
		},
	}
}

type count struct {
	n     int64
	first func()
}

func (c *count) Handle(env *labs.Env, _ sim.Event) {
	if c.n == 0 && c.first != nil {
		c.first()
	}
	c.n++
	env.Add(0, 1)
	env.At(env.Now()+1, 0, 0, 0, 0)
}

func (c *count) Act(*labs.Env, labs.Do) {}
func (c *count) Finish(env *labs.Env)   { env.Metric(0, c.n) }
func (c *count) Clone() labs.State      { d := *c; return &d }
func (c *count) Bytes() int             { return 16 }

// id is a Spec that differs from others by its id only.
func id(lab *labs.Lab, n int) labs.Spec {
	s := labs.New(lab)
	s.Values[1] = int64(n)
	return s
}

// clock is a clock that the test sets.
type clock struct{ now atomic.Int64 }

func newRunner(t *testing.T, c *clock, change func(*Config)) *Runner {
	t.Helper()
	config := Defaults(c.now.Load, 1)
	if change != nil {
		change(&config)
	}
	r, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var reader = Client{Session: "s1", Address: "192.0.2.1"}

func TestOneSpecIsComputedOnceForAllWhoAskAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int32
		gate := make(chan struct{})
		lab := toy(100, func() { started.Add(1); <-gate })
		r := newRunner(t, &clock{}, nil)
		var wg sync.WaitGroup
		results := make([]*Result, 100)
		for i := range results {
			wg.Go(func() {
				spec := id(lab, 7)
				spec.At = int64(i) // where a view opens makes no other run of it
				result, err := r.Do(t.Context(), reader, spec)
				if err != nil {
					t.Error(err)
				}
				results[i] = result
			})
		}
		synctest.Wait()
		close(gate)
		wg.Wait()
		if got := started.Load(); got != 1 {
			t.Errorf("%d runs started, want 1", got)
		}
		for i, result := range results {
			if result != results[0] {
				t.Errorf("asker %d got a result of its own", i)
			}
		}
		if _, err := r.Do(t.Context(), reader, id(lab, 7)); err != nil {
			t.Error(err)
		}
		want := Counts{Asked: 101, Kept: 1, Joined: 99, Started: 1, Bytes: r.Counts().Bytes}
		if got := r.Counts(); got != want {
			t.Errorf("counts %+v, want %+v", got, want)
		}
	})
}

func TestResultIsThatOfTheRun(t *testing.T) {
	lab := toy(100, nil)
	r := newRunner(t, &clock{}, nil)
	got, err := r.Do(t.Context(), reader, id(lab, 3))
	if err != nil {
		t.Fatal(err)
	}
	want, err := labs.Run(id(lab, 3), labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest != want.Digest() || got.Trace.Metrics[0] != 101 {
		t.Errorf("digest %s and %d events, want %s and 101", got.Digest, got.Trace.Metrics[0], want.Digest())
	}
}

func TestRunEndsWhenTheLastWhoAskedHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		lab := toy(1<<40, func() { <-gate })
		r := newRunner(t, &clock{}, nil)
		leave := make([]context.CancelFunc, 2)
		errs := make([]error, 2)
		var wg sync.WaitGroup
		for i := range leave {
			var ctx context.Context
			ctx, leave[i] = context.WithCancel(t.Context())
			wg.Go(func() { _, errs[i] = r.Do(ctx, reader, id(lab, 1)) })
		}
		synctest.Wait()
		leave[0]()
		synctest.Wait()
		if got := r.Counts().Flights; got != 1 {
			t.Errorf("one of two has gone: %d runs in progress, want 1", got)
		}
		leave[1]()
		wg.Wait()
		close(gate) // only now does the run go on, and must see that nobody wants it: it would take 2^40 events
		synctest.Wait()
		for i, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("asker %d: %v, want context.Canceled", i, err)
			}
		}
		if got := r.Counts(); got.Cancelled != 1 || got.Flights != 0 {
			t.Errorf("%d cancelled and %d in progress, want 1 and 0", got.Cancelled, got.Flights)
		}
		if got := r.places.InFlight(); got != 0 {
			t.Errorf("%d places are still taken, want 0", got)
		}
	})
}

func TestRunIsBoundedInTime(t *testing.T) {
	var c clock
	config := Defaults(func() int64 { return c.now.Add(1e9) }, 1) // each look at the clock takes a second
	r, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Do(t.Context(), reader, labs.New(toy(1<<40, nil))); !errors.Is(err, ErrTime) {
		t.Errorf("got %v, want ErrTime", err)
	}
	if got := r.Counts().Bytes; got != 0 {
		t.Errorf("a run that was stopped by time is kept: %d bytes", got)
	}
}

func TestBoundOfARunIsKept(t *testing.T) {
	var c clock
	r := newRunner(t, &c, nil)
	lab := toy(1<<40, nil)
	lab.Layout = func(labs.Config) labs.Layout { return labs.Layout{Columns: make([]labs.Column, 10_000)} }
	spec := labs.New(lab)
	for range 2 {
		_, err := r.Do(t.Context(), reader, spec)
		var bound *labs.Bound
		if !errors.As(err, &bound) || bound.Code != "trace" {
			t.Fatalf("got %v, want the bound on the size of a trace", err)
		}
	}
	if got := r.Counts(); got.Started != 1 || got.Kept != 1 {
		t.Errorf("%d started and %d kept, want 1 and 1: the second time is known to fail", got.Started, got.Kept)
	}
}

func TestHouseIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		lab := toy(10, func() { <-gate })
		r := newRunner(t, &clock{}, func(c *Config) { c.Running, c.Waiting = 1, 1 })
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() {
				if _, err := r.Do(t.Context(), reader, id(lab, i)); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			})
		}
		synctest.Wait()
		if _, err := r.Do(t.Context(), reader, id(lab, 2)); !errors.Is(err, ErrFull) {
			t.Errorf("one runs and one waits; the third got %v, want ErrFull", err)
		}
		close(gate)
		wg.Wait()
		if _, err := r.Do(t.Context(), reader, id(lab, 2)); err != nil {
			t.Errorf("after the others have ended: %v, want a result", err)
		}
	})
}

func TestWaitingEndsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		lab := toy(10, func() { <-gate })
		r := newRunner(t, &clock{}, func(c *Config) { c.Running = 1 })
		go r.Do(t.Context(), reader, id(lab, 0))
		synctest.Wait()
		// Nothing but time can go on here: the first run holds the only slot.
		if _, err := r.Do(t.Context(), reader, id(lab, 1)); !errors.Is(err, ErrFull) {
			t.Errorf("got %v, want ErrFull after the time of a run", err)
		}
		if got := r.Counts(); got.Full != 1 || got.Failed != 0 {
			t.Errorf("%d found the house full and %d failed, want 1 and 0", got.Full, got.Failed)
		}
		close(gate)
	})
}

// TestARunsTimeBeginsWithItsTurn: one that waited nearly as long as it may has its whole time left.
func TestARunsTimeBeginsWithItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		gate := make(chan struct{})
		r := newRunner(t, &c, func(c *Config) { c.Running = 1 })
		go r.Do(t.Context(), reader, id(toy(10, func() { <-gate }), 0))
		synctest.Wait()
		late := make(chan error)
		go func() {
			_, err := r.Do(t.Context(), reader, id(toy(1<<16, func() { c.now.Add(r.Time() / 2) }), 1))
			late <- err
		}()
		synctest.Wait()
		c.now.Add(r.Time() * 9 / 10)
		close(gate)
		if err := <-late; err != nil {
			t.Errorf("half of a run's time after nine tenths of waiting: %v, want a result", err)
		}
	})
}

func TestRateLimits(t *testing.T) {
	var c clock
	lab := toy(10, nil)
	r := newRunner(t, &c, func(c *Config) {
		c.Session = Rate{Burst: 2, PerMinute: 60}
		c.Address = Rate{Burst: 3, PerMinute: 600}
	})
	n := 0
	ask := func(who Client) *Limited {
		t.Helper()
		n++
		_, err := r.Do(t.Context(), who, id(lab, n))
		var limited *Limited
		if err != nil && !errors.As(err, &limited) {
			t.Fatal(err)
		}
		return limited
	}
	a, b, none := Client{"a", "192.0.2.1"}, Client{"b", "192.0.2.1"}, Client{"", "192.0.2.1"}
	for i := range 2 {
		if got := ask(a); got != nil {
			t.Fatalf("run %d of a: %v, want a result: the burst is 2", i+1, got)
		}
	}
	got := ask(a)
	if got == nil || got.Tightest != "session" || got.Decision.RetryAfter != 1e9 {
		t.Fatalf("third run of a: %+v, want the session's refusal for 1 s", got)
	}
	policy, limit := got.Fields()
	if want := `"session";q=2;w=2, "address";q=3;w=1`; policy != want {
		t.Errorf("RateLimit-Policy %s, want %s", policy, want)
	}
	if want := `"session";r=0;t=1`; limit != want {
		t.Errorf("RateLimit %s, want %s", limit, want)
	}
	// What was refused has cost neither limit anything: the address has one left.
	if got := ask(b); got != nil {
		t.Fatalf("first run of b: %v, want a result", got)
	}
	if got := ask(none); got == nil || got.Tightest != "address" {
		t.Errorf("the address has used its 3: got %+v, want the address's refusal", got)
	}
	c.now.Add(got.Decision.RetryAfter)
	if got := ask(a); got != nil {
		t.Errorf("after exactly RetryAfter: %v, want a result", got)
	}
	// A run that is kept is free, and so are the house's own.
	for range 10 {
		if _, err := r.Do(t.Context(), a, id(lab, 1)); err != nil {
			t.Errorf("a kept run: %v, want it for free", err)
		}
		if got := ask(Client{}); got != nil {
			t.Errorf("the house's own run: %v, want no limit", got)
		}
	}
}

func TestRetryAfterIsAtLeastASecond(t *testing.T) {
	l := Limited{}
	l.Decision.RetryAfter = 1
	if got := l.RetryAfter(); got != 1 {
		t.Errorf("1 ns: got %d s, want 1", got)
	}
	l.Decision.RetryAfter = 1e9 + 1
	if got := l.RetryAfter(); got != 2 {
		t.Errorf("1 s and 1 ns: got %d s, want 2", got)
	}
}

func TestFaultOfALabEndsTheRunAlone(t *testing.T) {
	r := newRunner(t, &clock{}, nil)
	_, err := r.Do(t.Context(), reader, labs.New(toy(1, func() { panic("no such shard") })))
	var fault *Fault
	if !errors.As(err, &fault) || fault.Value != "no such shard" || !strings.Contains(string(fault.Stack), "Handle") {
		t.Fatalf("got %v, want a *Fault with its value and stack", err)
	}
	if _, err := r.Do(t.Context(), reader, id(toy(1, nil), 1)); err != nil {
		t.Errorf("the next run: %v, want a result", err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	lab := toy(10, nil)
	one := resultOverhead + errorBytes + 1<<19 // with the log of events
	r := newRunner(t, &clock{}, func(c *Config) { c.Cache = 8 * one })
	for i := range 100 {
		if _, err := r.Do(t.Context(), Client{}, id(lab, i)); err != nil {
			t.Fatal(err)
		}
		if got := r.Counts().Bytes; got > 8*one || got <= 0 {
			t.Fatalf("after %d runs %d bytes are kept, want 1..%d", i+1, got, 8*one)
		}
		// The first is asked for again and again, so it stays.
		if _, err := r.Do(t.Context(), Client{}, id(lab, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Counts(); got.Started != 100 {
		t.Errorf("%d started, want 100: what was asked for last must not be dropped", got.Started)
	}
}

func TestOncePerKey(t *testing.T) {
	var r Result
	var made atomic.Int32
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			key := strconv.Itoa(i % 2)
			got := r.Once(key, func() any { made.Add(1); return key })
			if got != key {
				t.Errorf("got %s, want %s", got, key)
			}
		})
	}
	wg.Wait()
	if made.Load() != 2 {
		t.Errorf("made %d times, want once a key: 2", made.Load())
	}
}

func TestNewRefusesConfigsOutOfRange(t *testing.T) {
	var c clock
	for name, change := range map[string]func(*Config){
		"running": func(c *Config) { c.Running = 0 },
		"time":    func(c *Config) { c.Time = 0 },
		"session": func(c *Config) { c.Session.PerMinute = 0 },
		"keys":    func(c *Config) { c.Keys = 0 },
	} {
		config := Defaults(c.now.Load, 1)
		change(&config)
		if _, err := New(config); err == nil {
			t.Errorf("%s out of range: no error", name)
		}
	}
}
