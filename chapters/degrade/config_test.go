package degrade_test

import (
	"testing"

	"seedbed/chapters/degrade"
)

// TestBadConfigurations: one line says what is wrong, where, and what would be right.
func TestBadConfigurations(t *testing.T) {
	one := func(name string, steps ...degrade.Step) degrade.Config {
		return degrade.Config{DownFor: 1, Signals: []degrade.Signal{{Name: name, Steps: steps}}}
	}
	step := degrade.Step{Up: 5, Down: 4}
	twice := one("a", step)
	twice.Signals = append(twice.Signals, twice.Signals[0])
	for _, c := range []struct {
		cfg  degrade.Config
		want string
	}{
		{degrade.Config{}, "down for: 0 is outside 1..4611686018427387904 ns"},
		{degrade.Config{DownFor: 1, UpFor: -1}, "up for: -1 is outside 0..4611686018427387904 ns"},
		{degrade.Config{DownFor: 1, Signals: make([]degrade.Signal, 65)}, "signals: 65 is outside 0..64"},
		{one("", step), "a signal has no name; want one that no other has"},
		{twice, `signal "a" is named twice; want one name each`},
		{one("a"), "steps of a: 0 is outside 1..4"},
		{one("a", step, step, step, step, step), "steps of a: 5 is outside 1..4"},
		{one("a", step, degrade.Step{Up: 4}), "up of a for L2: 4 is outside 5..9223372036854775807"},
		{one("a", degrade.Step{Up: 5, Down: 5}), "down of a for L1: 5 is outside -9223372036854775808..4"},
		{one("a", degrade.Step{Up: -1 << 63}), "up of a for L1: -9223372036854775808 is outside -9223372036854775807..9223372036854775807"},
	} {
		_, err := degrade.NewLocked(c.cfg, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestTheCallerKeepsNothing: what a configuration holds is copied.
func TestTheCallerKeepsNothing(t *testing.T) {
	cfg := shop()
	l := must(degrade.NewLadder(cfg))
	c := l.Clone()
	cfg.Signals[0].Steps[0] = degrade.Step{}
	cfg.Signals[0].Name = "x"
	l.ObserveAt(0, l.Find("p99"), 190)
	if level, _ := l.SignalsAt(10 * second); level != degrade.Normal || l.Find("p99") != 0 {
		t.Errorf("the ladder follows what the caller changed: %v", level)
	}
	l.ObserveAt(0, 0, 900)
	if level, _ := c.SignalsAt(100 * second); level != degrade.Normal {
		t.Errorf("a copy follows the original: %v", level)
	}
}

// TestZeroValueIsNormal, until a hand says otherwise.
func TestZeroValueIsNormal(t *testing.T) {
	var l degrade.Ladder
	if c := l.ObserveAt(5, 0, 1<<62); c.Len() != 0 || l.LevelAt(1<<62, "ann") != degrade.Normal {
		t.Errorf("changes %v", list(c))
	}
	l.HoldAt(1<<62, degrade.DropExtras, 100, degrade.NoEnd)
	if got := l.LevelAt(1<<62, "ann"); got != degrade.DropExtras {
		t.Errorf("held: %v", got)
	}
}

// TestFarEndsOfTime: instants and times at their bounds overflow nothing, and an old instant counts as the newest.
func TestFarEndsOfTime(t *testing.T) {
	const first, last = -1 << 63, 1<<63 - 1
	cfg := shop()
	cfg.UpFor, cfg.DownFor = degrade.MaxDuration, degrade.MaxDuration
	l := must(degrade.NewLadder(cfg))
	l.ObserveAt(first, 0, 250)
	if level, _ := l.SignalsAt(first + degrade.MaxDuration - 1); level != degrade.Normal {
		t.Errorf("a nanosecond early: %v", level)
	}
	l.ObserveAt(first+degrade.MaxDuration, 0, 0)
	if level, _ := l.SignalsAt(first); level != degrade.DropExtras {
		t.Errorf("asked at an old instant: %v", level)
	}
	if level, _ := l.SignalsAt(first + 2*degrade.MaxDuration); level != degrade.Normal {
		t.Errorf("calm for as long: %v", level)
	}
	l.ObserveAt(last, 0, 900)
	if level, _ := l.SignalsAt(last); level != degrade.Normal {
		t.Errorf("at the last instant: %v", level)
	}
}

// TestLevelsGiveUpOneThingMoreEach.
func TestLevelsGiveUpOneThingMoreEach(t *testing.T) {
	names := map[string]bool{}
	for i := range degrade.Level(degrade.Levels) {
		served := 0
		for _, s := range []bool{i.Extras(), i.WritesNow(), i.OrdersNow(), i.LetsIn()} {
			if s {
				served++
			}
		}
		if served != 4-int(i) {
			t.Errorf("%v still serves %d of four things", i, served)
		}
		names[i.String()] = true
	}
	if len(names) != degrade.Levels || degrade.Level(9).String() != "9" {
		t.Errorf("names %v, and %v", names, degrade.Level(9))
	}
}

// TestNothingAllocates: no observation, no look, no hold.
func TestNothingAllocates(t *testing.T) {
	l := must(degrade.NewLadder(shop()))
	now, k, most := int64(0), 0, degrade.Normal
	if n := testing.AllocsPerRun(500, func() {
		now += second
		k++
		l.ObserveAt(now, k%2, int64(k/60%2*100_000))
		l.HoldAt(now, degrade.DropExtras, 5, now+second)
		most = max(most, l.LevelAt(now, "ann"), l.LevelAt(now, "bob"))
		l.ReleaseAt(now)
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
	if most != degrade.QueuePage {
		t.Errorf("never above %v: nothing was tested", most)
	}
}
