package web

import (
	"maps"

	"seedbed/labs"
	"seedbed/web/text"
)

// labWords are a lab's texts, made once for each site.
func (s *site) labWords(lang text.Lang, l *labs.Lab) *text.Lab { return s.words[lang][l.ID] }

func (s *site) labTitle(lang text.Lang, l *labs.Lab) string { return s.labWords(lang, l).Title }

// completed is a lab's texts with a word for every code: the code itself where the content has none. So a lab whose texts are missing
// or broken, which can be somebody's own, is shown in codes, and its faults are findings.
func completed(lang text.Lang, l *labs.Lab, words *text.Lab) *text.Lab {
	w := text.Lab{Lang: lang, ID: l.ID}
	if words != nil {
		w = *words
	}
	if w.Title == "" {
		w.Title = l.ID
	}
	w.Checks, w.Metrics, w.Params, w.Presets = fresh(w.Checks), fresh(w.Metrics), fresh(w.Params), fresh(w.Presets)
	w.Actions, w.Events = fresh(w.Actions), fresh(w.Events)
	for _, c := range l.Checks {
		fill(w.Checks, c.Name, text.Check{Title: c.Name, Holds: c.Name, Broken: c.Name}, func(c text.Check) bool { return c.Title != "" })
	}
	for _, m := range l.Metrics {
		fill(w.Metrics, m.Name, text.Metric{Label: m.Name}, func(m text.Metric) bool { return m.Label != "" })
	}
	for _, p := range l.Params {
		choices := map[string]string{}
		for _, c := range p.Choices {
			choices[c] = c
		}
		fill(w.Params, p.Name, text.Param{Label: p.Name, Choices: choices}, func(p text.Param) bool { return p.Label != "" })
	}
	for _, p := range l.Presets {
		fill(w.Presets, p.Name, text.Preset{Title: p.Name}, func(p text.Preset) bool { return p.Title != "" })
	}
	for _, a := range l.Actions {
		choices := map[string]string{}
		if a.Value != nil {
			for _, c := range a.Value.Choices {
				choices[c] = c
			}
		}
		fill(w.Actions, a.Verb, text.Action{Label: a.Verb, Done: a.Verb, Value: a.Verb, Choices: choices}, func(a text.Action) bool { return a.Label != "" })
	}
	for _, e := range l.Events {
		fill(w.Events, e.Name, e.Name, said)
	}
	w.Entities, w.Columns, w.Plots = fresh(w.Entities), fresh(w.Columns), fresh(w.Plots)
	w.Panels, w.Words = fresh(w.Panels), fresh(w.Words)
	for _, p := range l.Presets {
		if spec, err := labs.ParseQuery(l, p.Query); err == nil {
			completeLayout(&w, l.Layout(spec.Config(nil)))
		}
	}
	return &w
}

// completeLayout names what a run shows. Which entities and columns there are depends on the settings; the presets have them all.
func completeLayout(w *text.Lab, layout labs.Layout) {
	for _, e := range layout.Entities {
		label := e.Label
		if label == "" {
			label = e.Name
		}
		fill(w.Entities, label, label, said)
	}
	for _, c := range layout.Columns {
		if w.Column(&layout, c.Name) == "" { // it may share words with others
			w.Columns[c.Name] = c.Name
		}
	}
	for _, p := range layout.Plots {
		fill(w.Plots, p.Name, p.Name, said)
	}
	for _, p := range layout.Panels {
		fill(w.Panels, p.Name, p.Name, said)
		for _, word := range p.Words {
			fill(w.Words, word, word, said)
		}
	}
}

func said(s string) bool { return s != "" }

func fresh[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}

// fill gives a code its word unless it has one.
func fill[V any](m map[string]V, code string, word V, has func(V) bool) {
	if v, ok := m[code]; !ok || !has(v) {
		m[code] = word
	}
}
