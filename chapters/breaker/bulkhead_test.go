package breaker_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/breaker"
)

// TestSharedPoolAndCompartments: recommendations hang and take all they get. With one pool for all, stock is refused; with three places
// reserved it is not.
func TestSharedPoolAndCompartments(t *testing.T) {
	for _, c := range []struct {
		reserved int64
		stock    int // calls to stock that pass while recommendations hang
		others   int // calls to recommendations that hang
	}{
		{0, 0, 10}, {3, 3, 7},
	} {
		b := must(breaker.NewBulkhead(breaker.BulkheadConfig{Places: 10, Compartments: []breaker.Compartment{
			{Name: "stock", Reserved: c.reserved, Max: 10}, {Name: "recommendations", Max: 10},
		}}))
		take := func(name string) (n int) {
			for {
				if _, ok := b.Take(b.Find(name)); !ok {
					return n
				}
				n++
			}
		}
		if got := take("recommendations"); got != c.others {
			t.Errorf("reserved %d: %d recommendations hang, want %d", c.reserved, got, c.others)
		}
		if got := take("stock"); got != c.stock {
			t.Errorf("reserved %d: %d calls to stock pass, want %d", c.reserved, got, c.stock)
		}
	}
}

// TestBulkheadIsItsTwin: against a list of what is out. Nobody has more than Max, there are never more than Places, a compartment with
// places reserved and unused gets one whatever the others hold, and a permit is released once.
func TestBulkheadIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawBulkhead(t)
		given := slices.Clone(cfg.Compartments)
		b := must(breaker.NewBulkhead(cfg))
		clear(cfg.Compartments) // the bulkhead has a copy
		type held struct {
			p breaker.Permit
			i int
		}
		var out []held
		var old []breaker.Permit
		var refused int64
		holds := func(i int) (n int64) {
			for _, h := range out {
				if h.i == i {
					n++
				}
			}
			return n
		}
		for step := range rapid.IntRange(1, 80).Draw(t, "steps") {
			switch op := rapid.IntRange(0, 5).Draw(t, "op"); {
			case op < 3:
				i := rapid.IntRange(0, len(given)-1).Draw(t, "who")
				// Free is what is left when every unused reservation of the others is set aside.
				free := cfg.Places - int64(len(out))
				for j, c := range given {
					if j != i {
						free -= max(0, c.Reserved-holds(j))
					}
				}
				want := holds(i) < given[i].Max && free > 0
				p, ok := b.Take(i)
				if ok != want {
					t.Fatalf("step %d: %s with %d: %v, want %v", step, given[i].Name, holds(i), ok, want)
				}
				if ok {
					out = append(out, held{p, i})
				}
			case op == 3 && len(out) > 0:
				k := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				if !b.Release(out[k].p) {
					t.Fatalf("step %d: a permit that is out cannot be released", step)
				}
				old = append(old, out[k].p)
				out = slices.Delete(out, k, k+1)
			case op == 4 && len(old) > 0:
				refused++
				if b.Release(rapid.SampledFrom(old).Draw(t, "old")) {
					t.Fatalf("step %d: released twice", step)
				}
			case op == 5:
				b = b.Clone()
			}
			for i := range given {
				if b.Held(i) != holds(i) {
					t.Fatalf("step %d: %s holds %d, want %d", step, given[i].Name, b.Held(i), holds(i))
				}
			}
		}
		if b.Refused() != refused {
			t.Fatalf("%d releases refused, want %d", b.Refused(), refused)
		}
	})
}

func drawBulkhead(t *rapid.T) breaker.BulkheadConfig {
	cfg := breaker.BulkheadConfig{Places: rapid.Int64Range(0, 8).Draw(t, "places")}
	left := cfg.Places
	for i := range rapid.IntRange(1, 4).Draw(t, "compartments") {
		c := breaker.Compartment{Name: string(rune('a' + i))}
		c.Reserved = rapid.Int64Range(0, left).Draw(t, "reserved")
		c.Max = rapid.Int64Range(c.Reserved, cfg.Places).Draw(t, "max")
		left -= c.Reserved
		cfg.Compartments = append(cfg.Compartments, c)
	}
	return cfg
}

