package routing

import (
	"strings"
	"testing"

	"seedbed/labs"
)

// run runs a query of a lab with a seed, or ends the test.
func run(t *testing.T, lab *labs.Lab, query string, seed uint64) *labs.Trace {
	t.Helper()
	spec, err := labs.ParseQuery(lab, query)
	if err != nil {
		t.Fatal(err)
	}
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// metric is a metric by name.
func metric(lab *labs.Lab, trace *labs.Trace, name string) int64 {
	return trace.Metrics[lab.Metric(name)]
}

// sequence is where the requests of a run went, in order: a peer's name, with ! when its health was disregarded, - when all were full,
// 0 when none was healthy.
func sequence(trace *labs.Trace) string {
	var out []string
	for _, e := range trace.Log {
		switch e.Kind {
		case capacitySend:
			out = append(out, peerNames[e.Entity-entityPeer])
		case capacityPanic:
			out = append(out, peerNames[e.Entity-entityPeer]+"!")
		case capacityAllFull:
			out = append(out, "-")
		case capacityNoneHealthy:
			out = append(out, "0")
		}
	}
	return strings.Join(out, " ")
}

func TestWhereRequestsGo(t *testing.T) {
	const events = "do=5.3s:unhealthy:a&do=5.6s:finish:b"
	for _, c := range []struct{ name, query, want string }{
		{"two slots each, then one loses a and frees one of b", events, "a b a b - b -"},
		{"smooth takes the same turns between equals", "use=smooth&" + events, "a b a b - b -"},
		{"least connections lets smooth decide between equals, and it is b's turn", "use=least-conn&" + events, "a b b a - b -"},
		{"left alone, all stay", "", "a b a b - - -"},
		{"nginx's example of weights 5, 1, 1", "use=smooth&peers=3&max=10&weight=5", "a a b a c a a"},
		{"round robin sees no weight", "peers=3&max=10&weight=5", "a b c a b c a"},
		{"least connections fills by weight", "use=least-conn&peers=3&max=10&weight=5", "a b c a a a a"},
		{"nobody counts the slots", "capacity=ignored&do=4.5s:unhealthy:a", "a b a b b b b"},
		{"two workers that share what they count", "workers=2&" + events, "a b a b - b -"},
		{"two workers that each count alone, and in step", "workers=2&memory=own", "a a b b a a b"},
		{"both sick: refused, though there is room", "do=2.5s:unhealthy:a&do=2.5s:unhealthy:b", "a b 0 0 0 0 0"},
		{"well again: chosen again", "do=0.5s:unhealthy:a&do=2.5s:healthy:a", "b b a a - - -"},
		{"panic at under half: health is disregarded, room is not", "peers=3&panic=50&do=3.3s:unhealthy:a&do=3.6s:unhealthy:b", "a b c a! b! c! -"},
		{"no panic at half", "panic=50&do=2.5s:unhealthy:a", "a b b - - - -"},
		{"a burst", "do=0.5s:burst::5", "a b a b - - - - - - - -"},
		{"finishing frees the one that came first", "do=4.5s:finish:a&do=4.6s:finish:a&do=4.7s:finish:a", "a b a b a a -"},
	} {
		if got := sequence(run(t, RouteCapacity, c.query, 1)); got != c.want {
			t.Errorf("%s: route-capacity?%s\ngot  %s\nwant %s", c.name, c.query, got, c.want)
		}
	}
}

// The verdicts name the request and the count of it that the sequences above show.
func TestWhoBreaksCapacity(t *testing.T) {
	for _, c := range []struct {
		query             string
		check             int
		at, request, fact int64
		peer, count       int64
	}{
		{"capacity=ignored&do=4.5s:unhealthy:a", checkActive, 5, 5, 3, 2, 3},
		{"workers=2&memory=own", checkActive, 5, 5, 3, 1, 3},
		{"peers=3&panic=50&do=3.3s:unhealthy:a&do=3.6s:unhealthy:b", checkHealthy, 4, 4, 1, 1, 2},
	} {
		v := run(t, RouteCapacity, c.query, 1).Verdicts[c.check]
		if v.OK || v.At != c.at*second || v.Request != c.request || v.Facts[0] != c.fact || v.Facts[1] != c.peer || v.Count != c.count {
			t.Errorf("%s: got %+v, want it at %d s by request %d with %d and peer %d, %d times", c.query, v, c.at, c.request, c.fact, c.peer, c.count)
		}
	}
}

// Descriptors and connections, counted by hand: four requests hold a client's and a peer's connection each; the request that b
// finishes leaves its connection open, and the next to b takes it.
func TestConnectionsOfTheSequence(t *testing.T) {
	trace := run(t, RouteCapacity, "do=5.3s:unhealthy:a&do=5.6s:finish:b", 1)
	for name, want := range map[string]int64{"offered": 7, "sent": 5, "refused": 2, "descriptors": 8, "reused": 1, "peak-open": 2} {
		if got := metric(RouteCapacity, trace, name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
	// From 5.6 s to 6 s: three requests with two descriptors each, and one connection that nobody uses.
	if got := trace.Column("descriptors").Values[5_800_000_000/trace.Grain]; got != 7 {
		t.Errorf("between the end of a request and the next %d descriptors are open, want 7", got)
	}
	if got := metric(RouteCapacity, run(t, RouteCapacity, "idle=0&do=5.6s:finish:b", 1), "reused"); got != 0 {
		t.Errorf("%d connections were used again, though none is kept", got)
	}
}

// What is idle comes on top of max: a peer with room for four has many more connections open, while no check is broken.
func TestIdleConnectionsComeOnTop(t *testing.T) {
	trace := run(t, RouteCapacity, "peers=3&max=4&workers=4&traffic=poisson&idle=8&length=20", 1)
	if !trace.OK() || metric(RouteCapacity, trace, "peak-active") != 4 || metric(RouteCapacity, trace, "peak-open") <= 8 {
		t.Errorf("checks hold: %v, %d active, %d open at most; want 4 active and more than twice as many open", trace.OK(), metric(RouteCapacity, trace, "peak-active"), metric(RouteCapacity, trace, "peak-open"))
	}
}

// With equal peers it is Erlang's loss system, whatever the policy: all refuse the same requests, as many as the formula says.
func TestRefusalsAreErlangs(t *testing.T) {
	const seeds = 20
	var offered, refused int64
	for seed := uint64(1); seed <= seeds; seed++ {
		trace := run(t, RouteCapacity, "peers=3&max=4&traffic=poisson&length=40", seed)
		offered += metric(RouteCapacity, trace, "offered")
		refused += metric(RouteCapacity, trace, "refused")
		for _, p := range policies {
			if got, want := metric(RouteCapacity, trace, "refused."+p), metric(RouteCapacity, trace, "refused"); got != want {
				t.Errorf("seed %d: %s refused %d, the judged one %d", seed, p, got, want)
			}
		}
	}
	got, want := float64(refused)/float64(offered), erlangB(10, 12)
	if got < want-0.01 || got > want+0.01 {
		t.Errorf("%.4f were refused, Erlang's formula says %.4f", got, want)
	}
}

// One peer of four is five times as slow: who sees the load sends less there, and who sees the latency still less.
func TestPoliciesUnlikeRoundRobinAvoidTheSlowPeer(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		trace := run(t, RouteCapacity, "peers=4&max=8&traffic=poisson&slow=5&length=40", seed)
		at := func(p string) int64 { return metric(RouteCapacity, trace, "mean-time."+p) }
		if !(at("peak-ewma") < at("least-conn") && at("least-conn") < at("two-choices") && at("two-choices") < at("round-robin")) {
			t.Errorf("seed %d: mean times %d, %d, %d, %d ns, want them to rise from peak-ewma by least-conn and two-choices to round-robin",
				seed, at("peak-ewma"), at("least-conn"), at("two-choices"), at("round-robin"))
		}
	}
}
