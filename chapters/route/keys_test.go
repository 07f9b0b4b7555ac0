package route_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/route"
)

func newKeys(most int64) route.Keys[string] {
	return must(route.NewKeys[string](route.KeysConfig{MaxKeys: most, Lease: 10 * second, TTL: 100 * second}))
}

// TestAReplayedPostReturnsTheFirstResult: the life of a key, step by step.
func TestAReplayedPostReturnsTheFirstResult(t *testing.T) {
	k := newKeys(10)
	first := k.BeginAt(0, "ann/shares/1", 7)
	if first.State != route.First || first.Again {
		t.Fatalf("the first: %+v", first)
	}
	if d := k.BeginAt(3*second, "ann/shares/1", 7); d.State != route.Running || d.RetryAfter != 7*second {
		t.Errorf("while it runs: %+v, want running, certain after 7 s", d)
	}
	if d := k.BeginAt(3*second, "ann/shares/1", 8); d.State != route.Mismatch {
		t.Errorf("another request under the same key: %+v", d)
	}
	if d := k.BeginAt(3*second, "bob/shares/1", 8); d.State != route.First {
		t.Errorf("another client: %+v", d)
	}
	if !k.FinishAt(4*second, first.Claim, "share 12") {
		t.Fatalf("the claim is void")
	}
	for _, at := range []int64{4 * second, 103 * second, 104*second - 1} {
		if d := k.BeginAt(at, "ann/shares/1", 7); d.State != route.Finished || d.Result != "share 12" {
			t.Errorf("replayed at %d s: %+v, want the first result", at/second, d)
		}
	}
	if d := k.BeginAt(50*second, "ann/shares/1", 8); d.State != route.Mismatch {
		t.Errorf("another request under the finished key: %+v", d)
	}
	if k.FinishAt(50*second, first.Claim, "share 13") || k.AbandonAt(50*second, first.Claim) {
		t.Errorf("a claim ends twice")
	}
	if d := k.BeginAt(104*second, "ann/shares/1", 7); d.State != route.First {
		t.Errorf("after its time: %+v, want it forgotten", d)
	}
	if d := k.BeginAt(0, "", 7); d.State != route.Unkeyed {
		t.Errorf("without a key: %+v", d)
	}
}

// TestALostAttemptIsTakenOver: it blocks its key for its lease, and then its claim is void, so that one of the two commits.
func TestALostAttemptIsTakenOver(t *testing.T) {
	k := newKeys(10)
	lost := k.BeginAt(0, "a", 0)
	if d := k.BeginAt(10*second-1, "a", 0); d.State != route.Running || d.RetryAfter != 1 {
		t.Errorf("a nanosecond before the end of the lease: %+v", d)
	}
	still := k.Clone()
	if !still.FinishAt(20*second, lost.Claim, "late") {
		t.Errorf("late, and nobody took over: the claim should hold")
	}
	next := k.BeginAt(10*second, "a", 0)
	if next.State != route.First || !next.Again {
		t.Errorf("after the lease: %+v, want first, again", next)
	}
	if k.FinishAt(11*second, lost.Claim, "late") || k.AbandonAt(11*second, lost.Claim) {
		t.Errorf("the old claim still counts")
	}
	if !k.FinishAt(12*second, next.Claim, "in time") {
		t.Errorf("the new claim is void")
	}
	if d := k.BeginAt(13*second, "a", 0); d.Result != "in time" {
		t.Errorf("replayed: %+v", d)
	}
}

