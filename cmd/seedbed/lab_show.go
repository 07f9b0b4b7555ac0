package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seedbed/labs"
	"seedbed/web/report"
	"seedbed/web/text"
)

// labShowCommand is `seedbed lab show`.
func (a *app) labShowCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "show LAB [--json]", Short: a.say("lab-show.short"), Args: a.between(1, 1), DisableFlagsInUseLine: true}
	asJSON := cmd.Flags().Bool("json", false, a.say("flag.json"))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		lab, err := a.find(args[0])
		if err != nil {
			return err
		}
		if *asJSON {
			fmt.Fprintf(a.out, "%s\n", report.Lab(a.texts, lab))
			return nil
		}
		a.show(lab)
		return nil
	}
	return cmd
}

// show writes what a lab is, for people.
func (a *app) show(lab *labs.Lab) {
	words := a.lab(lab.ID)
	fmt.Fprintf(a.out, "%s (%s, v=%d)\n%s\n%s\n", words.Title, lab.ID, lab.Version, words.Question, words.About)
	a.section("show.params", a.paramRows(lab, words), "lrl")
	a.section("show.actions", a.actionRows(lab, words), "ll")
	a.section("show.checks", a.checkRows(lab, words), "ll")
	a.section("show.presets", a.presetRows(lab, words), "lll")
	if lab.Input {
		fmt.Fprintf(a.out, "\n%s\n", a.say("show.input"))
	}
}

func (a *app) section(key string, rows [][]string, align string) {
	if len(rows) > 0 {
		fmt.Fprintf(a.out, "\n%s\n%s", a.say(key), columns(rows, align))
	}
}

func (a *app) paramRows(lab *labs.Lab, words *text.Lab) [][]string {
	var rows [][]string
	for i := range lab.Params {
		p := &lab.Params[i]
		about := words.Params[p.Name].Label
		if p.Choices != nil {
			about += " (" + strings.Join(p.Choices, ", ") + ")"
		} else {
			about += " (" + a.rangeOf(p) + ")"
		}
		rows = append(rows, []string{"  " + p.Name, p.Format(p.Default), about})
	}
	return rows
}

// rangeOf is a parameter's range as it may be written in a Spec.
func (a *app) rangeOf(p *labs.Param) string {
	r := p.Format(p.Min) + ".." + p.Format(p.Max)
	unit := text.UnitName(a.lang, p.Unit)
	switch {
	case unit == "":
		return r
	case a.lang == text.ZH && p.Unit == labs.PerSecond:
		return unit + " " + r
	}
	return r + " " + unit
}

func (a *app) actionRows(lab *labs.Lab, words *text.Lab) [][]string {
	var rows [][]string
	for i := range lab.Actions {
		act := &lab.Actions[i]
		form := "  AT:" + act.Verb
		if act.Targets != nil {
			form += ":(" + strings.Join(act.Targets, "|") + ")"
		}
		about := words.Actions[act.Verb].Label
		if v := act.Value; v != nil {
			colons := ":"
			if act.Targets == nil {
				colons = "::" // the place of the target stays empty
			}
			form += "[" + colons + strings.ToUpper(v.Name) + "]"
			about += " (" + v.Name + " " + a.rangeOf(v) + ", " + v.Format(v.Default) + ")"
		}
		rows = append(rows, []string{form, about})
	}
	return rows
}

func (a *app) checkRows(lab *labs.Lab, words *text.Lab) [][]string {
	defaults := labs.New(lab)
	var rows [][]string
	for i := range lab.Checks {
		rows = append(rows, []string{"  " + lab.Checks[i].Name, words.Holds(&defaults, i)})
	}
	return rows
}

func (a *app) presetRows(lab *labs.Lab, words *text.Lab) [][]string {
	var rows [][]string
	for _, p := range lab.Presets {
		about := words.Presets[p.Name].Title
		if p.Breaks != "" {
			about += " ✗ " + p.Breaks
		}
		rows = append(rows, []string{"  " + p.Name, report.PresetSpec(lab, p), about})
	}
	return rows
}
