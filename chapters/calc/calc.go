// Package calc computes with quantities: the arithmetic of sizing a system, as an engineer writes it on one page, one assignment a line.
//
//	peak    = 360 req/s              # the busiest second
//	payload = 20 KiB
//	out     = peak * payload         # => 7.03 MiB/s = 58.98 Mbit/s
//	price   = 0.02 $/(GB·month)
//
// # The language
//
// A line is NAME = EXPRESSION. A name is letters, digits and _, in any script; it is set once, and used only below. There are
// + - * / (and × ÷ −), ^ with a whole number, brackets, and min, max, ceil, floor, round and sqrt. What follows # is a remark, except
// that # => is a result which the author vouches for: the value, rounded to the decimals that are written, must be it. Several
// results, joined by =, are the same value in several units; the first is how the line is told.
//
// A number is digits with . for the point; , (in threes) and _ group them; k, M, billion, 万 and 亿 multiply. Its unit follows:
//
//	bytes    B, kB, MB, GB, TB, PB by 1000; KiB, MiB, GiB, TiB, PiB by 1024; bit, kbit, Mbit …
//	time     ns, us, ms, s, min, h, day, week, month, year. A year is 365 days and a month a twelfth of it: 730 hours
//	money    $, €, ¥, and unit for any other; they do not convert into one another
//	shares   %, ‰
//	things   req, read, write, user, row, conn, node … and their Chinese words; to compute, each is 1
//
// Units are joined by · and by a / with no space behind it: req/s, $/(GB·month). With a space behind it / divides. A line that is
// nothing but one number with its unit is an input, which [Sheet.Set] changes.
//
// # What it promises
//
//   - Numbers are exact fractions: sums, differences, products, quotients and whole powers have no error at all, and 1/3 * 3 is 1.
//     Only a root that is no fraction is cut, after 30 digits. Rounding, half away from zero, happens where a number is told.
//   - Quantities of different kinds are never added or compared: "cannot add req/s to MiB", with line and column.
//   - Every fault is an [Error]; nothing panics, whatever the text. What is too large to stay exact is an overflow, not a guess.
//   - Set computes the lines that depend on the input, and no other.
//   - What is told ([Text]) is the same in every language: digits, signs and the author's own units.
//
// # What it does not do
//
// It has no variables that change, no conditions and no loops; no dates and no exchange rates; no degrees or watts. Things that are
// counted have no dimension: 3 users and 4 rows add up to 7, because requests times seconds are connections in Little's law and only
// the author knows it. It reads no file and prints nothing.
package calc

// Bounds of a sheet. What is beyond is a fault, and is not computed.
const (
	MaxSource = 16 << 10 // bytes of all sources together
	MaxLines  = 200      // lines, with those that only hold remarks
	maxLine   = 500      // characters
	maxName   = 40       // characters
)

// Line is one line of a sheet: an assignment, or a remark that stands by itself.
type Line struct {
	No    int    // as Add counted it
	Name  string // empty in a remark, and in a line whose name cannot be had
	Note  string // the remark behind the assignment, or the remark
	Input bool   // it is one number with its unit, and so can be set
	Err   *Error // why it has no value; Code unknown where a line that it needs has none
	Value Value

	root   *node
	given  *node    // what the author wrote
	checks []*check // what the author says that it is
	needs  []int    // indexes of lines
	moved  bool     // it, or what it needs, is not as the author had it
}

// Sheet is lines that use one another. The zero value is an empty sheet. One goroutine may write it at a time; while nobody does, any
// number may read it.
type Sheet struct {
	lines []*Line
	size  int // bytes of source so far
}

// Parse reads a sheet. It always returns one, of what could be read; the errors are in the order of their places.
func Parse(source string) (*Sheet, []*Error) {
	s := &Sheet{}
	errs := s.Add(source, 1)
	return s, errs
}

// find is the index of the line with a name, −1 when there is none. Sheets are short: looking at each line costs less than a map.
func (s *Sheet) find(name string) int {
	for i, l := range s.lines {
		if l.Name == name && name != "" {
			return i
		}
	}
	return -1
}

// Lines are the lines in their order; they are not to be written.
func (s *Sheet) Lines() []*Line { return s.lines }

// Line is the line with a name.
func (s *Sheet) Line(name string) (*Line, bool) {
	i := s.find(name)
	if i < 0 {
		return nil, false
	}
	return s.lines[i], true
}
