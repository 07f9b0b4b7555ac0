package overload

import (
	"testing"

	"seedbed/labs"
)

// The twin reads the log: nobody gives up before the patience is over, levels change by one, an accepted order ends once or vanishes, the room is
// left in the order in which it was entered, and what checks and metrics count is what the log tells.
func TestVerdictsOfALadderAreThoseOfItsLog(t *testing.T) {
	const short = "begin=1&lasts=6&length=20"
	for _, query := range []string{
		short, short + "&use=hard", short + "&use=extras", short + "&peak=14", short + "&kept=memory&do=6s:crash:worker", short + "&do=6s:crash:worker&do=7s:crash:worker",
		short + "&peak=14&let-in=10&in-room=3", short + "&open=20", short + "&do=0.5s:hold-0&do=4s:release", short + "&do=2s:hold-4::30&do=3s:burst::200", short + "&sees=line&up-for=0&down-for=1",
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			trace := run(t, DegradeLadder, query, seed)
			if trace.Truncated() {
				t.Fatalf("degrade-ladder?%s has more events than the log holds", query)
			}
			spec, _ := labs.ParseQuery(DegradeLadder, query)
			c := spec.Config(nil)
			w := climb{
				patience: c.Int("patience"), downFor: c.Int("down-for"), inRoom: c.Int("in-room"), steady: c.Int("steady"), fell: -1, accepted: map[int64]int64{},
			}
			for _, e := range trace.Log {
				w.follow(t, query, e)
			}
			if v := trace.Verdicts[checkAnswered]; v.Count != w.unanswered || v.OK != (w.unanswered == 0) {
				t.Errorf("degrade-ladder?%s seed %d: %d without an answer, the log says %d", query, seed, v.Count, w.unanswered)
			}
			if v := trace.Verdicts[checkOrder]; v.Count != w.vanished || v.OK != (w.vanished == 0) {
				t.Errorf("degrade-ladder?%s seed %d: %d orders lost, the log says %d", query, seed, v.Count, w.vanished)
			}
			if v := trace.Verdicts[checkSteady]; v.Count != w.turns || v.OK != (w.turns == 0) {
				t.Errorf("degrade-ladder?%s seed %d: %d turns, the log says %d", query, seed, v.Count, w.turns)
			}
			left := int64(len(w.room))
			if v := trace.Verdicts[checkRoom]; v.Count < w.late || v.Count > w.late+left || v.OK != (v.Count == 0) {
				t.Errorf("degrade-ladder?%s seed %d: %d are too long in the room, the log has %d let in late and %d still there", query, seed, v.Count, w.late, left)
			}
			for name, want := range map[string]int64{
				"in-room": left, "changes": w.changes, "asked": w.highest, "placed": w.placed, "accepted": w.taken, "finished": w.finished, "open": int64(len(w.accepted)), "vanished": w.vanished,
			} {
				if got := metric(t, DegradeLadder, trace, name); got != want {
					t.Errorf("degrade-ladder?%s seed %d: %s is %d, the log says %d", query, seed, name, got, want)
				}
			}
		}
	}
}

// climb is where a ladder stands and who waits for what, by the log.
type climb struct {
	patience, downFor, inRoom, steady int64

	level, since, fell, turns, late                                 int64
	room                                                            []int64
	accepted                                                        map[int64]int64 // since when, by the order
	changes, highest, placed, taken, finished, vanished, unanswered int64
}

func (w *climb) follow(t *testing.T, query string, e labs.Logged) {
	t.Helper()
	switch e.Kind {
	case ladderUp, ladderDown, ladderNormal:
		by := int64(1)
		if e.Kind != ladderUp {
			by = -1
		}
		if e.A != w.level+by || (by < 0 && e.At-w.since < w.downFor) {
			t.Fatalf("degrade-ladder?%s: at %d ns it goes from L%d, where it is since %d ns, to L%d", query, e.At, w.level, w.since, e.A)
		}
		if by < 0 {
			w.fell = e.At
		} else if w.fell >= 0 && e.At-w.fell < w.steady {
			w.turns++
		}
		w.level, w.since = e.A, e.At
		w.changes++
		w.highest = max(w.highest, w.level)
	case ladderPlace:
		w.placed++
	case ladderAccept:
		w.taken++
		if _, twice := w.accepted[e.A]; twice {
			t.Fatalf("degrade-ladder?%s: order %d is accepted twice", query, e.A)
		}
		w.accepted[e.A] = e.At
	case ladderFinish, ladderVanish:
		at, known := w.accepted[e.A]
		if !known || e.At-at != e.B {
			t.Fatalf("degrade-ladder?%s: order %d ends %d ns after it was accepted at %d ns (%v)", query, e.A, e.B, at, known)
		}
		delete(w.accepted, e.A)
		if e.Kind == ladderFinish {
			w.finished++
		} else {
			w.vanished++
		}
	case ladderGiveUp:
		if w.unanswered++; e.B != w.patience {
			t.Fatalf("degrade-ladder?%s: request %d gives up after %d ns, want %d", query, e.A, e.B, w.patience)
		}
	case ladderFull:
		w.unanswered++
	case ladderQueue:
		if e.B != int64(len(w.room)) {
			t.Fatalf("degrade-ladder?%s: visitor %d waits behind %d, the twin has %d", query, e.A, e.B, len(w.room))
		}
		w.room = append(w.room, e.A)
	case ladderEnter:
		if len(w.room) == 0 || w.room[0] != e.A {
			t.Fatalf("degrade-ladder?%s: visitor %d comes in and was not the first", query, e.A)
		}
		w.room = w.room[1:]
		w.late += labs.Bit(e.B > w.inRoom)
	}
}

