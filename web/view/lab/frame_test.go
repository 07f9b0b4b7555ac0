package lab

import (
	"strings"
	"testing"

	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// Nobody overlooks thirty settings: a lab of many shows the main ones and what the Spec sets, the others are folded away.
func TestNoLabShowsMoreSettingsThanOneOverlooks(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			m := &Model{in: input(t, text.EN, lab.ID+"?"+p.Query, false), lab: lab} // no run, no picture
			shown, folded := m.split()
			main := 0
			for _, f := range shown {
				if m.in.Spec.Values[f.index] == f.Default {
					main++
				}
			}
			for _, f := range folded {
				if m.in.Spec.Values[f.index] != f.Default {
					t.Errorf("%s %s: %s is set and folded away", lab.ID, p.Name, f.Name)
				}
			}
			if main > many || folded != nil && main > some {
				t.Errorf("%s %s: %d settings at their defaults are shown, want at most %d, or %d beside a fold", lab.ID, p.Name, main, many, some)
			}
			if len(shown)+len(folded) != len(lab.Params) {
				t.Errorf("%s %s: %d settings shown and %d folded away, of %d", lab.ID, p.Name, len(shown), len(folded), len(lab.Params))
			}
		}
	}
}

// A column of the plots' table is told from every other by its head and the plot over it.
func TestColumnsOfTheTableHaveNamesOfTheirOwn(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, lang := range text.Langs {
			m := NewModel(input(t, lang, lab.ID, true))
			s := m.sheet()
			seen, at := map[string]bool{}, 0
			for _, g := range s.groups {
				for _, h := range s.heads[at : at+g.columns] {
					name := g.title + ": " + h
					if seen[name] || g.title == "" || h == "" {
						t.Errorf("%s, %s: two columns are called %q, or one has no name", lab.ID, lang, name)
					}
					seen[name] = true
				}
				at += g.columns
			}
			if at != len(s.heads) {
				t.Errorf("%s, %s: %d heads under plots, %d in all", lab.ID, lang, at, len(s.heads))
			}
		}
	}
}

// A lab all of whose measurements are of one entity or another, such as bulkhead, has no empty place for those of the whole run.
func TestNoPlaceForMeasurementsIsEmpty(t *testing.T) {
	for spec, want := range map[string]bool{"bulkhead": false, "window-edge": true} {
		if got := strings.Contains(component(t, text.EN, spec, nil), `class="lab-measures"`); got != want {
			t.Errorf("%s has a place for measurements of the whole run: %v, want %v", spec, got, want)
		}
	}
}

// What happened is told in the order of its happening, and what is broken again and again is one line.
func TestTheStoryIsInOrder(t *testing.T) {
	folded := false
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			if p.Breaks == "" {
				continue
			}
			m := &Model{in: input(t, text.EN, lab.ID+"?"+p.Query, true), lab: lab}
			lines, more := m.story()
			if len(lines) > mostLines || more < 0 || len(lines) == 0 {
				t.Errorf("%s %s: %d lines and %d more", lab.ID, p.Name, len(lines), more)
			}
			for i, l := range lines {
				folded = folded || l.times != ""
				if i > 0 && l.phrase == lines[i-1].phrase && strings.HasPrefix(l.phrase, "✗") {
					t.Errorf("%s %s: twice in a row: %s %s", lab.ID, p.Name, l.at, l.phrase)
				}
			}
		}
	}
	if !folded {
		t.Error("no preset breaks a promise twice in a row, so nothing was folded")
	}
}

// Whatever an entity can be while it is down has a word: a breaker that is open is not out of order.
func TestEachWayToBeDownHasAWord(t *testing.T) {
	for _, lab := range catalog.All() {
		layout := input(t, text.EN, lab.ID, false).Layout
		for _, e := range layout.Entities {
			stem, _, _ := strings.Cut(e.Down, ".")
			if stem == "" || stem == "down" {
				continue
			}
			for _, lang := range text.Langs {
				if key := "down-" + stem; texts().UI(lang).Under("client.")[key] == "" {
					t.Errorf("%s: %s is down by the column %s, and %s has no client.%s", lab.ID, e.Name, e.Down, lang, key)
				}
			}
		}
	}
}
