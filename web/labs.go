package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"seedbed/labs"
	"seedbed/web/picture"
	"seedbed/web/report"
	"seedbed/web/runs"
	"seedbed/web/text"
	"seedbed/web/view"
)

// drawLabs makes the list of labs and, for each, the page of its first preset.
func (s *site) drawLabs(b *book) error {
	words := s.texts.UI(b.lang)
	list := &view.LabsPage{}
	for _, l := range s.server.config.Labs {
		result, err := s.run(l.Default())
		if err != nil {
			return err
		}
		body, err := s.labBody(b.lang, result, result.Spec)
		if err != nil {
			return err
		}
		s.documents["/"+string(b.lang)+"/labs/"+l.ID] = s.keep(body)
		link := s.labLink(b.lang, l)
		link.Picture = string(s.glance(b.lang, result))
		i := slices.IndexFunc(list.Families, func(f view.LabFamily) bool { return f.ID == l.Family })
		if i < 0 {
			i = len(list.Families)
			list.Families = append(list.Families, view.LabFamily{ID: l.Family, Name: familyName(words, l.Family)})
		}
		list.Families[i].Labs = append(list.Families[i].Labs, link)
	}
	f := s.frame(b.lang, words.Get("labs.heading"), "/labs/")
	f.Section, f.Elsewhere, f.Description = view.Labs, true, words.Get("labs.lede")
	return s.add(f, view.LabList(f, list))
}

// familyName is a family's name, or its code where the words have none.
func familyName(words text.Words, family string) string {
	if key := "family." + family; words.Has(key) {
		return words.Get(key)
	}
	return family
}

func (s *site) labLink(lang text.Lang, l *labs.Lab) view.LabLink {
	w := s.labWords(lang, l)
	link := view.LabLink{ID: l.ID, Title: w.Title, Question: w.Question, Checks: len(l.Checks)}
	for i := range l.Presets {
		if l.Presets[i].Breaks != "" {
			link.Breaks++
		}
	}
	return link
}

// labBody is a lab's own page, for a result and a Spec that differs from it at most in the instant at which the view opens.
func (s *site) labBody(lang text.Lang, result *runs.Result, spec labs.Spec) ([]byte, error) {
	l, w := spec.Lab, s.labWords(lang, spec.Lab)
	component, err := s.component(lang, s.result(result, spec), fence{id: "lab", heading: 1})
	if err != nil {
		return nil, err
	}
	f := s.frame(lang, w.Title, "/labs/"+l.ID)
	f.Description, f.Section, f.Elsewhere, f.HasLab = w.Question, view.Labs, true, true
	f.Report.Source = "content/" + string(lang) + "/labs/" + l.ID + ".yaml"
	query := spec.Query()
	first := l.Default()
	if query != first.Query() {
		// Every Spec is a page, and there is no end of them: search engines get the first one only.
		f.Query, f.NoIndex = query, true
	}
	f.OEmbed = "/oembed?format=json&url=" + urlEscape(s.server.config.Base+"/"+string(lang)+"/labs/"+l.ID+"?"+query)
	p := &view.LabPage{About: w.About, Body: component}
	for i := range l.Checks {
		name := l.Checks[i].Name
		p.Checks = append(p.Checks, view.Named{Code: name, Name: w.Checks[name].Title, Text: w.Holds(&spec, i)})
	}
	for _, preset := range l.Presets {
		entry := view.Preset{Name: preset.Name, Title: w.Presets[preset.Name].Title, Note: w.Presets[preset.Name].Note, Href: f.At("/labs/" + report.PresetSpec(l, preset))}
		if preset.Breaks != "" {
			entry.Breaks = w.Checks[preset.Breaks].Title
		}
		p.Presets = append(p.Presets, entry)
	}
	for _, c := range s.books[lang].chapters {
		for _, in := range c.Labs {
			if in.Spec.Lab == l {
				p.Chapters = append(p.Chapters, c.link())
				break
			}
		}
	}
	p.Evidence = s.books[lang].evidenceOf(l.ID)
	return s.render(view.Page(f, view.Lab(f, p)))
}

