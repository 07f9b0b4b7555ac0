package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recorded is the debug log of nginx 1.22.1 at rate=50r/s burst=1: three requests at once, one a little later.
func recorded(t *testing.T) string {
	t.Helper()
	log, err := os.ReadFile("testdata/limit_req.log")
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

var wantVerdicts = []verdict{
	{at: 1781514, ok: true},
	{at: 1781518, ok: true, excess: 800, delay: 16},
	{at: 1781518, excess: 1800},
	{at: 1781539, ok: true, excess: 750, delay: 15},
}

func TestVerdictsOf(t *testing.T) {
	got, err := verdictsOf(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantVerdicts, got, cmp.AllowUnexported(verdict{})); diff != "" {
		t.Errorf("want − got +\n%s", diff)
	}
}

// TestVerdictsOfBadLogs: where the log does not tell the time, or tells two, there is no instant that could be trusted.
func TestVerdictsOfBadLogs(t *testing.T) {
	const head, tail = "2026/11/30 12:00:00 [debug] 7#7: ", "\n"
	log := func(lines ...string) string { return head + strings.Join(lines, tail+head) + tail }
	for _, c := range []struct{ name, log, want string }{
		{"no time at all", log("epoll timer: -1", "*1 limit_req[0]: 0 0.000"), "does not tell the time of a decision"},
		{"two alarms disagree", log("epoll timer: -1", "*1 event timer add: 3: 60000:61000", "*2 event timer add: 4: 60000:61001"), "line 3: the clock stands at 1000 and at 1001"},
		{"alarm and difference disagree", log("epoll timer: -1", "*1 event timer add: 3: 60000:61000", "epoll timer: 60000", "*1 event timer add: 3: 500:1504", "timer delta: 3"), "the clock stands at 1004; 3 ms after 1000 it should stand at 1003"},
		{"a round without its end", log("epoll timer: -1", "*1 event timer add: 3: 60000:61000", "epoll timer: 60000", "*1 limit_req[0]: 0 0.000"), "does not tell the time of a decision"},
	} {
		if got, err := verdictsOf(c.log); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v and %v, want an error that says %q", c.name, got, err, c.want)
		}
	}
}

// TestVerdictsAfterAGap: a round that tells nothing and decides nothing costs the clock until the next alarm, and no more.
func TestVerdictsAfterAGap(t *testing.T) {
	log := recorded(t)
	gap := "2026/11/30 16:06:41 [debug] 7#7: epoll timer: -1\n"
	got, err := verdictsOf(log + gap + gap + log)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(append([]verdict{}, wantVerdicts...), wantVerdicts...), got, cmp.AllowUnexported(verdict{})); diff != "" {
		t.Errorf("want − got +\n%s", diff)
	}
}

func TestClockLines(t *testing.T) {
	got := clockLines(recorded(t), 4)
	if len(got) != 4 || !strings.HasPrefix(got[0], "epoll timer: ") {
		t.Fatalf("got %q, want four lines from the round of the first decision on", got)
	}
	if !strings.Contains(strings.Join(got, "\n"), "limit_req[0]: ") {
		t.Errorf("no decision among %q", got)
	}
	if all := clockLines(recorded(t), 1000); len(all) <= 4 || len(all) == 1000 {
		t.Errorf("asked for more than there is: got %d lines", len(all))
	}
}
