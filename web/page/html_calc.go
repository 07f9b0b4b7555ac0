package page

import (
	"encoding/json"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"

	"seedbed/chapters/calc"
)

// A block of calculations is a table that is complete as it comes from the server. For the script that lets readers change the inputs
// (web/client/calc), every value carries data-calc, a view as wasm/bridge takes it ("out", "out in Mbit/s"); inputs carry data-input,
// their name, and hold their number in an element of its own. data-sign asks for = or ≈ before the value. The page's first block
// carries, as data-calc-sheet, what the script must know.

func (w *writer) calc(n ast.Node) string {
	node := n.(*calcNode)
	var b strings.Builder
	w.calcs++
	data := ""
	if w.calcs == 1 && w.Module != "" {
		data = ` data-calc-sheet="` + html.EscapeString(w.calcData(node.sheet)) + `"`
	}
	caption := w.inline(node.calc.caption)
	if caption == "" {
		caption = html.EscapeString(w.Word("calc.title"))
	}
	b.WriteString(`<figure class="calc"` + data + `><figcaption>` + caption + "</figcaption>\n")
	b.WriteString(`<table role="table"><thead><tr role="row"><th role="columnheader" scope="col">` + html.EscapeString(w.Word("calc.name")) +
		`</th><th role="columnheader" scope="col">` + html.EscapeString(w.Word("calc.how")) +
		`</th><th role="columnheader" scope="col">` + html.EscapeString(w.Word("calc.value")) + "</th></tr></thead><tbody>\n")
	for _, l := range node.sheet.Lines()[node.calc.First:node.calc.Last] {
		w.calcLine(&b, l)
	}
	b.WriteString("</tbody></table></figure>\n")
	return b.String()
}

// calcLine writes one line of a block.
func (w *writer) calcLine(b *strings.Builder, l *calc.Line) {
	note := html.EscapeString(l.Note)
	if l.Name == "" && l.Err == nil {
		b.WriteString(`<tr role="row" class="remark"><td role="cell" colspan="3">` + note + "</td></tr>\n")
		return
	}
	if note != "" {
		note = `<span class="note">` + note + `</span>`
	}
	name := html.EscapeString(l.Name)
	b.WriteString(`<tr role="row"`)
	if l.Name != "" {
		b.WriteString(` id="=` + name + `"`)
	}
	b.WriteString(`><th role="rowheader" scope="row">` + name + `</th><td role="cell" class="how">`)
	if !l.Input {
		b.WriteString(exprHTML(l))
	}
	b.WriteString(note + `</td><td role="cell" class="is">`)
	switch {
	case l.Err != nil && l.Err.Code == "unknown":
		b.WriteString("–")
	case l.Err != nil:
		b.WriteString(fault(l.Err.Text()))
	case l.Input:
		b.WriteString(inputHTML(l.Name, l.Shown()[0]))
	default:
		shown := l.Shown()
		b.WriteString(`<span data-calc="` + name + `" data-sign>` + html.EscapeString(signed(shown[0])) + `</span>`)
		for i, unit := range l.Others() {
			b.WriteString(` <span class="also">= <span data-calc="` + name + ` in ` + html.EscapeString(unit) + `">` + html.EscapeString(shown[i+1].String()) + `</span></span>`)
		}
	}
	b.WriteString("</td></tr>\n")
}

// exprHTML is how a line is computed, for a table.
func exprHTML(l *calc.Line) string {
	var b strings.Builder
	for _, p := range l.Expr() {
		text := html.EscapeString(p.Text)
		if p.Kind == calc.Name {
			text = "<var>" + text + "</var>"
		}
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return ""
	}
	return `<span class="expr">` + b.String() + `</span>`
}

func signed(t calc.Text) string {
	if t.Exact {
		return "= " + t.String()
	}
	return "≈ " + t.String()
}

// inputHTML is a number that the reader may change.
func inputHTML(name string, t calc.Text) string {
	name = html.EscapeString(name)
	return `<span class="calc-input" data-calc="` + name + `" data-input="` + name + `">` + html.EscapeString(t.Before) +
		`<span>` + html.EscapeString(t.Number) + `</span>` + html.EscapeString(t.After) + `</span>`
}

// sum writes the value of a name in the text: an input can be changed there too, anything else leads to its line.
func (w *writer) sum(n *numberNode) string {
	t, err := n.sheet.Show(n.sum.Name, n.sum.Unit)
	l, ok := n.sheet.Line(n.sum.Name)
	if err != nil || !ok {
		return fault("{=" + n.raw + "}") // cannot be: the collector has shown it
	}
	if l.Input && n.sum.Unit == "" && w.flat == 0 {
		return inputHTML(l.Name, t)
	}
	view := l.Name
	if n.sum.Unit != "" {
		view += " in " + n.sum.Unit
	}
	data := ` class="run sum" data-calc="` + html.EscapeString(view) + `"`
	text := html.EscapeString(t.String())
	if w.flat > 0 {
		return `<span` + data + `>` + text + `</span>`
	}
	how := l.Name + " = "
	for _, p := range l.Expr() {
		how += p.Text
	}
	return `<a` + data + ` href="#=` + html.EscapeString(l.Name) + `" title="` + html.EscapeString(how) + `">` + text + `</a>`
}

// readerFaults are the codes of package calc that what a reader sets can meet; each has its word, calc.CODE.
var readerFaults = []string{"not-a-number", "wrong-unit", "overflow", "zero-division", "negative-root", "unknown"}

// calcData is what the script needs to compute again.
func (w *writer) calcData(s *calc.Sheet) string {
	data := struct {
		Worker string            `json:"worker"`
		Module string            `json:"module"`
		Sheet  string            `json:"sheet"`
		Words  map[string]string `json:"words"`
	}{w.Worker, w.Module, s.String(), map[string]string{}}
	for _, key := range append([]string{"change", "reset", "reset-title", "changed", "failed"}, readerFaults...) {
		data.Words[key] = w.Sentence("calc." + key)
	}
	out, err := json.Marshal(data)
	if err != nil {
		return "{}" // strings only: cannot be
	}
	return string(out)
}
