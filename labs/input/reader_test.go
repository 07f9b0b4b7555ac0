package input_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs/input"
)

func accessLine(second int, client string) string {
	return client + " - - [10/Oct/2000:13:" + two(second/60) + ":" + two(second%60) + " -0700] \"GET / HTTP/1.1\" 200 5\n"
}

func two(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }

func TestOrderIsRestoredAndDisorderTold(t *testing.T) {
	log := accessLine(10, "192.0.2.1") + accessLine(12, "192.0.2.2") + accessLine(11, "192.0.2.3") +
		accessLine(12, "192.0.2.1") + accessLine(5, "192.0.2.4") + accessLine(100, "192.0.2.2")
	a, report := table(t, input.Options{}, log)
	wantAt := []int64{0, 5e9, 6e9, 7e9, 7e9, 95e9}
	if !equal(a.At, wantAt) {
		t.Errorf("at %v, want %v", a.At, wantAt)
	}
	// At second 12 the file has .2 before .1, and so it stays; numbers go by time.
	wantNames := []string{"192.0.2.4", "192.0.2.1", "192.0.2.3", "192.0.2.2"}
	if !equal(a.Names, wantNames) || !equal(a.Key, []int32{0, 1, 2, 3, 1, 3}) {
		t.Errorf("keys %v of %q, want 0 1 2 3 1 3 of %q", a.Key, a.Names, wantNames)
	}
	if report.OutOfOrder != 2 || report.MaxDisorder != 7e9 {
		t.Errorf("%d out of order, by %d at most; want 2 by 7 s", report.OutOfOrder, report.MaxDisorder)
	}
	if report.Span != 95e9 || report.LargestGap != 88e9 || report.Resolution != 1e9 {
		t.Errorf("span %d, gap %d, resolution %d", report.Span, report.LargestGap, report.Resolution)
	}
	if report.Shared != 2 || report.MostShared != 2 || report.Keys != 4 || report.Unkeyed != 0 {
		t.Errorf("shared %d, most %d, keys %d, unkeyed %d", report.Shared, report.MostShared, report.Keys, report.Unkeyed)
	}
}

func TestSpreadEvenly(t *testing.T) {
	log := accessLine(10, "a") + accessLine(10, "b") + accessLine(11, "c") + accessLine(12, "d") + accessLine(12, "e") + accessLine(12, "f") + accessLine(12, "g")
	together, report := table(t, input.Options{}, log)
	if !equal(together.At, []int64{0, 0, 1e9, 2e9, 2e9, 2e9, 2e9}) {
		t.Errorf("as the log says: %v", together.At)
	}
	if report.Shared != 6 || report.MostShared != 4 {
		t.Errorf("shared %d, most %d; want 6 and 4", report.Shared, report.MostShared)
	}
	spread, report := table(t, input.Options{Spread: input.SpreadEvenly}, log)
	if !equal(spread.At, []int64{0, 5e8, 1e9, 2e9, 2.25e9, 2.5e9, 2.75e9}) {
		t.Errorf("spread: %v", spread.At)
	}
	if report.MostShared != 4 || report.Span != 2e9 {
		t.Errorf("the report is about the log: most %d, span %d", report.MostShared, report.Span)
	}
	if together.Digest() == spread.Digest() {
		t.Error("other instants, same digest")
	}
}

func TestResolution(t *testing.T) {
	for text, want := range map[string]int64{
		"2000-10-10 20:55\n2000-10-10 20:57\n":        60e9,
		"0\n60\n61\n":                                 1e9,
		"1.5\n2\n":                                    1e8,
		"971211336.007\n971211337.010\n":              1e6,
		"971211336.007001\n":                          1e3,
		"971211336.0070010\n971211336.123456789012\n": 1,
	} {
		if _, report := table(t, input.Options{}, text); report.Resolution != want {
			t.Errorf("%q: resolution %d, want %d", text, report.Resolution, want)
		}
	}
}

