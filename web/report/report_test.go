package report_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/report"
	"seedbed/web/text"
)

// loaded are our texts, read once.
var loaded = sync.OnceValues(func() (*text.Texts, error) { return text.Load(content.FS) })

func texts(t *testing.T) *text.Texts {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func run(t *testing.T, lang text.Lang, spec string) *report.Run {
	t.Helper()
	s, err := labs.Parse(spec, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	r, err := labs.Begin(s, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Advance(1 << 13); err != nil {
			t.Fatal(err)
		}
	}
	return &report.Run{Spec: &s, Trace: r.Trace(), Layout: r.Layout(), Words: texts(t).Lab(lang, s.Lab.ID)}
}

// runJSON is the shape that others rely on.
type runJSON struct {
	Spec    string                 `json:"spec"`
	Digest  string                 `json:"digest"`
	Metrics map[string]json.Number `json:"metrics"`
	Checks  []struct {
		Name    string      `json:"name"`
		OK      bool        `json:"ok"`
		At      json.Number `json:"at"`
		Request *int64      `json:"request"`
		Count   int64       `json:"count"`
		Detail  string      `json:"detail"`
	} `json:"checks"`
	Series []struct {
		Name string        `json:"name"`
		Unit string        `json:"unit"`
		T    []json.Number `json:"t"`
		V    []json.Number `json:"v"`
	} `json:"series"`
	Events    []map[string]any `json:"events"`
	Truncated bool             `json:"truncated"`
	Panels    []struct {
		Name string           `json:"name"`
		Rows []map[string]any `json:"rows"`
	} `json:"panels"`
}

func decode[T any](t *testing.T, src []byte) T {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.DisallowUnknownFields()
	d.UseNumber()
	var v T
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, src)
	}
	return v
}

// What a run wrote for its readers is in its JSON row by row, with words instead of their numbers.
func TestJSONHasPanels(t *testing.T) {
	r := run(t, text.EN, "culprit?case=231")
	got := decode[runJSON](t, r.JSON())
	if len(got.Panels) != len(r.Layout.Panels) {
		t.Fatalf("%d panels, want %d", len(got.Panels), len(r.Layout.Panels))
	}
	for i, p := range got.Panels {
		rows, panel := r.Layout.Rows(r.Trace, i), &r.Layout.Panels[i]
		if p.Name != panel.Name || len(p.Rows) != len(rows) || len(rows) == 0 {
			t.Fatalf("panel %s has %d rows, want %s with %d", p.Name, len(p.Rows), panel.Name, len(rows))
		}
		for k, row := range rows {
			back, id := p.Rows[k], row.Values[labs.TraceID]
			if panel.Kind == labs.LogLines {
				id = row.Values[labs.LineTrace]
				if want := panel.Words[row.Values[labs.LineCode]]; back["code"] != want {
					t.Errorf("line %d has the code %v, want %s", k, back["code"], want)
				}
			} else if spans, ok := back["spans"].([]any); !ok || len(spans) != len(labs.Spans(row.Values)) {
				t.Errorf("trace %d has the spans %v", k, back["spans"])
			}
			if back["t"] != json.Number(labs.Seconds.Format(row.At)) || back["trace"] != json.Number(labs.Count.Format(id)) {
				t.Errorf("row %d of %s is of %v at %v", k, p.Name, back["trace"], back["t"])
			}
		}
	}
}

// TestJSON reads back what every preset of every lab writes, and finds in it all that the trace holds, exactly.
func TestJSON(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			r := run(t, text.EN, lab.ID+"?"+p.Query)
			got := decode[runJSON](t, r.JSON())
			if got.Spec != r.Trace.Spec || got.Digest != r.Trace.Digest() || got.Truncated != r.Trace.Truncated() {
				t.Errorf("%s: %s, digest %s, truncated %v", r.Trace.Spec, got.Spec, got.Digest, got.Truncated)
			}
			for i, m := range lab.Metrics {
				if back, err := m.Unit.Parse("", got.Metrics[m.Name].String()); err != nil || back != r.Trace.Metrics[i] {
					t.Errorf("%s: metric %s is %s, want %d base units", r.Trace.Spec, m.Name, got.Metrics[m.Name], r.Trace.Metrics[i])
				}
			}
			for i, v := range r.Trace.Verdicts {
				c := got.Checks[i]
				if c.Name != v.Check || c.OK != v.OK || c.Count != v.Count || c.Detail == "" || strings.Contains(c.Detail, "{") {
					t.Errorf("%s: check %+v, want %+v", r.Trace.Spec, c, v)
				}
				if v.OK != (c.At == "" && c.Request == nil) || !v.OK && c.At.String() != labs.Seconds.Format(v.At) {
					t.Errorf("%s: check %s at %q by %v, want %d ns by %d", r.Trace.Spec, c.Name, c.At, c.Request, v.At, v.Request)
				}
			}
			for i, s := range r.Trace.Columns {
				column := got.Series[i]
				if column.Name != s.Name || len(column.V) != len(s.Values) || len(column.T) != len(s.Values) {
					t.Fatalf("%s: column %d is %s with %d and %d numbers, want %s with %d", r.Trace.Spec, i, column.Name, len(column.T), len(column.V), s.Name, len(s.Values))
				}
				last := len(s.Values) - 1
				if column.T[last].String() != labs.Seconds.Format(int64(last)*r.Trace.Grain) || column.V[last].String() != s.Unit.Format(s.Values[last]) {
					t.Errorf("%s: %s ends with %s at %s", r.Trace.Spec, s.Name, column.V[last], column.T[last])
				}
			}
			if len(got.Events) != len(r.Trace.Log) {
				t.Errorf("%s: %d events, want %d", r.Trace.Spec, len(got.Events), len(r.Trace.Log))
			}
		}
	}
}

