package labs

import (
	"strconv"
	"strings"
)

// Param is one parameter: a number with a unit, a range and a default, or an enum of words.
type Param struct {
	Name              string
	Unit              Unit
	Min, Max, Default int64    // base units, both ends included; an enum's Default is an index into Choices
	Log               bool     // the slider moves by factors: the range spans several powers of ten
	Choices           []string // an enum, when not nil
	Unused            string   // for people: the choice, as "param=word", without which this parameter has no effect; may be empty
}

// parse reads one value of the parameter.
func (p *Param) parse(text string) (int64, error) {
	if p.Choices != nil {
		for i, c := range p.Choices {
			if c == text {
				return int64(i), nil
			}
		}
		return 0, fault("unknown-choice", p.Name, clip(text), strings.Join(p.Choices, ", "))
	}
	v, err := p.Unit.Parse(p.Name, clip(text))
	if err != nil {
		return 0, err
	}
	if v < p.Min || v > p.Max {
		return 0, fault("out-of-range", p.Name, clip(text), p.Range())
	}
	return v, nil
}

// Range is the parameter's range as people read it: "1..100000 per second".
func (p *Param) Range() string {
	r := p.Unit.Format(p.Min) + ".." + p.Unit.Format(p.Max)
	switch p.Unit {
	case PerSecond:
		return r + " per second"
	case Count, Ratio:
		return r
	}
	return r + " " + p.Unit.Code()
}

// Format writes a value as it stands in a Spec: a choice's word, or a number in the stated unit.
func (p *Param) Format(v int64) string {
	if p.Choices != nil {
		if v < 0 || v >= int64(len(p.Choices)) {
			return strconv.FormatInt(v, 10)
		}
		return p.Choices[v]
	}
	return p.Unit.Format(v)
}
