package text

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"seedbed/labs"
)

// Lab is how one language speaks of one lab, as content/LANG/labs/ID.yaml says it. The keys of its maps are the lab's codes. Values
// that sentences may name:
//
//	Checks.Holds     every parameter
//	Checks.Broken    every parameter, the check's facts, and at, request, count
//	Actions.Done     every parameter, and value, target, at
//	Events           every parameter, the names of the event's two values, and entity, at
//	Entities         n, the number among entities of the same label
//
// An enum's value is the label of its choice; numbers are written by Number.
type Lab struct {
	Lang Lang
	ID   string

	Title    string // what it is called
	Question string // what a reader wants to know from it
	About    string // what is modelled and what is left out

	Params   map[string]Param
	Actions  map[string]Action
	Checks   map[string]Check
	Metrics  map[string]Metric
	Events   map[string]string // by kind: a phrase
	Entities map[string]string // by label
	Columns  map[string]string
	Plots    map[string]string
	Panels   map[string]string // what a panel is called
	Words    map[string]string // by code, as the rows of panels have them
	Presets  map[string]Preset
}

// Param is a parameter's words; Choices are an enum's.
type Param struct {
	Label   string
	Help    string
	Choices map[string]string
}

// Action is an action's words: what its button says, and what is told once it was done. Choices are those of a value that is an enum.
type Action struct {
	Label, Done, Value, Help string
	Choices                  map[string]string
}

// Check is a check's words: what it is called, what is true while it holds, and how it was broken.
type Check struct{ Title, Holds, Broken string }

// Metric is a metric's words. Zero stands for the number where it is 0, and 0 means that there is none: an instant that never came.
type Metric struct{ Label, Help, Zero string }

// Value is a number of this metric as people read it.
func (m Metric) Value(lang Lang, u labs.Unit, v int64) string {
	if v == 0 && m.Zero != "" {
		return m.Zero
	}
	return Number(lang, u, v)
}

// Preset is a preset's words.
type Preset struct{ Title, Note string }

type readers = map[string]func(value *yaml.Node, at string)

// fields are the keys of a lab's file.
func (l *Lab) fields(f *file) readers {
	return readers{
		"title":    f.sentence(&l.Title),
		"question": f.sentence(&l.Question),
		"about":    f.sentence(&l.About),
		"params": entries(f, &l.Params, func(p *Param) readers {
			return readers{"label": f.sentence(&p.Label), "help": f.sentence(&p.Help), "choices": f.sentences(&p.Choices)}
		}),
		"actions": entries(f, &l.Actions, func(a *Action) readers {
			return readers{"label": f.sentence(&a.Label), "done": f.sentence(&a.Done), "value": f.sentence(&a.Value), "help": f.sentence(&a.Help), "choices": f.sentences(&a.Choices)}
		}),
		"checks": entries(f, &l.Checks, func(c *Check) readers {
			return readers{"title": f.sentence(&c.Title), "holds": f.sentence(&c.Holds), "broken": f.sentence(&c.Broken)}
		}),
		"metrics": entries(f, &l.Metrics, func(m *Metric) readers {
			return readers{"label": f.sentence(&m.Label), "help": f.sentence(&m.Help), "zero": f.sentence(&m.Zero)}
		}),
		"events":   f.sentences(&l.Events),
		"entities": f.sentences(&l.Entities),
		"columns":  f.sentences(&l.Columns),
		"plots":    f.sentences(&l.Plots),
		"panels":   f.sentences(&l.Panels),
		"words":    f.sentences(&l.Words),
		"presets": entries(f, &l.Presets, func(p *Preset) readers {
			return readers{"title": f.sentence(&p.Title), "note": f.sentence(&p.Note)}
		}),
	}
}

// Value writes a parameter's value: a number with its unit, or the label of a choice.
func (l *Lab) Value(p *labs.Param, v int64) string {
	if p.Choices == nil {
		return Number(l.Lang, p.Unit, v)
	}
	return choice(l.Params[p.Name].Choices, p, v)
}

// choice is the label of an enum's value.
func choice(labels map[string]string, p *labs.Param, v int64) string {
	word := p.Format(v)
	if label, ok := labels[word]; ok {
		return label
	}
	return word
}

// Holds says what is true while a check holds, by the check's index.
func (l *Lab) Holds(spec *labs.Spec, check int) string {
	return expand(l.Checks[spec.Lab.Checks[check].Name].Holds, l.values(spec))
}

