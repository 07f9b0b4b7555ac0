package calc

import (
	"strings"
	"testing"
)

// faults are sheets with one fault each, by what they are about.
var faults = []struct{ source, code, want string }{
	{"a = 5 MiB + 3 req/s", "add", "line 1, column 11: cannot add req/s to MiB"},
	{"a = 5 MiB - 3 $", "subtract", "line 1, column 11: cannot subtract $ from MiB"},
	{"a = 3 + 5 s", "add", "line 1, column 7: cannot add s to a plain number"},
	{"a = 1 GB * 2 s + 1 GB/s", "add", "line 1, column 16: cannot add GB/s to B·s"},
	{"a = max(5 s, 3 B)", "compare", "line 1, column 5: cannot compare s with B"},
	{"a = ¥5 + $5", "add", "line 1, column 8: cannot add $ to ¥"},
	{"a = ceil(5.5 GB)", "not-a-count", "line 1, column 5: GB is not a plain count; divide it by a unit first, as in ceil(x / (1 GB))"},
	{"a = sqrt(2 B)", "odd-root", "line 1, column 5: the root of B has no unit; it wants even powers"},
	{"a = sqrt(-2 B^2)", "negative-root", "line 1, column 5: the root of −2 B^2, which is negative"},
	{"a = 1\nb = 5 / (a - 1)", "zero-division", "line 2, column 7: division by zero"},
	{"a = 0 ^ -1", "zero-division", "line 1, column 7: division by zero"},
	{"a = 2 ^ 256", "overflow", "line 1, column 7: the result needs more than 77 digits above or below the line to stay exact"},
	{"a = 1e30 * 1e30 * 1e30", "overflow", "line 1, column 17: the result needs more than 77 digits above or below the line to stay exact"},
	{"a = (1 GB) ^ 9", "too-high", "line 1, column 12: a unit's power is higher than 8"},
	{"a = 1 B^9", "too-high", "line 1, column 7: a unit's power is higher than 8"},
	{"a = 2 ^ 1.5", "bad-power", "line 1, column 9: 1.5 is not a power here; it is a whole number from −256 to 256"},
	{"a = 2 ^ 2 ^ 2", "unexpected", "line 1, column 11: ^ is not expected here; put one of the powers into brackets"},

	{"a = b + 1", "unknown-name", "line 1, column 5: b is not known; no name is set above"},
	{"a = 1\nc = b + 1", "unknown-name", "line 2, column 5: b is not known; set above are a"},
	{"a = 5 * day", "unknown-name", "line 1, column 9: day is not known; as a unit it stands right behind a number: (1 day)"},
	{"a = b\nb = a", "later-name", "line 1, column 5: b is set only in line 2; a line uses what stands above it"},
	{"a = a + 1", "later-name", "line 1, column 5: a is set only in line 1; a line uses what stands above it"},
	{"a = 1\na = 2", "twice", "line 2, column 1: a is set already, in line 1; give it another name"},
	{"day = 5", "reserved", "line 1, column 1: day is a unit and cannot be a name"},
	{"M = 5", "reserved", "line 1, column 1: M is a multiplier and cannot be a name"},
	{"min = 5", "reserved", "line 1, column 1: min is a unit and cannot be a name"},
	{"max = 5", "reserved", "line 1, column 1: max is a function and cannot be a name"},
	{"in = 5", "reserved", "line 1, column 1: in is a word of the language and cannot be a name"},
	{"users = 5\na = 100/users", "either", "line 2, column 9: users is a unit and a name here; write a space behind the / for the name"},

	{"a = 5 KB", "unknown-unit", "line 1, column 7: KB is not known; write kB for 1000 bytes or KiB for 1024"},
	{"a = 5 Mbps", "unknown-unit", "line 1, column 7: Mbps is not known; write Mbit/s"},
	{"peak = 5\na = 5 peak", "unknown-unit", "line 2, column 7: peak is not known; it is a name; put an operator before it"},
	{"a = 5 GB/M", "unknown-unit", "line 1, column 10: M is not known; a multiplier stands before the unit, not below its line"},
	{"a = $5/GB·month", "unexpected", "line 1, column 10: · is not expected here; put what stands below the line into a bracket, as in $/(GB·month)"},
	{"a = $5/(GB·month", "unexpected", "line 1, column 17: the end of the line is not expected here; a unit's bracket holds words joined by · and is closed by )"},
	{"a = 5 s·", "no-value", "line 1, column 9: a value is missing; a unit stands here"},

	{"peak", "unexpected", "line 1, column 1: peak is not expected here; a line is NAME = VALUE, as in peak = 360 req/s"},
	{"5 = a", "unexpected", "line 1, column 1: 5 is not expected here; a line is NAME = VALUE, as in peak = 360 req/s"},
	{"a =", "no-value", "line 1, column 4: a value is missing; a number with its unit, a name, a function or a bracket stands here"},
	{"a = 5 +", "no-value", "line 1, column 8: a value is missing; a number with its unit, a name, a function or a bracket stands here"},
	{"a = 5 + ?", "unexpected", "line 1, column 9: ? is not expected here; a number with its unit, a name, a function or a bracket stands here"},
	{"a = (5 + 3", "unclosed", "line 1, column 5: the bracket is not closed; it wants a )"},
	{"a = min(5, 3", "unclosed", "line 1, column 5: the bracket is not closed; it wants a )"},
	{"a = 5)", "unexpected", "line 1, column 6: ) is not expected here; no bracket is open"},
	{"a = 5, 3", "unexpected", "line 1, column 6: , is not expected here; group digits in threes, and part arguments of functions alone by commas"},
	{"a = 5 % 3", "unexpected", "line 1, column 9: 3 is not expected here; an operator + - * / ^ stands here"},
	{"a = (5 3)", "unexpected", "line 1, column 8: 3 is not expected here; an operator or ) stands here"},
	{"a = log(5)", "unknown-function", "line 1, column 5: log is not known; the functions are min, max, ceil, floor, round, sqrt"},
	{"a = 1\nb = a(5)", "unknown-function", "line 2, column 5: a is not known; it is a name; write * before the bracket"},
	{"a = sqrt(5, 3)", "arguments", "line 1, column 5: sqrt wants one value"},
	{"a = 1234567890123456789012345678901", "too-fine", "line 1, column 5: 1234567890123456789012345678901 is too long a number; it may have 30 digits, and e77 at most"},
	{"a = 1e99", "too-fine", "line 1, column 5: 1e99 is too long a number; it may have 30 digits, and e77 at most"},
	{"a = " + strings.Repeat("(", 40), "too-deep", "line 1, column 38: 33 brackets are more than the 32 allowed"},
	{"a = " + strings.Repeat("-", 40) + "5", "too-deep", "line 1, column 38: 33 brackets are more than the 32 allowed"},
	{"a = 5 # " + strings.Repeat("x", 500), "too-long", "line 1: 508 characters of a line are more than the 500 allowed"},
	{strings.Repeat("x", 41) + " = 5", "too-long", "line 1, column 1: 41 characters of a name are more than the 40 allowed"},

	{"a = 5 * 2 # => 11", "not-equal", "line 1, column 16: 11 is written, but it is 10"},
	{"a = -5 * 2 # => 10", "not-equal", "line 1, column 17: 10 is written, but it is −10"},
	{"a = 1 s / 8 # => 0.12 s", "not-equal", "line 1, column 18: 0.12 s is written, but it is 0.13 s"},
	{"a = $5/month * 2 # => $9/month", "not-equal", "line 1, column 23: $9/month is written, but it is $10/month"},
	{"a = 5 * 2 s # => 10 B", "wrong-unit", "line 1, column 18: cannot tell s in B"},
	{"a = 5 # => about 5", "not-a-number", "line 1, column 12: about is not a number with a unit; write it as 7.03 MiB/s"},
	{"a = 5 # => 5e0", "not-a-number", "line 1, column 12: 5e0 is not a number with a unit; write it as 7.03 MiB/s"},
	{"a = 5 # five # => 6", "not-equal", "line 1, column 19: 6 is written, but it is 5"},
	{"a = 5\n# => 6", "unexpected", "line 2, column 1: # => is not expected here; a result stands in the line that it is of"},
	{"a = 5 # => 5 # => 6", "unexpected", "line 1, column 14: a second # => is not expected here; one holds all results, joined by ="},
	{"a = 5 # =>", "not-a-number", "line 1, column 11: the end of the line is not a number with a unit; write it as 7.03 MiB/s"},
	{"a = 5 # => 5, or so", "unexpected", "line 1, column 13: , is not expected here; a result is a number with its unit; another follows =, a remark #"},
	{"峰值 = 5 秒\n和 = 峰值 + 3 次/秒", "add", "line 2, column 8: cannot add 次/秒 to 秒"},
}

