package input_test

import (
	"bytes"
	"slices"
	"testing"

	"seedbed/labs/input"
)

// FuzzRead feeds any bytes in any format: no panic, the counts add up to the
// lines, and what comes out is fit to drive a run.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "\n", "\r\n", "\ufeff1\n2", "1\n2\n1.5\n", "# c\n-1\n1e400\n",
		"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5\n",
		"w:443 2001:db8::1 - - [10/Oct/2000:13:55:36 +0530] \"\\x16\\x03\" 400 5 \"-\" \"\\\"\"\n[\n]\n[]\"",
		`{"ts":971211336.25,"request":{"remote_ip":"192.0.2.1","uri":"/\ud83d\ude00"}}`, `{"a":[[[{"ts":1}]]],"ts":"\u00"}`,
		"time,client_ip\n\"2000-10-10T20:55:36Z\",\"a\"\"b\"\n", "a|1700000000123\nb|1700000000124", "\x1f\x8b", "\xff\xfe", "\x00\x00\x001\n",
	} {
		for format := range byte(5) {
			f.Add([]byte(s), format, byte(7))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, choice, chunk byte) {
		opts := input.Options{
			Format: input.Format(choice % 5), Key: input.KeyField(choice / 5 % 3), Spread: input.Spread(choice / 15 % 2),
		}
		r := input.NewReader(opts)
		var err error
		for rest := text; len(rest) > 0 && err == nil; {
			n := min(int(chunk)+1, len(rest))
			_, err = r.Write(rest[:n])
			rest = rest[n:]
		}
		a, report, closed := r.Close()
		if got := report.Requests() + report.Comments() + report.Rejected(); got != report.Lines {
			t.Fatalf("counts add up to %d, not to %d lines", got, report.Lines)
		}
		if err == nil && closed == nil || report.Lines > 0 {
			want := bytes.Count(text, []byte{'\n'})
			if len(text) > 0 && text[len(text)-1] != '\n' {
				want++
			}
			if report.Lines != want {
				t.Fatalf("%d lines, want %d", report.Lines, want)
			}
		}
		if len(a.At) != len(a.Key) || closed == nil && len(a.At) != report.Requests() || closed != nil && a.At != nil {
			t.Fatalf("%d instants, %d keys, %d requests, error %v", len(a.At), len(a.Key), report.Requests(), closed)
		}
		if !slices.IsSorted(a.At) || len(a.At) > 0 && a.At[0] != 0 || report.Span < 0 || report.Resolution < 0 {
			t.Fatalf("not fit to run: %v, span %d", a.At, report.Span)
		}
		for _, k := range a.Key {
			if k < -1 || int(k) >= len(a.Names) {
				t.Fatalf("key %d of %d", k, len(a.Names))
			}
		}
		if (report.Rejected() == 0) != (len(report.First) == 0) {
			t.Fatalf("%d rejected, %d shown", report.Rejected(), len(report.First))
		}
	})
}
