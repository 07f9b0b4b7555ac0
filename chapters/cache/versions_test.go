package cache_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"seedbed/chapters/cache"
)

func TestVersionsByHand(t *testing.T) {
	v := must(cache.NewVersions(cache.VersionsConfig[string]{Keys: 2}))
	for _, c := range []struct {
		key     string
		version uint64
		want    bool
		floor   uint64
		len     int
	}{
		{"a", 5, true, 0, 1},
		{"a", 4, false, 0, 1}, // a fill that was read before the write
		{"a", 5, true, 0, 1},  // delivered twice
		{"b", 9, true, 0, 2},
		{"c", 7, true, 5, 2},  // a is forgotten, and whoever is unknown needs 5
		{"a", 4, false, 5, 2}, // still refused
		{"d", 4, false, 5, 2}, // refused though it may be right: a miss
		{"d", 6, true, 6, 2},  // older than all that could leave for it: forgotten at once, and it raises the floor
		{"d", 5, false, 6, 2},
		{"b", 9, true, 6, 2},
		{"e", 20, true, 7, 2}, // c was seen longest ago
		{"b", 8, false, 7, 2},
	} {
		if got := v.Admit(c.key, c.version); got != c.want || v.Floor() != c.floor || v.Len() != c.len {
			t.Errorf("%s at %d: %t, floor %d, %d keys; want %t, %d, %d", c.key, c.version, got, v.Floor(), v.Len(), c.want, c.floor, c.len)
		}
	}
	var none cache.Versions[string]
	if none.Admit("a", 1<<63) {
		t.Error("the zero value admits")
	}
}

// TestVersionsNeverGoBack: against a twin that forgets nothing, whatever is admitted is at least as new; and with room for all keys
// nothing right is refused.
func TestVersionsNeverGoBack(t *testing.T) {
	for _, room := range []int{1, 3, 10, 50} {
		r := rand.New(rand.NewPCG(1, uint64(room)))
		v := must(cache.NewVersions(cache.VersionsConfig[int]{Keys: room}))
		newest := make(map[int]uint64)
		admitted := 0
		for step := range 5000 {
			key := r.IntN(50)
			version := uint64(max(0, step-r.IntN(100)))
			right := version >= newest[key]
			got := v.Admit(key, version)
			if got && !right || !got && right && room == 50 {
				t.Fatalf("room for %d, step %d: key %d at %d after %d: admitted %t", room, step, key, version, newest[key], got)
			}
			if got {
				newest[key] = version
				admitted++
			}
			if step == 2500 {
				old := v
				v = v.Clone()
				old.Admit(key, 1<<60)
			}
			if v.Len() > room {
				t.Fatalf("%d keys remembered, want at most %d", v.Len(), room)
			}
		}
		if admitted < 500 {
			t.Errorf("room for %d: %d of 5000 admitted", room, admitted)
		}
	}
}

func TestChangesByHand(t *testing.T) {
	c := must(cache.NewChanges[string](cache.ChangesConfig{Retry: 10, Most: 3}))
	send := func(now int64, want uint64) {
		t.Helper()
		ch, ok := c.NextAt(now)
		if ok != (want > 0) || ch.Position != want || ok && ch.Key != fmt.Sprint("k", want) {
			t.Errorf("at %d: %+v, %t; want position %d", now, ch, ok, want)
		}
	}
	take := func(position uint64, want bool) {
		t.Helper()
		if got := c.Append(position, fmt.Sprint("k", position)); got != want {
			t.Errorf("position %d taken: %t, want %t", position, got, want)
		}
	}
	ack := func(position uint64, want bool, upTo uint64) {
		t.Helper()
		if got := c.Ack(position); got != want || c.Position() != upTo {
			t.Errorf("acknowledged %d: %t, all up to %d; want %t, %d", position, got, c.Position(), want, upTo)
		}
	}
	send(0, 0)
	take(4, true)
	take(4, false) // read from the log twice
	take(7, true)
	take(9, true)
	take(11, false)  // as many as may be
	ack(4, false, 0) // never sent
	send(0, 4)
	send(1, 7)
	ack(7, true, 0) // 4 is still open
	send(2, 9)
	send(9, 0)
	send(10, 4) // lost, so again
	send(11, 0) // 7 is done, 9 was sent at 2
	send(12, 9)
	ack(4, true, 7)
	ack(4, false, 7) // the second delivery's acknowledgement
	take(11, true)
	take(8, false)
	send(12, 11)
	ack(9, true, 9)
	ack(11, true, 11)
	take(11, false) // after a restart of the log's reader
	send(100, 0)
	if c.Len() != 0 {
		t.Errorf("%d changes left", c.Len())
	}
}

// TestChangesAreAllDelivered over a line that loses two in three, in one direction or the other; and none is invented.
func TestChangesAreAllDelivered(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	c := must(cache.NewChanges[int](cache.ChangesConfig{Retry: 5, Most: 20}))
	next, now := uint64(1), int64(0)
	var appended, delivered []int
	for len(appended) < 500 || c.Len() > 0 {
		now++
		if key := r.IntN(1000); len(appended) < 500 && c.Append(next, key) {
			appended = append(appended, key)
			next += 1 + uint64(r.IntN(3))
		}
		if c.Len() > 20 {
			t.Fatalf("%d changes wait, want at most 20", c.Len())
		}
		if ch, ok := c.NextAt(now); ok && r.IntN(3) == 0 {
			delivered = append(delivered, ch.Key)
			if r.IntN(2) == 0 {
				c.Ack(ch.Position)
			}
		}
		if now > 1_000_000 {
			t.Fatal("it does not come to an end")
		}
		if now%97 == 0 {
			old := c
			c = c.Clone()
			old.NextAt(now + 100)
			old.Ack(old.Position() + 1)
		}
	}
	slices.Sort(appended)
	slices.Sort(delivered)
	if a, d := slices.Compact(appended), slices.Compact(delivered); !slices.Equal(a, d) {
		t.Errorf("%d keys in the log, %d delivered", len(a), len(d))
	}
	if c.Position() < 500 {
		t.Errorf("all up to %d acknowledged, want the end of the log", c.Position())
	}
}
