package lease_test

import (
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/lease"
)

// TestTrap67TheStoreRefusesTheOldHolder: every write carries its token; the store refuses lower ones, and the same number from somebody else.
func TestTrap67TheStoreRefusesTheOldHolder(t *testing.T) {
	var c lease.Cell[string]
	a, b := lease.Token{N: 33, Who: 1}, lease.Token{N: 34, Who: 2}
	for _, step := range []struct {
		say   string
		token lease.Token
		want  lease.Verdict
		value string
	}{
		{"a writes", a, lease.Admitted, "a"},
		{"b writes", b, lease.Admitted, "b"},
		{"a wakes up", a, lease.Stale, "b"},
		{"another service's 34", lease.Token{N: 34, Who: 9}, lease.Foreign, "b"},
		{"b again", b, lease.Admitted, "b"},
		{"no token", lease.Token{}, lease.Nobody, "b"},
	} {
		value := map[uint64]string{1: "a", 2: "b"}[step.token.Who]
		if got := c.Write(step.token, value); got != step.want || c.Peek() != step.value {
			t.Errorf("%s: %v and %q, want %v and %q", step.say, got, c.Peek(), step.want, step.value)
		}
		if _, got := c.Read(step.token); got != step.want {
			t.Errorf("%s and reads: %v, want %v", step.say, got, step.want)
		}
	}
}

// TestTheNewHolderFencesBeforeItReads: two holders add to a number, the first one late. Its write, acknowledged or refused, is never lost, in
// whatever order things happen, if the second raises the fence before it reads; and if it does not there is an order in which it is.
func TestTheNewHolderFencesBeforeItReads(t *testing.T) {
	old, now := lease.Token{N: 1, Who: 1}, lease.Token{N: 2, Who: 2}
	play := func(fences bool, lateAt int) (sum, acknowledged int) {
		var c lease.Cell[int]
		seen, _ := c.Read(old)
		mine := 0
		steps := []func(){
			func() {
				if fences {
					c.Raise(now)
				}
			},
			func() { mine, _ = c.Read(now) },
			func() {
				if c.Write(now, mine+10) == lease.Admitted {
					acknowledged += 10
				}
			},
		}
		for i := range len(steps) + 1 {
			if i == lateAt && c.Write(old, seen+1) == lease.Admitted {
				acknowledged++
			}
			if i < len(steps) {
				steps[i]()
			}
		}
		return c.Peek(), acknowledged
	}
	for _, fences := range []bool{true, false} {
		lost := 0
		for lateAt := range 4 {
			if sum, acknowledged := play(fences, lateAt); sum != acknowledged {
				lost++
			}
		}
		if want := map[bool]int{true: 0, false: 1}[fences]; lost != want {
			t.Errorf("fences before it reads %v: a write that was acknowledged is lost in %d of 4 orders, want %d", fences, lost, want)
		}
	}
}

// TestTrap71LeaderLease: it counts from the send, needs a majority, lasts less than an election, and ends with a handover's first word.
func TestTrap71LeaderLease(t *testing.T) {
	l := must(lease.NewLeader(lease.LeaderConfig{Nodes: 5, Election: second, Drift: 0}))
	leads := func(step string, now, until int64) {
		t.Helper()
		got, ok := l.LeadsAt(now)
		if ok != (until > 0) || got != until {
			t.Errorf("%s: leads %v until %d, want until %d", step, ok, got, until)
		}
	}
	leads("t0 nobody answered", 0, 0)
	l.Answered(1, 0)
	leads("t1 two of five", 10*ms, 0)
	l.Answered(2, 100*ms)
	leads("t2 three of five, the older answer counts", 300*ms, second)
	l.Answered(1, 200*ms) // sent at 200, answered at 700
	leads("t3 from the send, not from the answer", 700*ms, 1100*ms)
	l.Answered(1, 150*ms) // an answer that was overtaken
	leads("t4 the last instant", 1100*ms-1, 1100*ms)
	leads("t5 over", 1100*ms, 0)
	l.Answered(3, 1200*ms)
	l.Answered(4, 1300*ms)
	leads("t6 others answered", 1400*ms, 2200*ms)
	l.Handover(true)
	leads("t7 none while it hands over", 1400*ms, 0)
	l.Answered(3, 1500*ms)
	l.Answered(4, 1500*ms)
	leads("t8 none whatever they answer", 1500*ms, 0)
	l.Handover(false)
	leads("t9 promises of before are void", 1500*ms, 0)
	l.Answered(0, 1600*ms)
	l.Answered(5, 1600*ms)
	leads("no such nodes", 1600*ms, 0)
	alone := must(lease.NewLeader(lease.LeaderConfig{Nodes: 1, Election: 1}))
	if _, ok := alone.LeadsAt(1 << 62); !ok {
		t.Error("a group of one does not lead")
	}
	if _, ok := (&lease.Leader{}).LeadsAt(0); ok {
		t.Error("the zero leader leads")
	}
}

// TestTrap71NoTwoLead: followers whose clocks are off by up to the drift vote for another as soon as they may. While the old leader
// believes to lead, no majority has been free to elect another.
func TestTrap71NoTwoLead(t *testing.T) {
	const drift, election = 100_000, 100 * ms
	checked := 0
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 5).Draw(t, "nodes")
		leader := clock{rapid.Int64Range(-second, second).Draw(t, "offset"), rapid.Int64Range(-drift, drift).Draw(t, "rate")}
		l := must(lease.NewLeader(lease.LeaderConfig{Nodes: nodes, Election: election, Drift: drift}))
		followers, heard := make([]clock, nodes), make([]int64, nodes) // heard: true instant of the newest heartbeat, −1: none
		for i := range followers {
			followers[i], heard[i] = clock{0, rapid.Int64Range(-drift, drift).Draw(t, "rate")}, -1
		}
		now := int64(0)
		for range rapid.IntRange(1, 30).Draw(t, "heartbeats") {
			now += rapid.Int64Range(0, 60*ms).Draw(t, "pause")
			if nodes > 1 {
				i, sent := rapid.IntRange(1, nodes-1).Draw(t, "node"), now
				now += rapid.Int64Range(0, 20*ms).Draw(t, "there")
				heard[i] = now
				now += rapid.Int64Range(0, 20*ms).Draw(t, "back")
				l.Answered(i, leader.at(sent))
			}
			if _, ok := l.LeadsAt(leader.at(now)); !ok {
				continue
			}
			checked++
			free := 0 // who would vote for another
			for i := 1; i < nodes; i++ {
				if heard[i] < 0 || followers[i].at(now)-followers[i].at(heard[i]) >= election {
					free++
				}
			}
			if free > nodes/2 {
				t.Fatalf("at %d the leader of %d believes, and %d others are free to elect another", now, nodes, free)
			}
		}
	})
	if checked < 100 {
		t.Errorf("looked at %d instants only", checked)
	}
}
