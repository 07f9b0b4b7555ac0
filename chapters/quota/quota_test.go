package quota_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/quota"
)

// TestPoolStory: t0 to t9 of a pool of 100 a second, 20 at most at once, 10 of them reserved.
func TestPoolStory(t *testing.T) {
	p := newPool(10)
	grant := func(step string, now, want, units, ttl int64, why quota.Reason) quota.Grant {
		t.Helper()
		g, got := p.GrantAt(now, 7, want)
		if got != why || g.Units != units || g.TTL != ttl {
			t.Fatalf("%s: %d units for %d ns, %v; want %d for %d, %v", step, g.Units, g.TTL, got, units, ttl, why)
		}
		return g
	}
	returned := func(step string, now int64, r quota.Return, want bool) {
		t.Helper()
		if p.ReturnAt(now, r) != want {
			t.Fatalf("%s: returned %v, want %v", step, !want, want)
		}
	}
	a := grant("t0 as much as it wants", 0, 15, 15, second, quota.Granted)
	b := grant("t1 no more than 20", 100*ms, 50, 20, 900*ms, quota.Granted)
	for i := range 2 {
		grant("t2", 200*ms, 20, 20, 800*ms, quota.Granted)
		if got := p.GrantedAt(200 * ms); got != int64(35+20*(i+1)) {
			t.Fatalf("t2: %d granted", got)
		}
	}
	c := grant("t3 what is left", 300*ms, 20, 15, 700*ms, quota.Granted)
	grant("t4 nothing", 300*ms, 1, 0, 0, quota.Spent)
	returned("t5 b used 5", 400*ms, quota.Return{Term: 1, ID: b.ID, Used: 5}, true)
	returned("t5 and again", 400*ms, quota.Return{Term: 1, ID: b.ID, Used: 5}, false)
	returned("t5 more than it had", 400*ms, quota.Return{Term: 1, ID: a.ID, Used: 16}, false)
	returned("t5 less than none", 400*ms, quota.Return{Term: 1, ID: a.ID, Used: -1}, false)
	returned("t5 another coordinator's", 400*ms, quota.Return{Term: 2, ID: a.ID}, false)
	returned("t5 never given", 400*ms, quota.Return{Term: 1, ID: 99}, false)
	grant("t6 which is there again", 350*ms, 20, 15, 600*ms, quota.Granted) // an old instant counts as the newest
	grant("t7 for nothing", 400*ms, 0, 0, 0, quota.NotAsked)
	grant("t8 the next period", second, 20, 20, second, quota.Granted)
	returned("t8 c is over", second, quota.Return{Term: 1, ID: c.ID}, false)
	if p.TakeOverAt(second, 1, true, 0) || !p.TakeOverAt(1100*ms, 5, true, 0) || p.Term() != 5 || p.GrantedAt(1100*ms) != 20 {
		t.Fatal("t9: a term that knows goes on with what is granted")
	}
	if g := grant("t9", 1100*ms, 20, 20, 900*ms, quota.Granted); g.Term != 5 || g.ID != 8 || g.Node != 7 {
		t.Fatalf("t9: %+v", g)
	}
	p.TakeOverAt(1200*ms, 6, false, 1500*ms)
	grant("one that does not waits a period after 1.5 s, and for its end", 3*second-1, 20, 0, 0, quota.Quiet)
	grant("and then", 3*second, 20, 20, second, quota.Granted)
}

// TestPoolIsItsTwin: against a list of all grants, added up for each question.
func TestPoolIsItsTwin(t *testing.T) {
	type entry struct {
		quota.Grant
		period, counts int64
		back           bool
	}
	rapid.Check(t, func(t *rapid.T) {
		p := newPool(10)
		var all []entry
		now := rapid.Int64Range(-3*second, 3*second).Draw(t, "from")
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, second/3).Draw(t, "pause")
			period := now / second
			if now%second < 0 {
				period--
			}
			sum := int64(0)
			for _, e := range all {
				if e.period == period {
					sum += e.counts
				}
			}
			if got := p.GrantedAt(now); got != sum {
				t.Fatalf("at %d: %d granted, want %d", now, got, sum)
			}
			if len(all) > 0 && rapid.Bool().Draw(t, "return") {
				e := &all[rapid.IntRange(0, len(all)-1).Draw(t, "which")]
				used := rapid.Int64Range(0, 21).Draw(t, "used")
				want := !e.back && e.period == period && used <= e.Units
				if p.ReturnAt(now, quota.Return{Term: e.Term, ID: e.ID, Used: used}) != want {
					t.Fatalf("at %d: returned %v, want %v", now, !want, want)
				}
				if want {
					e.back, e.counts = true, used
				}
				continue
			}
			ask := rapid.Int64Range(0, 30).Draw(t, "ask")
			g, why := p.GrantAt(now, 1, ask)
			units := min(ask, 20, limit-10-sum)
			if (why == quota.Granted) != (units > 0) || why == quota.Granted && (g.Units != units || g.TTL != (period+1)*second-now) {
				t.Fatalf("at %d: %+v, %v; want %d", now, g, why, units)
			}
			if why == quota.Granted {
				all = append(all, entry{Grant: g, period: period, counts: g.Units})
			}
		}
	})
}

