package hotkey

// halving makes the past count less: after each Every, everything is halved.
type halving struct {
	every int64 // ns, 0: never
	begun bool
	from  int64 // when the last halving was due
}

// due is how many halvings have become due, at most 63, after which nothing is left of any count.
func (h *halving) due(now int64) uint {
	if h.every == 0 {
		return 0
	}
	if !h.begun {
		h.begun, h.from = true, now
	}
	k := since(h.from, now) / h.every
	h.from += k * h.every
	return uint(min(k, 63))
}

// halvedUp is ⌈n / 2^k⌉ for 0 ≤ n < 2^62: what must never be too low is rounded up.
func halvedUp(n int64, k uint) int64 { return int64((uint64(n) + 1<<k - 1) >> k) }
