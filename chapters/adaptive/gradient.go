package adaptive

// GradientConfig describes a Gradient.
type GradientConfig struct {
	Common
	Tolerance int64 // thousandths of the base that count as no queue, 1000..10_000; 1000 tolerates none, Netflix has 2000
	Smoothing int64 // thousandths of the way to the new limit that a step goes, 1..1000; Netflix has 200
	Life      int64 // ns, 1..MaxDuration: how long a base is believed
}

// Gradient multiplies the limit with base ÷ latency, no less than a half at once, and adds its root: L → L × g + √L. With a base b and
// a latency r it stands where L × (1 − b/r) = √L, that is, with √L waiting ("Performance Under Load", Netflix, 2018; GradientLimit of
// Netflix/concurrency-limits, which smooths only when it lowers).
//
// Upside down, latency ÷ base, it would raise the limit when latencies rise, and one client has shipped that. TestTrap24 stands against it.
//
// O(1), flat.
type Gradient struct {
	course
	tolerance, smoothing int64
}

// NewGradient returns a *RangeError for a field out of range.
func NewGradient(cfg GradientConfig) (Gradient, error) {
	err := firstOf(cfg.check(),
		within("tolerance", cfg.Tolerance, 1000, 10_000, "thousandths"),
		within("smoothing", cfg.Smoothing, 1, 1000, "thousandths"),
		within("life", cfg.Life, 1, MaxDuration, "ns"))
	if err != nil {
		return Gradient{}, err
	}
	return Gradient{course: newCourse(cfg.Common, cfg.Life), tolerance: cfg.Tolerance, smoothing: cfg.Smoothing}, nil
}

// LearnAt takes in what became of one request.
func (g *Gradient) LearnAt(now int64, s Sample) {
	st, _, ok := g.gather(now, s)
	if !ok || st.idle {
		return
	}
	kept := min(g.limit, mulDiv(g.limit, mulDiv(g.base.mean, g.tolerance, 1000), st.mean))
	d := max(kept, g.limit/2) + root(g.limit) - g.limit
	g.set(g.limit + d*g.smoothing/1000)
}

// Clone returns an independent copy.
func (g *Gradient) Clone() Gradient { return *g }

// Copy is Clone behind the interface.
func (g *Gradient) Copy() Limit { c := g.Clone(); return &c }