// TestSpenderStory: t0 to t9 of a node with a reserve of 2.
func TestSpenderStory(t *testing.T) {
	s := must(quota.NewSpender(quota.SpenderConfig{Node: 7, Period: second, Reserve: 2, Drift: 0}))
	take := func(step string, now, n int64, want bool) {
		t.Helper()
		if s.TakeAt(now, n) != want {
			t.Fatalf("%s: took %d %v, want %v", step, n, !want, want)
		}
	}
	take("t0 more than the reserve", 0, 3, false)
	take("t0 of the reserve", 0, 1, true)
	take("t1", 100*ms, 2, false)
	take("t1", 100*ms, 1, true)
	take("t2 none is left", 100*ms, 1, false)
	g := quota.Grant{Term: 1, ID: 4, Node: 7, Units: 5, TTL: 500 * ms}
	if other := (quota.Grant{Term: 1, ID: 9, Node: 8, Units: 5, TTL: second}); s.Granted(200*ms, 100*ms, other) {
		t.Fatal("t3: took another node's grant")
	}
	if !s.Granted(200*ms, 150*ms, g) || s.Granted(200*ms, 150*ms, g) {
		t.Fatal("t3: a grant is taken once, however often it comes")
	}
	take("t4 of the grant", 300*ms, 4, true)
	take("t5 it lasts from when it was asked for", 650*ms-1, 1, true)
	g.ID, g.Units = 5, 3
	s.Granted(700*ms, 700*ms, g)
	take("t6", 800*ms, 1, true)
	if r, ok := s.GiveBackAt(800 * ms); !ok || r != (quota.Return{Term: 1, ID: 5, Used: 1}) {
		t.Fatalf("t7: gives back %+v, %v", r, ok)
	}
	if s.Granted(800*ms, 800*ms, g) {
		t.Fatal("t7: took a grant again that it has given back")
	}
	take("t8 the reserve is not back", second-1, 1, false)
	take("t8 one of it is", second, 1, true)
	take("t9 the other is not", 1100*ms-1, 1, false)
	take("t9 and now", 1100*ms, 1, true)
	late := quota.Grant{Term: 1, ID: 6, Node: 7, Units: 5, TTL: 500 * ms}
	if s.Granted(2*second, 1500*ms, late) || !s.Granted(2*second, 1501*ms, late) {
		t.Fatal("an answer that comes too late is worth nothing, one before that is")
	}
	if late.Term, late.ID = 2, 1; !s.Granted(2*second, 2*second, late) {
		t.Fatal("a new term begins anew")
	}
	take("of two grants", 2*second, 10, true)
	s.RecoverAt(3 * second)
	take("what it knew is lost, and the reserve must be taken as spent", 4*second-1, 1, false)
	take("for a period", 4*second, 2, true)
}

// TestReserveIsItsTwin: against a list of everything spent: no more than the reserve in any span of a period, and not less than may be.
func TestReserveIsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reserve, off := rapid.Int64Range(0, 5).Draw(t, "reserve"), rapid.SampledFrom([]int64{0, 100_000, 500_000}).Draw(t, "drift")
		s := must(quota.NewSpender(quota.SpenderConfig{Period: 900, Reserve: reserve, Drift: off}))
		wait := map[int64]int64{0: 900, 100_000: 1100, 500_000: 2700}[off]
		var spent []int64
		now := int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.Int64Range(0, 700).Draw(t, "pause")
			n := rapid.Int64Range(0, 4).Draw(t, "n")
			count := int64(0)
			for _, at := range spent {
				if now-at < wait {
					count++
				}
			}
			want := n >= 1 && count+n <= reserve
			if s.TakeAt(now, n) != want {
				t.Fatalf("at %d, %d of %d are spent: took %d %v, want %v", now, count, reserve, n, !want, want)
			}
			for range n {
				if want {
					spent = append(spent, now)
				}
			}
		}
	})
}