// TestSetKeepsDependenciesApart: one fails and one hangs; a third is untouched by both. A call refused for want of a place uses up no
// probe, and one that is done twice counts once.
func TestSetKeepsDependenciesApart(t *testing.T) {
	cfg := quick()
	cfg.Probes = 1
	s := must(breaker.NewSet(breaker.SetConfig{Places: 6, Dependencies: []breaker.Dependency{
		{Name: "stock", Breaker: cfg, Reserved: 2, Max: 6}, {Name: "points", Breaker: cfg, Max: 2}, {Name: "reviews", Breaker: cfg, Max: 2},
	}}))
	stock, points, reviews := s.Find("stock"), s.Find("points"), s.Find("reviews")
	if s.Find("coupons") != -1 || s.Len() != 3 {
		t.Fatalf("%d dependencies", s.Len())
	}
	for range cfg.MinCalls { // points fails
		c, _ := s.AskAt(0, points)
		s.DoneAt(0, c, breaker.Failure)
	}
	_, d := s.AskAt(0, points)
	if d.Reason != breaker.IsOpen {
		t.Fatalf("points: %+v, want it open", d)
	}
	first, _ := s.AskAt(0, reviews) // reviews hangs
	s.AskAt(0, reviews)
	if _, d = s.AskAt(0, reviews); d.Reason != breaker.Full || d.RetryAfter != breaker.Never {
		t.Fatalf("reviews: %+v, want it full", d)
	}
	var calls []breaker.Call
	for range 4 {
		c, d := s.AskAt(0, stock)
		if !d.OK {
			t.Fatalf("stock: %+v", d)
		}
		calls = append(calls, c)
	}
	if _, d = s.AskAt(0, stock); d.Reason != breaker.Full {
		t.Fatalf("the seventh of six places: %+v", d)
	}
	// Points may be probed again, but there is no place: it keeps its probe.
	if _, d = s.AskAt(10*second, points); d.Reason != breaker.Full || d.State != breaker.HalfOpen || d.Changes.Len() != 1 {
		t.Fatalf("a probe without a place: %+v", d)
	}
	if r := s.DoneAt(10*second, first, breaker.Success); !r.Counted {
		t.Fatal("the end of a call does not count")
	}
	probe, d := s.AskAt(10*second, points)
	if !d.OK {
		t.Fatalf("the probe, with a place: %+v", d)
	}
	if r := s.DoneAt(10*second, probe, breaker.Success); r.Changes.Len() != 1 {
		t.Fatalf("the probe: %+v", r)
	}
	twice := s.Clone()
	for range 3 {
		s.DoneAt(10*second, calls[0], breaker.Failure)
	}
	if c, _ := s.Breaker(stock).CountsAt(10 * second); c.Calls != 1 {
		t.Errorf("done three times, counted %d times", c.Calls)
	}
	if c, _ := twice.Breaker(stock).CountsAt(10 * second); c.Calls != 0 || twice.Bulkhead().Held(stock) != 4 || s.Bulkhead().Held(stock) != 3 {
		t.Errorf("what is done to the original reaches the copy")
	}
	// Open and full: the circuit is the better reason.
	s.Breaker(reviews).OpenAt(10 * second)
	for ok := true; ok; ok = d.OK {
		_, d = s.AskAt(10*second, stock)
	}
	if s.Bulkhead().Room(reviews) != 0 {
		t.Fatalf("%d places are left", s.Bulkhead().Room(reviews))
	}
	if _, d = s.AskAt(11*second, reviews); d.Reason != breaker.IsOpen || d.RetryAfter != 9*second {
		t.Errorf("open and full: %+v", d)
	}
}
