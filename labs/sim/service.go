package sim

import "seedbed/chapters/pmath"

// Shape is the distribution of a service time.
type Shape uint8

// The shapes. Each is given by its mean; the spread is the shape's own.
const (
	Constant    Shape = iota // every draw is the mean
	Exponential              // coefficient of variation 1
	LogNormal                // sigma 1: median 0.61 of the mean, p99 about 6.2 times it
	Pareto                   // alpha 2.5: a heavy tail, cut at 1000 times the mean so that one draw cannot outlast the run
)

// Draw returns one service time in nanoseconds, at least 1, with the given mean (ns, ≥ 1).
func (s Shape) Draw(r *Stream, mean int64) int64 {
	d := mean
	switch s {
	case Exponential:
		d = r.Exp(mean)
	case LogNormal:
		// The mean of exp(mu + sigma·Z) is exp(mu + sigma²/2): with sigma 1 the factor exp(−1/2) brings it back to 1.
		d = pmath.Round64(float64(float64(mean) * pmath.Exp(r.Normal()-0.5)))
	case Pareto:
		// With alpha 2.5 the mean is 5/3 of the least value.
		d = pmath.Round64(float64(float64(float64(mean)*0.6) * pmath.Pow(r.Float(), -0.4)))
		d = min(d, 1000*mean)
	}
	return max(d, 1)
}
