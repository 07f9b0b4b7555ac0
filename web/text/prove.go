package text

import (
	"maps"
	"slices"
	"strings"

	"seedbed/labs"
)

// Prove holds a lab against its texts in every language: each code has its sentence, each sentence belongs to a code, and each value
// that a sentence names is one that it will be given. Columns, entities and plots are those of every preset, of every choice of an
// enum, and of every number's least and largest value, one at a time. The error joins all faults, each `file:line: message`.
func (t *Texts) Prove(lab *labs.Lab) error {
	var all faults
	parts := partsOf(lab)
	for _, lang := range Langs {
		name := string(lang) + "/labs/" + lab.ID + ".yaml"
		words := t.labs[lang][lab.ID]
		switch {
		case words == nil:
			all.add(name, 0, "is missing; the lab "+lab.ID+" has no texts in this language")
			continue
		case t.files[name] == nil:
			continue // it cannot be read, which Load has said
		}
		p := &prover{lab: lab, words: words, file: name, lines: t.files[name], faults: &all}
		p.whole()
		p.params()
		p.actions()
		p.checks()
		p.phrases(parts)
		p.presets()
	}
	return all.join()
}

// parts is what the layouts of a lab name.
type parts struct {
	entities, columns, plots []string
	panels, words            []string
	families                 map[string]string // of columns: the key that each shares with others, if any
}

// partsOf gathers the layouts of all configurations that differ in one parameter from a preset.
func partsOf(lab *labs.Lab) parts {
	entities, columns, plots := map[string]bool{}, map[string]bool{}, map[string]bool{}
	panels, words := map[string]bool{}, map[string]bool{}
	families := map[string]string{}
	gather := func(spec labs.Spec) {
		if spec.Check() != nil {
			return
		}
		layout := lab.Layout(spec.Config(nil))
		for i := range layout.Entities {
			entities[labelOf(&layout.Entities[i])] = true
		}
		for i := range layout.Columns {
			name := layout.Columns[i].Name
			columns[name] = true
			if key, _ := familyOf(&layout, name); key != "" {
				families[name] = key
			}
		}
		for i := range layout.Plots {
			plots[layout.Plots[i].Name] = true
		}
		for i := range layout.Panels {
			panels[layout.Panels[i].Name] = true
			for _, word := range layout.Panels[i].Words {
				words[word] = true
			}
		}
	}
	bases := []labs.Spec{labs.New(lab)}
	for _, p := range lab.Presets {
		if spec, err := labs.ParseQuery(lab, p.Query); err == nil {
			bases = append(bases, spec)
		}
	}
	for _, base := range bases {
		gather(base)
		for i := range lab.Params {
			for _, v := range telling(&lab.Params[i]) {
				spec := base
				spec.Values = slices.Clone(base.Values)
				spec.Values[i] = v
				spec.Do = nil // its targets may not exist here
				gather(spec)
			}
		}
	}
	codes := func(of map[string]bool) []string { return slices.Sorted(maps.Keys(of)) }
	return parts{codes(entities), codes(columns), codes(plots), codes(panels), codes(words), families}
}

// telling lists the values of a parameter that may change what a lab looks like.
func telling(p *labs.Param) []int64 {
	if p.Choices == nil {
		return []int64{p.Min, p.Max}
	}
	all := make([]int64, len(p.Choices))
	for i := range all {
		all[i] = int64(i)
	}
	return all
}

// prover holds one lab against one file.
type prover struct {
	lab    *labs.Lab
	words  *Lab
	file   string
	lines  lines
	faults *faults
}

func (p *prover) fault(at, message string) { p.faults.add(p.file, p.line(at), at+message) }

// line is where an entry stands, or else what encloses it; 0 when none of it is there.
func (p *prover) line(at string) int {
	for at != "" {
		if n := p.lines[at]; n > 0 {
			return n
		}
		at = at[:max(0, strings.LastIndexByte(at, '.'))]
	}
	return 0
}

// want asks for a text that may name the given values.
func (p *prover) want(at, sentence string, given []string) {
	if sentence == "" {
		p.fault(at, " is missing")
		return
	}
	p.allow(at, sentence, given)
}

// allow holds a text that may be absent against the values that it may name.
func (p *prover) allow(at, sentence string, given []string) {
	used, err := names(sentence)
	if err != nil {
		return // Load has said so
	}
	for _, name := range used {
		if slices.Contains(given, name) {
			continue
		}
		if len(given) == 0 {
			p.fault(at, ": {"+name+"} is not known; this text names no values")
			continue
		}
		p.fault(at, ": {"+name+"} is not known; it is one of "+strings.Join(given, ", "))
	}
}

// only finds texts that belong to no code.
func only[T any](p *prover, at string, have map[string]T, codes []string) {
	for key := range have { // order cannot matter: faults are sorted
		if slices.Contains(codes, key) {
			continue
		}
		message := " belongs to nothing; the lab has no such code"
		if len(codes) > 0 {
			message = " belongs to nothing; the lab has " + strings.Join(codes, ", ")
		}
		p.fault(at+"."+key, message)
	}
}

