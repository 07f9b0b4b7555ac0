package breaker

// Bounds of a configuration.
const (
	MaxWindow   = 1 << 16 // calls: two bits each
	MaxBuckets  = 1 << 10 // of a window of time: 12 bytes each
	MaxProbes   = 64
	MaxDuration = 1 << 62 // ns, 146 years
)

// Config describes a Breaker. Window and Span choose the window: exactly one of them is above 0.
type Config struct {
	Window  int64 // calls: the last so many count, 0..MaxWindow
	Span    int64 // ns: the calls that ended within the last so long count, 0..MaxDuration
	Buckets int64 // how finely a Span is seen, 1..MaxBuckets, at most Span; 0 means 10. A call counts for Span, less at most one bucket. Looked at only with a Span

	MinCalls       int64 // calls in the window before anything is judged, 1..Window, or 1..2^31−1 with a Span; 20 to 50 is usual
	FailurePercent int64 // opens at this share of failures, 1..100
	SlowPercent    int64 // opens at this share of slow calls, 1..100; 0 does not look at slowness
	SlowAfter      int64 // ns: a call that took longer is slow, 0..MaxDuration

	OpenFor int64 // ns, 1..MaxDuration
	Probes  int64 // calls that half-open permits, 1..MaxProbes; 1 to 5 is usual
	Lease   int64 // ns that a probe has to report, 1..MaxDuration: your time-out and a little more

	Ramp         int64 // ns from the last probe to all the traffic, 0..MaxDuration; 0 lets all pass at once
	FirstPercent int64 // share that passes when the ramp begins, 1..100; 0 means 10. Looked at only with a Ramp
}

// Resilience4j is that library's default: failures 50 percent of the last 100 calls and not before 100, slow calls 100 percent at 60 s,
// open for 60 s, 10 probes (resilience4j, CircuitBreakerConfig). It has no lease: a probe that is lost keeps it half-open, unless
// maxWaitDurationInHalfOpenState is set. Here a probe has 60 s, as long as a call that is not yet slow.
func Resilience4j() Config {
	return Config{
		Window: 100, MinCalls: 100, FailurePercent: 50, SlowPercent: 100, SlowAfter: 60 * second,
		OpenFor: 60 * second, Probes: 10, Lease: 60 * second,
	}
}

// Hystrix is that library's default: failures 50 percent of at least 20 calls in 10 s seen in 10 buckets, open for 5 s, one probe
// (Netflix/Hystrix, Configuration: requestVolumeThreshold, sleepWindowInMilliseconds). Its command times out after 1 s, which is the
// lease here.
func Hystrix() Config {
	return Config{Span: 10 * second, Buckets: 10, MinCalls: 20, FailurePercent: 50, OpenFor: 5 * second, Probes: 1, Lease: second}
}

// check fills in what was left out.
func (c *Config) check() error {
	if c.Buckets == 0 || c.Span <= 0 {
		c.Buckets = min(10, max(1, c.Span))
	}
	if c.FirstPercent == 0 {
		c.FirstPercent = 10
	}
	most := c.Window
	if c.Span > 0 {
		most = maxInt32
	}
	err := firstOf(
		within("window", c.Window, 0, MaxWindow, "calls"),
		within("span", c.Span, 0, MaxDuration, "ns"),
	)
	if err == nil && (c.Window == 0) == (c.Span == 0) {
		return &WindowError{Window: c.Window, Span: c.Span}
	}
	return firstOf(err,
		within("buckets", c.Buckets, 1, min(MaxBuckets, max(1, c.Span)), ""),
		within("min calls", c.MinCalls, 1, most, "calls"),
		within("failure percent", c.FailurePercent, 1, 100, ""),
		within("slow percent", c.SlowPercent, 0, 100, ""),
		within("slow after", c.SlowAfter, 0, MaxDuration, "ns"),
		within("open for", c.OpenFor, 1, MaxDuration, "ns"),
		within("probes", c.Probes, 1, MaxProbes, "calls"),
		within("lease", c.Lease, 1, MaxDuration, "ns"),
		within("ramp", c.Ramp, 0, MaxDuration, "ns"),
		within("first percent", c.FirstPercent, 1, 100, ""),
	)
}

// WindowError says that a configuration names no window, or two.
type WindowError struct {
	Window, Span int64
}

// Error says it in one line.
func (e *WindowError) Error() string {
	if e.Window == 0 {
		return "window: none; want Window (calls) or Span (ns) above 0"
	}
	return "window: Window (calls) and Span (ns) are both set; want one of them"
}