func TestEventsInJSON(t *testing.T) {
	r := run(t, text.ZH, "window-edge?use=fixed&size=1")
	events := decode[runJSON](t, r.JSON()).Events
	want := map[string]any{
		"t": json.Number("0.999"), "kind": "admit", "entity": "fixed", "request": json.Number("1"), "inside": json.Number("1"),
		"detail": r.Words.Phrase(r.Spec, r.Layout, r.Trace.Log[0]),
	}
	if diff := cmp.Diff(want, events[0]); diff != "" {
		t.Errorf("first event (-want +got)\n%s", diff)
	}
	r.Events, r.Truncated = r.Trace.Log[2:3], true
	got := decode[runJSON](t, r.JSON())
	if len(got.Events) != 1 || got.Events[0]["entity"] != "log" || !got.Truncated {
		t.Errorf("a window of events: %v, truncated %v", got.Events, got.Truncated)
	}
	if r.Events = []labs.Logged{}; len(decode[runJSON](t, r.JSON()).Events) != 0 {
		t.Error("a window without events shows the log")
	}
}

func TestSummary(t *testing.T) {
	r := run(t, text.EN, "window-edge?use=fixed")
	whole, short := decode[runJSON](t, r.JSON()), decode[runJSON](t, r.Summary())
	whole.Series, whole.Events = nil, nil
	if diff := cmp.Diff(whole, short); diff != "" {
		t.Errorf("(-whole +summary)\n%s", diff)
	}
}

func TestCSV(t *testing.T) {
	r := run(t, text.EN, "token-bucket")
	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(r.Trace.Columns[0].Values)+1 || len(rows[0]) != len(r.Trace.Columns)+1 {
		t.Fatalf("%d rows of %d, want %d of %d", len(rows), len(rows[0]), len(r.Trace.Columns[0].Values)+1, len(r.Trace.Columns)+1)
	}
	for i, s := range r.Trace.Columns {
		if rows[0][i+1] != report.WithUnit(s.Quantity) {
			t.Errorf("column %d is %s, want %s", i+1, rows[0][i+1], report.WithUnit(s.Quantity))
		}
		for row, v := range s.Values {
			if got, err := s.Unit.Parse("", rows[row+1][i+1]); err != nil || got != v {
				t.Fatalf("%s in row %d is %s, want %d base units", s.Name, row+1, rows[row+1][i+1], v)
			}
		}
	}
	if rows[0][0] != "t (s)" || rows[1][0] != "0" || rows[2][0] != labs.Seconds.Format(r.Trace.Grain) {
		t.Errorf("instants: %s, %s, %s", rows[0][0], rows[1][0], rows[2][0])
	}
}