func (p *prover) whole() {
	p.want("title", p.words.Title, nil)
	p.want("question", p.words.Question, nil)
	p.want("about", p.words.About, nil)
}

// given is the parameters' names and some more.
func (p *prover) given(more ...string) []string {
	for i := range p.lab.Params {
		more = append(more, p.lab.Params[i].Name)
	}
	return more
}

func (p *prover) params() {
	var codes []string
	for i := range p.lab.Params {
		param := &p.lab.Params[i]
		at, words := "params."+param.Name, p.words.Params[param.Name]
		codes = append(codes, param.Name)
		p.want(at+".label", words.Label, nil)
		p.allow(at+".help", words.Help, nil)
		for _, choice := range param.Choices {
			p.want(at+".choices."+choice, words.Choices[choice], nil)
		}
		only(p, at+".choices", words.Choices, param.Choices)
	}
	only(p, "params", p.words.Params, codes)
}

func (p *prover) actions() {
	var codes []string
	for i := range p.lab.Actions {
		action := &p.lab.Actions[i]
		at, words := "actions."+action.Verb, p.words.Actions[action.Verb]
		codes = append(codes, action.Verb)
		given := []string{"at"}
		if action.Targets != nil {
			given = append(given, "target")
		}
		if action.Value != nil {
			given = append(given, "value")
		} else if words.Value != "" {
			p.fault(at+".value", " labels nothing; the action takes no value")
		}
		var choices []string
		if action.Value != nil {
			choices = action.Value.Choices
		}
		for _, choice := range choices {
			p.want(at+".choices."+choice, words.Choices[choice], nil)
		}
		only(p, at+".choices", words.Choices, choices)
		p.want(at+".label", words.Label, nil)
		p.want(at+".done", words.Done, p.given(given...))
		p.allow(at+".help", words.Help, nil)
	}
	only(p, "actions", p.words.Actions, codes)
}

func (p *prover) checks() {
	var codes []string
	for i := range p.lab.Checks {
		check := &p.lab.Checks[i]
		at, words := "checks."+check.Name, p.words.Checks[check.Name]
		codes = append(codes, check.Name)
		facts := []string{"at", "request", "count"}
		for _, f := range check.Facts {
			facts = append(facts, f.Name)
		}
		p.want(at+".title", words.Title, nil)
		p.want(at+".holds", words.Holds, p.given())
		p.want(at+".broken", words.Broken, p.given(facts...))
	}
	only(p, "checks", p.words.Checks, codes)
}

// phrases proves what is one text a code: metrics, events, entities, columns, plots.
func (p *prover) phrases(found parts) {
	var metrics, events []string
	for _, m := range p.lab.Metrics {
		metrics = append(metrics, m.Name)
		p.want("metrics."+m.Name+".label", p.words.Metrics[m.Name].Label, nil)
		p.allow("metrics."+m.Name+".help", p.words.Metrics[m.Name].Help, nil)
		p.allow("metrics."+m.Name+".zero", p.words.Metrics[m.Name].Zero, nil)
	}
	for i := range p.lab.Events {
		e := &p.lab.Events[i]
		events = append(events, e.Name)
		given := []string{"entity", "at"}
		for _, q := range []labs.Quantity{e.A, e.B} {
			if q.Name != "" {
				given = append(given, q.Name)
			}
		}
		p.want("events."+e.Name, p.words.Events[e.Name], p.given(given...))
	}
	only(p, "metrics", p.words.Metrics, metrics)
	only(p, "events", p.words.Events, events)
	p.each("entities", p.words.Entities, found.entities, []string{"n"})
	p.columns(found)
	p.each("plots", p.words.Plots, found.plots, nil)
	p.each("panels", p.words.Panels, found.panels, nil)
	p.each("words", p.words.Words, found.words, nil)
}

// columns proves that each column has words of its own, or shares those of its family.
func (p *prover) columns(found parts) {
	var codes []string
	for _, code := range found.columns {
		given := []string(nil)
		if key := found.families[code]; key != "" && p.words.Columns[code] == "" {
			code, given = key, []string{"n"}
		}
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
			p.want("columns."+code, p.words.Columns[code], given)
		}
	}
	only(p, "columns", p.words.Columns, codes)
}

func (p *prover) each(at string, have map[string]string, codes, given []string) {
	for _, code := range codes {
		p.want(at+"."+code, have[code], given)
	}
	only(p, at, have, codes)
}

func (p *prover) presets() {
	var codes []string
	for _, preset := range p.lab.Presets {
		codes = append(codes, preset.Name)
		p.want("presets."+preset.Name+".title", p.words.Presets[preset.Name].Title, nil)
		p.allow("presets."+preset.Name+".note", p.words.Presets[preset.Name].Note, nil)
	}
	only(p, "presets", p.words.Presets, codes)
}
