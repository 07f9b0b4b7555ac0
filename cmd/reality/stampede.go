package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"seedbed/chapters/cache"
	"seedbed/chapters/cache/block"
)

// What the readers of the page stampede do: they come at random, want one key that lives for a while after each load, and a load is a
// query that takes long. Orders come beside them and need a connection for a moment.
const (
	stampReads     = 400 // a second
	stampOrders    = 25  // a second
	stampLoad      = 100 * time.Millisecond
	stampTTL       = 1500 * time.Millisecond
	stampLength    = 10 * time.Second
	stampProcesses = 4
	stampPool      = 8
	stampWide      = 100
	stampQuery     = "SELECT pg_sleep(0.1)"
	stampLate      = stampLoad // later than that the readers may not come: then the machine was asked, and not the pool
	stampTries     = 15
)

// renewal is one way to renew the key.
type renewal struct {
	name      string
	use       string // the lab's name of the way; "" where it has none
	processes int    // each with a single flight of its own; 0 for no flights
	pool      int    // connections
	again     bool   // who has waited for a connection looks again before the query
}

var renewals = []renewal{
	{"wide", "none", 0, stampWide, false},
	{"none", "none", 0, stampPool, false},
	{"again", "", 0, stampPool, true},
	{"process", "per-process", stampProcesses, stampPool, false},
	{"lease", "lease", 1, stampPool, false},
}

// errLate says that the machine was too busy to let the readers come when they should.
var errLate = errors.New("the readers came late, for the machine was busy with something else")

// read is one reader: when it came, in which process, and what became of it.
type read struct {
	at      time.Duration // since the begin
	process int
	missed  bool
	took    time.Duration
}

// load is one query: when it was wanted, how long there was no connection for it, and how long it ran.
type load struct {
	at, waited, ran time.Duration
}

// stampede is one run against a real pool.
type stampede struct {
	pool    *pgxpool.Pool
	begin   time.Time
	loaders []*block.Loader[int, bool]
	late    bool
	again   bool

	mu     sync.Mutex
	cache  cache.Cache[int, bool] // shared by all processes, as Redis would be
	reads  []read
	loads  []load
	orders []time.Duration
	wrong  error
}

