package report

import (
	"encoding/json"
	"strings"

	"seedbed/labs"
	"seedbed/web/text"
)

// Lab writes what a lab is as one line of JSON, without a newline:
//
//	{"id","version","family","title":{"en","zh"},
//	 "params":[{"name","kind","unit","min","max","default","choices"}],
//	 "actions":[{"verb","targets","value"}],
//	 "metrics":[{"name","unit"}],
//	 "checks":[{"name","sentence":{"en","zh"}}],
//	 "presets":[{"name","spec","breaks"}]}
//
// kind is "number" or "choice"; a number has unit, min and max, a choice has choices, both have default. An action's value, where it
// takes one, is written as a parameter is. A check's sentence is what holds under the lab's defaults. breaks is absent on presets that
// hold.
func Lab(texts *text.Texts, lab *labs.Lab) []byte {
	return encode(describe(texts, lab))
}

// Labs writes several labs in short: a list of {"id","version","family","title":{"en","zh"}}.
func Labs(texts *text.Texts, all []*labs.Lab) []byte {
	list := make([]head, len(all))
	for i, lab := range all {
		list[i] = headOf(texts, lab)
	}
	return encode(list)
}

type head struct {
	ID      string               `json:"id"`
	Version int                  `json:"version"`
	Family  string               `json:"family"`
	Title   map[text.Lang]string `json:"title"`
}

type body struct {
	head
	Params  []param  `json:"params"`
	Actions []action `json:"actions"`
	Metrics []metric `json:"metrics"`
	Checks  []check  `json:"checks"`
	Presets []preset `json:"presets"`
}

type param struct {
	Name    string      `json:"name"`
	Kind    string      `json:"kind"`
	Unit    *string     `json:"unit,omitempty"`
	Min     json.Number `json:"min,omitempty"`
	Max     json.Number `json:"max,omitempty"`
	Default any         `json:"default"`
	Choices []string    `json:"choices,omitempty"`
}

type action struct {
	Verb    string   `json:"verb"`
	Targets []string `json:"targets"`
	Value   *param   `json:"value,omitempty"`
}

type metric struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

type check struct {
	Name     string               `json:"name"`
	Sentence map[text.Lang]string `json:"sentence"`
}

type preset struct {
	Name   string `json:"name"`
	Spec   string `json:"spec"`
	Breaks string `json:"breaks,omitempty"`
}

func headOf(texts *text.Texts, lab *labs.Lab) head {
	h := head{ID: lab.ID, Version: lab.Version, Family: lab.Family, Title: map[text.Lang]string{}}
	for _, lang := range text.Langs {
		if words := texts.Lab(lang, lab.ID); words != nil {
			h.Title[lang] = words.Title
		}
	}
	return h
}

func describe(texts *text.Texts, lab *labs.Lab) body {
	b := body{head: headOf(texts, lab), Params: []param{}, Actions: []action{}, Metrics: []metric{}, Checks: []check{}, Presets: []preset{}}
	for i := range lab.Params {
		b.Params = append(b.Params, paramOf(&lab.Params[i]))
	}
	for i := range lab.Actions {
		a := action{Verb: lab.Actions[i].Verb, Targets: lab.Actions[i].Targets}
		if a.Targets == nil {
			a.Targets = []string{}
		}
		if value := lab.Actions[i].Value; value != nil {
			p := paramOf(value)
			a.Value = &p
		}
		b.Actions = append(b.Actions, a)
	}
	for _, m := range lab.Metrics {
		b.Metrics = append(b.Metrics, metric{m.Name, m.Unit.Code()})
	}
	defaults := labs.New(lab)
	for i := range lab.Checks {
		c := check{Name: lab.Checks[i].Name, Sentence: map[text.Lang]string{}}
		for _, lang := range text.Langs {
			if words := texts.Lab(lang, lab.ID); words != nil {
				c.Sentence[lang] = words.Holds(&defaults, i)
			}
		}
		b.Checks = append(b.Checks, c)
	}
	for _, p := range lab.Presets {
		b.Presets = append(b.Presets, preset{p.Name, PresetSpec(lab, p), p.Breaks})
	}
	return b
}

func paramOf(p *labs.Param) param {
	if p.Choices != nil {
		return param{Name: p.Name, Kind: "choice", Default: p.Format(p.Default), Choices: p.Choices}
	}
	unit := p.Unit.Code()
	return param{
		Name: p.Name, Kind: "number", Unit: &unit,
		Min: json.Number(p.Format(p.Min)), Max: json.Number(p.Format(p.Max)), Default: json.Number(p.Format(p.Default)),
	}
}

// PresetSpec is the canonical text of a preset.
func PresetSpec(lab *labs.Lab, p labs.Preset) string {
	spec, err := labs.ParseQuery(lab, p.Query)
	if err != nil {
		panic("report: preset " + p.Name + " of " + lab.ID + ": " + err.Error())
	}
	return spec.Text()
}

// encode writes JSON without escaping <, > and &, which Specs hold: it is not written into HTML.
func encode(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("report: " + err.Error()) // no type here can fail
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
