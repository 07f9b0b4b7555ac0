package labs

import "strings"

// Error is a fault of the input: what is wrong, in which field, and what would be right. Error gives it in English; web translates
// by Code. Codes: unknown-lab, unknown-parameter, unknown-preset, unknown-choice, unknown-verb, unknown-target, not-a-number,
// too-large, too-fine, out-of-range, not-a-seed, bad-version, newer-version, bad-escape, bad-instant, bad-action, twice, too-long,
// too-many-actions, wants-target, no-target, no-value, no-input, needs-input, wrong-input, conflict, bad-trace.
type Error struct {
	Code  string
	Field string // the parameter, or "lab", "seed", "do", "v", "input", "spec"
	Got   string // what stood there, cut to a readable length
	Want  string // what would be right: a range, a list, an example
}

// fault makes an *Error. It is kept out of line: there are many faults, and each would be spelled out in the module.
//
//go:noinline
func fault(code, field, got, want string) error {
	return &Error{Code: code, Field: field, Got: got, Want: want}
}

// Error says it in one line: `rate: 0 is outside 1..100000 per second`, `rate is empty; write it as 50 or 50/s`.
func (e *Error) Error() string {
	got, wrong, right := ": "+e.Got, " does not fit", "; "
	switch e.Code {
	case "unknown-lab", "unknown-preset", "unknown-choice":
		wrong, right = " is not known", "; it is one of "
	case "unknown-parameter", "unknown-verb", "unknown-target":
		got = ": the " + e.Code[len("unknown-"):] + " " + e.Got
		wrong, right = " is not known", "; it is one of "
	case "not-a-number":
		wrong, right = " is not a number here", "; write it as "
	case "too-large":
		wrong, right = " is too large a number", "; write it as "
	case "too-fine":
		wrong, right = " is finer than the least step", ", "
	case "out-of-range":
		wrong, right = " is outside", " "
	case "too-long":
		return e.Field + got + " are more than the " + e.Want + " allowed"
	case "too-many-actions":
		return e.Field + got + " actions are more than the " + e.Want + " allowed"
	case "twice":
		return e.Field + got + " is given twice; give it once"
	case "newer-version":
		wrong, right = " is newer than this build knows", ", "
	}
	if e.Got == "" {
		got, wrong = strings.TrimRight(got, ": "), " is empty"
	}
	return e.Field + got + wrong + right + e.Want
}

// Bound is a run that was ended before its horizon: by a bound on events, on the size of the trace or on memory, or by whoever asked for it.
// Such a run has no trace and no digest.
type Bound struct {
	Code string // "events", "trace", "memory" or "cancelled"
	At   int64  // virtual time reached, ns
}

// Error says which bound and when.
func (b *Bound) Error() string {
	at := Seconds.Format(b.At) + " s of virtual time"
	switch b.Code {
	case "events":
		return "run: stopped at " + at + ": more than 10 million events; lower the rate or the length of the run"
	case "trace":
		return "run: stopped at " + at + ": its trace is over 64 MiB; lower the rate or the length of the run"
	case "memory":
		return "run: stopped at " + at + ": what waits in it takes more than 160 MiB; lower the rate, or how long things wait"
	}
	return "run: stopped at " + at + " before its end, by time or by whoever asked for it"
}

// clip shortens what a user gave to what fits a line.
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
