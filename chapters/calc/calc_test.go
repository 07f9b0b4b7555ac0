package calc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sheet is a sheet that must have no fault.
func sheet(t *testing.T, source string) *Sheet {
	t.Helper()
	s, errs := Parse(source)
	for _, err := range errs {
		t.Errorf("%v", err)
	}
	return s
}

func show(t *testing.T, s *Sheet, name, unit string) string {
	t.Helper()
	text, err := s.Show(name, unit)
	if err != nil {
		t.Errorf("%s in %q: %v", name, unit, err)
	}
	return text.String()
}

// The figures of the notes on gateways and on sharding.
const (
	gateway = `
reads = 1.1 M req/day
writes = 0.1 M req/day
read_peak = 360 req/s
write_peak = 40 req/s
over_mean = read_peak / reads        # => 28.28×
write_over_mean = write_peak / writes # => 34.56×
out = read_peak * 20 KiB             # => 7.03 MiB/s = 58.98 Mbit/s
in_bytes = write_peak * 1 KiB        # => 0.039 MiB/s
peak = read_peak + write_peak        # => 400 req/s
long = 20 %
short_time = 0.2 s
long_time = 5 s
conns = peak * (1 - long) * short_time + peak * long * long_time # => 464
twice = peak * (1 - long) * short_time + peak * long * 2 * long_time # => 864
metadata = writes * 1000 B * 365 days * 3 # => 109.5 GB
logs = (reads + writes) * 200 B * 7 days  # => 1.68 GB
disk = metadata + logs                # => 111.18 GB
price = 0.02 unit/(GB·month)
cost = disk * price                   # => 2.22 unit/month
slots = conns + 2.6 * sqrt(conns)     # => 520
`
	sharding = `
reads = 8 M reads/day
writes = 0.4 M writes/day
read_peak = 1000 reads/s
write_peak = 50 writes/s
over_mean = read_peak / reads         # => 10.8×
write_over_mean = write_peak / writes # => 10.8×
out = read_peak * 1 KiB               # => 0.977 MiB/s = 8.19 Mbit/s
rows = writes * (800 B + 200 B) * 365 days * 2 # => 292 GB
logs = (reads + writes) * 200 B * 7 days # => 11.76 GB
disk = rows + logs                    # => 303.76 GB
cost = disk * $0.02/(GB·month)        # => $6.08/month
hot = 55 %
shards = 4
others = read_peak * (1 - hot) / shards # => 112.5 reads/s
hottest = read_peak * hot + others    # => 662.5 reads/s
skew = hottest / others               # => 5.89×
`
)

func TestFiguresOfTheNotes(t *testing.T) {
	for _, source := range []string{gateway, sharding} {
		s := sheet(t, source)
		checked := 0
		for i := range s.Lines() {
			l := s.Lines()[i]
			_, result, _ := strings.Cut(strings.Split(source, "\n")[l.No-1], "# => ")
			if result == "" {
				continue
			}
			checked++
			var got []string
			for _, text := range l.Shown() {
				got = append(got, text.String())
			}
			if got := strings.Join(got, " = "); got != result {
				t.Errorf("%s: got %s, want %s", l.Name, got, result)
			}
		}
		if checked < 10 {
			t.Errorf("%d results are checked, want all of the notes", checked)
		}
	}
}

// A check that can fail: each figure, told by one in its last digit more, is a fault that says what it is.
func TestWrongFiguresAreFaults(t *testing.T) {
	_, errs := Parse(strings.NewReplacer("28.28×", "28.29×", "58.98 Mbit/s", "58.99 Mbit/s", "111.18 GB", "111.2 GB", "520", "521").Replace(gateway))
	var got []string
	for _, err := range errs {
		got = append(got, err.Error())
	}
	want := []string{
		"line 6, column 43: 28.29× is written, but it is 28.28×",
		"line 8, column 56: 58.99 Mbit/s is written, but it is 58.98 Mbit/s",
		"line 21, column 44: 521 is written, but it is 520",
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got − want +\n%s", diff)
	}
	// 111.2 is 111.18 to one decimal, so it is no fault.
}

