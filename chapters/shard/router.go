package shard

// Router is a client's way to the owner: it keeps the map that it saw last, sends each request with the term of its route, and when a
// store refuses the route it loads the map and tries again. It is not safe for concurrent use.
type Router struct {
	owners Owners
	stores []Store
	seen   Map
}

// NewRouter knows its way among the stores by their names. It loads the map when it first needs it.
func NewRouter(owners Owners, stores ...Store) *Router {
	return &Router{owners: owners, stores: stores}
}

// tries is how often a request is sent: by the route that is known, by the newest, and once more for a move that is decided just then.
const tries = 3

// Write writes a row by way of the owner. A *Refused with Halted means that the part is about to move: wait a little and try again.
func (r *Router) Write(row Row) (Row, error) {
	return r.send(row.Key, func(s Store, t Term) (Row, error) { return s.Write(t, row) })
}

// Read reads a row by way of the owner.
func (r *Router) Read(k Key) (Row, error) {
	return r.send(k, func(s Store, t Term) (Row, error) { return s.Read(t, k) })
}

func (r *Router) send(k Key, ask func(Store, Term) (Row, error)) (row Row, err error) {
	for try := 0; try < tries; try++ {
		if try > 0 || r.seen.Version == 0 {
			if r.seen, err = r.owners.Load(); err != nil {
				return Row{}, err
			}
		}
		if len(r.seen.Parts) == 0 {
			return Row{}, &PlanError{"map", "none", "publish the first one"}
		}
		t := r.seen.Parts[r.seen.Find(k)].Term()
		row, err = Row{}, &PlanError{"store", t.Writer, "the router was not given that store"}
		for _, s := range r.stores {
			if s.Name() == t.Writer {
				row, err = ask(s, t)
			}
		}
		if no, ok := err.(*Refused); !ok || no.Reason != Stale && no.Reason != Foreign && no.Reason != Elsewhere {
			return row, err
		}
	}
	return row, err
}