func TestBrokenLinesNameLineAndReason(t *testing.T) {
	log := accessLine(1, "192.0.2.1") + "hello\x1b[31m\n" + accessLine(2, "192.0.2.1") + strings.Repeat("x", 70_000) + "\n\n" + `192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "-" 408 -`
	_, report := table(t, input.Options{}, log)
	want := []input.Reject{
		{Line: 2, Why: input.NoTime, Text: `"hello\x1b[31m"`},
		{Line: 4, Why: input.TooLong, Text: `"` + strings.Repeat("x", 80) + `"…`},
		{Line: 6, Why: input.NoRequest, Text: `"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"-\" 408 -"`},
	}
	if !slices.Equal(report.First, want) {
		t.Errorf("rejected %+v\nwant %+v", report.First, want)
	}
	if report.Lines != 6 || report.Requests() != 2 || report.Comments() != 1 || report.Rejected() != 3 {
		t.Errorf("%d lines: %d requests, %d comments, %d rejected", report.Lines, report.Requests(), report.Comments(), report.Rejected())
	}
}

func TestLogsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "log: no line but comments; a log has one request a line"},
		{"comments", "# a\n\n", "log: no line but comments; a log has one request a line"},
		{"prose", "# a\nonce upon a time\n", `log: line 2: no time in it ("once upon a time"), and no other line is a request; name the format if it was taken for another`},
		{"gzip", "\x1f\x8b\x08\x00abc", "log: line 1: these bytes are gzip; unpack them first"},
		{"UTF-16", "\xff\xfe1\x00\n\x00", "log: line 1: this text is UTF-16; save it as UTF-8"},
	} {
		r := input.NewReader(input.Options{})
		_, werr := r.Write([]byte(c.text))
		a, report, err := r.Close()
		var known *input.Error
		if !errors.As(err, &known) || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if werr != nil && werr != err {
			t.Errorf("%s: Write said %v, Close %v", c.name, werr, err)
		}
		if a.At != nil || report.Requests() != 0 {
			t.Errorf("%s: half a result, %+v", c.name, a)
		}
	}
}

func TestClosedReaderRefuses(t *testing.T) {
	r := input.NewReader(input.Options{})
	r.Write([]byte("1\n2\n"))
	if _, _, err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write([]byte("3\n")); err == nil {
		t.Error("Write after Close is silent")
	}
	if _, _, err := r.Close(); err == nil {
		t.Error("Close after Close is silent")
	}
}

func TestBounds(t *testing.T) {
	r := input.NewReader(input.Options{Format: input.Instants})
	chunk := bytes.Repeat([]byte("1700000000\n"), 10_000)
	for range input.MaxRequests / 10_000 {
		if _, err := r.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	_, err := r.Write([]byte("\n# still fine\n1700000000\n"))
	const want = "log: line 2000003: more than 2000000 requests; cut the log to a shorter span"
	if err == nil || err.Error() != want {
		t.Errorf("one request too many: %v\nwant %s", err, want)
	}
	if _, again := r.Write(nil); again != err {
		t.Errorf("the error is not final: %v", again)
	}

	// Keys: those beyond the table are unkeyed, those in it still known.
	r = input.NewReader(input.Options{Format: input.CSV})
	r.Write([]byte("time,user\n"))
	for i := range input.MaxKeys + 5 {
		r.Write([]byte("1,u" + strconv.Itoa(i) + "\n"))
	}
	r.Write([]byte("1,u7\n1," + strings.Repeat("long", 100) + "\n"))
	a, report, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	if report.Keys != input.MaxKeys || report.Unkeyed != 6 || a.Key[input.MaxKeys+5] != 7 {
		t.Errorf("%d keys, %d unkeyed, last known key %d", report.Keys, report.Unkeyed, a.Key[input.MaxKeys+5])
	}
	a, _ = table(t, input.Options{}, "time,user\n1,"+strings.Repeat("x", 300)+"\n2,"+strings.Repeat("x", 301)+"\n")
	if len(a.Names) != 1 || len(a.Names[0]) != input.MaxName {
		t.Errorf("%d names, the first of %d bytes; want 1 of %d", len(a.Names), len(a.Names[0]), input.MaxName)
	}
}

func TestLinesAtTheBoundOfTheirLength(t *testing.T) {
	for _, c := range []struct {
		bytes int
		end   string
		want  input.Verdict
	}{
		{input.MaxLine, "\n", input.Request},
		{input.MaxLine, "\r\n", input.Request},
		{input.MaxLine, "", input.Request},
		{input.MaxLine + 1, "\n", input.TooLong},
		{input.MaxLine + 1, "\r\n", input.TooLong},
		{input.MaxLine + 1, "", input.TooLong},
	} {
		text := "1," + strings.Repeat("x", c.bytes-2) + c.end
		for _, chunk := range []int{len(text), 1000, 1} {
			r := input.NewReader(input.Options{Format: input.CSV})
			writeIn(t, r, text, chunk)
			if _, report, _ := r.Close(); report.Counts[c.want] != 1 || report.Lines != 1 {
				t.Errorf("%d bytes and %q in chunks of %d: %v, want one %v", c.bytes, c.end, chunk, report.Counts, c.want)
			}
		}
	}
}

func writeIn(t interface{ Fatal(...any) }, r *input.Reader, text string, chunk int) {
	for len(text) > 0 {
		n := min(chunk, len(text))
		if _, err := r.Write([]byte(text[:n])); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
}

// drawLog makes a log of instants that are all different, so that its order is
// known, with faults and comments between.
func drawLog(t *rapid.T) (lines []string) {
	for _, at := range rapid.SliceOfNDistinct(rapid.IntRange(0, 3000), 1, 60, rapid.ID).Draw(t, "seconds") {
		lines = append(lines, accessLine(at, "192.0.2."+strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "client"))))
	}
	for range rapid.IntRange(0, 8).Draw(t, "others") {
		lines = append(lines, rapid.SampledFrom([]string{"\n", "# comment\n", "broken\n", "192.0.2.1 - - [10/Oct/2000:13:55\n"}).Draw(t, "other"))
	}
	return lines
}

