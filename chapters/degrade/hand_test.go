package degrade_test

import (
	"strconv"
	"testing"

	"seedbed/chapters/degrade"
)

// TestHoldByShare: a share of the users is put on a level. It is the share that was asked for, the same users each time, and everybody of
// a smaller share is in a larger one; with another seed they are others.
func TestHoldByShare(t *testing.T) {
	const users = 20_000
	held := func(seed uint64, percent int64) (in [users]bool, n int) {
		cfg := shop()
		cfg.Seed = seed
		l := must(degrade.NewLadder(cfg))
		if _, err := l.HoldAt(0, degrade.AcceptFirst, percent, degrade.NoEnd); err != nil {
			t.Fatal(err)
		}
		if level, share := l.HeldAt(0); percent > 0 && (level != degrade.AcceptFirst || share != percent) {
			t.Errorf("held: %v for %d percent, want %d", level, share, percent)
		}
		for i := range in {
			user := "user-" + strconv.Itoa(i)
			level := l.LevelAt(0, user)
			if level != l.LevelAt(second, user) {
				t.Fatalf("%s is on two levels", user)
			}
			if in[i] = level == degrade.AcceptFirst; in[i] {
				n++
			} else if level != degrade.Normal {
				t.Fatalf("%s is on %v", user, level)
			}
		}
		return in, n
	}
	var before [users]bool
	for _, percent := range []int64{0, 1, 5, 20, 50, 99, 100} {
		in, n := held(3, percent)
		want := users * int(percent) / 100
		if slack := 4 * 71; n < want-slack || n > want+slack || (percent == 0 || percent == 100) && n != want { // four deviations at a half
			t.Errorf("%d percent: %d of %d users, want about %d", percent, n, users, want)
		}
		for i := range in {
			if before[i] && !in[i] {
				t.Fatalf("user %d leaves when the share grows to %d percent", i, percent)
			}
		}
		before = in
	}
	one, _ := held(3, 20)
	other, _ := held(4, 20)
	both := 0
	for i := range one {
		if one[i] && other[i] {
			both++
		}
	}
	if want := users / 25; both < want/2 || both > want*2 {
		t.Errorf("with two seeds %d users are in both shares, by chance it would be %d", both, want)
	}
}

// TestHoldIsOverruledByNothing: it holds above and below what the signals ask for, until its end or its release, and the others follow
// the signals meanwhile.
func TestHoldIsOverruledByNothing(t *testing.T) {
	l := must(degrade.NewLadder(shop()))
	l.ObserveAt(0, 0, 900)
	if c, err := l.HoldAt(5*second, degrade.Normal, 100, 10*second); err != nil || c.Len() != 3 {
		t.Fatalf("what the signals changed until then is told: %v, %v", list(c), err)
	}
	for _, c := range []struct {
		at   int64
		want degrade.Level
	}{{5, degrade.Normal}, {9, degrade.Normal}, {10, degrade.AcceptFirst}, {11, degrade.AcceptFirst}} {
		if got := l.LevelAt(c.at*second, "ann"); got != c.want {
			t.Errorf("%d s: %v, want %v", c.at, got, c.want)
		}
	}
	if _, share := l.HeldAt(11 * second); share != 0 {
		t.Errorf("after its end %d percent are held", share)
	}
	l.HoldAt(12*second, degrade.QueuePage, 100, degrade.NoEnd)
	if got, _ := l.SignalsAt(12 * second); got != degrade.AcceptFirst || l.LevelAt(12*second, "ann") != degrade.QueuePage {
		t.Errorf("the signals ask for %v", got)
	}
	l.ReleaseAt(13 * second)
	if got := l.LevelOfAt(13*second, 5); got != degrade.AcceptFirst {
		t.Errorf("released: %v", got)
	}
	l.HoldAt(20*second, degrade.QueuePage, 100, 20*second) // over before it begins
	if got := l.LevelAt(20*second, "ann"); got != degrade.AcceptFirst {
		t.Errorf("a hold without time: %v", got)
	}
	for _, c := range []struct {
		level   degrade.Level
		percent int64
		want    string
	}{{5, 10, "level: 5 is outside 0..4"}, {1, 101, "percent: 101 is outside 0..100"}, {1, -1, "percent: -1 is outside 0..100"}} {
		if _, err := l.HoldAt(0, c.level, c.percent, degrade.NoEnd); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestLocked: the same, by a clock of its own.
func TestLocked(t *testing.T) {
	now := int64(0)
	l := must(degrade.NewLocked(shop(), func() int64 { return now }))
	l.Observe(l.Find("queue"), 90_000)
	now = 3 * second
	if got := l.Level("ann"); got != degrade.QueuePage {
		t.Errorf("after 3 s: %v", got)
	}
	if c, err := l.Hold(degrade.DropExtras, 100, 5*second); err != nil || c.Len() != 4 {
		t.Errorf("hold: %v, %v", list(c), err)
	}
	now = 8*second - 1
	if got := l.Level("ann"); got != degrade.DropExtras {
		t.Errorf("held: %v", got)
	}
	now++
	if got := l.Level("ann"); got != degrade.QueuePage {
		t.Errorf("after the hold: %v", got)
	}
	l.Hold(degrade.Normal, 100, degrade.NoEnd)
	now = 1 << 61
	if s := l.Snapshot(); l.Level("ann") != degrade.Normal || s.LevelAt(now, "ann") != degrade.Normal {
		t.Error("a hold without end has ended")
	}
	if c := l.Release(); l.Level("ann") != degrade.QueuePage || c.Len() != 0 {
		t.Errorf("released: %v", list(c))
	}
}
