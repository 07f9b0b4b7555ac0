package adaptive

// AIMDConfig describes an AIMD.
type AIMDConfig struct {
	Common
	Timeout int64 // ns, 1..MaxDuration: a request that took longer counts as dropped; Netflix has 5 s
}

// AIMD adds one request to the limit with each step in which half of it or more was used, and takes a share off for a drop. Of several
// clients that share a server and do so, each ends with the same share, whatever they began with: adding keeps their differences and
// multiplying shrinks them (Chiu and Jain, 1989). It finds its limit by running over it, so it needs a Timeout that is the latency that one can
// live with.
//
// O(1), flat.
type AIMD struct {
	course
	timeout int64
}

// NewAIMD returns a *RangeError for a field out of range.
func NewAIMD(cfg AIMDConfig) (AIMD, error) {
	if err := firstOf(cfg.check(), within("timeout", cfg.Timeout, 1, MaxDuration, "ns")); err != nil {
		return AIMD{}, err
	}
	return AIMD{course: newCourse(cfg.Common, 0), timeout: cfg.Timeout}, nil
}

// LearnAt takes in what became of one request.
func (a *AIMD) LearnAt(now int64, s Sample) {
	s.Dropped = s.Dropped || s.Took > a.timeout
	if st, _, ok := a.gather(now, s); ok && !st.idle {
		a.set(a.limit + parts)
	}
}

// Clone returns an independent copy.
func (a *AIMD) Clone() AIMD { return *a }

// Copy is Clone behind the interface.
func (a *AIMD) Copy() Limit { c := a.Clone(); return &c }
