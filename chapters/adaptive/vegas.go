package adaptive

// VegasConfig describes a Vegas.
type VegasConfig struct {
	Common
	Alpha int64 // requests, 0..Beta: with fewer waiting the limit grows; 3 is usual
	Beta  int64 // requests, Alpha..MaxLimit: with more it shrinks; 6 is usual
	Life  int64 // ns, 1..MaxDuration: how long a base is believed; BBR has 10 s
}

// Vegas keeps between Alpha and Beta requests waiting. With a base b and a latency r, of L requests in flight L × b/r are being
// served and L × (1 − b/r) wait (Brakmo, O'Malley and Peterson, 1994, where the same is a difference of two rates). One request more or less
// a step. Netflix lets both bounds grow with the logarithm of the limit; here they are numbers, as in the paper.
//
// O(1), flat.
type Vegas struct {
	course
	alpha, beta int64
}

// NewVegas returns a *RangeError for a field out of range.
func NewVegas(cfg VegasConfig) (Vegas, error) {
	err := firstOf(cfg.check(),
		within("beta", cfg.Beta, 0, MaxLimit, "requests"),
		within("alpha", cfg.Alpha, 0, cfg.Beta, "requests"),
		within("life", cfg.Life, 1, MaxDuration, "ns"))
	if err != nil {
		return Vegas{}, err
	}
	return Vegas{course: newCourse(cfg.Common, cfg.Life), alpha: cfg.Alpha, beta: cfg.Beta}, nil
}

// LearnAt takes in what became of one request.
func (v *Vegas) LearnAt(now int64, s Sample) {
	st, _, ok := v.gather(now, s)
	if !ok || st.idle {
		return
	}
	switch waiting := mulDiv(v.limit, st.mean-v.base.mean, st.mean); {
	case waiting < v.alpha*parts:
		v.set(v.limit + parts)
	case waiting > v.beta*parts:
		v.set(v.limit - parts)
	}
}

// Clone returns an independent copy.
func (v *Vegas) Clone() Vegas { return *v }

// Copy is Clone behind the interface.
func (v *Vegas) Copy() Limit { c := v.Clone(); return &c }
