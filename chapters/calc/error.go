package calc

import "strconv"

// Error is a fault of a sheet: what is wrong, where, and what would be right. Text says it in English; whoever speaks another
// language translates by Code.
//
// The codes, by what they are about: reading (unexpected, unclosed, no-value, not-a-number, too-fine, too-long, too-many-lines,
// too-deep), names (unknown-name, later-name, twice, reserved, either, not-an-input), units (unknown-unit, wrong-unit, add, subtract,
// compare, not-a-count, odd-root, too-high), computing (zero-division, negative-root, bad-power, overflow, unknown-function,
// arguments), and results that are not what the author wrote (not-equal). The code unknown means that the line needs one that has a
// fault of its own; it is never in a list.
type Error struct {
	Code string
	Line int    // from 1, as counted by Parse or Add
	Col  int    // in characters, from 1; 0: the whole line
	Name string // of the line, where it has one
	Got  string
	Want string
}

// fault makes an *Error without its line. It is kept out of line: there are many faults, and each would be spelled out in the module.
//
//go:noinline
func fault(code string, col int, got, want string) *Error {
	return &Error{Code: code, Col: col, Got: clip(got), Want: want}
}

// Error says it with its place: "line 3, column 14: cannot add req/s to MiB".
func (e *Error) Error() string {
	s := ""
	if e.Line > 0 {
		s = "line " + strconv.Itoa(e.Line) + ", "
	}
	if e.Col > 0 {
		s += "column " + strconv.Itoa(e.Col) + ", "
	}
	if s == "" {
		return e.Text()
	}
	return s[:len(s)-2] + ": " + e.Text()
}

// Text says it without its place.
func (e *Error) Text() string {
	switch e.Code {
	case "unexpected":
		return e.Got + " is not expected here; " + e.Want
	case "unclosed":
		return "the bracket is not closed; it wants a )"
	case "no-value":
		return "a value is missing; " + e.Want
	case "not-a-number":
		return e.Got + " is not a number with a unit; write it as " + e.Want
	case "too-fine":
		return e.Got + " is too long a number; it may have " + e.Want
	case "too-long", "too-many-lines", "too-deep":
		return e.Got + " are more than the " + e.Want + " allowed"
	case "unknown-name", "unknown-unit", "unknown-function":
		return e.Got + " is not known; " + e.Want
	case "later-name":
		return e.Got + " is set only in line " + e.Want + "; a line uses what stands above it"
	case "twice":
		return e.Got + " is set already, in line " + e.Want + "; give it another name"
	case "reserved":
		return e.Got + " is " + e.Want + " and cannot be a name"
	case "either":
		return e.Got + " is a unit and a name here; write " + e.Want
	case "wrong-unit":
		return "cannot tell " + e.Got + " in " + e.Want
	case "add":
		return "cannot add " + e.Got + " to " + e.Want
	case "subtract":
		return "cannot subtract " + e.Got + " from " + e.Want
	case "compare":
		return "cannot compare " + e.Got + " with " + e.Want
	case "odd-root":
		return "the root of " + e.Got + " has no unit; it wants even powers"
	case "not-an-input":
		return e.Got + " is computed; only a line that is one number with its unit can be set"
	case "not-a-count":
		return e.Got + " is not a plain count; " + e.Want
	case "too-high":
		return "a unit's power is higher than " + e.Want
	case "zero-division":
		return "division by zero"
	case "negative-root":
		return "the root of " + e.Got + ", which is negative"
	case "bad-power":
		return e.Got + " is not a power here; " + e.Want
	case "overflow":
		return "the result needs more than " + e.Want + " to stay exact"
	case "arguments":
		return e.Got + " wants " + e.Want
	case "not-equal":
		return e.Got + " is written, but it is " + e.Want
	}
	return "a line above it has a fault"
}

// clip shortens what an author wrote to what fits a message.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
