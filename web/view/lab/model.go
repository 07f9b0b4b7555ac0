// Package lab is the markup of the one lab component, <seedbed-lab>: what the server draws, which is all that a reader without
// script has and what every reader sees first, and the data that the client script takes over with.
//
// # Contract
//
// [NewModel] turns a finished run and its texts into a [Model], and [Component] writes a Model as HTML. Both are pure: no clock, no
// store, no request. The markup is complete without script: the picture, the verdicts, the measurements, what happened, and a form
// whose fields are the lab's parameters, which asks the server for the run of other settings. It carries no inline style and no
// executable script, so that it stands under a strict Content-Security-Policy.
//
// The client script (web/client/lab) finds its places by data-part and data-… attributes, and all of its words in the JSON at the
// component's end. Hooks for others: the element's attributes lab, spec and lang are input; data-state, data-lab, data-spec and
// data-digest are output.
//
// What it does not do: run labs, draw pictures of its own, or know what a page around it looks like.
package lab

import (
	"strings"

	"seedbed/labs"
	"seedbed/web/picture"
	"seedbed/web/text"
)

// Input is a finished run, the texts to tell it with, and where it stands. Spec, Trace and Layout must belong together.
type Input struct {
	Spec   *labs.Spec
	Trace  *labs.Trace
	Layout *labs.Layout
	Words  *text.Lab
	UI     text.Words
	Lang   text.Lang

	ID      string // of the element, unique on its page
	Heading int    // level of the title, 2 to 6
	Compact bool   // in a frame on somebody else's page, which has title and link already: says little

	Question string   // inline HTML; empty for the lab's own question
	Predict  *Predict // nil when nothing is asked
	Goal     *Goal    // nil when there is no challenge
	Height   int      // of a ring on the stage, CSS px; 0 leaves it to the script. All else is as high as its text.

	// Pictures of the run, as web/picture draws them; drawn here when nil.
	Wide, Narrow []byte
	Places       Places
}

// Predict asks what another run will give.
type Predict struct {
	Question string // inline HTML
	Spec     *labs.Spec
	Metric   int     // index into the lab's metrics
	Values   []int64 // the choices, in base units; nil when a number is asked
}

// Goal is a challenge: a bound on a metric.
type Goal struct {
	Metric int
	Most   bool // at most the bound; else at least
	Bound  int64
}

// Places are the addresses that the component needs. Those of the engine are empty when no assets are built: the component is then
// the server's picture, and says so.
type Places struct {
	Base   string // of the site, absolute, without a slash at its end: for links that leave the page, such as embed code
	Worker string // of the worker's script
	Module string // of the WebAssembly module
	Heavy  bool   // the module is so large that it is fetched for a run alone, and not when a reader turns to the lab
	Runs   string // POST /api/runs, empty where there is no server behind the page
}

// Model is what Component writes.
type Model struct {
	in    Input
	lab   *labs.Lab
	query string // of the Spec, canonical
	page  string // path of the lab's own page
	data  string // JSON
}

// NewModel prepares a component.
func NewModel(in Input) Model {
	if in.Wide == nil || in.Narrow == nil {
		p := picture.Picture{
			Lab: in.Spec.Lab, Spec: in.Spec, Trace: in.Trace, Layout: in.Layout, Words: in.Words, UI: in.UI, Lang: in.Lang,
		}
		in.Wide = picture.Run(p)
		p.Narrow = true
		in.Narrow = picture.Run(p)
	}
	if in.Heading == 0 {
		in.Heading = 2
	}
	m := Model{in: in, lab: in.Spec.Lab, query: in.Spec.Query(), page: "/" + string(in.Lang) + "/labs/" + in.Spec.Lab.ID}
	m.data = m.json()
	return m
}

func (m *Model) word(key string, named ...string) string { return m.in.UI.Get("lab."+key, named...) }

// id is the id of a part of this component.
func (m *Model) id(part string) string { return m.in.ID + "-" + part }

// href is the page of a Spec of this lab.
func (m *Model) href(query string) string { return m.page + "?" + query }

func (m *Model) question() string {
	if m.in.Question != "" {
		return m.in.Question
	}
	return escape(m.in.Words.Question)
}

// field is one parameter in the form.
type field struct {
	*labs.Param
	index  int
	words  text.Param
	value  string // as it stands in a Spec
	unit   string // beside the number
	idle   bool   // without effect under the present settings
	limits string // for its help: range and default
}

