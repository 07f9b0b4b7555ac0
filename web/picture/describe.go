package picture

import (
	"strings"

	"seedbed/web/text"
)

// describe is the picture in words, for who does not see it: how the checks fared, then a ring, shards and logs, then what each lane did, then the run's first
// metrics where there is no lane.
func (s *scene) describe() string {
	var parts []string
	for _, v := range s.verdicts {
		key := "picture.describe-holds"
		if !v.good {
			key = "picture.describe-broken"
		}
		parts = append(parts, s.UI.Get(key, "check", v.title, "sentence", v.sentence))
	}
	if s.ring != nil {
		parts = append(parts, s.describeRing())
	}
	for i := range s.Layout.Entities {
		e := &s.Layout.Entities[i]
		if facts := s.facts(e); facts != nil {
			apart := ", "
			if s.Lang == text.ZH {
				apart = "，"
			}
			at := about(s.telling, s.Trace.Horizon)
			parts = append(parts, s.UI.Get("picture.describe-shard", "name", s.Words.Entity(e), "at", at, "facts", strings.Join(facts, apart)))
		}
	}
	for i := range s.lanes {
		parts = append(parts, s.describeLane(&s.lanes[i]))
	}
	if len(s.lanes) == 0 {
		for i, m := range s.Trace.Metrics[:min(4, len(s.Trace.Metrics))] {
			q := s.Lab.Metrics[i]
			parts = append(parts, s.UI.Get("picture.describe-metric", "name", s.Words.Metrics[q.Name].Label, "value", text.Number(s.Lang, q.Unit, m)))
		}
	}
	if s.Lang == text.ZH {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}

// describeLane tells a lane's counts and its highest level.
func (s *scene) describeLane(l *lane) string {
	passed, refused := text.Number(s.Lang, 0, l.nPassed), text.Number(s.Lang, 0, l.nRefused)
	peak, bound := text.Number(s.Lang, l.unit, l.peak), text.Number(s.Lang, l.unit, max(l.bound, l.full))
	switch {
	case l.passed != nil && l.refused == nil && l.level != nil && max(l.bound, l.full) > 0:
		return s.UI.Get("picture.describe-passed-bound", "name", l.name, "word", s.passedWord(), "passed", passed, "peak", peak, "bound", bound)
	case l.passed != nil && l.refused == nil:
		return s.UI.Get("picture.describe-passed", "name", l.name, "word", s.passedWord(), "passed", passed)
	case l.counts() && l.level != nil && max(l.bound, l.full) > 0:
		return s.UI.Get("picture.describe-lane-bound", "name", l.name, "word", s.passedWord(), "passed", passed, "refused", refused, "peak", peak, "bound", bound)
	case l.counts():
		return s.UI.Get("picture.describe-lane", "name", l.name, "word", s.passedWord(), "passed", passed, "refused", refused)
	}
	return s.UI.Get("picture.describe-level", "name", l.name, "peak", peak)
}
