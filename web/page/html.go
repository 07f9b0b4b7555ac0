package page

import (
	"bytes"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"seedbed/labs"
)

// Renderer is what the HTML of a page needs from outside. Every function must be set; functions are called in the order of the text.
type Renderer struct {
	Lang string
	// Word is a word of the page's language: callout.note, page.anchor …
	Word func(key string, named ...string) string
	// Sentence is a word as it is written, with the places of its values: for a script, which fills them. When nil, Word stands for it.
	Sentence func(key string) string
	// Lab draws a lab, as HTML.
	Lab func(l *Lab, t LabText) (string, error)
	// Metric runs a Spec and returns a metric, in base units.
	Metric func(spec labs.Spec, metric int) (int64, error)
	// Number writes a number of base units for people, in the unit that reads best.
	Number func(unit labs.Unit, v int64) string

	// Where the scripts' engine is, for readers who change a number of a calc block. Without a module nothing can be changed.
	Worker, Module string
}

// LabText is the text of a lab fence, as inline HTML; empty where the author gave none.
type LabText struct {
	Question string
	Predict  string
}

// HTML writes the page's text. What could not be resolved shows as it was written; what could not be computed shows as a fault, and
// is a problem.
func (p *Page) HTML(r Renderer) (string, []*Problem) {
	w := newWriter(p.File, r)
	s := w.render(p.body)
	return s, w.problems
}

// writer writes one page.
type writer struct {
	Renderer
	file     string
	problems []*Problem
	html     renderer.Renderer
	quizzes  int // written so far
	calcs    int // written so far
	flat     int // depth of elements in which nothing may be a link: links, headings, labels
}

func newWriter(file string, r Renderer) *writer {
	w := &writer{Renderer: r, file: file}
	if w.Sentence == nil {
		w.Sentence = func(key string) string { return r.Word(key) }
	}
	w.html = renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(w, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
		util.Prioritized(markup.NewRenderer(markup.WithWriter(markup.NewWriter(markup.WithEscapedSpace()))), 1000),
	))
	return w
}

// RegisterFuncs makes the writer a goldmark renderer of the nodes that it knows better.
func (w *writer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindLab, w.around(w.lab, ""))
	reg.Register(kindQuiz, w.around(w.quiz, ""))
	reg.Register(kindCalc, w.around(w.calc, ""))
	reg.Register(kindNumber, w.around(w.number, ""))
	reg.Register(kindTerm, w.around(w.term, ""))
	reg.Register(kindDecision, w.around(w.decision, ""))
	reg.Register(kindDrive, w.linking(w.drive))
	reg.Register(kindLink, w.linking(w.link))
	reg.Register(kindCallout, w.around(w.callout, "</aside>\n"))
	reg.Register(ast.KindBlockquote, w.quote)
	reg.Register(ast.KindHeading, w.heading)
	reg.Register(ast.KindText, w.text)
	reg.Register(ast.KindFencedCodeBlock, w.code)
	reg.Register(ast.KindHTMLBlock, w.rawMarkup)
	reg.Register(ast.KindRawHTML, w.rawMarkup)
	reg.Register(ast.KindImage, w.image)
	reg.Register(extast.KindTable, w.table)
}

// around makes a renderer of a function that writes a node's beginning.
func (w *writer) around(begin func(n ast.Node) string, end string) renderer.NodeRendererFunc {
	return func(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, err := out.WriteString(begin(n))
			return ast.WalkContinue, err
		}
		_, err := out.WriteString(end)
		return ast.WalkContinue, err
	}
}

// linking makes a renderer of a link, within which what is a link elsewhere is text.
func (w *writer) linking(begin func(n ast.Node) string) renderer.NodeRendererFunc {
	write := w.around(begin, "</a>")
	return func(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.flat++
		} else {
			w.flat--
		}
		return write(out, source, n, entering)
	}
}