// Every fault names what is wrong, where it stands, and what would be right.
func TestFaults(t *testing.T) {
	for _, c := range faults {
		_, errs := Parse(c.source)
		if len(errs) != 1 || errs[0].Code != c.code || errs[0].Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s: %s", c.source, errs, c.code, c.want)
		}
	}
}

// One fault is told once: lines that need its line are silent, and all others are computed.
func TestOneFaultIsToldOnce(t *testing.T) {
	s, errs := Parse("a = 5 / 0\nb = a + 1\nc = b * 2\nn = 7\ne = n +\nf = e + n\ng = n + 1")
	if len(errs) != 2 || errs[0].Line != 1 || errs[1].Line != 5 {
		t.Errorf("faults %v, want those of lines 1 and 5", errs)
	}
	for _, name := range []string{"b", "c", "f"} {
		if l, ok := s.Line(name); !ok || l.Err == nil || l.Err.Code != "unknown" || l.Shown() != nil {
			t.Errorf("%s is not unknown: %+v", name, l)
		}
	}
	if got := show(t, s, "g", ""); got != "8" {
		t.Errorf("g: got %s, want 8", got)
	}
}

func TestBoundsOfASheet(t *testing.T) {
	if _, errs := Parse(strings.Repeat("# no\n", MaxLines+1)); len(errs) != 1 || errs[0].Code != "too-many-lines" || errs[0].Line != MaxLines+1 {
		t.Errorf("a line too many: %v", errs)
	}
	if _, errs := Parse(strings.Repeat("\n", MaxSource+1)); len(errs) != 1 || errs[0].Code != "too-long" {
		t.Errorf("a byte too many: %v", errs)
	}
	// Both bounds hold for all that is added.
	s := &Sheet{}
	for range MaxLines {
		if errs := s.Add("# no", 1); errs != nil {
			t.Fatal(errs[0])
		}
	}
	if errs := s.Add("a = 1", 1); len(errs) != 1 || errs[0].Code != "too-many-lines" {
		t.Errorf("a line too many, added: %v", errs)
	}
}

