// Package block holds the cache that waits, for servers: a Loader runs each load once for all who ask meanwhile.
//
// Everything that decides is in package cache, which reads no clock and starts no goroutine; this package adds a mutex, a goroutine
// for each load, a timer and a context around it. It is a package of its own because Go links by package: whoever imports cache for
// a lab in the browser must not carry context and time along.
package block

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"seedbed/chapters/cache"
)

// Errors of a Loader, beside those of loads, of contexts, and *PanicError.
var (
	// ErrAbsent is what a load returns when the store has no such key, and what Get returns then.
	ErrAbsent = errors.New("cache: no such key")
	// ErrRefused says that as many loads as may be are under way.
	ErrRefused = errors.New("cache: too many loads under way")
	// ErrTimeout says that the load took longer than Timeout. It may go on, in vain.
	ErrTimeout = errors.New("cache: load timed out")
	// ErrGoexit says that the load ended its goroutine with runtime.Goexit, as t.FailNow does.
	ErrGoexit = errors.New("cache: load called runtime.Goexit")
)

// PanicError says that a load panicked. Who led it sees the panic again, with this as its value; those who waited get it as an error.
type PanicError struct {
	Value any
	Stack []byte
}

// Error is the value, as far as it can be said in words, and the stack of the load.
func (e *PanicError) Error() string {
	what := "a value of another type"
	switch v := e.Value.(type) {
	case error:
		what = v.Error()
	case string:
		what = v
	case interface{ String() string }:
		what = v.String()
	}
	return "cache: load panicked: " + what + "\n\n" + string(e.Stack)
}

// Unwrap is the value when that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Loader is a cache.ReadThrough that loads and waits.
//
//   - A load runs in a goroutine of its own with a context that outlives whoever asked first: that one's cancellation fails nobody
//     else. The context keeps the values of the first caller's and ends after Timeout.
//   - A load that panics, calls runtime.Goexit or never returns leaves nobody hanging, and the next caller starts anew. Nobody
//     waits longer than Timeout.
//   - The value is published before the load's place is free. Whoever asks after Invalidate gets nothing that was read before it.
//   - A refresh behind a value that is served fails silently: Stats tells.
//
// It is safe for concurrent use.
type Loader[K comparable, V any] struct {
	mu      sync.Mutex
	machine cache.ReadThrough[K, V]
	calls   map[uint64]*call[V] // by the number of the flight
	clock   func() int64
	random  cache.Source
	timeout time.Duration
	stats   Stats
}

// call is one load. What it brings may be read when done is closed.
type call[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// Stats counts since the start.
type Stats struct {
	Loads    int64 // begun
	Failed   int64 // without an answer, panics and so on among them
	Vain     int64 // whose result was not kept: invalidated or overtaken meanwhile
	Waiting  int64 // callers now who wait for a load
	LastFail error // of the last load that failed
}

// NewLoader returns a *cache.RangeError for a field out of range, and a *cache.HashError when keys need a Hash. clock returns
// nanoseconds since a fixed start and must be monotonic, such as func() int64 { return int64(time.Since(start)) }. random is drawn
// from under a lock; it may be nil when neither Jitter nor Beta is set.
func NewLoader[K comparable, V any](cfg cache.ReadThroughConfig[K], clock func() int64, random cache.Source) (*Loader[K, V], error) {
	m, err := cache.NewReadThrough[K, V](cfg)
	if err != nil {
		return nil, err
	}
	return &Loader[K, V]{machine: m, calls: make(map[uint64]*call[V]), clock: clock, random: random, timeout: time.Duration(cfg.Timeout)}, nil
}

// Get returns the value of a key, from the cache or by load, which returns ErrAbsent, or an error that wraps it, when there is
// none. It returns the context's error when the context ends first.
func (l *Loader[K, V]) Get(ctx context.Context, key K, load func(context.Context) (V, error)) (V, error) {
	var none V
	if err := ctx.Err(); err != nil {
		return none, err
	}
	c, a, left := l.ask(ctx, key, load)
	switch a.Verdict {
	case cache.Found:
		return a.Value, nil
	case cache.Absent:
		return none, ErrAbsent
	case cache.Refused:
		return none, ErrRefused
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	defer l.waits(-1)
	select {
	case <-c.done:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-timer.C:
		return none, ErrTimeout
	}
	if p, ok := c.err.(*PanicError); ok && a.Load {
		panic(p)
	}
	return c.value, c.err
}

// ask asks the machine, begins a load if it says so, and returns the load to wait for and how long.
func (l *Loader[K, V]) ask(ctx context.Context, key K, load func(context.Context) (V, error)) (*call[V], cache.Answer[K, V], time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	a := l.machine.AskAt(now, key, l.random)
	if a.Load {
		c := &call[V]{done: make(chan struct{})}
		l.calls[a.Flight.Number] = c
		l.stats.Loads++
		go l.run(context.WithoutCancel(ctx), a.Flight, c, load)
	}
	if a.Verdict != cache.Missing {
		return nil, a, 0
	}
	l.stats.Waiting++
	ends, _ := l.machine.EndsAt(a.Flight)
	return l.calls[a.Flight.Number], a, time.Duration(ends - now)
}

func (l *Loader[K, V]) waits(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Waiting += n
}

// run loads and lands, however the load ends.
func (l *Loader[K, V]) run(ctx context.Context, f cache.Flight[K], c *call[V], load func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	returned := false
	defer func() {
		if !returned {
			c.err = ErrGoexit
			if v := recover(); v != nil {
				c.err = &PanicError{v, debug.Stack()}
			}
		}
		l.land(f, c)
	}()
	c.value, c.err = load(ctx)
	returned = true
}

// land publishes and frees the place in one step, and then lets those who wait go.
func (l *Loader[K, V]) land(f cache.Flight[K], c *call[V]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, kept := l.clock(), false
	switch {
	case c.err == nil:
		kept = l.machine.DoneAt(now, f, c.value, l.random)
	case errors.Is(c.err, ErrAbsent):
		kept = l.machine.AbsentAt(now, f, l.random)
	default:
		kept = l.machine.FailAt(now, f)
		l.stats.Failed++
		l.stats.LastFail = c.err
	}
	if !kept {
		l.stats.Vain++
	}
	delete(l.calls, f.Number)
	close(c.done)
}

// Put keeps a value that was just written to the store. A load that is under way lands in vain.
func (l *Loader[K, V]) Put(key K, value V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.machine.PutAt(l.clock(), key, value, l.random)
}

// Invalidate forgets a key that was written, and makes the load that is under way land in vain. Those who wait for that one get
// what it brings, all of them the same: they asked before.
func (l *Loader[K, V]) Invalidate(key K) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.machine.Invalidate(key)
}

// Outdate is Invalidate for those who would rather serve the old value while the next caller's load runs.
func (l *Loader[K, V]) Outdate(key K) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.machine.OutdateAt(l.clock(), key)
}

// Stats is what was counted so far.
func (l *Loader[K, V]) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