func TestNumbersDoNotDrift(t *testing.T) {
	s := sheet(t, `
sum = 0.1 + 0.2 - 0.3                 # => 0
third = 1 / 3
whole = third * 3                     # => 1
back = 1.1 M req/day * 86400 s        # => 1,100,000 req
thirtieth = (1 + 1e-30) - 1
big = 2 ^ 90                          # => 1,237,940,039,285,380,274,899,124,224
exact = sqrt(2.25 s^2)                # => 1.5 s
root = sqrt(2) ^ 2 - 2
`)
	if got, want := show(t, s, "thirtieth", ""), "1e-30"; got != want {
		t.Errorf("what is left of 1e-30: got %s, want %s", got, want)
	}
	if text, _ := s.Show("third", ""); text.String() != "0.333" || text.Exact {
		t.Errorf("1/3: got %v (exact %v), want 0.333, rounded", text, text.Exact)
	}
	if text, _ := s.Show("whole", ""); !text.Exact {
		t.Error("1/3 times 3 is told as rounded")
	}
	if got := show(t, s, "root", ""); !strings.HasSuffix(got, "e-30") {
		t.Errorf("√2² − 2: got %s, want what was cut after 30 digits", got)
	}
}

func TestUnits(t *testing.T) {
	s := sheet(t, `
kb = 1 kB - 1000 bytes    # => 0 B
kib = 1 KiB - 1024 B      # => 0 B
link = 1 Gbit             # => 125 MB
long = 1 year - 0 s       # => 365 days = 12 months = 8,760 h
bill = 1 month - 0 s      # => 730 h
grains = 1 min + 1 h + 1 week # => 169.02 h
pairs = 3 users * 4 rows  # => 12
share = 5 ‰ + 1 %         # => 1.5%
yuan = 3 元 + ¥4           # => ¥7
fee = $5/month * 1 year   # => $60
流量 = 110 万次/天 × 20 KiB  # => 0.249 MiB/s
总数 = 2 亿 + 3 万          # => 200,030,000
`)
	for _, c := range []struct{ name, unit, want string }{
		{"link", "", "1 Gbit"}, // an input stands as its author wrote it, whatever its check says
		{"link", "MB", "125 MB"},
		{"流量", "GB/day", "22.53 GB/day"},
		{"流量", "Mbit/s", "2.09 Mbit/s"},
		{"总数", "亿", "2 亿"},
		{"fee", "", "$60"},
		{"bill", "days", "30.42 days"},
	} {
		if got := show(t, s, c.name, c.unit); got != c.want {
			t.Errorf("%s in %q: got %s, want %s", c.name, c.unit, got, c.want)
		}
	}
}

// What nobody gave a unit is told in the one that reads best.
func TestUnitsThatReadBest(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"360 req/s * 20 KiB", "7.03 MiB/s"},
		{"360 req/s * 20 kB", "7.2 MB/s"},
		{"20 KiB * 1000000", "19.07 GiB"},
		{"20 KiB * 2", "40 KiB"},
		{"1 B / 8", "0.125 B"},
		{"1 B - 1 B", "0 B"},
		{"360 req/s * 2", "720 req/s"},
		{"2 * 360 req/s", "720 req/s"},
		{"360 req/s * 55 %", "198 req/s"},
		{"360 req/s / 4 nodes", "90 req/s"},
		{"360 req/s - 40 req/s", "320 req/s"},
		{"1 / (2 day)", "0.5/day"},
		{"1 / (30 min)", "2/h"},
		{"5 / 1 s", "5/s"},
		{"1 s / 1000", "1 ms"},
		{"1 s - 1 s", "0 s"},
		{"90 s + 0 s", "90 s"},
		{"100 s * 60", "100 min"},
		{"30 s * 86400", "30 day"},
		{"1 GB * 1 month", "2,628,000,000,000,000 B·s"},
		{"$5/month / 3", "$1.67/month"},
		{"$5/month / (2 GB)", "$2.5/(GB·month)"},
		{"$10 / (4 GB)", "$2.5/GB"},
		{"¥3 * 2", "¥6"},
		{"$3 - $5", "−$2"},
		{"-$3", "−$3"},
		{"1 GB / $2", "500,000,000 B/$"},
		{"55 % * 2", "1.1"},
		{"1 - 55 %", "45%"},
		{"50 % * 50 %", "25%"},
		{"50 % / 25 %", "2"},
		{"1000 users * 55 %", "550 users"},
		{"12 users / 4", "3 users"},
		{"12 users / 4 nodes", "3"},
		{"min(3 s, 200 ms)", "200 ms"},
		{"max(3 s, 200 ms, 1 min)", "1 min"},
		{"ceil(10 nodes / 3)", "4 nodes"},
		{"floor(-2.5)", "−3"},
		{"ceil(-2.5)", "−2"},
		{"round(2.5)", "3"},
		{"round(-2.5)", "−3"},
		{"round(0.4)", "0"},
		{"sqrt(16 s^2)", "4 s"},
		{"(2 s) ^ -2", "0.25/s^2"},
		{"-2 ^ 2", "−4"},
		{"2 - -2", "4"},
		{"2 ^ 0", "1"},
		{"7 / 3 / 2", "1.17"},
		{"1 / 3 M", "3.33e-7"},
		{"0.99999 * 1", "1"},
		{"0.0099999 * 1", "0.01"},
		{"1e20 + 1", "1e20"},
		{"1e-9 s * 1", "1 ns"},
		{"1e-12 s * 1", "0.001 ns"},
	} {
		s := sheet(t, "x = "+c.source)
		if got := show(t, s, "x", ""); got != c.want {
			t.Errorf("%s: got %s, want %s", c.source, got, c.want)
		}
	}
}

