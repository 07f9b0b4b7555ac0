package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seedbed/chapters/cache"
)

// TestReadReply: each kind of answer of Redis's, as it comes over the wire.
func TestReadReply(t *testing.T) {
	const wire = "+OK\r\n:17\r\n$2\r\nab\r\n$-1\r\n*2\r\n$10\r\n1796068765\r\n$6\r\n818094\r\n-ERR unknown command 'MOON'\r\n*-1\r\n"
	in := bufio.NewReader(strings.NewReader(wire))
	var got []redisReply
	for range 5 {
		r, err := readReply(in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	want := []redisReply{{text: "OK"}, {n: 17}, {text: "ab"}, {none: true}, {list: []redisReply{{text: "1796068765"}, {text: "818094"}}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(redisReply{})); diff != "" {
		t.Errorf("want − got +\n%s", diff)
	}
	if us, err := got[4].clock(); err != nil || us != 1_796_068_765_818_094 {
		t.Errorf("TIME: %d, %v", us, err)
	}
	if _, err := readReply(in); err == nil || err.Error() != "redis: ERR unknown command 'MOON'" {
		t.Errorf("an error: %v", err)
	}
	if r, err := readReply(in); err != nil || !r.none {
		t.Errorf("no list: %+v, %v", r, err)
	}
	for _, broken := range []string{"\r\n", "?3\r\n", ":x\r\n", "$5\r\nab", "*1\r\n"} {
		if r, err := readReply(bufio.NewReader(strings.NewReader(broken))); err == nil {
			t.Errorf("%q: %+v, want an error", broken, r)
		}
	}
}

// recordedFreqs is what a Redis 7.0.15 said: INFO, and OBJECT FREQ after each of 300 reads.
func recordedFreqs(t *testing.T) (info redisReply, counts []int64) {
	t.Helper()
	src, err := os.ReadFile("testdata/redis-freq.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(src)), "\n")
	for _, c := range strings.Fields(lines[len(lines)-1]) {
		n, err := strconv.ParseInt(c, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	return redisReply{text: strings.Join(lines[:len(lines)-1], "\r\n") + "\r\n"}, counts
}

// TestDiceOfRecordedRedis: the first 250 counters give the seed away, and with it ours says the others.
func TestDiceOfRecordedRedis(t *testing.T) {
	info, counts := recordedFreqs(t)
	field := func(name string) int64 {
		n, err := info.info(name)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	start := field("server_time_usec")/1_000_000 - field("uptime_in_seconds")
	seed, explain := findSeed(start, field("process_id"), 10, counts[:250])
	if explain != 1 {
		t.Fatalf("%d seeds explain the counters, want 1", explain)
	}
	twin := lfuTwin{cache.Logarithm{Factor: 10}, map[string]cache.LogCounter{}, newLibcDice(seed)}
	twin.useAt(0, "k")
	var got []int64
	for range counts {
		twin.useAt(0, "k")
		got = append(got, twin.freqAt(0, "k"))
	}
	if diff := cmp.Diff(counts, got); diff != "" {
		t.Errorf("Redis − ours +\n%s", diff)
	}
	p := newPaper()
	other := lfuTwin{cache.Logarithm{Factor: 10}, map[string]cache.LogCounter{}, newLibcDice(seed + 1)}
	other.judgeGrowth(p, "k", 10, append(counts, make([]int64, growth[len(growth)-1])...))
	if p.claims[0].holds {
		t.Error("another seed is said to give the same counters")
	}
	if _, err := info.info("moon"); err == nil {
		t.Error("INFO tells moon")
	}
}

// TestHottestOnRecordedScan: redis-cli's rule gives its list, in its order.
func TestHottestOnRecordedScan(t *testing.T) {
	out, err := os.ReadFile("testdata/hotkeys.txt")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("testdata/hotkeys-scan.txt")
	if err != nil {
		t.Fatal(err)
	}
	var scanned []hot
	for _, l := range strings.Split(strings.TrimSpace(string(src)), "\n") {
		var h hot
		if _, err := fmt.Sscan(l, &h.key, &h.count); err != nil {
			t.Fatal(err)
		}
		scanned = append(scanned, h)
	}
	named := hotKeysIn(string(out))
	if !slices.Equal(hottest(scanned), named) || len(named) != 13 {
		t.Errorf("the rule gives %v, redis-cli %v", hottest(scanned), named)
	}
	if s := summaryIn(string(out)); !strings.HasPrefix(s, "Sampled 13 keys") {
		t.Errorf("summary: %q", s)
	}
}

// TestHottestIsFull: of equal ones the first stays, and a key at 0 is none.
func TestHottestIsFull(t *testing.T) {
	scanned := []hot{{"none", 0}}
	for k := range hotNamed {
		scanned = append(scanned, hot{hotKey(k), 9})
	}
	scanned = append(scanned, hot{"as high", 9}, hot{"higher", 10}, hot{"lower", 8})
	got := hottest(scanned)
	if len(got) != hotNamed || got[0].key != "higher" || got[1].key != "key-0" || got[hotNamed-1].key != hotKey(hotNamed-2) {
		t.Errorf("got %v", got)
	}
}

// TestJudgeRead: nothing is compared when ours would say one thing at the first look at the clock and another at the second.
func TestJudgeRead(t *testing.T) {
	c, err := cache.New[string, int](cache.Config[string]{Capacity: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.SetAt(0, "k", 1, 10*milli)
	for _, r := range []struct {
		before, after int64
		hit           bool
		same, of      int
	}{
		{8, 9, true, 1, 1},
		{8, 9, false, 0, 1},
		{9, 10, true, 0, 0},
		{10, 10, true, 0, 1}, // Redis's last millisecond
		{10, 11, false, 1, 1},
	} {
		var got tally
		undecided := judgeRead(&got, &c, r.before, r.after, "k", r.hit)
		if got.same != r.same || got.of != r.of || undecided != 1-r.of {
			t.Errorf("between %d and %d ms, found %v: %d of %d, %d undecided", r.before, r.after, r.hit, got.same, got.of, undecided)
		}
	}
}

func TestThinned(t *testing.T) {
	lines := strings.Split("a b c d e f g", " ")
	if got := strings.Join(thinned(lines, 4), ""); got != "aceg" {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(thinned(lines, 9), ""); got != "abcdefg" {
		t.Errorf("got %s", got)
	}
}