// A unit that would drop a part of what it says must not exist.
func TestParseUnitTakesWholeUnits(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"MiB/s", "MiB/s"},
		{" M req / day", ""},
		{"M req/day", "M req/day"},
		{"万次/天", "万次/天"},
		{"万 次/天", "万次/天"},
		{"$/GB/month", "$/(GB·month)"},
		{"$/(GB·month)", "$/(GB·month)"},
		{"GB·month", "GB·month"},
		{"×", "×"},
		{"%", "%"},
		{"/s", "/s"},
		{"k", "k"},
		{"s^2/B^3", "s^2/B^3"},
		{"", ""},
		{"MiB/s or so", ""},
		{"MiB/", ""},
		{"5 MiB", ""},
	} {
		u, err := ParseUnit(c.text)
		if u.String() != c.want || (err != nil) != (c.want == "" && c.text != "") {
			t.Errorf("%q: got %q (%v), want %q", c.text, u, err, c.want)
		}
	}
}

// The bases are what all other units are counted in.
func TestBases(t *testing.T) {
	for i, name := range baseNames {
		u, err := ParseUnit(name)
		if err != nil || u.dim[i] != 1 || u.scale.cmp(one) != 0 {
			t.Errorf("%s is not the base %d: %v", name, i, err)
		}
	}
}

// Every fault has its sentence, and every sentence a fault that says it.
func TestSentences(t *testing.T) {
	said := map[string]bool{"not-an-input": true, "unknown": true} // these two are Set's and Show's: set_test.go
	for _, c := range faults {
		said[c.code] = true
	}
	for _, c := range []string{"too-many-lines"} { // TestBoundsOfASheet
		said[c] = true
	}
	for line := range strings.SplitSeq(strings.TrimSpace(sentences), "\n") {
		code, _, ok := strings.Cut(line, "\t")
		if !ok || !said[code] {
			t.Errorf("no test meets the sentence %q", line)
		}
		delete(said, code)
	}
	for code := range said {
		t.Errorf("no sentence for %s", code)
	}
}
