package degrade_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/degrade"
)

const second = 1_000_000_000

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func list(c degrade.Changes) (out []degrade.Change) {
	for i := range c.Len() {
		out = append(out, c.At(i))
	}
	return out
}

// shop goes by a latency in ms and by the length of a queue, up after 3 s and down after 30 s.
func shop() degrade.Config {
	return degrade.Config{
		Signals: []degrade.Signal{
			{Name: "p99", Steps: []degrade.Step{{Up: 200, Down: 150}, {Up: 400, Down: 300}, {Up: 800, Down: 600}}},
			{Name: "queue", Steps: []degrade.Step{{Up: 1000, Down: 500}, {Up: 5000, Down: 2500}, {Up: 20_000, Down: 10_000}, {Up: 80_000, Down: 40_000}}},
		},
		UpFor: 3 * second, DownFor: 30 * second,
	}
}

// TestLadderStory: an evening in which a sale begins, holds, and ends.
func TestLadderStory(t *testing.T) {
	l := must(degrade.NewLadder(shop()))
	p99, queue := l.Find("p99"), l.Find("queue")
	if l.Find("cpu") != -1 {
		t.Fatal("a signal that is not there is found")
	}
	for i, c := range []struct {
		at     int64 // s
		signal int
		value  int64
		want   []degrade.Change
		level  degrade.Level
		why    string
	}{
		{0, p99, 120, nil, degrade.Normal, ""},
		{10, p99, 250, nil, degrade.Normal, "one high value is no trend"},
		{12, p99, 130, nil, degrade.Normal, "2 s are not 3"},
		{20, p99, 250, nil, degrade.Normal, ""},
		{24, p99, 260, []degrade.Change{{From: 0, To: 1, At: 23 * second}}, degrade.DropExtras, "3 s above"},
		{30, queue, 90_000, nil, degrade.DropExtras, ""},
		{33, p99, 260, []degrade.Change{{From: 1, To: 2, At: 33 * second}, {From: 2, To: 3, At: 33 * second}, {From: 3, To: 4, At: 33 * second}}, degrade.QueuePage, "straight to what is asked for"},
		{60, queue, 60_000, nil, degrade.QueuePage, "below Up and above Down: nothing moves"},
		{400, queue, 30_000, nil, degrade.QueuePage, "below Down now"},
		{429, queue, 30_000, nil, degrade.QueuePage, ""},
		{430, p99, 170, []degrade.Change{{From: 4, To: 3, At: 430 * second}}, degrade.AcceptFirst, "30 s below: one down"},
		{440, queue, 0, nil, degrade.AcceptFirst, "all is well, but one at a time"},
		{505, p99, 170, []degrade.Change{{From: 3, To: 2, At: 470 * second}, {From: 2, To: 1, At: 500 * second}}, degrade.DropExtras, "noticed late, due in time"},
		{900, p99, 170, nil, degrade.DropExtras, "p99 lies between 150 and 200"},
		{901, p99, 140, nil, degrade.DropExtras, ""},
		{950, queue, 0, []degrade.Change{{From: 1, To: 0, At: 931 * second}}, degrade.Normal, ""},
	} {
		if got := list(l.ObserveAt(c.at*second, c.signal, c.value)); !slices.Equal(got, c.want) {
			t.Errorf("t%d: %d s: changes %v, want %v: %s", i, c.at, got, c.want, c.why)
		}
		if got := l.LevelAt(c.at*second, "ann"); got != c.level {
			t.Errorf("t%d: %d s: %v, want %v: %s", i, c.at, got, c.level, c.why)
		}
	}
}

// twin knows all values at each nanosecond, and looks back each time.
type twin struct {
	cfg    degrade.Config
	past   [][]int64
	level  degrade.Level
	stands int
	moved  []degrade.Change
}

func (w *twin) wants(k degrade.Level, at int) bool {
	if at < 0 {
		return false
	}
	for i, s := range w.cfg.Signals {
		if int(k) <= len(s.Steps) && w.past[at][i] >= s.Steps[k-1].Up {
			return true
		}
	}
	return false
}

func (w *twin) calm(k degrade.Level, at int) bool {
	for i, s := range w.cfg.Signals {
		if at >= 0 && int(k) <= len(s.Steps) && w.past[at][i] >= s.Steps[k-1].Down {
			return false
		}
	}
	return true
}

// during reports whether something holds at each nanosecond of the last d.
func during(now, d int, holds func(at int) bool) bool {
	for at := now - d; at <= now; at++ {
		if !holds(at) {
			return false
		}
	}
	return true
}

