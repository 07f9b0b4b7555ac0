package web

import (
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/page"
	"seedbed/web/picture"
	"seedbed/web/runs"
	"seedbed/web/text"
	"seedbed/web/view/lab"
)

// fence is where a lab stands on a page.
type fence struct {
	id      string // of the element
	heading int
	compact bool
	base    string    // of the site, for links out of a frame; "" for the configured one
	lab     *page.Lab // nil on the lab's own page and in a frame
	text    page.LabText
}

// component is a lab as HTML.
func (s *site) component(lang text.Lang, result *runs.Result, at fence) (string, error) {
	in := lab.Input{
		Spec: &result.Spec, Trace: result.Trace, Layout: result.Layout, Words: s.labWords(lang, result.Spec.Lab), UI: s.texts.UI(lang), Lang: lang,
		ID: at.id, Heading: at.heading, Compact: at.compact, Question: at.text.Question,
		Wide: s.picture(lang, result, false), Narrow: s.picture(lang, result, true), Places: s.places(moduleOf(result.Spec.Lab)),
	}
	if at.base != "" {
		in.Places.Base = at.base
	}
	if l := at.lab; l != nil {
		in.Height = l.Height
		in.Spec = &l.Spec // with the instant at which the view opens
		if l.Spec.At >= 0 {
			in.Wide, in.Narrow = nil, nil // drawn for that instant
		}
		if p := l.Predict; p != nil {
			in.Predict = &lab.Predict{Question: at.text.Predict, Spec: &p.Spec, Metric: p.Metric, Values: p.Values}
		}
		if g := l.Goal; g != nil {
			in.Goal = &lab.Goal{Metric: g.Metric, Most: g.Most, Bound: g.Bound}
		}
	}
	html, err := s.render(lab.Component(lab.NewModel(in)))
	return string(html), err
}

// places are the addresses that the component needs.
func (s *site) places(module string) lab.Places {
	return lab.Places{Base: s.server.config.Base, Worker: s.manifest.url("worker.js"), Module: s.manifest.url(module), Heavy: module == raftModule, Runs: "/api/runs"}
}

// moduleOf is the WebAssembly module that has a lab: that of its part of the catalog.
func moduleOf(l *labs.Lab) string { return catalog.PartOf(l.ID) + ".wasm" }

const (
	calcModule = "calc.wasm"  // computes the sheets of every page
	raftModule = "quota.wasm" // holds Raft, and is twice as large as any other
)

// picture is a result drawn for a page.
func (s *site) picture(lang text.Lang, result *runs.Result, narrow bool) []byte {
	key := s.key("inline", lang)
	if narrow {
		key += " narrow"
	}
	return result.Once(key, func() any {
		return picture.Run(s.drawing(lang, result, result.Spec, narrow))
	}).([]byte)
}

// glance is a result drawn for the list of labs.
func (s *site) glance(lang text.Lang, result *runs.Result) []byte {
	return result.Once(s.key("glance", lang), func() any {
		in := s.drawing(lang, result, result.Spec, true)
		in.Glance = true
		return picture.Run(in)
	}).([]byte)
}

// drawing is what package picture needs of a result; spec carries the instant that is to be shown.
func (s *site) drawing(lang text.Lang, result *runs.Result, spec labs.Spec, narrow bool) picture.Picture {
	return picture.Picture{
		Lab: spec.Lab, Spec: &spec, Trace: result.Trace, Layout: result.Layout, Words: s.labWords(lang, spec.Lab), UI: s.texts.UI(lang),
		Lang: lang, Narrow: narrow,
	}
}
