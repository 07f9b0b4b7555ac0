package main

import (
	"fmt"
	"strings"
)

// paper is what an experiment found out: facts and raw output that the page's text fills in by name, and the claims that this text
// makes. A claim that does not hold stops the page: then the model or the text has to change, not the number.
type paper struct {
	facts  map[string]string
	raws   map[string]string
	claims []claim
}

type claim struct {
	text  string
	holds bool
}

func newPaper() *paper { return &paper{facts: map[string]string{}, raws: map[string]string{}} }

// fact keeps a number or a short text.
func (p *paper) fact(name string, value any) { p.facts[name] = fmt.Sprint(value) }

// raw keeps output as it was, for a block of the page.
func (p *paper) raw(name, format string, args ...any) {
	p.raws[name] = strings.TrimRight(fmt.Sprintf(format, args...), "\n")
}

// claim keeps what the text says, and whether it is so.
func (p *paper) claim(holds bool, format string, args ...any) {
	p.claims = append(p.claims, claim{fmt.Sprintf(format, args...), holds})
}

// tally keeps in how many choices both agree.
func (p *paper) tally(name string, t tally) {
	p.fact(name+".same", t.same)
	p.fact(name+".of", t.of)
}
