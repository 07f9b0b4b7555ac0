package main

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
	"unsafe"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/sony/gobreaker/v2"

	"seedbed/chapters/breaker"
)

// Each breaker opens at half of the last hundred calls, or as near to that as it can be told. One call in ten fails, so none opens.
const (
	breakerCalls = 100
	breakerLease = 20 * time.Millisecond // and how long a breaker stays open
)

var errDown = errors.New("down")

func breakerConfig() breaker.Config {
	return breaker.Config{
		Window: breakerCalls, MinCalls: breakerCalls, FailurePercent: 50, OpenFor: int64(breakerLease), Probes: 1, Lease: int64(breakerLease),
	}
}

func breakers(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\n## Circuit breakers: opens at half of the last %d calls, one in ten fails\n", breakerCalls)
	fmt.Fprint(w, "\nPassing the clock in is held against failsafe-go's permit and report: the call of it that, as ours, asks whether a call may be made and afterwards writes its outcome into a window of the last hundred, reading no clock while it is closed. It takes its mutex for each of the two; so does our Locked.\n")
	b := must(breaker.NewBreaker(breakerConfig()))
	state := fmt.Sprintf("%d B, for one goroutine", b.Size())
	table(w, rounds, "A call, clock passed in", []candidate{
		{"Breaker", injectedBreaker, state},
		{"failsafe-go, count window, a permit and a report", injectedFailsafe, "behind a mutex, twice"},
		{"Locked, Ask and Done", injectedLocked, "behind a mutex, twice"},
		{"failsafe-go, count window, a call", clockedFailsafe, "behind a mutex; through its executor, clock and all"},
	}, bar{"failsafe-go, count window, a permit and a report", 0.5}, bar{"failsafe-go, count window, a call", 0.5})
	table(w, rounds, "A call, with the clock", []candidate{
		{"Do, time.Since where it needs it", clockedBreaker(breakerConfig()), "behind a mutex; a count window needs no time while it is closed"},
		{"sony/gobreaker", clockedGobreaker, "behind a mutex; counts since it closed, no window"},
		{"Do, window of 10 s, time.Since", clockedBreaker(breaker.Hystrix()), "behind a mutex"},
		{"failsafe-go, count window, a call", clockedFailsafe, "behind a mutex"},
	}, bar{"sony/gobreaker", 0.4})
	r4j := must(breaker.NewBreaker(breaker.Resilience4j()))
	verdict(w, "Breaker's state is %.0f B as Resilience4j configures it (the bar is %.0f)", float64(r4j.Size()), 256)
	fmt.Fprintf(w, "\nWith its configuration and the headers of its slices it takes %d B more.\n", int(unsafe.Sizeof(breaker.Breaker{}))-48)
	lostProbes(w)
}

// injectedBreaker and injectedFailsafe ask and report. They count their rounds themselves: b.Loop keeps each result alive by copies that
// take longer than the call. Both change their breaker, so nothing of them is left out.
func injectedBreaker(b *testing.B) {
	br := must(breaker.NewBreaker(breakerConfig()))
	b.ReportAllocs()
	for i := range b.N {
		now := int64(i) * int64(step)
		t, d := br.AskAt(now)
		if !d.OK {
			b.Fatal("it opened")
		}
		o := breaker.Success
		if i%10 == 9 {
			o = breaker.Failure
		}
		br.DoneAt(now+1000, t, o)
	}
}

// injectedLocked is injectedBreaker for many goroutines.
func injectedLocked(b *testing.B) {
	now := int64(0)
	l := must(breaker.NewLocked(breakerConfig(), func() int64 { return now }))
	b.ReportAllocs()
	for i := range b.N {
		now = int64(i) * int64(step)
		t, d := l.Ask()
		if !d.OK {
			b.Fatal("it opened")
		}
		o := breaker.Success
		if i%10 == 9 {
			o = breaker.Failure
		}
		l.Done(t, o)
	}
}

func newFailsafe[R any]() circuitbreaker.CircuitBreaker[R] {
	return circuitbreaker.NewBuilder[R]().WithFailureThresholdRatio(breakerCalls/2, breakerCalls).WithDelay(breakerLease).Build()
}

func clockedFailsafe(b *testing.B) {
	executor, call := failsafe.With(newFailsafe[int]()), calls()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := executor.Get(call); err != nil && err != errDown {
			b.Fatal(err)
		}
	}
}

func injectedFailsafe(b *testing.B) {
	cb := newFailsafe[any]()
	b.ReportAllocs()
	for i := range b.N {
		if !cb.TryAcquirePermit() {
			b.Fatal("it opened")
		}
		if i%10 == 9 {
			cb.RecordFailure()
		} else {
			cb.RecordSuccess()
		}
	}
}

