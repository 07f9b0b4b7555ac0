package overload

import (
	"testing"

	"seedbed/labs"
)

// The twin reads the log: whoever is taken out came first, waited as long as is said, nobody is refused while there is room, the consumer
// keeps its pace, and what the checks count is what the log tells.
func TestVerdictsOfALineAreThoseOfItsLog(t *testing.T) {
	const short = "rate=5&peak=80&begin=1&lasts=8&burst=10&serve=20&depth=100&promise=4&length=20"
	for _, query := range []string{
		short + "&tokens=60", short + "&use=unbounded", short + "&use=short", short + "&use=deadline", short + "&use=deadline&do=3s:slow:consumer:4&do=12s:heal:consumer",
		short + "&do=3s:slow:consumer", short + "&tokens=0&do=2s:burst::300", short + "&use=deadline&tokens=0&do=2s:burst::300",
	} {
		for seed := uint64(1); seed <= 4; seed++ {
			trace := run(t, PeakShaving, query, seed)
			if trace.Truncated() {
				t.Fatalf("peak-shaving?%s has more events than the log holds", query)
			}
			spec, _ := labs.ParseQuery(PeakShaving, query)
			c := spec.Config(nil)
			use := int(c.Int("use"))
			w := stood{depth: c.Int("depth"), room: room(c, use), promise: c.Int("promise"), period: 1000 * second / c.Int("serve"), last: [2]int64{-1, -1}}
			for _, e := range trace.Log {
				w.follow(t, query, e)
			}
			if v := trace.Verdicts[checkBacklog]; v.Count != w.over {
				t.Errorf("peak-shaving?%s seed %d: %d find the line too long, the log says %d", query, seed, v.Count, w.over)
			}
			if v := trace.Verdicts[checkLate]; v.Count != w.late {
				t.Errorf("peak-shaving?%s seed %d: %d are served late, the log says %d", query, seed, v.Count, w.late)
			}
			for name, want := range map[string]int64{"served." + lines[use]: w.served, "told." + lines[use]: w.told, "refused." + lines[use]: w.refused, "left." + lines[use]: int64(len(w.ids))} {
				if got := metric(t, PeakShaving, trace, name); got != want {
					t.Errorf("peak-shaving?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
		}
	}
}

// stood is who stands in the line, by the log.
type stood struct {
	depth, room, promise, period int64

	ids, came                         []int64
	last                              [2]int64 // ns: when the last two were served
	over, late, served, told, refused int64
}

func (w *stood) follow(t *testing.T, query string, e labs.Logged) {
	t.Helper()
	n := int64(len(w.ids))
	switch e.Kind {
	case shavingAccept:
		if e.B != n || (w.room > 0 && n >= w.room) {
			t.Fatalf("peak-shaving?%s: request %d stands behind %d, the twin has %d and room for %d", query, e.A, e.B, n, w.room)
		}
		w.ids, w.came = append(w.ids, e.A), append(w.came, e.At)
		w.over += labs.Bit(n+1 > w.depth)
	case shavingFull:
		if w.refused++; n != w.room {
			t.Fatalf("peak-shaving?%s: request %d is refused, %d wait and there is room for %d", query, e.A, n, w.room)
		}
	case shavingHopeless:
		if w.refused++; e.B < w.promise {
			t.Fatalf("peak-shaving?%s: request %d would have waited for %d ns and is refused", query, e.A, e.B)
		}
	case shavingServe, shavingLate, shavingDrop:
		if n == 0 || w.ids[0] != e.A || e.At-w.came[0] != e.B {
			t.Fatalf("peak-shaving?%s: at %d ns request %d leaves after %d ns and is not the first", query, e.At, e.A, e.B)
		}
		w.ids, w.came = w.ids[1:], w.came[1:]
		if e.Kind == shavingDrop {
			w.told++
			return
		}
		if w.last[0] >= 0 && e.At-w.last[0] < w.period { // who comes a little late takes nothing from the next one's turn
			t.Fatalf("peak-shaving?%s: request %d is the third served in %d ns, want %d or more", query, e.A, e.At-w.last[0], w.period)
		}
		w.last[0], w.last[1] = w.last[1], e.At
		w.served++
		w.late += labs.Bit(e.B > w.promise)
		if (e.Kind == shavingLate) != (e.B > w.promise) {
			t.Fatalf("peak-shaving?%s: request %d waited for %d ns of %d and the event is %d", query, e.A, e.B, w.promise, e.Kind)
		}
	}
}

// What each way costs, over seeds: the line with a deadline serves as much as the bounded one and nobody late, whatever the consumer does.
func TestWaysToBoundALineDiffer(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, PeakShaving, "do=10s:slow:consumer", seed)
		at := func(name string) int64 { return metric(t, PeakShaving, trace, name) }
		if at("late.bounded") == 0 || at("late.deadline") != 0 || at("told.deadline") == 0 {
			t.Errorf("seed %d: %d are late in a line with a bound alone, %d in one with a deadline, which tells %d", seed, at("late.bounded"), at("late.deadline"), at("told.deadline"))
		}
		if at("served.deadline") < at("served.bounded") {
			t.Errorf("seed %d: the deadline serves %d, the bound alone %d", seed, at("served.deadline"), at("served.bounded"))
		}
		with, without := run(t, PeakShaving, "", seed), run(t, PeakShaving, "tokens=0", seed)
		if a, b := metric(t, PeakShaving, with, "served.bounded"), metric(t, PeakShaving, without, "served.bounded"); a != b {
			t.Errorf("seed %d: %d are served with tokens and %d without, want the same: the line is full either way", seed, a, b)
		}
		if a, b := metric(t, PeakShaving, with, "writes"), metric(t, PeakShaving, without, "writes"); a > 155 || b < 180 {
			t.Errorf("seed %d: the line takes %d in a second with tokens and %d without", seed, a, b)
		}
	}
}
