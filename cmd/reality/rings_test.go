package main

import (
	"strings"
	"testing"
)

// answered is what nginx 1.22.1 and HAProxy 2.6.12 said: the owners of the first forty keys among eight servers.
var answered = []struct{ name, owners string }{
	{"nginx", "baggaghcegabceehbdbcbahcdgeagbhghaacgggf"},
	{"haproxy-1", "cedcecbcagbffhbgedgdggefceacfdbgedfcbcda"},
	{"haproxy-10", "baeghhbdcgghehaabgfggdbaccacdhbgcfcccgef"},
}

func wayOf(t *testing.T, name string) way {
	t.Helper()
	for _, w := range ways {
		if w.name == name {
			return w
		}
	}
	t.Fatalf("no way is called %s", name)
	return way{}
}

// TestOwnersAsAnswered: the arithmetic of both programs, in Go, gives what they said.
func TestOwnersAsAnswered(t *testing.T) {
	for _, a := range answered {
		owner := wayOf(t, a.name).why(allMembers())
		var got strings.Builder
		for _, k := range keys()[:40] {
			got.WriteString(peerName(owner(k)))
		}
		if got.String() != a.owners {
			t.Errorf("%s: got %s, want %s", a.name, got.String(), a.owners)
		}
	}
}

// TestWhatAChangeMoves: named servers lose only the keys of the one that goes; servers that are numbered by their line lose more.
func TestWhatAChangeMoves(t *testing.T) {
	for _, c := range []struct {
		name     string
		needless bool
	}{{"nginx", false}, {"haproxy-1", false}, {"haproxy-10", false}, {"haproxy-renumbered", true}} {
		w := wayOf(t, c.name)
		all, rest := w.why(allMembers()), w.why(withoutOne())
		var before, later []int
		for _, k := range keys() {
			before, later = append(before, all(k)), append(later, rest(k))
		}
		m := compare(before, later)
		if m.moved == 0 || m.needless > 0 != c.needless {
			t.Errorf("%s: %d keys move, %d needlessly; want needless moves: %v", c.name, m.moved, m.needless, c.needless)
		}
	}
}

func TestCompare(t *testing.T) {
	gone := ringGone
	got := compare([]int{0, 0, gone, gone, 1, 2}, []int{0, 1, 0, 1, 1, 2})
	if want := (spread{fullest: 2, moved: 3, needless: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestMembersInConfigurations: what the twin numbers is what the program is told.
func TestMembersInConfigurations(t *testing.T) {
	for _, c := range []struct {
		way, has, hasNot string
	}{
		{"nginx", "hash $arg_k consistent;\n    server 127.7.0.1:7070;\n    server 127.7.0.2:7070;\n    server 127.7.0.3:7070;\n    server 127.7.0.5:7070;", "127.7.0.4"},
		{"nginx-modulo", "hash $arg_k;\n", "consistent"},
		{"haproxy-10", "server c 127.7.0.3:7070 weight 10 id 3\n  server e 127.7.0.5:7070 weight 10 id 5", "127.7.0.4"},
		{"haproxy-renumbered", "server e 127.7.0.5:7070 weight 10\n", " id "},
	} {
		conf := wayOf(t, c.way).members(withoutOne())
		if !strings.Contains(conf, c.has) || strings.Contains(conf, c.hasNot) {
			t.Errorf("%s: want %q and not %q in\n%s", c.way, c.has, c.hasNot, conf)
		}
	}
}
