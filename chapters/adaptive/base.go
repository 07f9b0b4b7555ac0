package adaptive

// base is the latency without load: the least mean of a window, until it is old.
//
// The least single latency (Netflix's VegasLimit keeps that) is one lucky request, after which the usual latency looks like a queue
// (Netflix/concurrency-limits#37). The mean over a long time (their Gradient2) is no measure without load: a queue that stays becomes the
// norm. BBR forgets its least round trip after 10 s and then sends little for a moment, to see the path without the queue that it
// may itself have made; that is done here.
type base struct {
	life    int64 // ns for which it is believed; 0: there is no base
	mean    int64 // ns; 0 while unknown
	at      int64 // when it was last seen
	probing bool  // it was too old, and is being measured
}

// learn takes in the mean of a window and reports whether the base is too old now.
func (b *base) learn(now, mean int64) bool {
	if b.mean == 0 || mean <= b.mean {
		b.mean, b.at = mean, now
		return false
	}
	b.probing = since(b.at, now) >= b.life
	return b.probing
}
