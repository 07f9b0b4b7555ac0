package check

import (
	"errors"
	"time"

	"seedbed/labs"
	"seedbed/web/page"
	"seedbed/web/text"
)

// How long one run may take, and all runs of notes together; content that stands alone is its author's own to wait for.
const (
	wallClock = 10 * time.Second
	notesTime = time.Minute
)

// errLate is what the runs that are left end with when the time for all is over.
var errLate = errors.New("not run, because the runs before it took " + notesTime.String() + " together; fewer or shorter ones fit")

// run returns the trace of a Spec; each is run once.
func (s *site) run(spec labs.Spec) (*labs.Trace, error) {
	spec.At = -1
	key := spec.Text()
	if t := s.runs[key]; t != nil {
		return t, nil
	}
	start := time.Now()
	if s.served != nil && s.spent >= notesTime {
		return nil, errLate
	}
	deadline := start.Add(wallClock)
	t, err := labs.Run(spec, labs.Options{Stop: func() bool { return time.Now().After(deadline) }})
	s.spent += time.Since(start)
	if err == nil {
		// What was measured is all that is asked for again.
		t = &labs.Trace{Metrics: t.Metrics, Verdicts: t.Verdicts}
		s.runs[key] = t
	}
	return t, err
}

// render writes a page, of which only the faults are kept.
func (s *site) render(b *book, p *page.Page) {
	_, problems := p.HTML(s.renderer(b))
	s.problems = append(s.problems, problems...)
	for _, l := range p.Labs {
		s.goal(p, l)
	}
	for _, d := range p.Drives {
		if _, err := s.run(d.Spec); err != nil {
			s.add(p.File, d.Line, "lab:"+d.Query+": "+err.Error())
		}
	}
}

func (s *site) renderer(b *book) page.Renderer {
	return page.Renderer{
		Lang: string(b.lang),
		Word: func(key string, _ ...string) string { return key },
		Lab: func(l *page.Lab, _ page.LabText) (string, error) {
			_, err := s.run(l.Spec)
			return "", err
		},
		Metric: func(spec labs.Spec, metric int) (int64, error) {
			t, err := s.run(spec)
			if err != nil {
				return 0, err
			}
			return t.Metrics[metric], nil
		},
		Number: func(unit labs.Unit, v int64) string { return text.Number(b.lang, unit, v) },
	}
}

// goal reports a challenge that the page's own run has met already.
func (s *site) goal(p *page.Page, l *page.Lab) {
	if l.Goal == nil || l.Spec.Lab == nil {
		return
	}
	t, err := s.run(l.Spec)
	if err != nil {
		return // render has said so
	}
	v := t.Metrics[l.Goal.Metric]
	if v == l.Goal.Bound || l.Goal.Most == (v < l.Goal.Bound) {
		q := l.Spec.Lab.Metrics[l.Goal.Metric]
		s.add(p.File, l.Line, "goal: reached before anybody tries; "+q.Name+" is "+q.Unit.Format(v)+" already")
	}
}