// TestBadConfigurations: one line says what is wrong, where, and what would be right. Zero values give nothing.
func TestBadConfigurations(t *testing.T) {
	pool := func(c quota.Config) error { _, err := quota.NewPool(c); return err }
	spender := func(c quota.SpenderConfig) error { _, err := quota.NewSpender(c); return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{pool(quota.Config{Period: 1, Most: 1}), ""},
		{pool(quota.Config{Limit: -1, Period: 1, Most: 1}), "limit: -1 is outside 0..1099511627776 units"},
		{pool(quota.Config{Limit: 5, Reserved: 6, Period: 1, Most: 1}), "reserved: 6 is outside 0..5 units"},
		{pool(quota.Config{Most: 1}), "period: 0 is outside 1..2305843009213693952 ns"},
		{pool(quota.Config{Period: 1}), "most: 0 is outside 1..1099511627776 units"},
		{spender(quota.SpenderConfig{Period: 1}), ""},
		{spender(quota.SpenderConfig{}), "period: 0 is outside 1..2305843009213693952 ns"},
		{spender(quota.SpenderConfig{Period: 1, Reserve: 65_537}), "reserve: 65537 is outside 0..65536 units"},
		{spender(quota.SpenderConfig{Period: 1, Drift: -1}), "drift: -1 is outside 0..500000 parts of a million"},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	var p quota.Pool
	var s quota.Spender
	if _, why := p.GrantAt(0, 0, 1); why != quota.Unmade || p.ReturnAt(0, quota.Return{}) || p.TakeOverAt(0, 1, true, 0) || p.GrantedAt(0) != 0 {
		t.Error("the zero pool gives something")
	}
	if _, ok := s.GiveBackAt(0); ok || s.TakeAt(0, 1) || s.Granted(0, 0, quota.Grant{ID: 1, Units: 1, TTL: 1}) || s.LeftAt(0) != 0 {
		t.Error("the zero spender has something")
	}
	if quota.Quiet.String() != "quiet" || quota.Reason(200).String() != "reason 200" {
		t.Errorf("reasons are told as %v and %v", quota.Quiet, quota.Reason(200))
	}
}

// TestFarInstants: at the ends of what an int64 can say nothing wraps around: a pool there grants no more than its limit, and no grant
// lasts for longer than a period.
func TestFarInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := quota.Config{Limit: 10, Period: rapid.Int64Range(1, quota.MaxDuration).Draw(t, "period"), Most: 10}
		p := must(quota.NewPool(c))
		s := must(quota.NewSpender(quota.SpenderConfig{Period: c.Period, Reserve: 1, Drift: quota.MaxDrift}))
		for term := range int64(6) {
			now := rapid.Int64().Draw(t, "now")
			if rapid.Bool().Draw(t, "take over") {
				p.TakeOverAt(now, term, rapid.Bool().Draw(t, "known"), rapid.Int64().Draw(t, "lasts"))
			}
			if g, why := p.GrantAt(now, 0, 10); why == quota.Granted {
				if g.Units > 10 || g.TTL < 1 && now != 1<<63-1 || g.TTL > c.Period {
					t.Fatalf("at %d: %+v", now, g)
				}
				s.Granted(now, rapid.Int64().Draw(t, "sent"), g)
			}
			if left := s.LeftAt(now); left < 0 || left > 60 || p.GrantedAt(now) > 10 {
				t.Fatalf("at %d: %d left, %d granted", now, left, p.GrantedAt(now))
			}
			s.TakeAt(now, 1)
		}
	})
}

// TestDriftIsRoundedToTheSafeSide: what a grant lasts is rounded down, against numbers of any size.
func TestDriftIsRoundedToTheSafeSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ttl, off := rapid.Int64Range(1, quota.MaxDuration).Draw(t, "ttl"), rapid.Int64Range(0, quota.MaxDrift).Draw(t, "drift")
		want := new(big.Int).Mul(big.NewInt(ttl), big.NewInt(1_000_000-off))
		want.Quo(want, big.NewInt(1_000_000+off))
		s := must(quota.NewSpender(quota.SpenderConfig{Period: 1, Drift: off}))
		if took := s.Granted(0, 0, quota.Grant{ID: 1, Units: 1, TTL: ttl}); took != (want.Sign() > 0) {
			t.Fatalf("taken %v, and it lasts %v", took, want)
		} else if took && (s.LeftAt(want.Int64()-1) != 1 || s.LeftAt(want.Int64()) != 0) {
			t.Fatalf("it does not last %v", want)
		}
	})
}

// TestClonesAndAllocations: a copy stays where it was; and once there was as much before, nothing is allocated.
func TestClonesAndAllocations(t *testing.T) {
	p := newPool(0)
	s := must(quota.NewSpender(quota.SpenderConfig{Period: second, Reserve: 3}))
	g, _ := p.GrantAt(0, 0, 5)
	s.Granted(0, 0, g)
	p2, s2 := p.Clone(), s.Clone()
	p.ReturnAt(0, quota.Return{Term: 1, ID: g.ID})
	s.TakeAt(0, 5)
	s.TakeAt(0, 3)
	if p2.GrantedAt(0) != 5 || s2.LeftAt(0) != 5 || p2.Size() <= p.Size() || s2.Size() != s.Size() {
		t.Errorf("copies changed: %d granted, %d left", p2.GrantedAt(0), s2.LeftAt(0))
	}
	s2.TakeAt(0, 5)
	if !s2.TakeAt(0, 3) {
		t.Error("a copy's reserve was spent by the other")
	}
	now := int64(0)
	if n := testing.AllocsPerRun(200, func() {
		now += second
		for range 4 {
			g, _ := p.GrantAt(now, 0, 20)
			s.Granted(now, now, g)
			s.TakeAt(now, 7)
		}
		r, _ := s.GiveBackAt(now)
		p.ReturnAt(now, r)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