// result is a result whose Spec opens at the given instant.
func (s *site) result(r *runs.Result, spec labs.Spec) *runs.Result {
	if spec.At == r.Spec.At {
		return r
	}
	return &runs.Result{Spec: spec, Trace: r.Trace, Layout: r.Layout, Digest: r.Digest}
}

// key names what is kept with a result: not used by another state of the content, nor in another language.
func (s *site) key(kind string, lang text.Lang) string {
	return kind + " " + string(lang) + " " + strconv.FormatInt(s.version, 36)
}

// labPage answers with the lab's page for the Spec of the query.
func labPage(c echo.Context, s *site) error {
	query := c.Request().URL.RawQuery
	if query == "" && s.find(c.Param("id")) != nil {
		return stored(c, s)
	}
	lang := languageOf(c.Request())
	spec, result, err := s.asked(c, c.Param("id"), query)
	if err != nil {
		return err
	}
	make := func() any {
		body, err := s.labBody(lang, result, spec)
		if err != nil {
			return err
		}
		return newDocument(htmlType, revalidate, body, onceEffort)
	}
	made := any(nil)
	if spec.At < 0 {
		made = result.Once(s.key("page", lang), make)
	} else {
		made = make()
	}
	if err, failed := made.(error); failed {
		return err
	}
	return made.(*document).serve(c.Response(), c.Request(), http.StatusOK)
}

// asked is the Spec that a request asks for, and its result.
func (s *site) asked(c echo.Context, id, query string) (labs.Spec, *runs.Result, error) {
	l := s.find(id)
	if l == nil {
		return labs.Spec{}, nil, noLab(id)
	}
	spec := l.Default()
	if query != "" {
		var err error
		if spec, err = labs.Parse(l.ID+"?"+query, s.find); err != nil { // as /api/runs takes it: bounds are those of the whole text
			return spec, nil, err
		}
	}
	result, err := s.server.runs.Do(c.Request().Context(), s.server.session.client(c), spec)
	return spec, result, err
}

// labFile answers /labs/ID.svg and /labs/ID.json. Beside the Spec the query may have lang, and narrow for a picture that fits a phone.
func labFile(c echo.Context, s *site) error {
	id, form, found := strings.Cut(c.Param("file"), ".")
	if !found || form != "svg" && form != "json" {
		return &refusal{status: http.StatusNotFound, code: "not-found", key: "form", named: []string{"id", id}}
	}
	query, lang, narrow := cutView(c.Request().URL.RawQuery)
	spec, result, err := s.asked(c, id, query)
	if err != nil {
		return err
	}
	d := s.standalone
	if form == "json" {
		d = s.resultJSON
	}
	return d(lang, result, spec, narrow).serve(c.Response(), c.Request(), http.StatusOK)
}

// standalone is a picture that is a file of its own.
func (s *site) standalone(lang text.Lang, result *runs.Result, spec labs.Spec, narrow bool) *document {
	make := func() any {
		p := s.drawing(lang, result, spec, narrow)
		p.Standalone = true
		return newDocument(typeOf(".svg"), "public, max-age=300", picture.Run(p), onceEffort)
	}
	if spec.At >= 0 {
		return make().(*document)
	}
	return result.Once(s.key("svg "+strconv.FormatBool(narrow), lang), make).(*document)
}

// resultJSON is a result for programs. It is as large as the trace, and so not kept.
func (s *site) resultJSON(lang text.Lang, result *runs.Result, _ labs.Spec, _ bool) *document {
	r := report.Run{Spec: &result.Spec, Trace: result.Trace, Layout: result.Layout, Words: s.labWords(lang, result.Spec.Lab)}
	return newDocument("application/json", "public, max-age=300", append(r.JSON(), '\n'), onceEffort)
}

// cutView takes what is not the Spec's out of a query.
func cutView(query string) (spec string, lang text.Lang, narrow bool) {
	lang = text.EN
	var rest []string
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		switch {
		case key == "narrow":
			narrow = value != "0"
		case key == "lang" && text.Lang(value).Known():
			lang = text.Lang(value)
		case pair != "":
			rest = append(rest, pair)
		}
	}
	return strings.Join(rest, "&"), lang, narrow
}
