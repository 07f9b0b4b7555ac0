package breaker

// Of the requests that come while a breaker recovers a growing share passes. Which ones is no matter of chance: each request adds its
// share to what has gathered, and the one with which a whole is full passes. So among any that come one after the other those that pass
// are never more than the sum of their shares and one, and lie as evenly as whole requests can.

const (
	whole   = 1_000_000 // parts
	percent = whole / 100
)

// passes gathers the share of one request, and reports whether a whole is full with it.
func (b *Breaker) passes() bool {
	if b.share += b.shareOfNow(); b.share < whole {
		return false
	}
	b.share -= whole
	return true
}

// shareOfNow grows evenly with the time, in parts of a whole.
func (b *Breaker) shareOfNow() int64 {
	first := b.cfg.FirstPercent * percent
	return first + mulDiv(min(since(b.began, b.now), b.cfg.Ramp), whole-first, b.cfg.Ramp)
}

// ShareAt is the share of the requests that passes at now, in parts of a million, and what had changed until then. It is all when
// closed and none when open; half-open has its probes and no share.
func (b *Breaker) ShareAt(now int64) (int64, Changes) {
	var c Changes
	b.advance(now, &c)
	switch b.state {
	case Closed:
		return whole, c
	case Recovering:
		return b.shareOfNow(), c
	}
	return 0, c
}
