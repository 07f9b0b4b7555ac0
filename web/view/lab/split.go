package lab

import (
	"cmp"
	"slices"

	"seedbed/labs"
)

// How many parameters a component shows at once. The rest are folded away: they are there for who looks for them.
const (
	few   = 3  // in a compact component
	some  = 8  // of many
	many  = 12 // so many are shown whatever they are
	spare = 3  // fewer are not worth folding away
)

// split parts the fields into those to show and those to fold away. What the Spec sets is shown, so that nobody wonders what a run is of.
func (m *Model) split() (shown, folded []field) {
	fields := m.fields()
	if m.in.Compact && len(fields) > few {
		return fields[:few], fields[few:]
	}
	if len(fields) <= many {
		return fields, nil
	}
	main := m.main()
	for i, f := range fields {
		if main[i] || m.in.Spec.Values[i] != f.Default {
			shown = append(shown, f)
		} else {
			folded = append(folded, f)
		}
	}
	if len(folded) < spare {
		return fields, nil
	}
	return shown, folded
}

// main says of each parameter whether it is one of those with which the lab teaches: the first two, which say what is asked and how much
// of it, and those that the most presets set. Of two that are set as often the earlier one counts more.
func (m *Model) main() []bool {
	const first = 2
	set := m.taught()
	order := make([]int, len(set))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order[first:], func(a, b int) int { return cmp.Compare(set[b], set[a]) })
	main := make([]bool, len(set))
	for _, i := range order[:min(some, len(order))] {
		main[i] = true
	}
	return main
}

// taught counts for each parameter the presets that set it. How long a run is teaches nothing: a preset sets it to make room for what it
// shows.
func (m *Model) taught() []int {
	set := make([]int, len(m.lab.Params))
	for _, p := range m.lab.Presets {
		spec, err := labs.ParseQuery(m.lab, p.Query)
		if err != nil {
			continue // a preset that does not parse fails the labs' own tests
		}
		for i := range set {
			if p := &m.lab.Params[i]; spec.Values[i] != p.Default && p.Name != "length" {
				set[i]++
			}
		}
	}
	return set
}