func TestEventsCSV(t *testing.T) {
	r := run(t, text.EN, "layered-limit")
	rows, err := csv.NewReader(strings.NewReader(string(r.EventsCSV()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(r.Trace.Log)+1 {
		t.Fatalf("%d rows, want %d", len(rows), len(r.Trace.Log)+1)
	}
	for i, e := range r.Trace.Log {
		kind := r.Spec.Lab.Events[e.Kind]
		want := []string{labs.Seconds.Format(e.At), kind.Name, r.Layout.Entities[e.Entity].Name, "", "", r.Words.Phrase(r.Spec, r.Layout, e)}
		if kind.A.Name != "" {
			want[3] = kind.A.Unit.Format(e.A)
		}
		if kind.B.Name != "" {
			want[4] = kind.B.Unit.Format(e.B)
		}
		if diff := cmp.Diff(want, rows[i+1]); diff != "" {
			t.Fatalf("event %d (-want +got)\n%s", i, diff)
		}
	}
}

func TestField(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "plain": "plain", "a,b": `"a,b"`, `say "x"`: `"say ""x"""`, "two\nlines": "\"two\nlines\"", "1 s，": "1 s，",
	} {
		if got := report.Field(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

// labJSON is the shape that others rely on.
type labJSON struct {
	ID      string            `json:"id"`
	Version int               `json:"version"`
	Family  string            `json:"family"`
	Title   map[string]string `json:"title"`
	Params  []struct {
		Name    string      `json:"name"`
		Kind    string      `json:"kind"`
		Unit    *string     `json:"unit"`
		Min     json.Number `json:"min"`
		Max     json.Number `json:"max"`
		Default any         `json:"default"`
		Choices []string    `json:"choices"`
	} `json:"params"`
	Actions []struct {
		Verb    string         `json:"verb"`
		Targets []string       `json:"targets"`
		Value   map[string]any `json:"value"`
	} `json:"actions"`
	Metrics []struct {
		Name string `json:"name"`
		Unit string `json:"unit"`
	} `json:"metrics"`
	Checks []struct {
		Name     string            `json:"name"`
		Sentence map[string]string `json:"sentence"`
	} `json:"checks"`
	Presets []struct {
		Name   string `json:"name"`
		Spec   string `json:"spec"`
		Breaks string `json:"breaks"`
	} `json:"presets"`
}

// TestLab: from the JSON alone one can write every Spec of a lab that differs from its defaults in one parameter, and every preset.
func TestLab(t *testing.T) {
	all := texts(t)
	for _, lab := range catalog.All() {
		got := decode[labJSON](t, report.Lab(all, lab))
		if got.ID != lab.ID || got.Version != lab.Version || got.Family != lab.Family || got.Title["en"] == "" || got.Title["zh"] == "" {
			t.Errorf("%s: %+v", lab.ID, got)
		}
		for i := range lab.Params {
			p, want := got.Params[i], &lab.Params[i]
			values := append(p.Choices, p.Min.String(), p.Max.String())
			if p.Kind == "choice" {
				values = p.Choices
			}
			for _, v := range values {
				spec := labs.New(lab)
				if err := spec.Set(p.Name, v); err != nil {
					t.Errorf("%s: %v", lab.ID, err)
				}
			}
			if v, ok := p.Default.(json.Number); ok != (p.Kind == "number") || ok && v.String() != want.Format(want.Default) {
				t.Errorf("%s: %s defaults to %v", lab.ID, p.Name, p.Default)
			}
		}
		for i := range lab.Checks {
			if got.Checks[i].Name != lab.Checks[i].Name || got.Checks[i].Sentence["en"] == "" || got.Checks[i].Sentence["zh"] == "" {
				t.Errorf("%s: check %+v", lab.ID, got.Checks[i])
			}
		}
		for i, p := range lab.Presets {
			spec, err := labs.Parse(got.Presets[i].Spec, catalog.Find)
			if err != nil || spec.Text() != got.Presets[i].Spec || got.Presets[i].Breaks != p.Breaks {
				t.Errorf("%s: preset %+v, %v", lab.ID, got.Presets[i], err)
			}
		}
		if len(got.Actions) != len(lab.Actions) || len(got.Metrics) != len(lab.Metrics) {
			t.Errorf("%s: %d actions and %d metrics", lab.ID, len(got.Actions), len(got.Metrics))
		}
	}
}

func TestLabs(t *testing.T) {
	list := decode[[]struct {
		ID      string            `json:"id"`
		Version int               `json:"version"`
		Family  string            `json:"family"`
		Title   map[string]string `json:"title"`
	}](t, report.Labs(texts(t), catalog.All()))
	if len(list) != len(catalog.All()) || list[0].ID != catalog.All()[0].ID || list[0].Title["zh"] == "" {
		t.Errorf("got %+v", list)
	}
}

func TestMembersOfTheDriverComeLast(t *testing.T) {
	r := run(t, text.EN, "window-edge")
	short := string(r.JSON())
	r.More = []report.Member{{Name: "store", Value: map[string]int{"n": 1}}, {Name: "更多", Value: nil}}
	if want := short[:len(short)-1] + `,"store":{"n":1},"更多":null}`; string(r.JSON()) != want {
		t.Errorf("got …%s", string(r.JSON())[len(short)-20:])
	}
}