// TestNothingIsForgottenToMakeRoom: a full store lets new keys wait, and says for how long.
func TestNothingIsForgottenToMakeRoom(t *testing.T) {
	k := newKeys(2)
	a := k.BeginAt(0, "a", 0)
	b := k.BeginAt(second, "b", 0)
	k.FinishAt(2*second, b.Claim, "b")
	d := k.BeginAt(3*second, "c", 0)
	if d.State != route.Crowded || d.RetryAfter != 99*second {
		t.Errorf("the third of two: %+v, want crowded until b is forgotten at 102 s", d)
	}
	if d := k.BeginAt(3*second, "b", 0); d.Result != "b" {
		t.Errorf("b: %+v, want its result", d)
	}
	abandoned := k.Clone()
	if !abandoned.AbandonAt(3*second, a.Claim) {
		t.Errorf("a cannot be abandoned")
	}
	if d := abandoned.BeginAt(3*second, "c", 0); d.State != route.First {
		t.Errorf("with a's place: %+v", d)
	}
	if d := abandoned.BeginAt(3*second, "a", 0); d.State != route.Crowded {
		t.Errorf("a again: %+v, want it unknown and crowded out", d)
	}
	if d := k.BeginAt(102*second, "c", 0); d.State != route.First {
		t.Errorf("after the wait: %+v", d)
	}
	var zero route.Keys[int]
	if d := zero.BeginAt(0, "a", 0); d.State != route.Crowded {
		t.Errorf("the zero store: %+v", d)
	}
}

// remembered is what the twin of Keys knows of a key.
type remembered struct {
	print  uint64
	at     int64
	done   bool
	result string
	claim  route.Claim
}

// keysTwin is a map, through all of which it looks for what is over time.
type keysTwin map[string]*remembered

func (w keysTwin) forget(now int64) {
	for key, e := range w {
		if e.done && now >= e.at+100*second || now >= e.at+110*second {
			delete(w, key)
		}
	}
}

func (w keysTwin) begin(now int64, key string, print uint64, most int) (route.KeyState, *remembered) {
	w.forget(now)
	e := w[key]
	switch {
	case e == nil && len(w) >= most:
		return route.Crowded, nil
	case e == nil:
		w[key] = &remembered{print: print, at: now}
		return route.First, w[key]
	case e.print != print:
		return route.Mismatch, e
	case e.done:
		return route.Finished, e
	case now < e.at+10*second:
		return route.Running, e
	}
	e.at = now
	return route.First, e
}

// TestKeysAreTheirTwin: against a map, whatever begins, finishes and is given up, claims of long ago included.
func TestKeysAreTheirTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{1, 3, 40}).Draw(t, "most")
		k := newKeys(int64(most))
		w := keysTwin{}
		var void []route.Claim
		now := int64(0)
		for step := range rapid.IntRange(1, 100).Draw(t, "steps") {
			now += rapid.SampledFrom([]int64{0, 0, second, 3 * second, 40 * second}).Draw(t, "passes")
			key := string(rune('a' + rapid.IntRange(0, 60).Draw(t, "key")))
			switch rapid.IntRange(0, 4).Draw(t, "op") {
			case 0, 1, 2:
				print := rapid.SampledFrom([]uint64{1, 1, 1, 2}).Draw(t, "print")
				d := k.BeginAt(now, key, print)
				want, e := w.begin(now, key, print, most)
				// Beginning forgets up to four at a time; the store may still be crowded with more of them, never with fewer.
				if d.State != want {
					t.Fatalf("step %d at %d: %q: %v, want %v", step, now, key, d.State, want)
				}
				if want == route.First {
					void = append(void, e.claim)
					e.claim = d.Claim
				}
				if d.State == route.Finished && d.Result != e.result {
					t.Fatalf("step %d: %q has result %q, want %q", step, key, d.Result, e.result)
				}
			case 3:
				w.forget(now)
				e := w[key]
				if e == nil || e.done {
					break
				}
				e.done, e.at, e.result = true, now, key+" at "+string(rune('0'+step%10))
				if !k.FinishAt(now, e.claim, e.result) {
					t.Fatalf("step %d: the claim on %q is void", step, key)
				}
				void = append(void, e.claim)
			case 4:
				w.forget(now)
				if e := w[key]; e != nil && !e.done {
					if !k.AbandonAt(now, e.claim) {
						t.Fatalf("step %d: the claim on %q is void", step, key)
					}
					void = append(void, e.claim)
					delete(w, key)
				}
				if len(void) > 0 && k.FinishAt(now, rapid.SampledFrom(void).Draw(t, "void"), "wrong") {
					t.Fatalf("step %d: a void claim counts", step)
				}
			}
			if k.Len() < len(w) || k.Len() > most {
				t.Fatalf("step %d: %d keys are remembered, want at least %d and at most %d", step, k.Len(), len(w), most)
			}
		}
	})
}
