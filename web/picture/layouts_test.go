package picture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// TestEveryPresetIsDrawnCleanly: every lab, every preset, both languages, both widths, inline and alone, and as a card.
func TestEveryPresetIsDrawnCleanly(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, preset := range lab.Presets {
			for _, lang := range text.Langs {
				in := pictureOf(t, lab.ID+"?"+preset.Query, lang)
				for name, drawn := range everyForm(in) {
					for _, fault := range readSheet(t, drawn, strings.HasPrefix(name, "alone")).faults() {
						t.Errorf("%s %s, %s, %s: %s", lab.ID, preset.Name, lang, name, fault)
					}
				}
			}
		}
	}
}

// everyForm draws a run in all its forms.
func everyForm(in Picture) map[string][]byte {
	forms := map[string][]byte{"alone, card": Card(in)}
	for _, narrow := range []bool{false, true} {
		for _, alone := range []bool{false, true} {
			in.Narrow, in.Standalone = narrow, alone
			name := map[bool]string{false: "inline", true: "alone"}[alone] + map[bool]string{false: ", wide", true: ", narrow"}[narrow]
			forms[name] = Run(in)
		}
	}
	return forms
}

// TestAnyLayoutIsDrawnCleanly draws runs of made-up labs: every kind of entity, any graph, long names in both languages, silence,
// floods and numbers of any size. No label meets another or leaves the picture, and the same input gives the same bytes.
func TestAnyLayoutIsDrawnCleanly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyPicture(t)
		again := everyForm(in)
		for name, drawn := range everyForm(in) {
			for _, fault := range readSheetOf(t, drawn, strings.HasPrefix(name, "alone")) {
				t.Errorf("%s: %s", name, fault)
			}
			if !bytes.Equal(drawn, again[name]) {
				t.Errorf("%s: the same run gave other bytes", name)
			}
		}
	})
}

// readSheetOf is readSheet for rapid's T, which is no testing.TB.
func readSheetOf(t *rapid.T, drawn []byte, alone bool) []string {
	var tb testing.T
	s := readSheet(&tb, drawn, alone)
	if tb.Failed() {
		t.Fatal("not XML")
	}
	return s.faults()
}

// anyName makes a name of a few words, Latin or Chinese, at times one with characters that XML must escape.
func anyName(lang text.Lang) *rapid.Generator[string] {
	latin := []string{"bucket", "sliding", "window", "a", "<limiter> & \"pool\"", "coordinator", "reservation", "of", "p99", "W"}
	chinese := []string{"限流器", "滑动窗口", "令牌桶", "连接池", "（主）", "网关", "A", "，", "一致性哈希环", "节点 12"}
	return rapid.Custom(func(t *rapid.T) string {
		if lang == text.ZH {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(chinese), 1, 5).Draw(t, "words"), "")
		}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(latin), 1, 5).Draw(t, "words"), " ")
	})
}

// anyPicture makes up a finished run.
func anyPicture(t *rapid.T) Picture {
	lang := rapid.SampledFrom(text.Langs).Draw(t, "lang")
	name := anyName(lang)
	lab := &labs.Lab{ID: "made-up", Version: 1, Events: []labs.EventKind{{Name: "admit", Flow: labs.Pass}, {Name: "turn", Mark: true}}}
	words := &text.Lab{
		Lang: lang, ID: lab.ID, Title: name.Draw(t, "title"), Question: name.Draw(t, "question"),
		Entities: map[string]string{}, Columns: map[string]string{}, Plots: map[string]string{}, Checks: map[string]text.Check{},
		Metrics: map[string]text.Metric{}, Events: map[string]string{"admit": "admits", "turn": name.Draw(t, "turn")},
	}
	grain := rapid.SampledFrom([]int64{1, 1_000_000, 5_000_000_000}).Draw(t, "grain")
	rows := rapid.SampledFrom([]int{1, 2, 37, 400, 2000}).Draw(t, "rows")
	trace := &labs.Trace{Spec: "made-up?v=1&" + name.Draw(t, "spec"), Horizon: grain * int64(rows), Grain: grain}
	layout := &labs.Layout{}
	m := maker{T: t, name: name, trace: trace, layout: layout, words: words, rows: rows}
	m.entities()
	m.plots()
	m.checks(lab)
	m.marks()
	spec := labs.Spec{Lab: lab, Version: 1, Seed: 1, At: -1}
	return Picture{Lab: lab, Spec: &spec, Trace: trace, Layout: layout, Words: words, UI: texts.UI(lang), Lang: lang}
}

// maker makes up the parts of a run.
type maker struct {
	*rapid.T
	name   *rapid.Generator[string]
	trace  *labs.Trace
	layout *labs.Layout
	words  *text.Lab
	rows   int
}

