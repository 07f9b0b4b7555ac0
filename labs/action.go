package labs

import (
	"slices"
	"strings"
)

// parseDo reads one action: AT:VERB[:TARGET[:VALUE]]. Targets are checked later, when all parameters are known.
func parseDo(lab *Lab, text string) (Do, error) {
	parts := strings.SplitN(text, ":", 4)
	if len(parts) < 2 {
		return Do{}, fault("bad-action", "do", clip(text), "an action is AT:VERB[:TARGET[:VALUE]], such as 1.5s:burst")
	}
	at, err := parseInstant("do", parts[0])
	if err != nil {
		return Do{}, err
	}
	do := Do{At: at, Verb: -1}
	verbs := make([]string, len(lab.Actions))
	for i := range lab.Actions {
		verbs[i] = lab.Actions[i].Verb
		if lab.Actions[i].Verb == parts[1] {
			do.Verb = i
		}
	}
	if do.Verb < 0 {
		want := strings.Join(verbs, ", ")
		if want == "" {
			want = "none: this lab has no actions"
		}
		return Do{}, fault("unknown-verb", "do", clip(parts[1]), want)
	}
	a := &lab.Actions[do.Verb]
	if len(parts) > 2 {
		do.Target = parts[2]
	}
	if a.Value == nil {
		if len(parts) > 3 {
			return Do{}, fault("no-value", "do", clip(text), a.Verb+" takes no value")
		}
		return do, nil
	}
	do.Value = a.Value.Default
	if len(parts) > 3 {
		do.Value, err = a.Value.parse(parts[3])
	}
	return do, err
}

// parseInstant reads an instant of virtual time; a bare number is seconds.
func parseInstant(field, text string) (int64, error) {
	at, err := Seconds.Parse(field, clip(text))
	if err == nil && at < 0 {
		return 0, fault("bad-instant", field, clip(text), "an instant is 0 or later")
	}
	return at, err
}

// checkDo judges an action against the run that it is for.
func (l *Lab) checkDo(do *Do, cfg Config, layout *Layout, horizon int64) error {
	a := &l.Actions[do.Verb]
	if do.At >= horizon {
		return fault("out-of-range", "do", Seconds.Format(do.At)+"s:"+a.Verb, "0.."+Seconds.Format(horizon)+" s, the run's length, its end left out")
	}
	if a.Of != "" {
		there := *a.Value // of the numbers in its range, those that this run has
		there.Max = there.Min + cfg.Int(a.Of) - 1
		if do.Value > there.Max {
			return fault("out-of-range", there.Name, there.Format(do.Value), there.Range())
		}
	}
	if a.Targets == nil {
		if do.Target != "" {
			return fault("no-target", "do", clip(do.Target), a.Verb+" takes no target")
		}
		return nil
	}
	targets := layout.targets(a.Targets)
	if do.Target == "" {
		return fault("wants-target", "do", a.Verb, a.Verb+" wants a target: one of "+strings.Join(targets, ", "))
	}
	if !slices.Contains(targets, do.Target) {
		return fault("unknown-target", "do", clip(do.Target), strings.Join(targets, ", "))
	}
	return nil
}

// text is the action as it stands in a canonical Spec.
func (d *Do) text(lab *Lab) string {
	a := &lab.Actions[d.Verb]
	t := Seconds.Format(d.At) + "s:" + a.Verb
	hasValue := a.Value != nil && d.Value != a.Value.Default
	if d.Target != "" || hasValue {
		t += ":" + d.Target
	}
	if hasValue {
		t += ":" + a.Value.Format(d.Value)
	}
	return t
}
