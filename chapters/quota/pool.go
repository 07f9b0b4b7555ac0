package quota

import "strconv"

// Config describes a Pool.
type Config struct {
	Limit    int64 // units a period for all nodes together, 0..MaxUnits
	Reserved int64 // of these, what the nodes' Reserves take, 0..Limit: the sum over all nodes, whether they run or not
	Period   int64 // ns, 1..MaxDuration
	Most     int64 // units of one grant, 1..MaxUnits; who asks for more gets so much
}

// Pool is the coordinator's side: a pure function of the calls, so that it can be replicated by a log. All instants that are passed in are then
// those that the leader wrote into the log.
//
// A grant lasts until the end of the period. It counts in full until then, or for what was used once it is returned. So the grants of a
// period never exceed Limit − Reserved, which GrantedAt tells.
//
// O(1), but for a return, which is O(grants); 24 bytes for each grant of the period.
type Pool struct {
	cfg    Config
	begun  bool
	now    int64 // newest instant seen
	start  int64 // of the period
	term   int64
	newest uint64  // ID
	quiet  int64   // before this nothing is granted
	spoken int64   // units that are granted and not known to be unused
	out    []grant // of the period, not returned, by ID
}

// grant is what a Pool remembers of one.
type grant struct {
	id    uint64
	term  int64
	units int64
}

const grantBytes = 24

// NewPool returns a *RangeError for a field out of range. The term is 1.
func NewPool(cfg Config) (Pool, error) {
	err := firstOf(
		within("limit", cfg.Limit, 0, MaxUnits, "units"),
		within("reserved", cfg.Reserved, 0, cfg.Limit, "units"),
		within("period", cfg.Period, 1, MaxDuration, "ns"),
		within("most", cfg.Most, 1, MaxUnits, "units"))
	if err != nil {
		return Pool{}, err
	}
	return Pool{cfg: cfg, term: 1, quiet: minInt64}, nil
}

// Reason is why nothing was granted.
type Reason uint8

// The reasons.
const (
	Granted  Reason = iota
	Spent           // nothing is left in this period
	Quiet           // what a coordinator before this one may have granted is not over
	Crowded         // MaxGrants are out
	NotAsked        // for less than one unit
	Unmade          // the zero Pool
)

var reasons = [...]string{"granted", "spent", "quiet", "crowded", "not asked", "unmade"}

// String is the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "reason " + strconv.Itoa(int(r))
}

// GrantAt gives a node up to want units: what is left, and at most Most.
func (p *Pool) GrantAt(now int64, node uint64, want int64) (Grant, Reason) {
	if p.cfg.Period == 0 {
		return Grant{}, Unmade
	}
	p.tell(now)
	n := min(want, p.cfg.Most, p.cfg.Limit-p.cfg.Reserved-p.spoken)
	switch {
	case want < 1:
		return Grant{}, NotAsked
	case p.now < p.quiet:
		return Grant{}, Quiet
	case n < 1:
		return Grant{}, Spent
	case len(p.out) == MaxGrants:
		return Grant{}, Crowded
	}
	p.newest++
	p.spoken += n
	p.out = append(p.out, grant{p.newest, p.term, n})
	return Grant{ID: p.newest, Term: p.term, Node: node, Units: n, TTL: since(p.now, p.end())}, Granted
}

// ReturnAt gives back what was not used of a grant, whose holder uses no more of it from now on. It reports false and changes nothing when
// the grant is over, was returned before, is of another coordinator, or Used lies outside 0..its units: then it goes on counting in full.
func (p *Pool) ReturnAt(now int64, r Return) bool {
	p.tell(now)
	lo, hi := 0, len(p.out)
	for lo < hi {
		if mid := (lo + hi) / 2; p.out[mid].id < r.ID {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(p.out) || p.out[lo].id != r.ID || p.out[lo].term != r.Term || r.Used < 0 || r.Used > p.out[lo].units {
		return false
	}
	p.spoken -= p.out[lo].units - r.Used
	p.out = append(p.out[:lo], p.out[lo+1:]...)
	return true
}

// TakeOverAt makes this Pool the coordinator of a new term. known says that it has all grants of the terms before, as a replica has that has
// applied the log to its end; then it goes on at once, and the grants of before count until they end. Else it grants nothing until
// every one of them is over: a whole Period after lasts, and from there to the end of the period, so that none holds both. lasts is the last instant, by
// this Pool's clock, at which another may still have granted. A leader that was voted out and does not know yet can last as long as its own
// lease: up to two election time-outs.
//
// It reports false, and changes nothing, when the term is not above the newest.
func (p *Pool) TakeOverAt(now, term int64, known bool, lasts int64) bool {
	if p.cfg.Period == 0 || term <= p.term {
		return false
	}
	p.tell(now)
	p.term = term
	if !known {
		over := later(max(lasts, p.now), p.cfg.Period)
		p.quiet = max(p.quiet, later(startOf(over, p.cfg.Period), p.cfg.Period))
	}
	return true
}

// GrantedAt is how many units are granted in this period and not known to be unused, 0..Limit − Reserved.
func (p *Pool) GrantedAt(now int64) int64 {
	if p.cfg.Period == 0 {
		return 0
	}
	p.tell(now)
	return p.spoken
}

// Term is the newest term.
func (p *Pool) Term() int64 { return p.term }

func (p *Pool) end() int64 { return later(p.start, p.cfg.Period) }

// tell moves time on, and into a new period, in which nothing is granted.
func (p *Pool) tell(now int64) {
	if p.cfg.Period == 0 || p.begun && now <= p.now {
		return
	}
	if start := startOf(now, p.cfg.Period); !p.begun || start > p.start {
		p.start, p.spoken, p.out = start, 0, p.out[:0]
	}
	p.begun, p.now = true, now
}

// Clone returns an independent copy: a replica.
func (p *Pool) Clone() Pool {
	c := *p
	c.out = append([]grant(nil), p.out...)
	return c
}

// Size is 24 bytes a grant and 56 for the period, the term and the time.
func (p *Pool) Size() int { return grantBytes*len(p.out) + 56 }