func TestPermutedLinesGiveTheSameArrivals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLog(t)
		read := func(lines []string) (input.Arrivals, input.Report) {
			r := input.NewReader(input.Options{})
			writeIn(t, r, strings.Join(lines, ""), 1<<20)
			a, report, err := r.Close()
			if err != nil {
				t.Fatal(err)
			}
			return a, report
		}
		a, ra := read(lines)
		b, rb := read(rapid.Permutation(lines).Draw(t, "permuted"))
		if !equal(a.At, b.At) || !equal(a.Key, b.Key) || !equal(a.Names, b.Names) || a.Digest() != b.Digest() {
			t.Fatalf("%+v\nand permuted %+v", a, b)
		}
		if ra.Counts != rb.Counts || ra.Span != rb.Span || ra.Resolution != rb.Resolution {
			t.Fatalf("%+v\nand permuted %+v", ra, rb)
		}
		if !slices.IsSorted(a.At) || a.At[0] != 0 {
			t.Fatalf("not ascending from 0: %v", a.At)
		}
	})
}

func TestChunksDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(drawLog(t), "")
		whole, pieces := input.NewReader(input.Options{}), input.NewReader(input.Options{})
		writeIn(t, whole, text, len(text))
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
			writeIn(t, pieces, rest[:n], n)
			rest = rest[n:]
		}
		a, ra, _ := whole.Close()
		b, rb, _ := pieces.Close()
		if a.Digest() != b.Digest() || ra.Counts != rb.Counts || !slices.Equal(ra.First, rb.First) {
			t.Fatalf("whole %+v\nin pieces %+v", ra, rb)
		}
	})
}

func TestDigest(t *testing.T) {
	a, _ := table(t, input.Options{}, "time,user\n1,x\n2,y\n3,x\n")
	const want = "05afd169a9a0a307494c64e3dc8700bf" // committed: links carry it
	if got := a.Digest(); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	other, _ := table(t, input.Options{}, "time,user\n1001,p\n1002,q\n1003,p\n")
	if got := other.Digest(); got != want {
		t.Errorf("later by 1000 s and under other names: %s, want the same", got)
	}
	moved, _ := table(t, input.Options{}, "time,user\n1,x\n2,y\n4,x\n")
	rekeyed, _ := table(t, input.Options{}, "time,user\n1,x\n2,y\n3,y\n")
	if moved.Digest() == want || rekeyed.Digest() == want {
		t.Error("another instant or key, same digest")
	}
}

func TestEveryVerdictHasItsTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range input.Verdicts() {
		if v.Code() == "" || v.String() == "" || seen[v.Code()] {
			t.Errorf("verdict %d: code %q, text %q", v, v.Code(), v)
		}
		seen[v.Code()] = true
	}
}
