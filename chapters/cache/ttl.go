package cache

import "seedbed/chapters/pmath"

// Jitter draws a time to live within ppm parts in a million of ttl, both ends included and each nanosecond equally likely, so that
// what was stored together does not end together: 30 min with 166,667 ppm is 25 to 35 min. A ttl above 0 stays above 0, however
// short; 0 (for ever) and less (over already) stay what they are. ppm counts as in 0..1e6, and ttl as at most MaxDuration. It draws
// once, unless there is nothing to choose from.
func Jitter(ttl, ppm int64, r Source) int64 {
	ttl = min(ttl, MaxDuration)
	if ttl <= 0 {
		return ttl
	}
	spread := share(ttl, max(0, min(ppm, million)))
	if spread == 0 {
		return ttl
	}
	low := max(1, ttl-spread)
	return low + r.Below(ttl+spread-low+1)
}

// Early reports whether to load a value anew before it expires: XFetch. Each request that finds the value draws, and fires at a
// distance t before expiry with the probability e^(−t ÷ (beta·load)): hardly ever long before, surely from expiry on. Nobody has to
// agree with anybody. load is how long the last load took, ns; beta is in parts per million, and more than a million is earlier. It
// draws only nearer than 37·beta·load.
//
// "One recomputation" is not what it gives: with beta 1 and requests that are dense compared to load, others fire before the first
// has finished, and e of them do on average, 2.72; with sparse ones about one does. Single flight after Early makes it one in each
// process.
//
// Source: Vattani, Chierichetti and Lowenstein, "Optimal Probabilistic Cache Stampede Prevention" (PVLDB 8(8), 2015).
func Early(now, expires, load, beta int64, r Source) bool {
	if now >= expires {
		return true
	}
	if load <= 0 || beta <= 0 {
		return false
	}
	left, unit := float64(since(now, expires)), float64(float64(load)*float64(beta)/million)
	if left > float64(37*unit) { // −ln 2^−53 is 36.7: no draw reaches this far
		return false
	}
	// In 1/2^53 .. 1: every step of a float64 there, and never 0.
	u := float64(r.Below(1<<53)+1) / (1 << 53)
	return left <= float64(unit*-pmath.Log(u))
}
