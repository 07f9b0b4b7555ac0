package page

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// quiz writes the questions of one fence. Each is a group of radio buttons, and what explains a choice stands behind its button, so
// that the stylesheet alone can show it once it is chosen: no script is needed, and on paper all is shown.
func (w *writer) quiz(n ast.Node) string {
	node := n.(*quizNode)
	var b strings.Builder
	for _, q := range node.quizzes {
		w.quizzes++
		w.question(&b, q, "quiz-"+strconv.Itoa(w.quizzes))
	}
	return b.String()
}

func (w *writer) question(b *strings.Builder, q *Quiz, id string) {
	b.WriteString(`<fieldset class="quiz" id="` + id + `"><legend>` + w.inline(q.question) + "</legend>\n")
	for i := range q.Choices {
		c := &q.Choices[i]
		w.flat++
		text := w.inline(c.text)
		w.flat--
		name := id + "-" + strconv.Itoa(i+1)
		class, verdict := "wrong", w.Word("quiz.wrong")
		if c.Right {
			class, verdict = "right", w.Word("quiz.right")
		}
		b.WriteString(`<div class="choice ` + class + `"><input type="radio" name="` + id + `" id="` + name + `" value="` + strconv.Itoa(i+1) +
			`" aria-describedby="` + name + `-why"><label for="` + name + `">` + text + `</label><p class="why" id="` + name +
			`-why"><strong>` + html.EscapeString(verdict) + `</strong> ` + w.inline(c.why) + "</p></div>\n")
	}
	b.WriteString("</fieldset>\n")
}