// calls is what both sides are given to call.
func calls() func() (int, error) {
	i := 0
	return func() (int, error) {
		if i++; i%10 == 0 {
			return 0, errDown
		}
		return i, nil
	}
}

func clockedBreaker(cfg breaker.Config) func(b *testing.B) {
	return func(b *testing.B) {
		start := time.Now()
		l, call := must(breaker.NewLocked(cfg, func() int64 { return int64(time.Since(start)) })), calls()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := breaker.Do(l, call, nil); err != nil && err != errDown {
				b.Fatal(err)
			}
		}
	}
}

func clockedGobreaker(b *testing.B) {
	cb, call := gobreaker.NewCircuitBreaker[int](gobreakerSettings(breakerCalls)), calls()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := cb.Execute(call); err != nil && err != errDown {
			b.Fatal(err)
		}
	}
}

func gobreakerSettings(least uint32) gobreaker.Settings {
	return gobreaker.Settings{MaxRequests: 1, Timeout: breakerLease, ReadyToTrip: func(c gobreaker.Counts) bool {
		return c.Requests >= least && 2*c.TotalFailures >= c.Requests
	}}
}

// asker is a breaker that is about to be half-open: ask is whether a call may be made. What it lets through is never reported.
type asker struct {
	name string
	ask  func() bool
	held func() time.Duration // how long half-open lasted, of the first lost probe; 0 while it does
}

// lostProbes opens each breaker, loses its probe, and goes on asking.
func lostProbes(w io.Writer) {
	const asked = 50 * breakerLease
	fmt.Fprintf(w, "\n### A probe that is lost: open for %v, one probe; then asked each millisecond for %v\n\n| | lets through again | half-open for |\n|---|--:|--:|\n", breakerLease, asked)
	wedged := 0
	var ours time.Duration
	for i, a := range []asker{lostOurs(), lostGobreaker(), lostFailsafe()} {
		time.Sleep(breakerLease + 5*time.Millisecond)
		if !a.ask() {
			fmt.Fprintf(w, "| %s | no probe was let through | |\n", a.name)
			continue
		}
		again := 0
		for start := time.Now(); time.Since(start) < asked; time.Sleep(time.Millisecond) {
			if a.ask() {
				again++
			}
		}
		held := "to the end"
		if d := a.held(); d > 0 {
			held = d.String()
		}
		fmt.Fprintf(w, "| %s | %d | %s |\n", a.name, again, held)
		if i == 0 {
			ours = a.held()
		} else if again == 0 {
			wedged++
		}
	}
	if ours == 0 {
		ours = asked
	}
	verdict(w, "Breaker is held half-open by a lost probe for %.1f ms (the bar is its lease, %.1f)", float64(ours)/1e6, float64(breakerLease)/1e6)
	fmt.Fprintf(w, "\nOf the two peers %d let nothing through any more. Whoever wraps calls in a function that always returns loses no probe there either; whoever takes a permit and reports later can.\n", wedged)
}

func lostOurs() asker {
	cfg := breakerConfig()
	cfg.MinCalls = 1
	start, read := time.Now(), int64(0)
	l := must(breaker.NewLocked(cfg, func() int64 { read = int64(time.Since(start)); return read }))
	_, _ = breaker.Do(l, func() (int, error) { return 0, errDown }, nil)
	first, held := int64(-1), time.Duration(0)
	return asker{"Locked", func() bool {
		_, d := l.Ask()
		if d.OK && first < 0 {
			first = read
		}
		changes, _ := l.Since(0) // it keeps the last few
		for _, c := range changes {
			if c.Cause == breaker.LeaseOver && held == 0 {
				held = time.Duration(c.At - first)
			}
		}
		return d.OK
	}, func() time.Duration { return held }}
}

func lostGobreaker() asker {
	cb := gobreaker.NewTwoStepCircuitBreaker[int](gobreakerSettings(1))
	if done, err := cb.Allow(); err == nil {
		done(errDown)
	}
	return asker{"sony/gobreaker, two steps", func() bool { _, err := cb.Allow(); return err == nil }, func() time.Duration { return 0 }}
}

func lostFailsafe() asker {
	cb := circuitbreaker.NewBuilder[any]().WithFailureThreshold(1).WithDelay(breakerLease).Build()
	if cb.TryAcquirePermit() {
		cb.RecordFailure()
	}
	return asker{"failsafe-go, permits", cb.TryAcquirePermit, func() time.Duration { return 0 }}
}
