package ring_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/ring"
)

const minute = 60 * second

// cpu is a reading in which nothing but the processor is used.
func cpu(percent ...int64) []ring.Use {
	uses := make([]ring.Use, len(percent))
	for i, p := range percent {
		uses[i] = ring.Use{CPU: p * 10_000}
	}
	return uses
}

func weights(w *ring.Weigher) (out []int64) {
	for _, m := range w.Members() {
		out = append(out, m.Weight)
	}
	return out
}

func TestWeigherWeighsByUse(t *testing.T) {
	w := must(ring.NewWeigher(ring.WeigherConfig{Smoothing: 1_000_000}, []string{"c", "a", "b"}))
	for _, step := range []struct {
		at      int64
		uses    []ring.Use
		changed bool
		want    [3]int64
		why     string
	}{
		{0, cpu(20, 50, 90), false, [3]int64{100, 100, 100}, "the first reading"},
		{5*minute - 1, cpu(20, 50, 90), false, [3]int64{100, 100, 100}, "before five minutes are over"},
		{5 * minute, cpu(20, 50, 90), true, [3]int64{150, 100, 50}, "five minutes"},
		{6 * minute, cpu(90, 90, 90), false, [3]int64{150, 100, 50}, "a minute later"},
		{10 * minute, cpu(30, 30, 46), false, [3]int64{150, 100, 50}, "use follows the weights, and 46 % is not yet low"},
		{15 * minute, cpu(47, 70, 32), true, [3]int64{150, 100, 100}, "32 % on half the weight is 64 % on all of it"},
		{20 * minute, cpu(49, 71, 64), true, [3]int64{100, 50, 100}, "49 % on more weight is normal, 71 % is high"},
		{25 * minute, cpu(29, 29, 29), true, [3]int64{150, 100, 150}, "from busy to idle it passes normal"},
		{60 * minute, cpu(29, 29, 29), true, [3]int64{150, 150, 150}, "readings may pause"},
		{59 * minute, cpu(99, 99, 99), false, [3]int64{150, 150, 150}, "an old instant"},
	} {
		changed, err := w.ReadAt(step.at, step.uses)
		if got := [3]int64(weights(&w)); err != nil || changed != step.changed || got != step.want {
			t.Errorf("%s: weights %v, changed %v, %v; want %v, %v", step.why, got, changed, err, step.want, step.changed)
		}
	}
	if m := w.Members(); m[0].Name != "a" || m[2].Name != "c" || w.Level(0) != ring.LevelIdle || w.Level(0).String() != "idle" {
		t.Errorf("members %v at level %v, want them in order of name", m, w.Level(0))
	}
}

func TestWeigherJudgesByTheScarcestResource(t *testing.T) {
	for _, u := range []ring.Use{{CPU: 900_000}, {Memory: 900_000}, {Network: 900_000}} {
		w := must(ring.NewWeigher(ring.WeigherConfig{Smoothing: 1_000_000}, []string{"a"}))
		w.ReadAt(0, []ring.Use{u})
		if w.ReadAt(5*minute, []ring.Use{u}); w.Level(0) != ring.LevelBusy {
			t.Errorf("%+v: %v, want busy", u, w.Level(0))
		}
	}
}

// One peak between quiet readings is no reason: with a tenth of each reading, 15 % and one of 100 % are 23.5 %.
func TestWeigherSmooths(t *testing.T) {
	w := must(ring.NewWeigher(ring.WeigherConfig{Smoothing: 100_000, Every: minute}, []string{"a"}))
	w.ReadAt(0, cpu(15))
	w.ReadAt(minute, cpu(100))
	if w.Smooth(0) != 235_000 || w.Level(0) != ring.LevelIdle {
		t.Errorf("smoothed %d ppm, %v; want 235000, idle", w.Smooth(0), w.Level(0))
	}
}

// A member of eight with 92 %: halving its weight takes it to about half, which looks normal. Without hysteresis the weight comes back,
// and the use with it, for ever.
func TestWeigherDoesNotFlap(t *testing.T) {
	swings := func(cfg ring.WeigherConfig) (n int) {
		w := must(ring.NewWeigher(cfg, []string{"hot"}))
		for i := range int64(40) {
			use := 92 * w.Weight(0) / 100
			if changed, err := w.ReadAt(i*5*minute, cpu(use)); err != nil {
				t.Fatal(err)
			} else if changed {
				n++
			}
		}
		return n
	}
	if n := swings(ring.WeigherConfig{}); n != 1 {
		t.Errorf("with hysteresis and smoothing: %d changes, want 1", n)
	}
	if n := swings(ring.WeigherConfig{Smoothing: 1_000_000}); n != 1 {
		t.Errorf("with hysteresis alone: %d changes, want 1", n)
	}
	if n := swings(ring.WeigherConfig{LowExit: 300_000, HighExit: 700_000, Smoothing: 1_000_000}); n != 39 {
		t.Errorf("with neither: %d changes, want one at each of 39 times", n)
	}
}

