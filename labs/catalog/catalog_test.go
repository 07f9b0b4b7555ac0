package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

// Every lab keeps the contract that drivers rely on: names that survive a query string, ranges that hold their defaults, columns
// and links that exist, a first preset that opens, and at least one counterexample.
func TestEveryLabIsWellMade(t *testing.T) {
	seen := map[string]bool{}
	for _, lab := range catalog.All() {
		if seen[lab.ID] || catalog.Find(lab.ID) != lab {
			t.Errorf("%s is not found by its id, or is there twice", lab.ID)
		}
		seen[lab.ID] = true
		var names []string
		for i := range lab.Params {
			p := &lab.Params[i]
			names = append(names, p.Name)
			if p.Choices == nil && (p.Default < p.Min || p.Default > p.Max) {
				t.Errorf("%s: the default of %s is outside its range", lab.ID, p.Name)
			}
			if p.Choices != nil && int(p.Default) >= len(p.Choices) {
				t.Errorf("%s: the default of %s is no choice", lab.ID, p.Name)
			}
			if key, _, ok := strings.Cut(p.Unused, "="); ok && lab.Param(key) < 0 {
				t.Errorf("%s: %s is unused without %s, which is no parameter", lab.ID, p.Name, p.Unused)
			}
		}
		for _, reserved := range []string{"v", "seed", "do", "at", "input"} {
			if slices.Contains(names, reserved) {
				t.Errorf("%s: %s is a reserved key", lab.ID, reserved)
			}
		}
		for _, c := range lab.Checks {
			names = append(names, c.Name)
			if len(c.Facts) > labs.MaxFacts {
				t.Errorf("%s: check %s has %d facts", lab.ID, c.Name, len(c.Facts))
			}
		}
		broken := 0
		for _, p := range lab.Presets {
			names = append(names, p.Name)
			if p.Breaks != "" {
				broken++
			}
		}
		if broken == 0 {
			t.Errorf("%s has no counterexample", lab.ID)
		}
		if lab.Presets[0].Breaks != "" {
			t.Errorf("%s opens with a counterexample", lab.ID)
		}
		for _, m := range lab.Metrics {
			names = append(names, m.Name)
		}
		for _, n := range names {
			if n == "" || strings.Trim(n, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
				t.Errorf("%s: %q is not a plain name", lab.ID, n)
			}
		}
	}
}

func TestEveryLayoutHangsTogether(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			spec, err := labs.ParseQuery(lab, p.Query)
			if err != nil {
				t.Fatal(err)
			}
			l := lab.Layout(spec.Config(nil))
			for _, e := range l.Entities {
				for _, column := range []string{e.Level, e.Passed, e.Refused, e.Down} {
					if column != "" && l.Column(column) < 0 {
						t.Errorf("%s: entity %s names the column %s, which is not recorded", spec.Text(), e.Name, column)
					}
				}
			}
			for _, k := range l.Links {
				if l.Entity(k.From) < 0 || l.Entity(k.To) < 0 {
					t.Errorf("%s: a link from %q to %q", spec.Text(), k.From, k.To)
				}
			}
			for _, plot := range l.Plots {
				for _, column := range plot.Columns {
					if l.Column(column) < 0 {
						t.Errorf("%s: plot %s names the column %s", spec.Text(), plot.Name, column)
					}
				}
			}
			for _, a := range lab.Actions {
				there := func(e labs.Entity) bool {
					return slices.Contains(a.Targets, e.Name) || slices.Contains(a.Targets, e.Label)
				}
				if a.Targets != nil && !slices.ContainsFunc(l.Entities, there) {
					t.Errorf("%s: action %s has no target: none of %s is there", spec.Text(), a.Verb, strings.Join(a.Targets, ", "))
				}
			}
		}
	}
}

// Default presets stay under 50,000 events, so that a page can run them at once.
func TestPresetsAreSmall(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			spec, err := labs.ParseQuery(lab, p.Query)
			if err != nil {
				t.Fatal(err)
			}
			trace, err := labs.Run(spec, labs.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if trace.Handled >= 50_000 {
				t.Errorf("%s handles %d events, want fewer than 50,000", spec.Text(), trace.Handled)
			}
		}
	}
}

// An action that numbers something, such as a key, is refused when it names one that the run does not have, and taken for the last one.
func TestActionsNameWhatIsThere(t *testing.T) {
	bounded := 0
	for _, lab := range catalog.All() {
		for verb := range lab.Actions {
			a := &lab.Actions[verb]
			if a.Of == "" {
				continue
			}
			bounded++
			i := lab.Param(a.Of)
			if i < 0 || a.Value == nil {
				t.Fatalf("%s: %s numbers %q, which is no parameter, or takes no value", lab.ID, a.Verb, a.Of)
			}
			for _, n := range []int64{lab.Params[i].Default, lab.Params[i].Max} {
				spec := labs.New(lab)
				spec.Values[i] = n
				last := a.Value.Min + n - 1
				for value, want := range map[int64]string{last: "", last + 1: "out-of-range"} {
					spec.Do = []labs.Do{{Verb: verb, Value: value}}
					if a.Targets != nil {
						spec.Do[0].Target = a.Targets[0]
					}
					got := ""
					if e, ok := spec.Check().(*labs.Error); ok {
						got = e.Code
					}
					if got != want {
						t.Errorf("%s: %s of %d, with %d %s: got %q, want %q", lab.ID, a.Verb, value, n, a.Of, got, want)
					}
				}
			}
		}
	}
	if bounded == 0 {
		t.Error("no action numbers anything, so the test shows nothing")
	}
}
