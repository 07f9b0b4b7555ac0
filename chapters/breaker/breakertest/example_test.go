package breakertest_test

import (
	"fmt"

	"seedbed/chapters/breaker"
	"seedbed/chapters/breaker/breakertest"
)

// simple is somebody's breaker: it opens after three failures and lets one call through after a second. It takes any answer for that of
// its probe, also one that it has been waiting for since before.
type simple struct {
	failures int
	openedAt int64
	probing  bool
}

func (s *simple) Ask(now int64) (func(int64, breaker.Outcome), bool) {
	if s.failures >= 3 && (s.probing || now < s.openedAt+1e9) {
		return nil, false
	}
	s.probing = s.failures >= 3
	return func(now int64, o breaker.Outcome) {
		s.probing = false
		if o == breaker.Failure {
			s.failures++
			s.openedAt = now
		} else {
			s.failures = 0
		}
	}, true
}

// printer is a TB that prints; a test passes its *testing.T.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim.
func ExampleCheck() {
	breakertest.Check(printer{}, breakertest.Target{
		New:      func() breakertest.Breaker { return &simple{} },
		MinCalls: 3, FailurePercent: 100, Window: 3, OpenFor: 1e9, Probes: 1, Lease: 1e9,
		Claims: breakertest.Rests | breakertest.Stale | breakertest.Leases,
	})
	// Output:
	// stale: seed 0: a success from before the circuit opened makes room among the probes
	//   at 535: call 7 ends, failure
	//   at 535: call 8 → passes
	//   at 535: call 8 ends, failure
	//   at 535: call 9 → passes
	//   at 535: call 9 ends, failure
	//   at 1000000535: call 10 → passes
	//   at 1000000535: call 1 ends, success
	//   at 1000000535: call 11 → passes
	// leases: seed 0: nothing has passed for 2250000000 ns; the lease of the lost probes is 1000000000, and it is open for 1000000000
	//   at 2375000535: call 15 → refused
	//   at 2500000535: call 16 → refused
	//   at 2625000535: call 17 → refused
	//   at 2750000535: call 18 → refused
	//   at 2875000535: call 19 → refused
	//   at 3000000535: call 20 → refused
	//   at 3125000535: call 21 → refused
	//   at 3250000535: call 22 → refused
}
