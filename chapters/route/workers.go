package route

// MaxWorkers bounds Workers.
const MaxWorkers = 256

// Workers is one gateway of several processes, such as nginx's workers. Each counts what it sent itself. With a memory shared between
// them (nginx: "zone") they count together, and MaxConns bounds what a peer has in flight; without it each worker allows MaxConns of
// its own, and a peer has up to workers × MaxConns in flight while no worker has done anything wrong (nginx, http_upstream_module,
// max_conns). The same holds for turns, ejections and penalties.
type Workers struct {
	pools []Pool // one when shared
	count int
}

// NewWorkers returns a *RangeError or *NameError for what cannot be. count is 1..MaxWorkers.
func NewWorkers(cfg Config, count int, shared bool) (Workers, error) {
	if err := within("workers", int64(count), 1, MaxWorkers, ""); err != nil {
		return Workers{}, err
	}
	p, err := NewPool(cfg)
	if err != nil {
		return Workers{}, err
	}
	w := Workers{pools: []Pool{p}, count: count}
	for len(w.pools) < count && !shared {
		w.pools = append(w.pools, p.Clone())
	}
	return w, nil
}

// Pool is what a worker decides by, 0 ≤ worker < Len: the same one for all when shared.
func (w *Workers) Pool(worker int) *Pool {
	if len(w.pools) == 1 {
		return &w.pools[0]
	}
	return &w.pools[worker]
}

// Len is the number of workers.
func (w *Workers) Len() int { return w.count }

// InFlight is what peer i has in flight from all workers: what the peer itself sees.
func (w *Workers) InFlight(i int) int64 {
	n := int64(0)
	for k := range w.pools {
		n += w.pools[k].InFlight(i)
	}
	return n
}

// Clone returns an independent copy.
func (w *Workers) Clone() Workers {
	c := Workers{pools: make([]Pool, len(w.pools)), count: w.count}
	for k := range w.pools {
		c.pools[k] = w.pools[k].Clone()
	}
	return c
}

// Size is the bytes of state of all pools.
func (w *Workers) Size() int {
	n := 0
	for k := range w.pools {
		n += w.pools[k].Size()
	}
	return n
}
