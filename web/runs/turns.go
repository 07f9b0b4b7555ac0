package runs

import "slices"

// turns hands out the slots in which runs are computed. Who has asked for thirty long runs must not make another wait for all of them:
//
//   - one session may not have every slot, where there are several;
//   - a slot that becomes free goes to the address that has the fewest, then to the one whose last turn is the longest ago, then to such
//     a session of it, then to whoever came first;
//   - one address may have three quarters of the places in the house, running and waiting together.
//
// Addresses come before sessions, because a client can collect as many sessions as it likes. The house's own runs stand in line as
// everybody does, without a bound. A choice costs a look at each who waits. It is not safe for concurrent use.
type turns struct {
	free     int // slots
	session  int // slots that one session may have
	address  int // places that one address may have
	waiting  []*turn
	seats    map[string]*seat // of the addresses and sessions in the house
	sequence uint64           // turns given so far
}

// turn is one run's, from when it is let in until it ends or gives up.
type turn struct {
	address, session *seat
	ready            chan struct{} // closed when it has its slot
	running          bool
}

// seat is what is known of an address or a session while it has runs in the house.
type seat struct {
	key       string
	in        int    // runs in the house
	holds     int    // of these, in a slot
	last      uint64 // the number of its last turn; 0 for none
	unbounded bool   // the house itself
}

func newTurns(running, waiting int) turns {
	places := running + waiting
	return turns{free: running, session: max(1, running-1), address: places - places/4, seats: map[string]*seat{}}
}

// room is false when the address has as many places as one may.
func (t *turns) room(who Client) bool { return t.seat("a:"+who.Address).in < t.address }

// enter lets a run in, and to a slot where one is free for it.
func (t *turns) enter(who Client) *turn {
	address := t.seat("a:" + who.Address)
	one := &turn{address: address, session: address, ready: make(chan struct{})}
	if who.Session != "" {
		one.session = t.seat("s:" + who.Session)
	}
	one.session.unbounded = who == (Client{})
	for _, s := range one.seats() {
		s.in++
		t.seats[s.key] = s
	}
	t.waiting = append(t.waiting, one)
	t.give()
	return one
}

// seat is the one of that key; it is kept once it has a run in the house.
func (t *turns) seat(key string) *seat {
	if s := t.seats[key]; s != nil {
		return s
	}
	return &seat{key: key}
}

// seats are the turn's address and session; a client without a session has one for both.
func (o *turn) seats() []*seat {
	if o.address == o.session {
		return []*seat{o.address}
	}
	return []*seat{o.address, o.session}
}

// end takes a run out of the house, whether it had its slot or not.
func (t *turns) end(one *turn) {
	if one.running {
		t.free++
	} else {
		t.waiting = slices.DeleteFunc(t.waiting, func(w *turn) bool { return w == one })
	}
	for _, s := range one.seats() {
		if one.running {
			s.holds--
		}
		if s.in--; s.in == 0 {
			delete(t.seats, s.key)
		}
	}
	t.give()
}

// give hands out what slots are free.
func (t *turns) give() {
	for t.free > 0 {
		next := -1
		for i, w := range t.waiting {
			if w.session.holds >= t.session && !w.session.unbounded {
				continue
			}
			if next < 0 || w.before(t.waiting[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		one := t.waiting[next]
		t.waiting = slices.Delete(t.waiting, next, next+1)
		t.free--
		t.sequence++
		one.running = true
		for _, s := range one.seats() {
			s.holds++
			s.last = t.sequence
		}
		close(one.ready)
	}
}

// before is true when o comes before p, which has waited longer.
func (o *turn) before(p *turn) bool {
	switch {
	case o.address.holds != p.address.holds:
		return o.address.holds < p.address.holds
	case o.address != p.address:
		return o.address.last < p.address.last
	}
	return o.session.last < p.session.last
}
