package picture

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTicksAreNiceAndWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Int64Range(0, 1e15).Draw(t, "from")
		to := from + rapid.Int64Range(1, 1e15).Draw(t, "length")
		most := rapid.IntRange(1, 12).Draw(t, "most")
		step, at := ticks(from, to, most)
		if niceUp(step) != step {
			t.Fatalf("a step of %d is none of 1, 2, 5 × 10^k", step)
		}
		if len(at) > most {
			t.Fatalf("%d ticks, more than %d", len(at), most)
		}
		for i, v := range at {
			if v < from || v > to || v%step != 0 || i > 0 && v != at[i-1]+step {
				t.Fatalf("tick %d in [%d, %d] by %d", v, from, to, step)
			}
		}
		// A dumb twin: of all nice steps, the least that gives no more ticks than asked for.
		for finer := int64(1); finer < step; finer = niceUp(finer + 1) {
			if n := to/finer - (from+finer-1)/finer + 1; n <= int64(most) {
				t.Fatalf("a step of %d gives %d ticks and would have done; %d was chosen", finer, n, step)
			}
		}
	})
}

func TestInstants(t *testing.T) {
	for _, c := range []struct {
		at, step int64
		want     string
	}{
		{998_000_000, 2_000_000, "0.998 s"},
		{1_000_000_000, 2_000_000, "1.000 s"},
		{0, 500_000_000, "0.0 s"},
		{2_000_000_000, 1_000_000_000, "2 s"},
	} {
		if got := clockFor(2_000_000_000).instant(c.at, c.step); got != c.want {
			t.Errorf("instant %d by %d is %q, want %q", c.at, c.step, got, c.want)
		}
	}
	for _, c := range []struct {
		at, horizon int64
		want        string
	}{
		{2_229_161_602, 20_000_000_000, "2.23 s"},
		{1_001_000_000, 2_000_000_000, "1.001 s"},
		{1_234_567, 1_000_000_000, "1 ms"},
		{0, 1_000_000_000, "0 ns"},
	} {
		if got := about(c.at, c.horizon); got != c.want {
			t.Errorf("about %d of %d is %q, want %q", c.at, c.horizon, got, c.want)
		}
	}
}

func TestEnlargementIsRoundedDownToOneDigit(t *testing.T) {
	whole := panel{span: span{0, 2_000_000_000}, w: 136}
	focus := panel{span: span{995_000_000, 1_005_000_000}, w: 300}
	if got := times(focus, whole); got != 400 {
		t.Errorf("300/10 ms against 136/2 s is ×%d, want ×400 of 441", got)
	}
	if got := times(whole, whole); got != 1 {
		t.Errorf("a panel is ×%d itself", got)
	}
}

// TestNoRequestIsLostInBins: whatever the panel, all counts of its rows are in its bins.
func TestNoRequestIsLostInBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 300).Draw(t, "values")
		grain := rapid.SampledFrom([]int64{1, 5, 1_000_000}).Draw(t, "grain")
		first := rapid.IntRange(0, len(values)-1).Draw(t, "first")
		last := rapid.IntRange(first+1, len(values)).Draw(t, "last")
		p := panel{span: span{int64(first) * grain, int64(last) * grain}, w: rapid.Float64Range(5, 500).Draw(t, "width")}
		rows := binRows(p, grain, 3)
		got := int64(0)
		for _, b := range bins(values, grain, p.span, rows) {
			got += b.n
		}
		if want := sum(values[first:last]); got != want {
			t.Fatalf("bins of %d rows hold %d, the rows %d", rows, got, want)
		}
		if w := p.w * float64(rows*grain) / float64(p.length()); w < 2.999 {
			t.Fatalf("a bin is %.2f wide", w)
		}
	})
}

// TestDownSamplingKeepsExtremes compares with a dumb twin: the least and largest value of any stretch of the panel survive.
func TestDownSamplingKeepsExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1000), 2, 400).Draw(t, "values")
		p := panel{span: span{0, int64(len(values))}, x: 10, w: rapid.Float64Range(20, 600).Draw(t, "width")}
		s := steps(values, 1, p, stepWidth)
		if got := len(s); float64(got) > p.w/stepWidth+2 {
			t.Fatalf("%d steps across %.0f units", got, p.w)
		}
		for i := range s {
			lo, hi := rowsOf(s, i, p, len(values))
			want := values[lo:hi]
			if s[i].low != slices.Min(want) || s[i].high != slices.Max(want) || s[i].first != want[0] || s[i].last != want[len(want)-1] {
				t.Fatalf("step %d of rows %d..%d is %+v, the rows are %v", i, lo, hi, s[i], want)
			}
		}
	})
}

// rowsOf finds the rows that a step stands for by its place: from where it begins to where the next one does.
func rowsOf(s []step, i int, p panel, rows int) (lo, hi int) {
	hi = rows
	for r := 0; r < rows; r++ {
		x := max(p.at(int64(r)), p.x)
		if x < s[i].x {
			lo = r + 1
		}
		if i+1 < len(s) && x >= s[i+1].x {
			hi = r
			break
		}
	}
	return lo, hi
}

// TestBurstOfTwoMillisecondsStaysVisible: one row of 2000 is drawn at its full height, as a level and as a count.
func TestBurstOfTwoMillisecondsStaysVisible(t *testing.T) {
	values := make([]int64, 2000)
	values[999], values[1000] = 200, 200
	p := panel{span: span{0, 2_000_000_000}, x: 0, w: 136}
	high := int64(0)
	for _, s := range steps(values, 1_000_000, p, stepWidth) {
		high = max(high, s.high)
	}
	if high != 200 {
		t.Errorf("the level's spike of 200 is drawn as %d", high)
	}
	line := string(levelLine(steps(values, 1_000_000, p, stepWidth), valueScale{y: 0, h: 40, top: 200}, p.right()).b)
	if want := "V0"; !slices.Contains(splitPath(line), want) {
		t.Errorf("the line %s does not reach the top", line)
	}
	for _, b := range bins(values, 1_000_000, p.span, binRows(p, 1_000_000, 3)) {
		if b.n > 0 && p.at(b.to)-p.at(b.from) < 3 {
			t.Errorf("the burst is %.1f units wide", p.at(b.to)-p.at(b.from))
		}
	}
}

// splitPath parts a path's data into its commands.
func splitPath(d string) []string {
	var out []string
	for i := range d {
		if d[i] >= 'A' && d[i] <= 'Z' || d[i] >= 'a' && d[i] <= 'z' {
			out = append(out, "")
		}
		out[len(out)-1] += string(d[i])
	}
	return out
}
