package lease

import "strconv"

// Config describes a Lock.
type Config struct {
	TTL int64 // ns that a grant lasts, 1..MaxDuration
	// Delay is for how long nobody gets the lock after it has expired, in ns, 0..MaxDuration. A lock that is given back is free at once. For
	// stores that know no tokens it makes late writes rarer (Chubby's lock-delay, a minute); it makes them impossible only if no write takes
	// longer.
	Delay int64
}

// Lock is the lock service's side of one lock: a pure function of the calls, so that it can be replicated by a log.
//
// O(1), flat. The zero value grants nothing.
type Lock struct {
	cfg   Config
	begun bool
	now   int64 // newest instant seen
	token Token // of the newest grant
	held  bool  // and it was not given back
	until int64 // when that ends
	free  int64 // before this nobody gets it
}

// NewLock returns a *RangeError for a field out of range.
func NewLock(cfg Config) (Lock, error) {
	err := firstOf(within("TTL", cfg.TTL, 1, MaxDuration, "ns"), within("delay", cfg.Delay, 0, MaxDuration, "ns"))
	if err != nil {
		return Lock{}, err
	}
	return Lock{cfg: cfg, free: minInt64}, nil
}

// Reason is why a lock was not granted.
type Reason uint8

// The reasons.
const (
	Granted Reason = iota
	Taken          // somebody holds it, perhaps who asks
	Delayed        // it expired a moment ago, or the service has just come back
	Unmade         // the zero Lock
)

var reasons = [...]string{"granted", "taken", "delayed", "unmade"}

// String is the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "reason " + strconv.Itoa(int(r))
}

// AcquireAt grants a free lock to who, with a token that is greater than all before. Who holds it already is refused too: two threads of one
// client are two, and to hold on there is RenewAt.
func (l *Lock) AcquireAt(now int64, who uint64) (Grant, Reason) {
	if l.cfg.TTL == 0 {
		return Grant{}, Unmade
	}
	l.tell(now)
	switch {
	case l.held:
		return Grant{}, Taken
	case l.now < l.free || l.token.N == maxInt64:
		return Grant{}, Delayed
	}
	l.token = Token{N: l.token.N + 1, Who: who}
	l.held, l.until = true, later(l.now, l.cfg.TTL)
	return Grant{Token: l.token, TTL: l.cfg.TTL}, Granted
}

// RenewAt lets a grant last for another TTL from now, with the same token. It reports false when the token is not the holder's, or expired: what has
// expired is not renewed, even when nobody else came, because its holder has no longer believed in it.
func (l *Lock) RenewAt(now int64, t Token) (Grant, bool) {
	l.tell(now)
	if !l.held || t != l.token {
		return Grant{}, false
	}
	l.until = later(l.now, l.cfg.TTL)
	return Grant{Token: t, TTL: l.cfg.TTL}, true
}

// ReleaseAt gives a lock back; it is free at once. It reports false and changes nothing when the token is not the holder's, or expired.
func (l *Lock) ReleaseAt(now int64, t Token) bool {
	l.tell(now)
	if !l.held || t != l.token {
		return false
	}
	l.held, l.free = false, l.now
	return true
}

// HolderAt is the token that holds the lock, and false when none does.
func (l *Lock) HolderAt(now int64) (Token, bool) {
	l.tell(now)
	if !l.held {
		return Token{}, false
	}
	return l.token, true
}

// RecoverAt is for a service that comes back and has lost what it knew, but for the greatest number that it may ever have given out: that
// must be kept on disk before it is used, for else a token comes twice. Nobody gets the lock until every lease of before is over.
func (l *Lock) RecoverAt(now, greatest int64) {
	if l.cfg.TTL == 0 {
		return
	}
	l.tell(now)
	l.token = Token{N: max(l.token.N, greatest)}
	l.held, l.free = false, max(l.free, later(later(l.now, l.cfg.TTL), l.cfg.Delay))
}

// tell moves time on and ends what has expired.
func (l *Lock) tell(now int64) {
	if !l.begun || now > l.now {
		l.begun, l.now = true, now
	}
	if l.held && l.now >= l.until {
		l.held, l.free = false, later(l.until, l.cfg.Delay)
	}
}

// Size is 56 bytes: five numbers and two flags, in words.
func (l *Lock) Size() int { return 56 }
