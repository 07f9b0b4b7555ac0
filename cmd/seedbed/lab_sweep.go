package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seedbed/labs"
	"seedbed/web/report"
)

// maxSweep is how many runs one sweep may take.
const maxSweep = 10_000

// labSweepCommand is `seedbed lab sweep`.
func (a *app) labSweepCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "sweep LAB name=a..b/step [name2=…]", Short: a.say("lab-sweep.short"), Long: a.say("lab-sweep.long"), Args: a.between(2, -1),
		Example: "  seedbed lab sweep window-edge use=fixed,log gap=0..1000/100 --metric admitted\n" +
			"  seedbed lab sweep window-edge use=buckets buckets=10,20,50,100 --metric memory.buckets --metric admitted --csv",
	}
	spec := a.specFlags(cmd)
	metrics := cmd.Flags().StringArray("metric", nil, a.say("flag.metric"))
	asCSV := cmd.Flags().Bool("csv", false, a.say("flag.csv"))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		s, err := a.newSweep(args, spec, *metrics)
		if err != nil {
			return err
		}
		rows, err := a.sweep(s)
		if err != nil {
			return err
		}
		if *asCSV {
			rows[0][len(rows[0])-1] = "violated" // codes are the same in every language
			for _, row := range rows {
				for i := range row {
					row[i] = report.Field(row[i])
				}
				fmt.Fprintln(a.out, strings.Join(row, ","))
			}
			return nil
		}
		fmt.Fprint(a.out, columns(rows, strings.Repeat("r", len(rows[0])-1)+"l"))
		return nil
	}
	return cmd
}

// sweep is a grid of Specs.
type sweep struct {
	base    labs.Spec
	axes    []axis
	metrics []int
	runs    int
}

// axis is a parameter, or the seed, and the values that it takes, as they are written in a Spec.
type axis struct {
	name   string
	values []string
}

// newSweep reads what is to be swept. Arguments with one value set it, those with several are the axes.
func (a *app) newSweep(args []string, f *specFlags, metrics []string) (*sweep, error) {
	settings, err := a.settings(args[1:])
	if err != nil {
		return nil, err
	}
	s := &sweep{runs: 1}
	var fixed []setting
	base, err := a.base(args[0], f)
	if err != nil {
		return nil, a.failed(err)
	}
	for _, set := range settings {
		values, err := a.values(base.Lab, set)
		if err != nil {
			return nil, err
		}
		if len(values) == 1 {
			fixed = append(fixed, setting{set.name, values[0]})
			continue
		}
		s.axes = append(s.axes, axis{set.name, values})
		if s.runs *= len(values); s.runs > maxSweep {
			return nil, a.bad(a.say("error.sweep-too-large", "n", fmt.Sprint(s.runs), "most", fmt.Sprint(maxSweep)))
		}
	}
	if s.base, err = a.resolve(args[0], append(fixed, first(s.axes)...), f); err != nil {
		return nil, err
	}
	if len(s.axes) == 0 {
		return nil, a.bad(a.say("error.sweep-nothing"))
	}
	return s, a.sweepMetrics(s, metrics)
}

// first sets every axis to its first value, so that a name which is wrong or there twice is found before any run.
func first(axes []axis) []setting {
	list := make([]setting, len(axes))
	for i, x := range axes {
		list[i] = setting{x.name, x.values[0]}
	}
	return list
}

func (a *app) sweepMetrics(s *sweep, names []string) error {
	known := make([]string, len(s.base.Lab.Metrics))
	for i, m := range s.base.Lab.Metrics {
		known[i] = m.Name
	}
	if len(names) == 0 {
		return a.bad(a.say("error.wants-metric", "want", strings.Join(known, ", ")))
	}
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return a.bad(a.say("error.unknown-value", "flag", "--metric", "got", name, "want", strings.Join(known, ", ")))
		}
		s.metrics = append(s.metrics, i)
	}
	return nil
}

