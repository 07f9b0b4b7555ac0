package page

import (
	"strconv"

	"github.com/yuin/goldmark/ast"

	"seedbed/labs"
)

// Lab is a lab that stands in the text: a fence whose info string is `lab` and a Spec.
type Lab struct {
	Spec    labs.Spec
	Predict *Predict // nil when the reader is asked nothing before the run
	Goal    *Goal    // nil when the lab sets no challenge
	Height  int      // of a ring on the stage, CSS px, for all else is as high as its text; 0 leaves it to the lab
	Level   int      // of its title, one below the section that it stands in: 2..6
	Line    int

	question fragment
}

// Predict asks what a run will give that the page does not show: the fence's Spec with something changed.
type Predict struct {
	With   string    // as written: a query over the fence's Spec, or the name of a preset
	Spec   labs.Spec // what is run when the reader has answered
	Metric int       // index into the lab's metrics
	Values []int64   // the choices, in base units; nil when a number is asked
	Line   int

	question fragment
}

// Goal is a challenge: a bound on a metric.
type Goal struct {
	Metric int // index into the lab's metrics
	Most   bool
	Bound  int64 // base units: the metric must be at most (or, when not Most, at least) this
}

// The bounds of a ring's height, CSS px.
const (
	minHeight = 160
	maxHeight = 640
)

// labText is the fence's body.
type labText struct {
	Question *scalar `yaml:"question"`
	Height   *scalar `yaml:"height"`
	Predict  *struct {
		Question *scalar  `yaml:"question"`
		With     *scalar  `yaml:"with"`
		Metric   *scalar  `yaml:"metric"`
		Choices  []scalar `yaml:"choices"`
	} `yaml:"predict"`
	Goal *struct {
		Metric *scalar `yaml:"metric"`
		Most   *scalar `yaml:"at-most"`
		Least  *scalar `yaml:"at-least"`
	} `yaml:"goal"`
}

var kindLab = ast.NewNodeKind("SeedbedLab")

// labNode is where the lab stands.
type labNode struct {
	ast.BaseBlock
	lab *Lab   // nil when its Spec cannot be read
	raw string // the Spec as written
}

func (n *labNode) Kind() ast.NodeKind { return kindLab }

func (n *labNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// labFence reads a lab fence.
func (c *collector) labFence(n *ast.FencedCodeBlock) {
	line := c.place(n)
	_, text := splitInfo(n, c.source)
	spec, ok := c.spec(text, line)
	if !ok {
		replace(n, &labNode{raw: text})
		return
	}
	lab := &Lab{Spec: spec, Level: min(max(c.level, 1)+1, 6), Line: line}
	var t labText
	c.decode(n.Lines().Value(c.source), line+1, &t)
	first := line + 1
	within(first, t.Question, t.Height)
	if t.Question != nil {
		lab.question = c.inline(*t.Question)
	}
	if t.Height != nil {
		h, err := strconv.Atoi(t.Height.text)
		if err != nil || h < minHeight || h > maxHeight {
			c.problem(t.Height.line, "height: "+t.Height.text+" is outside "+strconv.Itoa(minHeight)+".."+strconv.Itoa(maxHeight)+" CSS pixels")
		} else {
			lab.Height = h
		}
	}
	c.predict(lab, &t, first)
	c.goal(lab, &t, first)
	c.lab = lab
	c.page.Labs = append(c.page.Labs, lab)
	replace(n, &labNode{lab: lab, raw: text})
}

// predict reads what is asked before the run. A question that lacks something is left out, with a problem.
func (c *collector) predict(lab *Lab, t *labText, first int) {
	if t.Predict == nil {
		return
	}
	in := t.Predict
	within(first, in.Question, in.With, in.Metric)
	for i := range in.Choices {
		within(first, &in.Choices[i])
	}
	if in.Question == nil || in.With == nil || in.Metric == nil {
		c.problem(lab.Line, "predict wants question, with (what the reader's run changes) and metric")
		return
	}
	p := &Predict{With: in.With.text, Line: in.Question.line}
	var ok bool
	if p.Spec, ok = c.variation(lab.Spec, *in.With); !ok {
		return
	}
	if p.Spec.Text() == lab.Spec.Text() {
		c.problem(in.With.line, "with: "+in.With.text+" changes nothing, so the picture on the page already shows the answer")
		return
	}
	if p.Metric, ok = c.metric(lab.Spec.Lab, in.Metric.text, in.Metric.line); !ok {
		return
	}
	for _, choice := range in.Choices {
		v, err := lab.Spec.Lab.Metrics[p.Metric].Unit.Parse("choices", choice.text)
		if err != nil {
			c.problem(choice.line, err.Error())
			continue
		}
		p.Values = append(p.Values, v)
	}
	if len(in.Choices) == 1 {
		c.problem(in.Choices[0].line, "choices: one is none; give at least two, or leave them out to ask for a number")
	}
	p.question = c.inline(*in.Question)
	lab.Predict = p
}

// goal reads the challenge.
func (c *collector) goal(lab *Lab, t *labText, first int) {
	if t.Goal == nil {
		return
	}
	in := t.Goal
	within(first, in.Metric, in.Most, in.Least)
	if in.Metric == nil || (in.Most == nil) == (in.Least == nil) {
		c.problem(lab.Line, "goal wants metric and one of at-most and at-least")
		return
	}
	m, ok := c.metric(lab.Spec.Lab, in.Metric.text, in.Metric.line)
	if !ok {
		return
	}
	bound, name := in.Most, "at-most"
	if bound == nil {
		bound, name = in.Least, "at-least"
	}
	v, err := lab.Spec.Lab.Metrics[m].Unit.Parse(name, bound.text)
	if err != nil {
		c.problem(bound.line, err.Error())
		return
	}
	lab.Goal = &Goal{Metric: m, Most: in.Most != nil, Bound: v}
}

// splitInfo is a fence's info string: its first word, and the rest.
func splitInfo(n *ast.FencedCodeBlock, source []byte) (kind, rest string) {
	if n.Info == nil {
		return "", ""
	}
	return cutSpace(string(n.Info.Segment.Value(source)))
}
