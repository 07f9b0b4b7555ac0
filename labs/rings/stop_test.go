package rings_test

import (
	"errors"
	"testing"

	"seedbed/labs"
	"seedbed/labs/rings"
)

// One event of this lab may ask a thousand nodes about a million keys. It asks on its way whether it is to stop, at least once in 1024
// keys, and ends there when it is.
func TestALongEventStops(t *testing.T) {
	const keys, pace = 20_000, 1024
	for _, way := range []string{"modulo", "ring", "rendezvous", "jump", "maglev", "bounded", "multi-probe", "anchor"} {
		spec, err := labs.ParseQuery(rings.HashRing, "change=add&keys=20000&use="+way)
		if err != nil {
			t.Fatal(err)
		}
		asked, stopAt := 0, -1
		begin := func() *labs.Runner {
			asked = 0
			r, err := labs.Begin(spec, labs.Options{Stop: func() bool { asked++; return asked == stopAt }})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		stopAt = -1
		r := begin()
		before := 0 // the newest event began
		for done := false; !done; {
			if r.Now() < 2e9 {
				before = asked
			}
			if done, err = r.Advance(1); err != nil {
				t.Fatal(err)
			}
		}
		if got := asked - before; got < keys/pace {
			t.Errorf("%s: the change of nodes asked %d times whether to stop, want %d or more", way, got, keys/pace)
		}
		stopAt = before + 5 // within the change
		r = begin()
		for done := false; !done && err == nil; {
			done, err = r.Advance(1)
		}
		var bound *labs.Bound
		if !errors.As(err, &bound) || bound.Code != "cancelled" || bound.At != 2e9 || asked != stopAt {
			t.Errorf("%s: told to stop within the change: %v after %d more questions, want a stop at 2 s after none", way, err, asked-stopAt)
		}
	}
}
