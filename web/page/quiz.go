package page

import (
	"strconv"

	"github.com/yuin/goldmark/ast"
)

// Quiz is one retrieval question. Every choice says why it is right or not: a question that only judges teaches nothing.
type Quiz struct {
	Choices []Choice
	Line    int

	question fragment
}

// Choice is one answer that may be chosen.
type Choice struct {
	Right bool

	text, why fragment
}

const maxChoices = 6

// quizText is the fence's body: a list of these.
type quizText struct {
	Question *scalar `yaml:"question"`
	Kind     *scalar `yaml:"kind"`
	Choices  []struct {
		Text  *scalar `yaml:"text"`
		Right bool    `yaml:"right"`
		Why   *scalar `yaml:"why"`
	} `yaml:"choices"`
}

var kindQuiz = ast.NewNodeKind("SeedbedQuiz")

// quizNode is where the questions of one fence stand.
type quizNode struct {
	ast.BaseBlock
	first   int // number of the fence's first question in the page, from 0
	quizzes []*Quiz
}

func (n *quizNode) Kind() ast.NodeKind { return kindQuiz }

func (n *quizNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// quizFence reads the questions of a fence. Questions that lack something are left out, each with a problem.
func (c *collector) quizFence(n *ast.FencedCodeBlock) {
	line := c.place(n)
	node := &quizNode{first: len(c.page.Quizzes)}
	var texts []quizText
	if c.decode(n.Lines().Value(c.source), line+1, &texts) && len(texts) == 0 {
		c.problem(line, "quiz: no question; the block is a list of question, kind, choices")
	}
	for i := range texts {
		if q := c.question(&texts[i], line); q != nil {
			node.quizzes = append(node.quizzes, q)
		}
	}
	c.page.Quizzes = append(c.page.Quizzes, node.quizzes...)
	replace(n, node)
}

func (c *collector) question(t *quizText, fence int) *Quiz {
	within(fence+1, t.Question, t.Kind)
	if t.Question == nil {
		c.problem(fence, "quiz: question is missing")
		return nil
	}
	q := &Quiz{Line: t.Question.line, question: c.inline(*t.Question)}
	if t.Kind != nil && t.Kind.text != "choice" {
		c.problem(t.Kind.line, "quiz: the kind "+t.Kind.text+" is not known; it is choice")
		return nil
	}
	if len(t.Choices) < 2 || len(t.Choices) > maxChoices {
		c.problem(q.Line, "quiz: "+strconv.Itoa(len(t.Choices))+" choices; a question has 2.."+strconv.Itoa(maxChoices))
		return nil
	}
	right := 0
	for i := range t.Choices {
		in := &t.Choices[i]
		within(fence+1, in.Text, in.Why)
		if in.Text == nil || in.Why == nil {
			c.problem(q.Line, "quiz: choice "+strconv.Itoa(i+1)+" wants text and why, the sentence that explains it")
			return nil
		}
		if in.Right {
			right++
		}
		q.Choices = append(q.Choices, Choice{Right: in.Right, text: c.inline(*in.Text), why: c.inline(*in.Why)})
	}
	if right != 1 {
		c.problem(q.Line, "quiz: "+strconv.Itoa(right)+" choices are marked right: true; exactly one is")
		return nil
	}
	return q
}
