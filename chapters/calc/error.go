package calc

import (
	"strconv"
	"strings"
)

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

// sentences are what is said of each code.
const sentences = `
unexpected	{got} is not expected here; {want}
unclosed	the bracket is not closed; it wants a )
no-value	a value is missing; {want}
not-a-number	{got} is not a number with a unit; write it as {want}
too-fine	{got} is too long a number; it may have {want}
too-long	{got} are more than the {want} allowed
too-many-lines	{got} are more than the {want} allowed
too-deep	{got} are more than the {want} allowed
unknown-name	{got} is not known; {want}
unknown-unit	{got} is not known; {want}
unknown-function	{got} is not known; {want}
later-name	{got} is set only in line {want}; a line uses what stands above it
twice	{got} is set already, in line {want}; give it another name
reserved	{got} is {want} and cannot be a name
either	{got} is a unit and a name here; write {want}
wrong-unit	cannot tell {got} in {want}
add	cannot add {got} to {want}
subtract	cannot subtract {got} from {want}
compare	cannot compare {got} with {want}
odd-root	the root of {got} has no unit; it wants even powers
not-an-input	{got} is computed; only a line that is one number with its unit can be set
not-a-count	{got} is not a plain count; {want}
too-high	a unit's power is higher than {want}
zero-division	division by zero
negative-root	the root of {got}, which is negative
bad-power	{got} is not a power here; {want}
overflow	the result needs more than {want} to stay exact
arguments	{got} wants {want}
not-equal	{got} is written, but it is {want}
unknown	a line above it has a fault
`

// Text says it without its place.
func (e *Error) Text() string {
	said := entry(sentences, e.Code)
	if before, after, ok := strings.Cut(said, "{want}"); ok {
		said = before + e.Want + after
	}
	// What the author wrote goes in last: it may hold anything.
	if before, after, ok := strings.Cut(said, "{got}"); ok {
		said = before + e.Got + after
	}
	return said
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
