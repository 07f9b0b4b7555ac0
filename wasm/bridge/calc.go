package bridge

import (
	"strings"

	"seedbed/chapters/calc"
)

// Sheets computes sheets of package calc. Its zero value is ready; like a Bridge it is not safe for concurrent use.
type Sheets struct{ guard }

// Calc computes a sheet with some inputs set by the reader. It keeps nothing: the sheet comes along each time, as source, which costs
// a millisecond and leaves nothing to go stale.
//
// set holds lines of NAME = TEXT, views lines of NAME or NAME in UNIT. The reply has two sections of text:
//
//	faults  a line for each line of set: empty, or CODE, a tab, and what would be right; such an input stays the author's
//	values  a line for each view: "=" (exact) or "≈", then what stands before the number, the number and what stands after it, each
//	        behind a tab; or "!" and the CODE why there is no value
//
// The codes are those of package calc.
func (b *Sheets) Calc(sheet, set, views []byte) []byte {
	return b.call(func(out []byte) []byte {
		s, _ := calc.Parse(string(sheet)) // its faults are its author's, and the page tells them
		var faults, values strings.Builder
		for line := range lines(set) {
			name, text, _ := strings.Cut(line, "=")
			if _, err := s.Set(strings.TrimSpace(name), text); err != nil {
				faults.WriteString(calcFault(err))
			}
			faults.WriteByte('\n')
		}
		for view := range lines(views) {
			name, unit, _ := strings.Cut(view, " in ")
			t, err := s.Show(name, unit)
			switch {
			case err != nil:
				code, _, _ := strings.Cut(calcFault(err), "\t")
				values.WriteString("!" + code)
			case t.Exact:
				values.WriteString("=\t" + t.Before + "\t" + t.Number + "\t" + t.After)
			default:
				values.WriteString("≈\t" + t.Before + "\t" + t.Number + "\t" + t.After)
			}
			values.WriteByte('\n')
		}
		return appendText(appendText(out, "faults", faults.String()), "values", values.String())
	})
}

// calcFault is an error's code and what would be right.
func calcFault(err error) string {
	if fault, ok := err.(*calc.Error); ok {
		return fault.Code + "\t" + fault.Want
	}
	return "failed\t"
}

// lines yields the lines of a text; none for an empty one.
func lines(text []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		rest := strings.TrimSuffix(string(text), "\n")
		if rest == "" {
			return
		}
		for line := range strings.SplitSeq(rest, "\n") {
			if !yield(line) {
				return
			}
		}
	}
}
