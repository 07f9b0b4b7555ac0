package page

import (
	"net/url"
	"slices"
	"strings"

	"seedbed/labs"
)

// spec reads a Spec as authors write it: the canonical text, where preset=NAME may stand first for what that preset sets, and where
// a lab without a query is its first preset, as on the lab's own page.
func (c *collector) spec(text string, line int) (labs.Spec, bool) {
	id, query, has := strings.Cut(text, "?")
	var lab *labs.Lab
	if c.options.Find != nil {
		lab = c.options.Find(id)
	}
	if lab == nil {
		c.problem(line, (&labs.Error{Code: "unknown-lab", Field: "lab", Got: id, Want: "the labs that `seedbed lab list` prints"}).Error())
		return labs.Spec{}, false
	}
	base := labs.New(lab)
	if !has {
		base = lab.Default()
	}
	s, err := Vary(base, query)
	if err != nil {
		c.problem(line, id+": "+err.Error())
		return s, false
	}
	return s, true
}

// variation reads what changes a Spec: the name of a preset, or a query.
func (c *collector) variation(base labs.Spec, s scalar) (labs.Spec, bool) {
	query := s.text
	if _, isPreset := base.Lab.Preset(query); isPreset {
		query = presetKey + query
	}
	v, err := Vary(base, query)
	if err != nil {
		c.problem(s.line, base.Lab.ID+": "+err.Error())
		return v, false
	}
	return v, true
}

const presetKey = "preset="

// Vary is a Spec with some of its keys set anew: parameters and the seed replace, actions are added, and preset=NAME, which may only
// stand first, replaces everything. The base stays as it is. The error is a *labs.Error.
func Vary(base labs.Spec, query string) (labs.Spec, error) {
	s := base
	s.Values = slices.Clone(base.Values)
	s.Do = slices.Clone(base.Do)
	if rest, ok := strings.CutPrefix(query, presetKey); ok {
		name, more, _ := strings.Cut(rest, "&")
		p, known := s.Lab.Preset(name)
		if !known {
			return s, &labs.Error{Code: "unknown-preset", Field: "preset", Got: name, Want: presetNames(s.Lab)}
		}
		var err error
		if s, err = labs.ParseQuery(s.Lab, p.Query); err != nil {
			return s, err
		}
		query = more
	}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		k, err := url.PathUnescape(key)
		v, err2 := url.PathUnescape(value)
		if err != nil || err2 != nil {
			return s, &labs.Error{Code: "bad-escape", Field: "spec", Got: pair, Want: "a % is followed by two hex digits"}
		}
		if err := s.Set(k, v); err != nil {
			return s, err
		}
	}
	return s, s.Check()
}

func presetNames(lab *labs.Lab) string {
	names := make([]string, len(lab.Presets))
	for i := range lab.Presets {
		names[i] = lab.Presets[i].Name
	}
	return strings.Join(names, ", ")
}

// metric finds a metric by its name.
func (c *collector) metric(lab *labs.Lab, name string, line int) (int, bool) {
	if i := lab.Metric(name); i >= 0 {
		return i, true
	}
	names := make([]string, len(lab.Metrics))
	for i := range lab.Metrics {
		names[i] = lab.Metrics[i].Name
	}
	c.problem(line, lab.ID+": the metric "+name+" is not known; it is one of "+strings.Join(names, ", "))
	return 0, false
}

func cutSpace(s string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimSpace(s), " ")
	return first, strings.TrimSpace(rest)
}