// What each way costs, over seeds: without a ladder most of the buyers of the peak get nothing, and with one all of them do.
func TestWaysToMeetALoadDiffer(t *testing.T) {
	eager, calm := int64(0), int64(0)
	for seed := uint64(1); seed <= 10; seed++ {
		trace := run(t, DegradeLadder, "", seed)
		at := func(name string) int64 { return metric(t, DegradeLadder, trace, name) }
		if at("pages-lost.ladder") != 0 || at("orders-lost.ladder") != 0 || at("pages-lost.hard") < 500 {
			t.Errorf("seed %d: %d pages and %d orders lost with a ladder, %d pages without", seed, at("pages-lost.ladder"), at("orders-lost.ladder"), at("pages-lost.hard"))
		}
		if at("orders-taken.hard")*3 > at("orders-taken.ladder")*2 {
			t.Errorf("seed %d: %d orders taken without a ladder, %d with one", seed, at("orders-taken.hard"), at("orders-taken.ladder"))
		}
		memory := run(t, DegradeLadder, "kept=memory&do=14s:crash:worker", seed)
		log := run(t, DegradeLadder, "do=14s:crash:worker", seed)
		if lost, kept := metric(t, DegradeLadder, memory, "vanished"), metric(t, DegradeLadder, log, "vanished"); lost < 20 || kept != 0 {
			t.Errorf("seed %d: %d orders are gone with the worker's memory, %d with a log", seed, lost, kept)
		}
		eager += metric(t, DegradeLadder, run(t, DegradeLadder, "peak=2&low=89&up-for=0&down-for=0.25", seed), "changes")
		calm += metric(t, DegradeLadder, run(t, DegradeLadder, "peak=2", seed), "changes")
	}
	if eager < 3*calm {
		t.Errorf("over all seeds there are %d changes without hysteresis and %d with it, want far more", eager, calm)
	}
}

// The share that a hand puts on a level is a share of the users, and the same ones each time.
func TestAHandHoldsAShareOfTheUsers(t *testing.T) {
	trace := run(t, DegradeLadder, "lasts=0&rate=200&places=50&hand-for=60&do=0s:hold-1::20", 1)
	if got := metric(t, DegradeLadder, trace, "with-extras"); got < 780_000 || got > 820_000 {
		t.Errorf("a hand on 20 %% of the users leaves %d ppm with extras, want 80 %%", got)
	}
}

// A room that lets in slower than the shop could serve keeps everybody out, and that is told before they have waited: whoever comes is to wait
// for as long as all those before take.
func TestANarrowDoorIsToldAtOnce(t *testing.T) {
	trace := run(t, DegradeLadder, "peak=14&let-in=1", 1)
	if v := trace.Verdicts[checkRoom]; v.OK || v.At > 7*second || v.Facts[0] <= 60*second {
		t.Errorf("one a second is let in: %+v, want a violation within two seconds of the first who is sent there", v)
	}
	if got := metric(t, DegradeLadder, trace, "in-room"); got < 2500 {
		t.Errorf("%d are left in the room, want nearly all of the peak", got)
	}
}

// The highest level is one that somebody got, whatever the signals asked for.
func TestTheHighestLevelIsTheOneInForce(t *testing.T) {
	for _, c := range []struct {
		query          string
		highest, asked int64
	}{
		{"lasts=0&length=12&do=5s:hold-4", 4, 0}, {"lasts=0&length=20&do=5s:hold-2::10", 2, 0}, {"hand-for=3600&do=1s:hold-0", 0, 4}, {"use=extras", 1, 1}, {"use=hard&do=1s:hold-4", 0, 0},
	} {
		trace := run(t, DegradeLadder, c.query, 1)
		if highest, asked := metric(t, DegradeLadder, trace, "highest"), metric(t, DegradeLadder, trace, "asked"); highest != c.highest || asked != c.asked {
			t.Errorf("degrade-ladder?%s: the highest level is %d and %d is asked for, want %d and %d", c.query, highest, asked, c.highest, c.asked)
		}
	}
}