func (w *twin) settle() {
	now := len(w.past) - 1
	to := func(k degrade.Level) {
		w.moved = append(w.moved, degrade.Change{From: w.level, To: k, At: int64(now)})
		w.level, w.stands = k, now
	}
	for w.level+1 < degrade.Levels && during(now, int(w.cfg.UpFor), func(at int) bool { return w.wants(w.level+1, at) }) {
		to(w.level + 1)
	}
	for w.level > 0 && now-w.stands >= int(w.cfg.DownFor) && during(now, int(w.cfg.DownFor), func(at int) bool { return w.calm(w.level, at) }) {
		to(w.level - 1)
	}
}

func drawConfig(t *rapid.T) degrade.Config {
	cfg := degrade.Config{UpFor: rapid.Int64Range(0, 6).Draw(t, "up for"), DownFor: rapid.Int64Range(1, 9).Draw(t, "down for")}
	for i := range rapid.IntRange(0, 3).Draw(t, "signals") {
		s := degrade.Signal{Name: string(rune('a' + i))}
		up := int64(0)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			up += rapid.Int64Range(0, 4).Draw(t, "up")
			s.Steps = append(s.Steps, degrade.Step{Up: up, Down: up - rapid.Int64Range(1, 4).Draw(t, "gap")})
		}
		cfg.Signals = append(cfg.Signals, s)
	}
	return cfg
}

// TestLadderIsItsTwin: whatever is observed, and however seldom anybody looks.
func TestLadderIsItsTwin(t *testing.T) {
	ups, downs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		l, w := must(degrade.NewLadder(cfg)), twin{cfg: cfg}
		values := make([]int64, len(cfg.Signals))
		for i := range values {
			values[i] = -1 << 63
		}
		w.past = [][]int64{slices.Clone(values)}
		var moved []degrade.Change
		for step := range rapid.IntRange(10, 90).Draw(t, "steps") {
			for range rapid.IntRange(1, 6).Draw(t, "passes") {
				w.past = append(w.past, slices.Clone(values))
				w.settle()
			}
			now := int64(len(w.past) - 1)
			switch rapid.IntRange(0, 3).Draw(t, "op") {
			case 0:
				level, c := l.SignalsAt(now)
				moved = append(moved, list(c)...)
				if level != w.level {
					t.Fatalf("step %d, at %d: %v, want %v", step, now, level, w.level)
				}
			case 1:
				if got := l.LevelOfAt(now, 7); got != w.level {
					t.Fatalf("step %d, at %d: %v, want %v", step, now, got, w.level)
				}
				continue // not told yet
			default:
				i := rapid.IntRange(0, len(values)).Draw(t, "which")
				v := rapid.Int64Range(-4, 16).Draw(t, "value")
				if i < len(values) {
					values[i] = v
					w.past[now] = slices.Clone(values)
					w.settle()
				}
				moved = append(moved, list(l.ObserveAt(now, i, v))...)
			}
			if !slices.Equal(moved, w.moved) {
				t.Fatalf("step %d, at %d: changes\n %v, want\n %v", step, now, moved, w.moved)
			}
			if rapid.Bool().Draw(t, "copy") {
				l = l.Clone()
			}
		}
		for _, c := range moved {
			if c.To > c.From {
				ups++
			} else {
				downs++
			}
		}
	})
	if ups < 50 || downs < 50 {
		t.Errorf("%d ups and %d downs in all: too few to have compared anything", ups, downs)
	}
}

// TestItDoesNotFlap: a signal that jumps about as it likes, between far too high and quite calm, for ten minutes. Each step down has stood
// for 30 s, so there are at most twenty; and one that stays between Down and Up moves nothing at all.
func TestItDoesNotFlap(t *testing.T) {
	for seed := range uint64(30) {
		l := must(degrade.NewLadder(shop()))
		random, downs, ups := seed*7+1, 0, 0
		last := int64(-1 << 62)
		for now := int64(0); now < 600*second; now += second / 4 {
			random = random*6364136223846793005 + 1442695040888963407
			value := int64(100)
			if random>>33%16 < seed/2 {
				value = 900
			}
			for _, c := range list(l.ObserveAt(now, 0, value)) {
				if c.To > c.From {
					ups++
				} else if downs++; c.At-last < 30*second {
					t.Fatalf("seed %d: down at %d, %d ns after the change before", seed, c.At, c.At-last)
				}
				last = c.At
			}
		}
		if seed > 27 && ups == 0 {
			t.Errorf("seed %d: never went up", seed)
		}
	}
	l := must(degrade.NewLadder(shop()))
	l.ObserveAt(0, 0, 250)
	l.ObserveAt(3*second, 0, 199)
	for now := int64(4 * second); now < 600*second; now += second {
		if c := l.ObserveAt(now, 0, 150+now/second%50); c.Len() != 0 {
			t.Fatalf("at %d between Down and Up: %v", now, list(c))
		}
	}
}
