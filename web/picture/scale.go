package picture

import (
	"math"
	"strconv"
)

// span is a stretch of virtual time: [from, to), ns.
type span struct{ from, to int64 }

func (s span) length() int64      { return s.to - s.from }
func (s span) holds(t int64) bool { return t >= s.from && t < s.to }
func (s span) union(o span) span  { return span{min(s.from, o.from), max(s.to, o.to)} }

// mostValue is the largest value that an axis shows, so that steps and ticks stay within 64 bits; larger ones are cut at the top.
const mostValue = 1e17

// niceUp is the least of 1, 2, 5 × 10^k that is not below v, and 1 for v < 1. It holds for v up to 5 × 10^18.
func niceUp(v int64) int64 {
	for p := int64(1); ; p *= 10 {
		for _, m := range [3]int64{1, 2, 5} {
			if p*m >= v || p >= 1e18 && m == 5 {
				return p * m
			}
		}
	}
}

// ticks are the multiples of a step within [from, to]: the least step of 1, 2, 5 × 10^k of which the range holds at most so many. Both
// ends are at most 2 × mostValue.
func ticks(from, to int64, most int) (step int64, at []int64) {
	if to <= from || most < 1 {
		return 1, nil
	}
	step = niceUp((to - from) / int64(most+1))
	for ; ; step = niceUp(step + 1) {
		first := from / step * step
		if first < from {
			first += step
		}
		at = at[:0]
		for t := first; t <= to && len(at) <= most; t += step {
			at = append(at, t)
		}
		if len(at) <= most {
			return step, at
		}
	}
}

// panel is a stretch of time across a stretch of the picture.
type panel struct {
	span
	x, w  float64
	focus bool // shows the part of the run where things happen, enlarged
}

// at is the place of an instant. Instants outside the panel's time lie outside its place.
func (p panel) at(t int64) float64 {
	return p.x + p.w*float64(t-p.from)/float64(p.length())
}

// right is the panel's right edge.
func (p panel) right() float64 { return p.x + p.w }

// clockUnit is the unit in which the instants of a panel are written: one for all, so that they can be compared at a glance.
type clockUnit struct {
	scale int64
	name  string
}

// clockFor picks by the largest instant that will be written, not by the step: 0.998 s and 1.000 s are read together, 998 ms and 1 s
// are not.
func clockFor(largest int64) clockUnit {
	for _, u := range []clockUnit{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if largest >= u.scale {
			return u
		}
	}
	return clockUnit{1, "ns"}
}

// instant writes an instant with as many decimals as the step needs.
func (u clockUnit) instant(t, step int64) string {
	return u.number(t, step) + " " + u.name
}

func (u clockUnit) number(t, step int64) string {
	decimals := 0
	for s := u.scale; s > 1 && step%s != 0; s /= 10 {
		decimals++
	}
	return strconv.FormatFloat(float64(t)/float64(u.scale), 'f', decimals, 64)
}

// exact writes a time by itself, with the decimals that it has.
func exact(t int64) string {
	u := clockFor(t)
	return strconv.FormatFloat(float64(t)/float64(u.scale), 'f', -1, 64) + " " + u.name
}

// about writes an instant with as many decimals as tell it from others in a picture of a run of that length: to about a thousandth
// of it.
func about(t, horizon int64) string {
	step := int64(1)
	for step*10 <= horizon/1000 {
		step *= 10
	}
	return exact((t + step/2) / step * step)
}

// valueScale is a vertical axis from 0 at the bottom to top at the top.
type valueScale struct {
	y, h float64
	top  int64
}

// at is the height of a value; what is over the top is cut at the top.
func (v valueScale) at(value int64) float64 {
	share := float64(min(max(value, 0), v.top)) / float64(max(v.top, 1))
	return v.y + v.h*(1-share)
}

// times is how many times larger one stretch is drawn than another, rounded down to one digit: a ×50 that is meant as a size, not as
// a measure.
func times(of, than panel) int64 {
	r := of.w / float64(of.length()) / (than.w / float64(than.length()))
	if r < 2 {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(r)))
	return int64(math.Floor(r/p) * p)
}
