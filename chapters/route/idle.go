package route

// MaxIdle bounds an Idle: a connection takes 16 bytes, and finding one walks through them.
const MaxIdle = 1 << 12

// IdleConfig describes an Idle.
type IdleConfig struct {
	Keep    int64 // most idle connections over all peers, 0..MaxIdle; 0 keeps none
	Timeout int64 // ns, 1..MaxDuration: an idle connection is closed after so long
}

// Idle is the connections to peers that are open and not in use, as nginx's "keepalive" keeps them: one list for each worker, over all
// peers, of which the one unused the longest is closed when there are too many. MaxConns counts requests in flight and not these, so a
// peer can have more connections open than its MaxConns: with several workers up to Keep of each on top (nginx, http_upstream_module,
// max_conns and keepalive). Each takes a file descriptor here and a place at the peer. O(Keep), no allocation after NewIdle.
type Idle struct {
	cfg   IdleConfig
	now   int64
	conns []idleConn // the one unused the longest first
}

type idleConn struct {
	since int64
	peer  int32
}

// NewIdle returns a *RangeError for a field out of range.
func NewIdle(cfg IdleConfig) (Idle, error) {
	if err := firstOf(within("keep", cfg.Keep, 0, MaxIdle, "connections"), within("idle timeout", cfg.Timeout, 1, MaxDuration, "ns")); err != nil {
		return Idle{}, err
	}
	return Idle{cfg: cfg, now: minInt64, conns: make([]idleConn, 0, cfg.Keep)}, nil
}

// TakeAt takes a connection to a peer into use again, the one used last, and reports false when a new one has to be opened.
func (d *Idle) TakeAt(now int64, peer int) bool {
	d.ExpireAt(now)
	for k := len(d.conns) - 1; k >= 0; k-- {
		if d.conns[k].peer == int32(peer) {
			d.conns = append(d.conns[:k], d.conns[k+1:]...)
			return true
		}
	}
	return false
}

// PutAt leaves a connection open after use, and returns how many were closed for it: 0, or 1, which may be this one.
func (d *Idle) PutAt(now int64, peer int) (closed int) {
	d.ExpireAt(now)
	if cap(d.conns) == 0 {
		return 1
	}
	if int64(len(d.conns)) == d.cfg.Keep {
		d.conns = append(d.conns[:0], d.conns[1:]...)
		closed = 1
	}
	d.conns = append(d.conns, idleConn{since: d.now, peer: int32(peer)})
	return closed
}

// ExpireAt closes what was idle for too long, and returns how many that were.
func (d *Idle) ExpireAt(now int64) (closed int) {
	d.now = max(d.now, now)
	for closed < len(d.conns) && since(d.conns[closed].since, d.now) >= d.cfg.Timeout {
		closed++
	}
	d.conns = append(d.conns[:0], d.conns[closed:]...)
	return closed
}

// NextExpiry is when the first connection is closed for its age, MaxInt64 when there is none.
func (d *Idle) NextExpiry() int64 {
	if len(d.conns) == 0 {
		return maxInt64
	}
	return later(d.conns[0].since, d.cfg.Timeout)
}

// Len is how many are idle, as of the newest instant seen.
func (d *Idle) Len() int { return len(d.conns) }

// Of is how many of them lead to a peer.
func (d *Idle) Of(peer int) int {
	n := 0
	for _, c := range d.conns {
		if c.peer == int32(peer) {
			n++
		}
	}
	return n
}

// Clone returns an independent copy.
func (d *Idle) Clone() Idle {
	c := *d
	c.conns = append(make([]idleConn, 0, cap(d.conns)), d.conns...)
	return c
}

// Size is 16 bytes a connection kept at most, and 8.
func (d *Idle) Size() int { return 16*cap(d.conns) + 8 }
