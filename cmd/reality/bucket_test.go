package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seedbed/chapters/limiter"
)

// TestZoneOnRecordedLog: nginx's arithmetic in Go gives what nginx said.
func TestZoneOnRecordedLog(t *testing.T) {
	z := newZone(limiter.PerSecond(50), 1)
	for i, want := range wantVerdicts {
		got := z.takeAt(want.at)
		if !got.ok {
			got.delay = 0
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); diff != "" {
			t.Errorf("decision %d: want − got +\n%s", i, diff)
		}
	}
}

// TestZoneIsOurBucketBySeconds: with a rate a second nginx rounds nothing, so its arithmetic and our buckets decide alike, whatever
// comes, and agree on what is above the rate.
func TestZoneIsOurBucketBySeconds(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	for range 200 {
		s := stream{rate: limiter.PerSecond(1 + r.Int64N(400)), burst: r.Int64N(20), delay: r.IntN(2) == 0}
		z := newZone(s.rate, s.burst)
		b, err := s.newBucket()
		if err != nil {
			t.Fatal(err)
		}
		for at, i := int64(0), 0; i < 200; i++ {
			at += r.Int64N(max(1, 2500/s.rate.N))
			theirs, ours := z.takeAt(at), b.takeAt(at)
			if theirs.ok != ours.ok || theirs.excess != ours.excess {
				t.Fatalf("%d a second, burst %d, request %d at %d ms: nginx %s, ours %s", s.rate.N, s.burst, i, at, theirs.told(false), ours.told(false))
			}
			if s.delay && theirs.ok && abs(theirs.delay-ours.delay) > 1 {
				t.Fatalf("%d a second, request %d at %d ms: nginx holds back %d ms, ours %d", s.rate.N, i, at, theirs.delay, ours.delay)
			}
		}
	}
}

// TestZoneRoundsMinutes: 1000 a minute is 16.666 a second to nginx, and one request each 60 ms is too many by 0.001.
func TestZoneRoundsMinutes(t *testing.T) {
	s := streams[len(streams)-1]
	z := newZone(s.rate, 0)
	if z.rate != 16666 {
		t.Fatalf("1000r/m is %d/1000 a second; want 16666", z.rate)
	}
	b, err := s.newBucket()
	if err != nil {
		t.Fatal(err)
	}
	var theirs, ours []bool
	for at := int64(0); at <= 300; at += 60 {
		theirs, ours = append(theirs, z.takeAt(at).ok), append(ours, b.takeAt(at).ok)
	}
	if diff := cmp.Diff([]bool{true, false, true, false, true, false}, theirs); diff != "" {
		t.Errorf("nginx: want − got +\n%s", diff)
	}
	if diff := cmp.Diff([]bool{true, true, true, true, true, true}, ours); diff != "" {
		t.Errorf("ours: want − got +\n%s", diff)
	}
}

// TestJudge: a log that says what our bucket would not is a claim that does not hold, and so is one that lost a refusal.
func TestJudge(t *testing.T) {
	s := stream{name: "s", rate: limiter.PerSecond(50), burst: 1, delay: true}
	for _, c := range []struct {
		name     string
		spoil    func([]verdict)
		refusals int
		broken   string
	}{
		{"as recorded", func([]verdict) {}, 1, ""},
		{"a client saw more refusals", func([]verdict) {}, 2, "the log has 1 refusals, the clients saw 2"},
		{"another decision", func(v []verdict) { v[2].ok = true }, 0, "decisions are the same (3)"},
		{"another excess", func(v []verdict) { v[1].excess += 2 }, 1, "to 1/1000 of a request (2)"},
		{"another delay", func(v []verdict) { v[3].delay += 9 }, 1, "delays differ by at most 1 ms (9)"},
	} {
		verdicts, p := append([]verdict{}, wantVerdicts...), newPaper()
		c.spoil(verdicts)
		if err := s.judge(p, verdicts, c.refusals); err != nil {
			t.Fatal(err)
		}
		var broken []string
		for _, claim := range p.claims {
			if !claim.holds {
				broken = append(broken, claim.text)
			}
		}
		if got := strings.Join(broken, "\n"); c.broken == "" && got != "" || !strings.Contains(got, c.broken) {
			t.Errorf("%s: the broken claims are %q; want %q", c.name, got, c.broken)
		}
	}
}