func (w *writer) render(f fragment) string {
	var b bytes.Buffer
	if err := w.html.Render(&b, f.source, f.doc); err != nil {
		w.problem(1, err.Error())
	}
	return b.String()
}

// inline is a fragment's HTML without the paragraph around it.
func (w *writer) inline(f fragment) string {
	if f.doc == nil {
		return ""
	}
	s := strings.TrimSpace(w.render(f))
	if rest, ok := strings.CutPrefix(s, "<p>"); ok {
		if one, ok := strings.CutSuffix(rest, "</p>"); ok && !strings.Contains(one, "<p>") {
			return one
		}
	}
	return s
}

func (w *writer) problem(line int, message string) {
	w.problems = append(w.problems, &Problem{File: w.file, Line: line, Message: message})
}

// fault is what stands where something could not be computed.
func fault(message string) string {
	return `<strong class="fault">` + html.EscapeString(message) + `</strong>`
}

func (w *writer) lab(n ast.Node) string {
	lab := n.(*labNode).lab
	if lab == nil {
		return "<p>" + fault("lab "+n.(*labNode).raw) + "</p>\n"
	}
	t := LabText{Question: w.inline(lab.question)}
	if p := lab.Predict; p != nil {
		t.Predict = w.inline(p.question)
		w.checkPredict(lab.Spec.Lab, p)
	}
	s, err := w.Lab(lab, t)
	if err != nil {
		w.problem(lab.Line, lab.Spec.Text()+": "+err.Error())
		return fault(lab.Spec.Text() + ": " + err.Error())
	}
	return s + "\n"
}

// checkPredict runs what the reader will run: the truth has to be among the choices.
func (w *writer) checkPredict(lab *labs.Lab, p *Predict) {
	v, err := w.Metric(p.Spec, p.Metric)
	if err != nil {
		w.problem(p.Line, "predict: "+p.Spec.Text()+": "+err.Error())
		return
	}
	if p.Values == nil {
		return
	}
	for _, choice := range p.Values {
		if choice == v {
			return
		}
	}
	q := lab.Metrics[p.Metric]
	w.problem(p.Line, "predict: none of the choices is right; "+q.Name+" of "+p.Spec.Text()+" is "+strings.TrimSpace(q.Unit.Format(v)+" "+q.Unit.Code()))
}

func (w *writer) number(n ast.Node) string {
	node := n.(*numberNode)
	if node.sum != nil {
		return w.sum(node)
	}
	number := node.number
	if number == nil {
		return html.EscapeString("{=" + node.raw + "}")
	}
	v, err := w.Metric(number.Spec, number.Metric)
	if err != nil {
		w.problem(number.Line, "{="+node.raw+"}: "+err.Error())
		return fault("{=" + node.raw + "}")
	}
	shown := ""
	if number.Fixed && number.Unit != labs.PerSecond {
		shown = inUnit(number.Unit, v)
	} else {
		shown = w.Number(number.Unit, v)
	}
	shown = unbroken(shown, 0)
	title := w.Word("page.from-run", "spec", number.Spec.Text())
	if w.flat > 0 {
		return `<span class="run">` + html.EscapeString(shown) + `</span>`
	}
	return `<a class="run" href="` + html.EscapeString(w.labPath(&number.Spec)) + `" title="` + html.EscapeString(title) + `">` + html.EscapeString(shown) + `</a>`
}

func (w *writer) labPath(spec *labs.Spec) string {
	return Target{Kind: LabPage, ID: spec.Lab.ID, Query: spec.Query()}.Path(w.Lang)
}

func (w *writer) drive(n ast.Node) string {
	d := n.(*driveNode).drive
	return `<a class="drive" href="` + html.EscapeString(w.labPath(&d.Spec)) + `" data-apply="` + html.EscapeString(d.Query) + `">`
}

func (w *writer) link(n ast.Node) string {
	l := n.(*linkNode).link
	attributes := ""
	if l.Target.Kind == Outside {
		attributes = ` class="outside" rel="noopener"`
	}
	return `<a href="` + html.EscapeString(l.Target.Path(w.Lang)) + `"` + attributes + `>`
}

