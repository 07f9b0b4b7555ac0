package bridge

import (
	"strings"
	"testing"
)

const sheet = "peak = 360 req/s\npayload = 20 KiB\nprice = $0.02/(GB·month)\nout = peak × payload # => 7.03 MiB/s = 58.98 Mbit/s\nhalf = 1 ÷ payload\nmore = half × 2\n"

func TestCalc(t *testing.T) {
	b := &Sheets{}
	for _, c := range []struct{ name, set, views, faults, values string }{
		{
			"as the author wrote it", "", "peak\nprice\nout\nout in Mbit/s\nout in GB/day",
			"",
			"=\t\t360\t req/s\n=\t$\t0.02\t/(GB·month)\n≈\t\t7.03\t MiB/s\n≈\t\t58.98\t Mbit/s\n≈\t\t637.01\t GB/day\n",
		},
		{
			"two inputs are set", "peak = 720\npayload =40 KiB", "peak\nout\n",
			"\n\n",
			"=\t\t720\t req/s\n≈\t\t28.13\t MiB/s\n",
		},
		{
			"some settings are refused, the others hold", "peak = many\npayload = 3 s\nprice = 0.03\nout = 5\nnobody = 1", "peak\npayload\nprice",
			"not-a-number\t360 req/s\nwrong-unit\tKiB\n\nnot-an-input\t\nunknown-name\tset above are more, half, out, price, payload, peak\n",
			"=\t\t360\t req/s\n=\t\t20\t KiB\n=\t$\t0.03\t/(GB·month)\n",
		},
		{
			"values that are not there", "payload = 0", "half\nmore\nnobody\nout in parsecs\nout",
			"\n",
			"!zero-division\n!unknown\n!unknown-name\n!unknown-unit\n=\t\t0\t MiB/s\n",
		},
	} {
		reply := read(t, b.Calc([]byte(sheet), []byte(c.set), []byte(c.views)))
		if got := reply.text["faults"]; got != c.faults {
			t.Errorf("%s: faults %q, want %q", c.name, got, c.faults)
		}
		if got := reply.text["values"]; got != c.values {
			t.Errorf("%s: values %q, want %q", c.name, got, c.values)
		}
	}
}

// Nothing is kept from call to call.
func TestCalcKeepsNothing(t *testing.T) {
	b := &Sheets{}
	first := string(b.Calc([]byte(sheet), nil, []byte("out")))
	b.Calc([]byte(sheet), []byte("peak = 1"), []byte("out"))
	if got := string(b.Calc([]byte(sheet), nil, []byte("out"))); got != first {
		t.Errorf("after another call: got %q, want %q", got, first)
	}
}

// A reader may type anything, and a page may be broken: each view has its line, whatever the text.
func FuzzCalc(f *testing.F) {
	f.Add(sheet, "peak = 720\npayload = x", "peak\nout in Mbit/s")
	f.Add("a = 1 / 0\nb = a", "a=\n=", "a\n\nb in ")
	f.Fuzz(func(t *testing.T, sheet, set, views string) {
		reply := read(t, new(Sheets).Calc([]byte(sheet), []byte(set), []byte(views)))
		if reply.text["error"] != "" {
			t.Fatalf("%q, %q, %q: %s", sheet, set, views, reply.text["error"])
		}
		for _, part := range []struct{ asked, got string }{{set, reply.text["faults"]}, {views, reply.text["values"]}} {
			want := 0
			if asked := strings.TrimSuffix(part.asked, "\n"); asked != "" {
				want = strings.Count(asked, "\n") + 1
			}
			if got := strings.Count(part.got, "\n"); got != want {
				t.Fatalf("%q has %d lines of reply, want %d: %q", part.asked, got, want, part.got)
			}
		}
	})
}
