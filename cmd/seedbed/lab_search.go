package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"seedbed/labs"
)

// maxSeeds is how many seeds one search may try.
const maxSeeds = 100_000

// labSearchCommand is `seedbed lab search`.
func (a *app) labSearchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "search SPEC | LAB [name=value …]", Short: a.say("lab-search.short"), Long: a.say("lab-search.long"), Args: a.between(1, -1),
		Example: "  seedbed lab search window-edge use=fixed traffic=poisson --seeds 1000",
	}
	spec := a.specFlags(cmd)
	seeds := cmd.Flags().Int("seeds", 200, a.say("flag.seeds"))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *seeds < 1 || *seeds > maxSeeds {
			return a.failed(&labs.Error{Code: "out-of-range", Field: "--seeds", Got: fmt.Sprint(*seeds), Want: "1.." + fmt.Sprint(maxSeeds)})
		}
		settings, err := a.settings(args[1:])
		if err != nil {
			return err
		}
		base, err := a.resolve(args[0], settings, spec)
		if err != nil {
			return err
		}
		return a.search(base, *seeds)
	}
	return cmd
}

// found is a seed that violates checks.
type found struct {
	spec  labs.Spec
	count int64 // violations in all
	worst labs.Verdict
}

// search runs a Spec with seeds that follow its own, and lists those that violate a check.
func (a *app) search(base labs.Spec, seeds int) error {
	all := make([]found, seeds)
	err := each(seeds, func(i int) error {
		f := &all[i]
		f.spec = base
		f.spec.Seed = base.Seed + uint64(i)
		trace, err := labs.Run(f.spec, labs.Options{Stop: a.stopper()})
		if err != nil {
			return fmt.Errorf("%s: %w", f.spec.Text(), err)
		}
		for _, v := range trace.Verdicts {
			f.count += v.Count
			if !v.OK && (f.worst.Check == "" || v.Count > f.worst.Count) {
				f.worst = v
			}
		}
		return nil
	})
	if err != nil {
		return a.failed(err)
	}
	all = slices.DeleteFunc(all, func(f found) bool { return f.worst.Check == "" })
	slices.SortFunc(all, func(x, y found) int {
		return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.spec.Seed, y.spec.Seed))
	})
	for _, f := range all {
		fmt.Fprintf(a.out, "%s  %s: %s\n", f.spec.Text(), f.worst.Check, a.where(&f.worst))
	}
	tried := a.say("search.found", "n", fmt.Sprint(len(all)), "seeds", fmt.Sprint(seeds))
	fmt.Fprintln(a.err, tried)
	if len(all) > 0 {
		return &outcome{code: exitViolated}
	}
	return nil
}