// values lists what a..b/step, a,b,c or a single value stand for.
func (a *app) values(lab *labs.Lab, s setting) ([]string, error) {
	if s.name != "seed" && lab.Param(s.name) < 0 {
		return []string{s.value}, nil // an action, or a name that resolve refuses
	}
	from, rest, isRange := strings.Cut(s.value, "..")
	if !isRange {
		return strings.Split(s.value, ","), nil
	}
	to, step, hasStep := strings.Cut(rest, "/")
	if !hasStep {
		return nil, a.bad(a.say("error.bad-range", "name", s.name, "got", s.value))
	}
	unit := labs.Count // of the seed
	if i := lab.Param(s.name); i >= 0 {
		unit = lab.Params[i].Unit
		if lab.Params[i].Choices != nil {
			return nil, a.bad(a.say("error.range-of-choices", "name", s.name, "want", strings.Join(lab.Params[i].Choices, ",")))
		}
	}
	var n [3]int64
	for i, text := range []string{from, to, step} {
		v, err := unit.Parse(s.name, text)
		if err != nil {
			return nil, a.failed(err)
		}
		n[i] = v
	}
	if n[2] <= 0 || n[1] < n[0] {
		return nil, a.bad(a.say("error.bad-range", "name", s.name, "got", s.value))
	}
	steps := uint64(n[1]-n[0])/uint64(n[2]) + 1
	if steps > maxSweep {
		return nil, a.bad(a.say("error.sweep-too-large", "n", fmt.Sprint(steps), "most", fmt.Sprint(maxSweep)))
	}
	values := make([]string, steps)
	for i := range values {
		values[i] = unit.Format(n[0] + int64(i)*n[2])
	}
	return values, nil
}

// spec is point i of the grid; the last axis moves fastest.
func (s *sweep) spec(i int) (labs.Spec, []string, error) {
	spec := s.base
	spec.Values = slices.Clone(s.base.Values)
	at := make([]string, len(s.axes))
	for k := len(s.axes) - 1; k >= 0; k-- {
		x := &s.axes[k]
		at[k] = x.values[i%len(x.values)]
		i /= len(x.values)
	}
	for k, x := range s.axes {
		if err := spec.Set(x.name, at[k]); err != nil {
			return spec, at, err
		}
	}
	return spec, at, spec.Check()
}

// sweep runs the grid and returns a table with a head. All Specs are judged before the first run.
func (a *app) sweep(s *sweep) ([][]string, error) {
	for i := range s.runs {
		if _, _, err := s.spec(i); err != nil {
			return nil, a.failed(err)
		}
	}
	rows := make([][]string, s.runs+1)
	rows[0] = s.head(a)
	err := each(s.runs, func(i int) error {
		spec, row, err := s.spec(i)
		if err != nil {
			return err
		}
		trace, err := labs.Run(spec, labs.Options{Stop: a.stopper()})
		if err != nil {
			return fmt.Errorf("%s: %w", spec.Text(), err)
		}
		for _, m := range s.metrics {
			row = append(row, spec.Lab.Metrics[m].Unit.Format(trace.Metrics[m]))
		}
		var broken []string
		for _, v := range trace.Verdicts {
			if !v.OK {
				broken = append(broken, v.Check)
			}
		}
		rows[i+1] = append(row, strings.Join(broken, " "))
		return nil
	})
	if err != nil {
		return nil, a.failed(err)
	}
	return rows, nil
}

// head names the columns: axes and metrics with their units, and the checks that were violated.
func (s *sweep) head(a *app) []string {
	var row []string
	for _, x := range s.axes {
		name := x.name
		if i := s.base.Lab.Param(x.name); i >= 0 {
			name = report.WithUnit(labs.Quantity{Name: name, Unit: s.base.Lab.Params[i].Unit})
		}
		row = append(row, name)
	}
	for _, m := range s.metrics {
		row = append(row, report.WithUnit(s.base.Lab.Metrics[m]))
	}
	return append(row, a.say("sweep.violated"))
}
