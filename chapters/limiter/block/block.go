// Package block holds the limiters that wait, for servers: Pacer spaces requests out in time, Gate lets a bounded number in at once
// and lets the others queue.
//
// Everything that decides is in package limiter, which reads no clock and starts no goroutine; this package adds a mutex, a timer
// and a context around it. It is a package of its own because Go links by package: whoever imports limiter for a lab in the
// browser must not carry context and time along.
//
// Both types are safe for concurrent use. Their zero values let nobody in.
package block

import (
	"container/list"
	"context"
	"strconv"
	"sync"
	"time"

	"seedbed/chapters/limiter"
)

// FullError says that there was no place left to wait. Nothing was taken.
type FullError struct {
	Waiting    int64         // how many wait already
	RetryAfter time.Duration // until a place in a Pacer is free; 0 where only a release can tell, as in a Gate
}

// Error says it in one line.
func (e *FullError) Error() string {
	s := "limiter: full, " + strconv.FormatInt(e.Waiting, 10) + " waiting"
	if e.RetryAfter > 0 {
		s += "; a place is free in " + e.RetryAfter.String()
	}
	return s
}

// Pacer lets requests through one by one, evenly spaced at the rate of a limiter.Queue, in the order in which they asked.
type Pacer struct {
	mu    sync.Mutex
	queue limiter.Queue
	clock func() int64
}

// NewPacer returns a *limiter.RangeError for a field out of range. clock returns nanoseconds since a fixed start and must be
// monotonic, such as func() int64 { return int64(time.Since(start)) }.
func NewPacer(cfg limiter.QueueConfig, clock func() int64) (*Pacer, error) {
	q, err := limiter.NewQueue(cfg)
	if err != nil {
		return nil, err
	}
	return &Pacer{queue: q, clock: clock}, nil
}

// Wait returns nil when it is the caller's turn. It returns a *FullError at once when Depth others wait already, and the context's
// error when the context ends first, or at once when its deadline would pass before the turn comes; then the place is given up, and
// is free again for others if nobody stands behind it.
func (p *Pacer) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ticket, delay, err := p.reserve(ctx)
	if err != nil || delay <= 0 {
		return err
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		p.queue.CancelAt(p.now(), ticket)
		return ctx.Err()
	}
}

// reserve takes a place whose turn comes before the deadline, or none.
func (p *Pacer) reserve(ctx context.Context) (limiter.Ticket, time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	ticket, d := p.queue.ReserveAt(now, 1)
	if !d.OK {
		return limiter.Ticket{}, 0, &FullError{Waiting: max(0, d.Limit-1), RetryAfter: time.Duration(max(0, d.RetryAfter))}
	}
	delay := time.Duration(d.Delay)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < delay {
		p.queue.CancelAt(now, ticket)
		return limiter.Ticket{}, 0, context.DeadlineExceeded
	}
	return ticket, delay, nil
}

func (p *Pacer) now() int64 {
	if p.clock == nil {
		return 0
	}
	return p.clock()
}

// GateConfig describes a Gate.
type GateConfig struct {
	Permits int64 // most callers inside at once, 0..limiter.MaxPermits
	Waiters int64 // most callers waiting outside, ≥ 0; 0 turns the next one away at once
}

// Gate bounds how many callers are inside at once, and lets a bounded number of others wait their turn, first come, first served.
type Gate struct {
	mu      sync.Mutex
	permits limiter.Permits
	most    int64
	waiting list.List // of chan limiter.Permit, each with room for the one permit it will get
}

// NewGate returns a *limiter.RangeError for a field out of range.
func NewGate(cfg GateConfig) (*Gate, error) {
	p, err := limiter.NewPermits(limiter.PermitsConfig{Limit: cfg.Permits})
	if err != nil {
		return nil, err
	}
	if cfg.Waiters < 0 {
		return nil, &limiter.RangeError{Field: "waiters", Got: cfg.Waiters, Max: 1<<63 - 1, Per: "callers"}
	}
	return &Gate{permits: p, most: cfg.Waiters}, nil
}

// Enter returns a permit, at once or when it is the caller's turn. It returns a *FullError at once when nobody more may wait, and
// the context's error when the context ends first; then the place in the queue is gone and no permit is held.
func (g *Gate) Enter(ctx context.Context) (limiter.Permit, error) {
	if err := ctx.Err(); err != nil {
		return limiter.Permit{}, err
	}
	g.mu.Lock()
	if p, d := g.permits.Take(); d.OK {
		g.mu.Unlock()
		return p, nil
	}
	if waiting := int64(g.waiting.Len()); waiting >= g.most {
		g.mu.Unlock()
		return limiter.Permit{}, &FullError{Waiting: waiting}
	}
	turn := make(chan limiter.Permit, 1)
	place := g.waiting.PushBack(turn)
	g.mu.Unlock()

	select {
	case p := <-turn:
		return p, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case p := <-turn:
		// The permit came in the same moment: pass it on.
		g.release(p)
	default:
		g.waiting.Remove(place)
	}
	return limiter.Permit{}, ctx.Err()
}

// Leave gives a permit back and lets the longest waiting caller in. It reports false and changes nothing when the permit is not
// out: a permit is good for one Leave.
func (g *Gate) Leave(p limiter.Permit) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.release(p)
}

func (g *Gate) release(p limiter.Permit) bool {
	if !g.permits.Release(p) {
		return false
	}
	if first := g.waiting.Front(); first != nil {
		next, _ := g.permits.Take()
		g.waiting.Remove(first).(chan limiter.Permit) <- next
	}
	return true
}

// Inside is how many callers hold a permit now, and waiting how many queue for one.
func (g *Gate) Inside() (inside, waiting int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.permits.InFlight(), int64(g.waiting.Len())
}