func (m *Model) fields() []field {
	fields := make([]field, len(m.lab.Params))
	for i := range m.lab.Params {
		p := &m.lab.Params[i]
		fields[i] = field{
			Param: p, index: i, words: m.in.Words.Params[p.Name], value: p.Format(m.in.Spec.Values[i]),
			unit: text.UnitName(m.in.Lang, p.Unit), idle: m.idle(p),
		}
		if p.Choices == nil {
			fields[i].limits = m.word("range", "from", text.Number(m.in.Lang, p.Unit, p.Min), "to", text.Number(m.in.Lang, p.Unit, p.Max),
				"default", text.Number(m.in.Lang, p.Unit, p.Default))
		}
	}
	return fields
}

// idle is true for a parameter that has no effect, since the one that it belongs to has another value.
func (m *Model) idle(p *labs.Param) bool {
	name, choice, found := strings.Cut(p.Unused, "=")
	i := m.lab.Param(name)
	return found && i >= 0 && m.lab.Params[i].Format(m.in.Spec.Values[i]) != choice
}

// preset is a named setting, with what it leads to.
type preset struct {
	labs.Preset
	words text.Preset
	query string // the whole of it, canonical
	on    bool
}

// presets returns those that hold, or the counterexamples.
func (m *Model) presets(breaking bool) []preset {
	var list []preset
	for _, p := range m.lab.Presets {
		spec, err := labs.ParseQuery(m.lab, p.Query)
		if err != nil || (p.Breaks != "") != breaking {
			continue // a preset that does not parse fails the labs' own tests
		}
		list = append(list, preset{p, m.in.Words.Presets[p.Name], spec.Query(), spec.Query() == m.query})
	}
	return list
}

// actions are the Spec's actions as its text has them, for fields that keep them.
func (m *Model) actions() []string {
	var list []string
	for pair := range strings.SplitSeq(m.query, "&") {
		if do, ok := strings.CutPrefix(pair, "do="); ok {
			list = append(list, do)
		}
	}
	return list
}

// verdict is how one check fared.
type verdict struct {
	labs.Verdict
	title, sentence, at string
}

func (m *Model) verdicts() []verdict {
	list := make([]verdict, len(m.in.Trace.Verdicts))
	for i, v := range m.in.Trace.Verdicts {
		list[i] = verdict{
			v, m.in.Words.Checks[v.Check].Title, m.in.Words.Verdict(m.in.Spec, m.in.Layout, i, v), text.Number(m.in.Lang, labs.Seconds, v.At),
		}
	}
	return list
}

// measure is one metric.
type measure struct{ name, label, help, value string }

// measures returns the metrics of the run as a whole, and those of one entity or another, whose names have a dot.
func (m *Model) measures(dotted bool) []measure {
	var list []measure
	for i, q := range m.lab.Metrics {
		if strings.Contains(q.Name, ".") == dotted {
			w := m.in.Words.Metrics[q.Name]
			list = append(list, measure{q.Name, w.Label, w.Help, w.Value(m.in.Lang, q.Unit, m.in.Trace.Metrics[i])})
		}
	}
	return list
}

// goal is the challenge and how far the run is from it; empty when there is none.
func (m *Model) goal() string {
	g := m.in.Goal
	if g == nil {
		return ""
	}
	q := m.lab.Metrics[g.Metric]
	key := "goal-least"
	if g.Most {
		key = "goal-most"
	}
	return m.word(key, "name", m.in.Words.Metrics[q.Name].Label, "bound", text.Number(m.in.Lang, q.Unit, g.Bound),
		"value", text.Number(m.in.Lang, q.Unit, m.in.Trace.Metrics[g.Metric]))
}

// command reproduces the run on a command line.
func (m *Model) command() string { return "seedbed lab run '" + m.in.Trace.Spec + "'" }

// embedCode is what a writer pastes into a page of their own.
func (m *Model) embedCode() string {
	home := m.in.Places.Base + m.href(m.query)
	return `<script src="` + m.in.Places.Base + `/embed.js" async></script>` + "\n" +
		`<seedbed-lab lab="` + m.lab.ID + `" spec="` + escape(m.query) + `" lang="` + string(m.in.Lang) + `">` +
		`<a href="` + escape(home) + `"><img src="` + m.in.Places.Base + `/labs/` + m.lab.ID + `.svg?` + escape(m.query) +
		`" alt="` + escape(m.in.Words.Title) + `"></a></seedbed-lab>`
}

// outdated is true when the link asked for an earlier version of the lab: its run may differ from what was seen then.
func (m *Model) outdated() bool { return m.in.Spec.Outdated() }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func escape(s string) string { return escaper.Replace(s) }
