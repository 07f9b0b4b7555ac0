package runs

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
)

// TestOneClientLeavesASlot: however many runs one session has asked for, another's begins at once.
func TestOneClientLeavesASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		r := newRunner(t, &clock{}, nil)
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() { r.Do(t.Context(), reader, id(toy(10, func() { <-gate }), i)) })
		}
		synctest.Wait()
		// No time passes here, and no run of the greedy client ends: only a slot that is free can serve.
		if _, err := r.Do(t.Context(), Client{Address: "198.51.100.7"}, id(toy(10, nil), 99)); err != nil {
			t.Errorf("another's run: %v, want a result while twenty of one client stand in line", err)
		}
		close(gate)
		wg.Wait()
		if len(r.turns.seats) != 0 || r.turns.free != r.config.Running || len(r.turns.waiting) != 0 {
			t.Errorf("all have gone: %d seats, %d free, %d waiting; want 0, %d, 0", len(r.turns.seats), r.turns.free, len(r.turns.waiting), r.config.Running)
		}
	})
}

// order is that in which those who ask have their turns when there is one slot, which the first has before the others come.
func order(who ...Client) (got []string) {
	t := newTurns(1, 64)
	asked := make([]*turn, len(who))
	for i, one := range who {
		asked[i] = t.enter(one)
	}
	served := map[*turn]bool{}
	for len(served) < len(who) {
		for i, one := range asked {
			if one.running && !served[one] {
				served[one] = true
				got = append(got, strconv.Itoa(i))
				t.end(one)
				break
			}
		}
	}
	return got
}

func TestTurns(t *testing.T) {
	greedy, other := Client{"g", "192.0.2.1"}, Client{"o", "198.51.100.7"}
	neighbour, third := Client{"n", "192.0.2.1"}, Client{"t", "203.0.113.5"}
	for _, c := range []struct {
		name string
		who  []Client
		want string
	}{
		{"one client's come as asked", []Client{greedy, greedy, greedy}, "[0 1 2]"},
		{"a newcomer is next", []Client{greedy, greedy, greedy, other}, "[0 3 1 2]"},
		{"two addresses alternate", []Client{greedy, greedy, greedy, other, other}, "[0 3 1 4 2]"},
		{"sessions of one address do not outnumber another's", []Client{greedy, neighbour, {"x", "192.0.2.1"}, {"y", "192.0.2.1"}, other, other}, "[0 4 1 5 2 3]"},
		{"sessions of one address alternate", []Client{greedy, greedy, greedy, neighbour}, "[0 3 1 2]"},
		{"without a session", []Client{{"", "192.0.2.1"}, {"", "192.0.2.1"}, third}, "[0 2 1]"},
		{"the house stands in line", []Client{greedy, greedy, {}}, "[0 2 1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(order(c.who...)); got != c.want {
				t.Errorf("served %s, want %s", got, c.want)
			}
		})
	}
}

// TestOneAddressLeavesPlaces: of 2 + 64 places one address has 50 at most, however many sessions it has collected.
func TestOneAddressLeavesPlaces(t *testing.T) {
	turns := newTurns(2, 64)
	for i := range 50 {
		who := Client{strconv.Itoa(i), "192.0.2.1"}
		if !turns.room(who) {
			t.Fatalf("no room for run %d of an address, want room for 50", i+1)
		}
		turns.enter(who)
	}
	if turns.room(Client{"new", "192.0.2.1"}) {
		t.Error("room for a 51st run of one address, want none")
	}
	if !turns.room(Client{"new", "198.51.100.7"}) {
		t.Error("no room for another address, want some")
	}
}