// column adds a column of silence, a burst, a stream, a ramp or noise, and returns its name.
func (m *maker) column(what string, gather labs.Gather) string {
	size := rapid.SampledFrom([]int64{0, 1, 100, 12_345_678, 1 << 40}).Draw(m.T, "size")
	values := make([]int64, m.rows)
	switch rapid.SampledFrom([]string{"burst", "stream", "ramp", "noise"}).Draw(m.T, "shape") {
	case "burst":
		values[rapid.IntRange(0, m.rows-1).Draw(m.T, "at")] = size
	case "stream":
		for i := range values {
			values[i] = size
		}
	case "ramp":
		for i := range values {
			values[i] = size / int64(m.rows) * int64(i)
		}
	case "noise":
		seed := rapid.Uint64().Draw(m.T, "seed")
		for i := range values {
			seed = seed*6364136223846793005 + 1442695040888963407
			values[i] = int64(seed>>40) % (size + 1)
		}
	}
	c := labs.Column{Quantity: labs.Quantity{Name: fmt.Sprint(what, ".", len(m.layout.Columns)), Unit: labs.Count}, Gather: gather}
	if gather != labs.Sum {
		c.Unit = rapid.SampledFrom([]labs.Unit{labs.Count, labs.Millis, labs.Bytes, labs.PerSecond, labs.Percent}).Draw(m.T, "unit")
	}
	m.layout.Columns = append(m.layout.Columns, c)
	m.trace.Columns = append(m.trace.Columns, labs.Series{Column: c, Values: values})
	m.words.Columns[c.Name] = m.name.Draw(m.T, "column")
	return c.Name
}

// entities makes up a graph, or, every second time, a bus: a source, a rank of limiters, a sink.
func (m *maker) entities() {
	n := rapid.IntRange(0, 14).Draw(m.T, "entities")
	isBus := n > 2 && rapid.Bool().Draw(m.T, "bus")
	for i := range n {
		e := labs.Entity{
			Name: fmt.Sprint("e", i), Kind: labs.Kind(rapid.IntRange(0, int(labs.Coordinator)).Draw(m.T, "kind")),
			Rank: rapid.IntRange(0, 3).Draw(m.T, "rank"), Row: i, Judged: rapid.Bool().Draw(m.T, "judged"),
		}
		m.words.Entities[e.Name] = m.name.Draw(m.T, "entity")
		if isBus {
			e.Rank, e.Kind = 1, labs.Limiter
			switch i {
			case 0:
				e.Rank = 0
			case n - 1:
				e.Rank = 2
			default:
				e.Passed, e.Refused = m.column("passed", labs.Sum), m.column("refused", labs.Sum)
				e.Level, e.Full = m.column("level", labs.Peak), 100
			}
			m.layout.Entities = append(m.layout.Entities, e)
			continue
		}
		if rapid.Bool().Draw(m.T, "counts") {
			e.Passed, e.Refused = m.column("passed", labs.Sum), m.column("refused", labs.Sum)
		}
		if rapid.Bool().Draw(m.T, "level") {
			e.Level, e.Full = m.column("level", labs.Peak), rapid.SampledFrom([]int64{0, 1, 100}).Draw(m.T, "full")
		}
		if rapid.Bool().Draw(m.T, "down") {
			e.Down = m.column("down", labs.Last)
		}
		m.layout.Entities = append(m.layout.Entities, e)
	}
	for i := 1; isBus && i < n-1; i++ {
		name := m.layout.Entities[i].Name
		m.layout.Links = append(m.layout.Links, labs.Link{From: "e0", To: name}, labs.Link{From: name, To: fmt.Sprint("e", n-1)})
	}
	for i := 0; !isBus && i+1 < n; i++ {
		m.layout.Links = append(m.layout.Links, labs.Link{From: fmt.Sprint("e", i), To: fmt.Sprint("e", rapid.IntRange(0, n-1).Draw(m.T, "to"))})
	}
}

func (m *maker) plots() {
	for i := range rapid.IntRange(0, 3).Draw(m.T, "plots") {
		p := labs.Plot{Name: fmt.Sprint("p", i), Bound: rapid.SampledFrom([]int64{0, 1, 100, 1 << 40}).Draw(m.T, "bound")}
		if len(m.layout.Columns) > 0 && rapid.Bool().Draw(m.T, "of a level") {
			p.Columns = append(p.Columns, m.layout.Columns[rapid.IntRange(0, len(m.layout.Columns)-1).Draw(m.T, "of")].Name)
		}
		for range rapid.IntRange(0, 5).Draw(m.T, "lines") {
			p.Columns = append(p.Columns, m.column("line", rapid.SampledFrom([]labs.Gather{labs.Sum, labs.Last, labs.Peak}).Draw(m.T, "gather")))
		}
		m.words.Plots[p.Name] = m.name.Draw(m.T, "plot")
		m.layout.Plots = append(m.layout.Plots, p)
	}
}

func (m *maker) checks(lab *labs.Lab) {
	for i := range rapid.IntRange(0, 4).Draw(m.T, "checks") {
		name := fmt.Sprint("c", i)
		lab.Checks = append(lab.Checks, labs.Check{Name: name})
		good := rapid.Bool().Draw(m.T, "holds")
		m.trace.Verdicts = append(m.trace.Verdicts, labs.Verdict{Check: name, OK: good, At: rapid.Int64Range(0, m.trace.Horizon-1).Draw(m.T, "at")})
		m.words.Checks[name] = text.Check{Title: m.name.Draw(m.T, "check"), Holds: m.name.Draw(m.T, "holds"), Broken: m.name.Draw(m.T, "broken")}
	}
}

func (m *maker) marks() {
	if len(m.layout.Entities) == 0 {
		return
	}
	for range rapid.IntRange(0, 9).Draw(m.T, "marks") {
		m.trace.Marks = append(m.trace.Marks, labs.Logged{At: rapid.Int64Range(0, m.trace.Horizon-1).Draw(m.T, "at"), Kind: 1})
	}
}