func (w *writer) term(n ast.Node) string {
	t := n.(*termNode)
	if t.term == nil || w.flat > 0 {
		return html.EscapeString(t.shown)
	}
	path := Target{Kind: Terms, Fragment: t.term.ID}.Path(w.Lang)
	return `<a class="term" href="` + path + `" title="` + html.EscapeString(t.term.Plain()) + `">` + html.EscapeString(t.shown) + `</a>`
}

func (w *writer) decision(n ast.Node) string {
	id := n.(*decisionNode).id
	if w.flat > 0 {
		return "#" + id
	}
	return `<a class="decision" href="` + Target{Kind: Decision, ID: id}.Path(w.Lang) + `">#` + id + `</a>`
}

func (w *writer) callout(n ast.Node) string {
	kind := n.(*calloutNode).kind
	return `<aside class="callout ` + kind + `"><p class="callout-name">` + html.EscapeString(w.Word("callout."+kind)) + "</p>\n"
}

// quote writes a quotation; a callout's has no element of its own.
func (w *writer) quote(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if n.Parent().Kind() == kindCallout {
		return ast.WalkContinue, nil
	}
	s := "</blockquote>\n"
	if entering {
		s = "<blockquote>\n"
	}
	_, err := out.WriteString(s)
	return ast.WalkContinue, err
}

func (w *writer) heading(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	tag := "h" + strconv.Itoa(h.Level)
	id := ""
	if value, ok := h.AttributeString("id"); ok {
		id = html.EscapeString(string(value.([]byte)))
	}
	s := `<` + tag + ` id="` + id + `">`
	if entering {
		w.flat++
	} else {
		w.flat--
		// For the mouse only: a reader of headings by ear would hear each twice.
		s = `<a class="anchor" href="#` + id + `" aria-hidden="true" tabindex="-1"></a></` + tag + ">\n"
	}
	_, err := out.WriteString(s)
	return ast.WalkContinue, err
}

func (w *writer) code(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	language := string(block.Language(source))
	var b strings.Builder
	b.WriteString(`<pre tabindex="0"><code`)
	if language != "" {
		b.WriteString(` class="language-` + html.EscapeString(language) + `"`)
	}
	b.WriteString(`>`)
	highlight(&b, string(block.Lines().Value(source)), language)
	b.WriteString("</code></pre>\n")
	_, err := out.WriteString(b.String())
	return ast.WalkSkipChildren, err
}

// rawMarkup shows HTML as text, in code.
func (w *writer) rawMarkup(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	raw := markupSource(n, source)
	if !entering || isComment(raw) {
		return ast.WalkSkipChildren, nil
	}
	s := html.EscapeString(string(raw))
	if n.Kind() == ast.KindHTMLBlock {
		s = `<pre tabindex="0"><code>` + s + "</code></pre>\n"
	}
	_, err := out.WriteString(s)
	return ast.WalkSkipChildren, err
}

func (w *writer) image(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	alt, dest := plain(n, source), string(n.(*ast.Image).Destination)
	s := html.EscapeString(alt)
	if imageForm.MatchString(dest) {
		folder, _, _ := strings.Cut(strings.TrimPrefix(w.file, w.Lang+"/"), "/")
		s = `<img src="/` + w.Lang + `/` + folder + `/` + dest + `" alt="` + s + `" loading="lazy">`
	}
	_, err := out.WriteString(s)
	return ast.WalkSkipChildren, err
}

// table puts a table in a box of its own, which scrolls where the table is wider than the page, and can be scrolled by keyboard.
func (w *writer) table(out util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	s := "</table></div>\n"
	if entering {
		s = `<div class="table" role="group" tabindex="0" aria-label="` + html.EscapeString(w.Word("page.table")) + `"><table>` + "\n"
	}
	_, err := out.WriteString(s)
	return ast.WalkContinue, err
}
