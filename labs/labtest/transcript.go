package labtest

import (
	"fmt"
	"strings"

	"seedbed/labs"
)

// linesShown bounds the events that a transcript lists.
const linesShown = 30

// Transcript writes a run so that a person can read what happened: Spec, digest, metrics, verdicts, marks and the first events.
func Transcript(spec *labs.Spec, trace *labs.Trace) string {
	lab := spec.Lab
	layout := lab.Layout(spec.Config(nil))
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ndigest %s, %d events, %d rows of %s s\n\n", spec.Text(), trace.Digest(), trace.Handled, len(trace.Columns[0].Values), labs.Seconds.Format(trace.Grain))
	for i, m := range lab.Metrics {
		fmt.Fprintf(&b, "%-24s %s\n", m.Name, value(m.Unit, trace.Metrics[i]))
	}
	b.WriteByte('\n')
	for i := range trace.Verdicts {
		b.WriteString(verdict(lab, i, &trace.Verdicts[i]))
	}
	fmt.Fprintf(&b, "\nmarks (%d)\n", len(trace.Marks))
	for _, m := range trace.Marks[:min(len(trace.Marks), linesShown)] {
		b.WriteString(line(spec, &layout, m))
	}
	fmt.Fprintf(&b, "\nfirst events\n")
	for _, e := range trace.Log[:min(len(trace.Log), linesShown)] {
		b.WriteString(line(spec, &layout, e))
	}
	return b.String()
}

func value(u labs.Unit, v int64) string { return u.Format(v) + u.Code() }

func verdict(lab *labs.Lab, i int, v *labs.Verdict) string {
	if v.OK {
		return "✓ " + v.Check + "\n"
	}
	s := fmt.Sprintf("✗ %s at %ss by request %d, %d times:", v.Check, labs.Seconds.Format(v.At), v.Request, v.Count)
	for k, f := range lab.Checks[i].Facts {
		s += " " + f.Name + " " + value(f.Unit, v.Facts[k])
	}
	return s + "\n"
}

func line(spec *labs.Spec, layout *labs.Layout, e labs.Logged) string {
	head := fmt.Sprintf("%12ss  #%-6d ", labs.Seconds.Format(e.At), e.N)
	switch e.Kind {
	case labs.MarkAction:
		return head + "action " + spec.Lab.Actions[spec.Do[e.A].Verb].Verb + "\n"
	case labs.MarkViolation:
		return head + fmt.Sprintf("violation of %s by %d\n", spec.Lab.Checks[e.Entity].Name, e.A)
	}
	kind := &spec.Lab.Events[e.Kind]
	s := fmt.Sprintf("%-8s %-12s", kind.Name, layout.Entities[e.Entity].Name)
	if kind.A.Name != "" {
		s += " " + kind.A.Name + " " + value(kind.A.Unit, e.A)
	}
	if kind.B.Name != "" {
		s += " " + kind.B.Name + " " + value(kind.B.Unit, e.B)
	}
	return head + strings.TrimRight(s, " ") + "\n"
}
