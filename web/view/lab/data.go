package lab

import (
	"encoding/json"

	"seedbed/labs"
	"seedbed/web/text"
)

// What the client is told; web/client/lab/data.ts is the other side of these types.

type quantityData struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Label string `json:"label,omitempty"`
	Zero  string `json:"zero,omitempty"` // of a metric (text.Metric)
}

type choiceData struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

type paramData struct {
	Name    string       `json:"name"`
	Label   string       `json:"label"`
	Unit    string       `json:"unit"`
	Scale   int64        `json:"scale"`
	Min     int64        `json:"min"`
	Max     int64        `json:"max"`
	Default int64        `json:"default"`
	Log     bool         `json:"log"`
	Choices []choiceData `json:"choices,omitempty"`
	Unused  string       `json:"unused,omitempty"`
}

type actionData struct {
	Verb    string     `json:"verb"`
	Label   string     `json:"label"`
	Done    string     `json:"done"`
	Targets []string   `json:"targets,omitempty"`
	Value   *paramData `json:"value,omitempty"`
}

type checkData struct {
	Name   string         `json:"name"`
	Title  string         `json:"title"`
	Holds  string         `json:"holds"`
	Broken string         `json:"broken"`
	Facts  []quantityData `json:"facts"`
}

type eventData struct {
	Name   string        `json:"name"`
	Phrase string        `json:"phrase"`
	Flow   labs.Flow     `json:"flow"`
	Mark   bool          `json:"mark"`
	A      *quantityData `json:"a,omitempty"`
	B      *quantityData `json:"b,omitempty"`
}

type presetData struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Query  string `json:"query"`
	Breaks string `json:"breaks,omitempty"`
}

type predictData struct {
	Query  string `json:"query"`
	Metric string `json:"metric"`
}

type goalData struct {
	Metric string `json:"metric"`
	Most   bool   `json:"most"`
	Bound  int64  `json:"bound"`
}

type labData struct {
	Lang    string            `json:"lang"`
	Lab     string            `json:"lab"`
	Title   string            `json:"title"`
	Spec    string            `json:"spec"`
	Digest  string            `json:"digest"`
	Worker  string            `json:"worker"`
	Module  string            `json:"module"`
	Heavy   bool              `json:"heavy,omitempty"`
	Runs    string            `json:"runs"`
	Page    string            `json:"page"`
	Base    string            `json:"base"`
	Height  int               `json:"height,omitempty"`
	Params  []paramData       `json:"params"`
	Actions []actionData      `json:"actions"`
	Checks  []checkData       `json:"checks"`
	Metrics []quantityData    `json:"metrics"`
	Events  []eventData       `json:"events"`
	Presets []presetData      `json:"presets"`
	Entity  map[string]string `json:"entities"`
	Columns map[string]string `json:"columns"`
	Plots   map[string]string `json:"plots"`
	Panels  map[string]string `json:"panels,omitempty"`
	Codes   map[string]string `json:"codes,omitempty"`
	Predict *predictData      `json:"predict,omitempty"`
	Goal    *goalData         `json:"goal,omitempty"`
	Words   map[string]string `json:"words"`
	Faults  map[string]string `json:"faults"`
}

// json is the data for the client. json.Marshal escapes <, > and &, so that it may stand in a script element.
func (m *Model) json() string {
	in, w := &m.in, m.in.Words
	d := labData{
		Lang: string(in.Lang), Lab: m.lab.ID, Title: w.Title, Spec: in.Spec.Text(), Digest: in.Trace.Digest(),
		Worker: in.Places.Worker, Module: in.Places.Module, Heavy: in.Places.Heavy, Runs: in.Places.Runs, Page: m.page, Base: in.Places.Base, Height: in.Height,
		Entity: w.Entities, Columns: w.Columns, Plots: w.Plots, Panels: w.Panels, Codes: w.Words, Words: in.UI.Under("client."), Faults: in.UI.Under("lab-error."),
		Actions: []actionData{},
	}
	for i := range m.lab.Params {
		d.Params = append(d.Params, m.paramData(&m.lab.Params[i], w.Params[m.lab.Params[i].Name]))
	}
	for _, a := range m.lab.Actions {
		words := w.Actions[a.Verb]
		action := actionData{Verb: a.Verb, Label: words.Label, Done: words.Done, Targets: a.Targets}
		if a.Value != nil {
			value := m.paramData(a.Value, text.Param{Label: words.Value, Choices: words.Choices})
			action.Value = &value
		}
		d.Actions = append(d.Actions, action)
	}
	for _, c := range m.lab.Checks {
		words := w.Checks[c.Name]
		check := checkData{Name: c.Name, Title: words.Title, Holds: words.Holds, Broken: words.Broken, Facts: []quantityData{}}
		for _, f := range c.Facts {
			check.Facts = append(check.Facts, quantityData{Name: f.Name, Unit: f.Unit.Code()})
		}
		d.Checks = append(d.Checks, check)
	}
	for _, q := range m.lab.Metrics {
		d.Metrics = append(d.Metrics, quantityData{q.Name, q.Unit.Code(), w.Metrics[q.Name].Label, w.Metrics[q.Name].Zero})
	}
	for _, e := range m.lab.Events {
		d.Events = append(d.Events, eventData{e.Name, w.Events[e.Name], e.Flow, e.Mark, namedQuantity(e.A), namedQuantity(e.B)})
	}
	for _, breaking := range [2]bool{false, true} {
		for _, p := range m.presets(breaking) {
			d.Presets = append(d.Presets, presetData{p.Name, p.words.Title, p.query, p.Breaks})
		}
	}
	if p := in.Predict; p != nil {
		d.Predict = &predictData{p.Spec.Query(), m.lab.Metrics[p.Metric].Name}
	}
	if g := in.Goal; g != nil {
		d.Goal = &goalData{m.lab.Metrics[g.Metric].Name, g.Most, g.Bound}
	}
	text, err := json.Marshal(d)
	if err != nil {
		panic("lab: " + err.Error()) // strings and numbers: cannot fail
	}
	return string(text)
}

func (m *Model) paramData(p *labs.Param, words text.Param) paramData {
	d := paramData{
		Name: p.Name, Label: words.Label, Unit: p.Unit.Code(), Scale: p.Unit.Scale(), Min: p.Min, Max: p.Max, Default: p.Default,
		Log: p.Log, Unused: p.Unused,
	}
	for _, c := range p.Choices {
		d.Choices = append(d.Choices, choiceData{c, words.Choices[c]})
	}
	return d
}

func namedQuantity(q labs.Quantity) *quantityData {
	if q.Name == "" {
		return nil
	}
	return &quantityData{Name: q.Name, Unit: q.Unit.Code()}
}