// askStampede lets a hot key end, again and again, before a real pool of connections.
func askStampede(ctx context.Context, p *paper) error {
	for name, value := range map[string]any{
		"reads": stampReads, "orders": stampOrders, "load": stampLoad.Milliseconds(), "ttl": stampTTL.Seconds(), "seconds": stampLength.Seconds(),
		"processes": stampProcesses, "pool": stampPool, "wide": stampWide,
	} {
		p.fact(name, value)
	}
	p.fact("late", stampLate.Milliseconds())
	p.raw("query", "%s", stampQuery)
	results := map[string]result{}
	for _, w := range renewals {
		r, err := w.run(ctx, p)
		for try := 1; try < stampTries && errors.Is(err, errLate); try++ {
			r, err = w.run(ctx, p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		results[w.name] = r
		if w.use == "" {
			continue
		}
		if err := r.besideLab(p, w.name, w.use); err != nil {
			return err
		}
	}
	claimStampede(p, results)
	return nil
}

// run is one way against a real pool, and the same arrivals in a reckoning of ours.
func (w renewal) run(ctx context.Context, p *paper) (result, error) {
	s, err := newStand()
	if err != nil {
		return result{}, err
	}
	defer s.close()
	connect, err := s.postgres(ctx, stampWide+20)
	if err != nil {
		return result{}, err
	}
	st := &stampede{again: w.again}
	if st.pool, err = s.pool(ctx, connect, w.pool); err != nil {
		return result{}, err
	}
	if st.cache, err = cache.New[int, bool](cache.Config[int]{Capacity: 1}); err != nil {
		return result{}, err
	}
	before := st.pool.Stat()
	acquired, empty, waited := before.AcquireCount(), before.EmptyAcquireCount(), before.AcquireDuration()
	if err := st.run(ctx, w.processes); err != nil {
		return result{}, err
	}
	after := st.pool.Stat()
	r := st.result()
	p.raw(w.name, "%s\npgxpool: %d connections, acquired %d times;\n%d times there was none, %.1f s waited for one in all",
		strings.Join(r.lines, "\n"), after.MaxConns(), after.AcquireCount()-acquired, after.EmptyAcquireCount()-empty, (after.AcquireDuration() - waited).Seconds())
	p.fact(w.name+".empty", after.EmptyAcquireCount()-empty)
	r.put(p, w.name)
	reckoned := w.reckon(st.reads, r.query)
	reckoned.put(p, w.name+".reckoned")
	r.reckoned = &reckoned
	return r, nil
}

// run lets the readers and orders come.
func (s *stampede) run(ctx context.Context, processes int) error {
	s.begin = time.Now()
	clock := func() int64 { return int64(time.Since(s.begin)) }
	for range processes {
		ttl := int64(stampTTL)
		if processes > 1 {
			ttl = 1 // what a process has loaded is kept in the shared cache
		}
		l, err := block.NewLoader[int, bool](cache.ReadThroughConfig[int]{Cache: cache.Config[int]{Capacity: 1}, TTL: ttl, Timeout: int64(patience)}, clock, nil)
		if err != nil {
			return err
		}
		s.loaders = append(s.loaders, l)
	}
	r := rand.New(rand.NewPCG(4, 4))
	var wg sync.WaitGroup
	nextRead, nextOrder := 0.0, 0.0
	for {
		at := time.Duration(min(nextRead, nextOrder) * float64(time.Second))
		if at > stampLength || s.late || ctx.Err() != nil {
			break
		}
		time.Sleep(time.Until(s.begin.Add(at)))
		if time.Since(s.begin) > at+stampLate {
			s.late = true
		}
		if nextOrder < nextRead {
			nextOrder += r.ExpFloat64() / stampOrders
			wg.Go(func() { s.order(ctx) })
			continue
		}
		nextRead += r.ExpFloat64() / stampReads
		process := r.IntN(max(processes, 1))
		wg.Go(func() { s.read(ctx, processes, process) })
	}
	wg.Wait()
	if s.late {
		return errLate
	}
	return errors.Join(s.wrong, ctx.Err())
}

// read is one reader.
func (s *stampede) read(ctx context.Context, processes, process int) {
	me := read{at: time.Since(s.begin), process: process}
	var err error
	if processes == 1 {
		// Who waits, and who leads, is the loader's business; who had no answer at once missed.
		_, err = s.loaders[0].Get(ctx, 0, s.query)
		me.took = time.Since(s.begin) - me.at
		me.missed = me.took > stampLoad/10
	} else if me.missed = !s.cached(); me.missed {
		if processes == 0 {
			_, err = s.loadShared(ctx)
		} else {
			// Looked up again by who leads: another process may have stored it since.
			_, err = s.loaders[process].Get(ctx, 0, func(ctx context.Context) (bool, error) {
				if s.cached() {
					return true, nil
				}
				return s.loadShared(ctx)
			})
		}
		me.took = time.Since(s.begin) - me.at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads = append(s.reads, me)
	s.wrong = errors.Join(s.wrong, err)
}

// cached says whether the key is in the shared cache.
func (s *stampede) cached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.cache.GetAt(int64(time.Since(s.begin)), 0)
	return ok
}

// loadShared queries, and stores what comes in the shared cache.
func (s *stampede) loadShared(ctx context.Context) (bool, error) {
	asked, err := s.query(ctx)
	if !asked || err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.SetAt(int64(time.Since(s.begin)), 0, true, int64(stampTTL))
	return true, nil
}

// query is one load. asked is false when there was no need to, after the wait for a connection.
func (s *stampede) query(ctx context.Context) (asked bool, err error) {
	l := load{at: time.Since(s.begin)}
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	l.waited = time.Since(s.begin) - l.at
	if s.again && s.cached() {
		c.Release()
		return false, nil
	}
	_, err = c.Exec(ctx, stampQuery)
	c.Release()
	l.ran = time.Since(s.begin) - l.at - l.waited
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads = append(s.loads, l)
	return true, err
}

// order is somebody else who needs a connection for a moment.
func (s *stampede) order(ctx context.Context) {
	begin := time.Now()
	_, err := s.pool.Exec(ctx, "SELECT 1")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = append(s.orders, time.Since(begin))
	s.wrong = errors.Join(s.wrong, err)
}

// result sums a run up.
func (s *stampede) result() result {
	slices.SortFunc(s.reads, func(a, b read) int { return int(a.at - b.at) })
	slices.SortFunc(s.loads, func(a, b load) int { return int(a.at - b.at) })
	var waits, waited, ran []time.Duration
	for _, r := range s.reads {
		if r.missed {
			waits = append(waits, r.took)
		}
	}
	ends := make([]time.Duration, 0, len(s.loads))
	for _, l := range s.loads {
		waited, ran = append(waited, l.waited), append(ran, l.ran)
		ends = append(ends, l.at+l.waited+l.ran)
	}
	r := summary(s.loads, ends, waits)
	r.query, r.pool, r.orders = quantile(ran, 50), quantile(waited, 99), quantile(s.orders, 99)
	return r
}
