package routing

import "seedbed/chapters/pmath"

// erlangB is the share of arrivals that find all places taken, when load arrivals a mean stay come at random and those refused do
// not come back (A. K. Erlang, 1917). It holds for any distribution of stays. The recursion B(0) = 1, B(n) = aB(n−1)/(n + aB(n−1))
// is stable; O(places).
func erlangB(load float64, places int64) float64 {
	b := 1.0
	for n := int64(1); n <= places; n++ {
		ab := float64(load * b)
		b = ab / (float64(n) + ab)
	}
	return b
}

// placesFor is the least number of places with which erlangB is at most share; O(its result).
func placesFor(load, share float64) int64 {
	b := 1.0
	for n := int64(1); ; n++ {
		ab := float64(load * b)
		b = ab / (float64(n) + ab)
		if b <= share {
			return n
		}
	}
}

// poissonOver is the probability that a Poisson number of the given mean is above n: the share of moments at which more than n
// would be inside if nobody were refused. The sum starts at the mean and goes outward, so that no term underflows; O(n + mean).
func poissonOver(mean float64, n int64) float64 {
	if mean <= 0 {
		return 0
	}
	// Terms relative to that of k = ⌊mean⌋; the sum of all of them is what each is to be divided by.
	middle := pmath.Floor64(mean)
	total, over := 0.0, 0.0
	add := func(k int64, term float64) {
		total += term
		if k > n {
			over += term
		}
	}
	for k, term := middle, 1.0; term > 1e-18 && k >= 0; k-- {
		add(k, term)
		term = float64(term * (float64(k) / mean))
	}
	for k, term := middle+1, mean/float64(middle+1); term > 1e-18 || k <= n; k++ {
		add(k, term)
		if k > n+100_000 {
			break
		}
		term = float64(term * (mean / float64(k+1)))
	}
	return over / total
}

// ppm turns a share into parts per million.
func ppm(share float64) int64 { return pmath.Round64(float64(share * 1e6)) }
