package main

import (
	"fmt"
	"strings"

	"seedbed/labs"
	"seedbed/web/report"
	"seedbed/web/text"
)

// print writes a run for people: the Spec, the metrics, how each check fared, the digest, and the events that were asked for; of
// one on files first what became of them.
func (a *app) print(run *report.Run, files *stored) {
	fmt.Fprintf(a.out, "%s\n%s\n\n", run.Trace.Spec, run.Words.Title)
	if files != nil {
		files.print(a)
	}
	var rows [][]string
	for i, m := range run.Spec.Lab.Metrics {
		rows = append(rows, []string{"  " + labelOf(run.Words, m.Name), run.Words.Metrics[m.Name].Value(a.lang, m.Unit, run.Trace.Metrics[i])})
	}
	fmt.Fprintf(a.out, "%s\n", columns(rows, "lr"))
	for i, v := range run.Trace.Verdicts {
		mark := "✓"
		if !v.OK {
			mark = "✗"
		}
		fmt.Fprintf(a.out, "%s %s: %s\n", mark, v.Check, run.Words.Verdict(run.Spec, run.Layout, i, v))
		if !v.OK {
			fmt.Fprintf(a.out, "  %s\n", a.where(&v))
		}
	}
	fmt.Fprintf(a.out, "\n%s %s\n", a.say("run.digest"), run.Trace.Digest())
	if run.Events != nil {
		a.printEvents(run)
	}
	if files != nil {
		files.tellKept(a)
	}
}

// labelOf is what a metric is called; its code when it has no text.
func labelOf(words *text.Lab, metric string) string {
	if label := words.Metrics[metric].Label; label != "" {
		return label
	}
	return metric
}

func (a *app) printEvents(run *report.Run) {
	if len(run.Events) == 0 {
		fmt.Fprintf(a.out, "\n%s\n", a.say("run.no-events"))
		return
	}
	rows := make([][]string, len(run.Events))
	for i, e := range run.Events {
		rows[i] = []string{labs.Seconds.Format(e.At) + " s", run.Words.Phrase(run.Spec, run.Layout, e)}
	}
	fmt.Fprintf(a.out, "\n%s", columns(rows, "rl"))
}

// where says at which instant and by which request a check was first violated, and how often it was.
func (a *app) where(v *labs.Verdict) string {
	at, n := text.Number(a.lang, labs.Seconds, v.At), text.Number(a.lang, labs.Count, v.Count)
	if v.Request < 0 {
		return a.say("run.violated", "at", at, "n", n)
	}
	return a.say("run.violated-by", "at", at, "n", n, "request", fmt.Sprint(v.Request))
}

// verdict ends a run as its checks fared. Whoever reads a machine's form is told on standard error what was violated.
func (a *app) verdict(run *report.Run, told bool) error {
	var broken []string
	for _, v := range run.Trace.Verdicts {
		if !v.OK {
			broken = append(broken, v.Check+": "+a.where(&v))
		}
	}
	switch {
	case broken == nil:
		return nil
	case told:
		return &outcome{code: exitViolated}
	}
	return &outcome{exitViolated, strings.Join(broken, "; ")}
}