func TestShowKeepsTheAuthorsDecimals(t *testing.T) {
	s := sheet(t, "rate = 40 /s\nout = rate * 1 KiB # => 0.039 MiB/s = 40.0 KiB/s\nsum = out + 1 KiB/s")
	check := func(name, unit, want string, exact bool) {
		t.Helper()
		text, err := s.Show(name, unit)
		if err != nil || text.String() != want || text.Exact != exact {
			t.Errorf("%s in %q: got %s (exact %v, %v), want %s (%v)", name, unit, text, text.Exact, err, want, exact)
		}
	}
	check("out", "", "0.039 MiB/s", false)
	check("out", "KiB/s", "40.0 KiB/s", true)
	check("out", "kB/s", "40.96 kB/s", true)
	check("rate", "", "40/s", true)
	check("rate", "/min", "2,400/min", true)
	if _, err := s.Set("rate", "4"); err != nil {
		t.Fatal(err)
	}
	check("out", "", "0.00391 MiB/s", false) // three digits at least, since the author told another number
	check("sum", "", "5 KiB/s", true)        // its own unit is far from MiB/s now
	if _, err := s.Set("rate", "4 k"); err == nil {
		t.Error("4 k is taken for a rate; it has no /s")
	}
	if _, err := s.Set("rate", "40 k/s"); err != nil {
		t.Fatal(err)
	}
	check("rate", "", "40 k/s", true)
	check("out", "", "39.063 MiB/s", false)
}

// A remark may stand before a result, behind it, or both; neither hides the other.
func TestRemarks(t *testing.T) {
	for _, c := range []struct{ line, note string }{
		{"a = 5 * 2 # => 10", ""},
		{"a = 5 * 2 # twice five", "twice five"},
		{"a = 5 * 2 # => 10 # twice five", "twice five"},
		{"a = 5 * 2 # twice five # => 10", "twice five"},
		{"a = 5 * 2 # twice # => 10 # five", "twice five"},
		{"a = 5 * 2 ## see #3 #=> 10", "see #3"},
		{"a = 5 * 2 ＃ 两倍 ＃ ＝＞ １０", "两倍"},
		{"a = 5 * 2 # a => b", "a => b"},
		{"# a heading", "a heading"},
	} {
		s := sheet(t, c.line)
		l := s.Lines()[0]
		if l.Note != c.note {
			t.Errorf("%s: got the remark %q, want %q", c.line, l.Note, c.note)
		}
		if checked := strings.Contains(c.line, "10") || strings.Contains(c.line, "１０"); checked != (len(l.checks) == 1) {
			t.Errorf("%s: %d results are checked", c.line, len(l.checks))
		}
	}
}