// Broken says how a check, by its index, was first broken.
func (l *Lab) Broken(spec *labs.Spec, layout *labs.Layout, check int, v labs.Verdict) string {
	c := &spec.Lab.Checks[check]
	return expand(l.Checks[c.Name].Broken, l.values(spec, func(name string) (string, bool) {
		switch name {
		case "at":
			return Number(l.Lang, labs.Seconds, v.At), true
		case "request":
			return Number(l.Lang, labs.Count, v.Request), true
		case "count":
			return Number(l.Lang, labs.Count, v.Count), true
		}
		for i, f := range c.Facts {
			if f.Name == name {
				return Number(l.Lang, f.Unit, v.Facts[i]), true
			}
		}
		return "", false
	}))
}

// Verdict says how a check fared: Holds or Broken.
func (l *Lab) Verdict(spec *labs.Spec, layout *labs.Layout, check int, v labs.Verdict) string {
	if v.OK {
		return l.Holds(spec, check)
	}
	return l.Broken(spec, layout, check, v)
}

// Phrase tells one event or mark: what happened, which action was taken, or which check was broken.
func (l *Lab) Phrase(spec *labs.Spec, layout *labs.Layout, e labs.Logged) string {
	switch {
	case e.Kind == labs.MarkAction && int(e.A) < len(spec.Do):
		return l.done(spec, layout, &spec.Do[e.A])
	case e.Kind == labs.MarkViolation && int(e.Entity) < len(spec.Lab.Checks):
		return "✗ " + l.Checks[spec.Lab.Checks[e.Entity].Name].Title
	case int(e.Kind) >= len(spec.Lab.Events):
		return ""
	}
	kind := &spec.Lab.Events[e.Kind]
	return expand(l.Events[kind.Name], l.values(spec, func(name string) (string, bool) {
		switch name {
		case "at":
			return Number(l.Lang, labs.Seconds, e.At), true
		case "entity":
			if int(e.Entity) < len(layout.Entities) {
				return l.Entity(&layout.Entities[e.Entity]), true
			}
			return "", false
		case kind.A.Name:
			return Number(l.Lang, kind.A.Unit, e.A), true
		case kind.B.Name:
			return Number(l.Lang, kind.B.Unit, e.B), true
		}
		return "", false
	}))
}

// done tells an action.
func (l *Lab) done(spec *labs.Spec, layout *labs.Layout, do *labs.Do) string {
	action := &spec.Lab.Actions[do.Verb]
	return expand(l.Actions[action.Verb].Done, l.values(spec, func(name string) (string, bool) {
		switch {
		case name == "at":
			return Number(l.Lang, labs.Seconds, do.At), true
		case name == "target" && action.Targets != nil:
			if i := layout.Entity(do.Target); i >= 0 {
				return l.Entity(&layout.Entities[i]), true
			}
			return do.Target, true
		case name == "value" && action.Value != nil && action.Value.Choices != nil:
			return choice(l.Actions[action.Verb].Choices, action.Value, do.Value), true
		case name == "value" && action.Value != nil:
			return l.Value(action.Value, do.Value), true
		}
		return "", false
	}))
}

// Entity is what an entity is called, with its number where there are several.
func (l *Lab) Entity(e *labs.Entity) string {
	label := l.Entities[labelOf(e)]
	if label == "" {
		label = e.Name
	}
	n := strconv.Itoa(e.N)
	if e.N > 0 && !strings.Contains(label, "{n}") {
		label += " {n}"
	}
	return expand(label, pairs([]string{"n", n}))
}

// Column is what a column of a layout is called. A column that is named for one of many entities of the same label, such as
// load.node-0012, has its own words or those of the label with its number, here under load.node. A column without words has no name.
func (l *Lab) Column(layout *labs.Layout, name string) string {
	if words := l.Columns[name]; words != "" {
		return words
	}
	key, n := familyOf(layout, name)
	return expand(l.Columns[key], pairs([]string{"n", strconv.Itoa(n)}))
}

// familyOf is the key that a column shares with those of its entity's like, and the entity's number; "" when it is named for none.
func familyOf(layout *labs.Layout, column string) (key string, n int) {
	what, name, found := strings.Cut(column, ".")
	if !found {
		return "", 0
	}
	i := layout.Entity(name)
	if i < 0 || layout.Entities[i].N == 0 {
		return "", 0
	}
	return what + "." + labelOf(&layout.Entities[i]), layout.Entities[i].N
}

// labelOf is the key of an entity's text.
func labelOf(e *labs.Entity) string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}

// values looks a name up among more, where given, and then among the parameters.
func (l *Lab) values(spec *labs.Spec, more ...func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, look := range more {
			if v, ok := look(name); ok {
				return v, true
			}
		}
		if i := spec.Lab.Param(name); i >= 0 {
			return l.Value(&spec.Lab.Params[i], spec.Values[i]), true
		}
		return "", false
	}
}