func TestWeigherRefusesWhatMakesNoSense(t *testing.T) {
	for _, v := range []struct {
		cfg   ring.WeigherConfig
		field string
	}{
		{ring.WeigherConfig{Every: -1}, "every in ns"},
		{ring.WeigherConfig{Low: 800_000}, "low in parts per million"},
		{ring.WeigherConfig{High: 1_000_001}, "high in parts per million"},
		{ring.WeigherConfig{LowExit: 200_000}, "exit of low in parts per million"},
		{ring.WeigherConfig{HighExit: 800_000}, "exit of high in parts per million"},
		{ring.WeigherConfig{Smoothing: -5}, "smoothing in parts per million"},
		{ring.WeigherConfig{Busy: -1}, "weight of busy members"},
	} {
		var fault *ring.RangeError
		if _, err := ring.NewWeigher(v.cfg, []string{"a"}); !errors.As(err, &fault) || fault.Field != v.field {
			t.Errorf("%+v: %v, want a *RangeError of %s", v.cfg, err, v.field)
		}
	}
	if _, err := ring.NewWeigher(ring.WeigherConfig{}, []string{"a", "a"}); err == nil {
		t.Error("a name twice: no error")
	}
	w := must(ring.NewWeigher(ring.WeigherConfig{}, []string{"a", "b"}))
	for _, uses := range [][]ring.Use{cpu(50), cpu(50, 101), {{}, {Memory: -1}}} {
		if _, err := w.ReadAt(0, uses); err == nil || w.Smooth(0) != -1 {
			t.Errorf("%+v: %v, smoothed %d; want an error and nothing read", uses, err, w.Smooth(0))
		}
	}
}

func TestWeigherGoesOnWithOtherMembers(t *testing.T) {
	w := must(ring.NewWeigher(ring.WeigherConfig{Smoothing: 1_000_000}, []string{"a", "b"}))
	w.ReadAt(0, cpu(90, 20))
	w.ReadAt(5*minute, cpu(90, 20))
	clone := w.Clone()
	if err := w.Rebase([]string{"c", "b"}); err != nil {
		t.Fatal(err)
	}
	if got := w.Members(); got[0] != (ring.Member{Name: "b", Weight: 150}) || got[1] != (ring.Member{Name: "c", Weight: 100}) || w.Smooth(1) != -1 {
		t.Errorf("after a left and c came: %v", got)
	}
	if err := w.Rebase([]string{"b", ""}); err == nil || len(w.Members()) != 2 {
		t.Errorf("with an empty name: %v, %d members; want an error and two as before", err, len(w.Members()))
	}
	w.ReadAt(10*minute, cpu(90, 90))
	if got := weights(&clone); got[0] != 50 || got[1] != 150 {
		t.Errorf("a clone changed with the original: %v", got)
	}
}

// Whatever is read, weights change at most once in Every, and only to one of the three.
func TestWeigherChangesAtMostOnceInEvery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := must(ring.NewWeigher(ring.WeigherConfig{Every: 100}, []string{"a", "b", "c"}))
		now, last := int64(0), int64(-100)
		for range rapid.IntRange(1, 100).Draw(t, "readings") {
			now += rapid.Int64Range(0, 60).Draw(t, "pause")
			before := weights(&w)
			uses := cpu(rapid.Int64Range(0, 100).Draw(t, "a"), rapid.Int64Range(0, 100).Draw(t, "b"), rapid.Int64Range(0, 100).Draw(t, "c"))
			changed, err := w.ReadAt(now, uses)
			if err != nil {
				t.Fatal(err)
			}
			after := weights(&w)
			differ := false
			for i := range after {
				differ = differ || before[i] != after[i]
				if after[i] != 50 && after[i] != 100 && after[i] != 150 || before[i]+after[i] == 200 && before[i] != after[i] {
					t.Fatalf("weight from %d to %d", before[i], after[i])
				}
			}
			if differ != changed || changed && now-last < 100 {
				t.Fatalf("at %d: changed %v, weights differ %v, last change at %d", now, changed, differ, last)
			}
			if changed {
				last = now
			}
		}
	})
}
