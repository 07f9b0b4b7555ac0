// Package runs computes labs on behalf of readers, so that no reader and no crowd of them can take the server away from the others.
//
// # What it promises
//
// The same Spec, asked for by any number at once, is computed once; who asks while it runs, waits for it. Finished runs are kept in bounded
// memory, the ones last asked for longest. A run that is not kept costs the asker one unit of two rate limits, one a browser session and a
// wider one an address (forty readers in a room share one address), and one of a bounded number of places in the house; of those, a few run
// and the others wait, for [Config].Time at most, and take turns by address and session ([turns]). A run ends after that time of its own,
// and at once when all who asked for it have gone. A fault of a lab ends the run and not the server.
//
// Both limits are token buckets of chapters/limiter, in a table of bounded size, taken all or nothing. What is refused says so:
// [*Limited] when the asker has to wait, with the decision from which HTTP fields follow; [ErrFull] when the house is full,
// or was until the asker had waited too long.
//
// # What it does not do
//
// It knows no HTTP, no language and no picture; it runs nothing that is driven by a log, because the log stays with its reader. Its
// limits hold in one process.
package runs

import (
	"context"
	"errors"
	"sync"

	"seedbed/chapters/limiter"
	"seedbed/labs"
)

// Config bounds what readers may ask for. Every field must be set; [Defaults] are what a small machine bears.
type Config struct {
	Clock func() int64 // ns, from any origin; going on also while nothing runs

	Running int   // runs at the same time, from 1
	Waiting int   // more that may wait for their turn, from 0
	Time    int64 // ns that one run may take, and that it may wait for its turn before
	Cache   int   // bytes of finished runs that are kept

	Session Rate // of runs that one browser session asks for
	Address Rate // of runs that one address asks for
	Keys    int  // sessions and addresses that are told apart, each

	Seed uint64 // of the table of sessions and addresses: secret, so that nobody can aim at a place in it
}

// Rate is a token bucket: Burst at once, then PerMinute.
type Rate struct {
	Burst     int64
	PerMinute int64
}

// Defaults are the bounds of a small machine.
func Defaults(clock func() int64, seed uint64) Config {
	return Config{
		Clock:   clock,
		Running: 2, Waiting: 64, Time: 10e9, Cache: 64 << 20,
		Session: Rate{Burst: 30, PerMinute: 60},
		Address: Rate{Burst: 200, PerMinute: 600},
		Keys:    1 << 16, Seed: seed,
	}
}

// Client is who asks. Session is "" for one without; then its address stands for it. The zero Client is the house itself, which is
// not limited.
type Client struct {
	Session string
	Address string
}

// Runner runs Specs. It is safe for concurrent use.
type Runner struct {
	config Config
	limits *limits
	places *limiter.LockedPermits // who is in the house, running or waiting

	mu      sync.Mutex
	turns   turns // who may run
	cache   cache
	flights map[string]*flight
	counts  Counts
}

// Counts are totals since the start, and how many run or wait now.
type Counts struct {
	Asked, Kept, Joined, Started, Limited, Full, Cancelled, Failed int64

	Flights int
	Bytes   int
}

// ErrFull says that so many runs are waiting that one more would only wait in vain, or has.
var ErrFull = errors.New("runs: as many runs as this server bears are waiting; try again in a moment")

// ErrTime says that a run took longer than the server lets one take.
var ErrTime = errors.New("runs: the run took longer than this server lets one take")

// New returns a Runner. The error names the field of the configuration that is out of range.
func New(c Config) (*Runner, error) {
	if c.Running < 1 || c.Waiting < 0 || c.Time <= 0 || c.Cache < 0 || c.Clock == nil {
		return nil, errors.New("runs: Clock, Running from 1, Waiting from 0, Time above 0 and Cache from 0 must be set")
	}
	l, err := newLimits(c)
	if err != nil {
		return nil, err
	}
	places, err := limiter.NewLockedPermits(limiter.PermitsConfig{Limit: int64(c.Running + c.Waiting)})
	if err != nil {
		return nil, err
	}
	return &Runner{
		config: c, limits: l, places: places, turns: newTurns(c.Running, c.Waiting),
		cache: newCache(c.Cache), flights: map[string]*flight{},
	}, nil
}

// Do returns the result of a Spec: kept, shared with others who ask, or computed. The error is a *labs.Error or *labs.Bound of the
// run, *Limited, ErrFull, ErrTime, *Fault, or ctx's own.
func (r *Runner) Do(ctx context.Context, who Client, spec labs.Spec) (*Result, error) {
	spec.At = -1 // where a view opens does not change the run
	key := spec.Text()
	r.mu.Lock()
	r.counts.Asked++
	if o, ok := r.cache.get(key); ok {
		r.counts.Kept++
		r.mu.Unlock()
		return o.result, o.err
	}
	f := r.flights[key]
	if f != nil {
		r.counts.Joined++
	} else {
		var err error
		if f, err = r.start(key, who, spec); err != nil {
			r.mu.Unlock()
			return nil, err
		}
	}
	f.waiters++
	r.mu.Unlock()
	return r.wait(ctx, f)
}

// start admits a run and sets it going. The lock is held.
func (r *Runner) start(key string, who Client, spec labs.Spec) (*flight, error) {
	f := &flight{key: key, spec: spec, done: make(chan struct{})}
	if who != (Client{}) {
		if !r.turns.room(who) {
			r.counts.Full++
			return nil, ErrFull
		}
		place, d := r.places.Take()
		if !d.OK {
			r.counts.Full++
			return nil, ErrFull
		}
		if refused := r.limits.take(who, r.config.Clock()); refused != nil {
			r.places.Release(place)
			r.counts.Limited++
			return nil, refused
		}
		f.leave = func() { r.places.Release(place) }
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel, f.turn = cancel, r.turns.enter(who)
	r.flights[key] = f
	r.counts.Started++
	go r.fly(ctx, f)
	return f, nil
}

// wait waits for a flight, or leaves it. The last who leaves ends it.
func (r *Runner) wait(ctx context.Context, f *flight) (*Result, error) {
	select {
	case <-f.done:
		return f.outcome.result, f.outcome.err
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		f.cancel()
		if r.flights[f.key] == f {
			// Whoever asks from now on does not want the one that is being given up.
			delete(r.flights, f.key)
			r.counts.Cancelled++
		}
	}
	return nil, ctx.Err()
}

// Counts returns what has happened so far.
func (r *Runner) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.counts
	c.Flights, c.Bytes = len(r.flights), r.cache.bytes
	return c
}

// Time is how long one run may take once it has its turn, ns.
func (r *Runner) Time() int64 { return r.config.Time }
