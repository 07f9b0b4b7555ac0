package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"seedbed/labs"
	"seedbed/web/picture"
	"seedbed/web/report"
)

// runFlags say what is written of a run.
type runFlags struct {
	json, csv, digest bool
	svg, events       string
	input             logFlags
	store             storeFlags
}

// labRunCommand is `seedbed lab run`.
func (a *app) labRunCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "run SPEC | LAB [name=value …]", Short: a.say("lab-run.short"), Long: a.say("lab-run.long"), Args: a.between(1, -1),
		Example: "  seedbed lab run window-edge use=fixed\n" +
			"  seedbed lab run 'window-edge?use=fixed&gap=1' --svg edge.svg\n" +
			"  seedbed lab run window-edge --preset edge-burst --events 0.999..1.001\n" +
			"  seedbed lab run window-edge length=60 --input access.log.gz\n" +
			"  seedbed lab run shard-migrate --store sqlite --keep shards",
	}
	spec, out := a.specFlags(cmd), &runFlags{}
	flags := cmd.Flags()
	flags.BoolVar(&out.json, "json", false, a.say("flag.json"))
	flags.BoolVar(&out.csv, "csv", false, a.say("flag.csv"))
	flags.BoolVar(&out.digest, "digest", false, a.say("flag.digest"))
	flags.StringVar(&out.svg, "svg", "", a.say("flag.svg"))
	flags.StringVar(&out.events, "events", "", a.say("flag.events"))
	flags.StringVar(&out.store.kind, "store", "", a.say("flag.store"))
	flags.StringVar(&out.store.keep, "keep", "", a.say("flag.keep"))
	a.logFlags(cmd, &out.input)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		settings, err := a.settings(args[1:])
		if err != nil {
			return err
		}
		s, err := a.resolve(args[0], settings, spec)
		if err != nil {
			return err
		}
		return a.runLab(s, out)
	}
	return cmd
}

// runLab runs a Spec and writes what was asked for. Nothing is written before the run has ended well.
func (a *app) runLab(spec labs.Spec, f *runFlags) error {
	if err := f.check(a); err != nil {
		return err
	}
	if err := a.checkStore(&spec, f); err != nil {
		return err
	}
	from, to, err := a.window(f.events)
	if err != nil {
		return err
	}
	opts := labs.Options{Stop: a.stopper(), Seek: f.events != ""}
	if err := a.readLog(&spec, &opts, &f.input); err != nil {
		return err
	}
	if spec.Outdated() {
		fmt.Fprintln(a.err, "seedbed: "+a.say("note.outdated", "got", fmt.Sprint(spec.Version), "have", fmt.Sprint(spec.Lab.Version)))
	}
	runner, files, err := a.advance(spec, opts, &f.store)
	if err != nil {
		return err
	}
	run := &report.Run{Spec: &spec, Trace: runner.Trace(), Layout: runner.Layout(), Words: a.lab(spec.Lab.ID)}
	if files != nil {
		run.More = append(run.More, files.member())
	}
	if f.events != "" {
		a.listWindow(run, runner, from, to)
	}
	return a.write(run, f, files)
}

// advance runs a Spec to its end: in memory, or on files when a store was asked for.
func (a *app) advance(spec labs.Spec, opts labs.Options, store *storeFlags) (*labs.Runner, *stored, error) {
	if store.kind != "" {
		return a.runStored(spec, opts, store)
	}
	runner, err := labs.Begin(spec, opts)
	for done := false; err == nil && !done; {
		done, err = runner.Advance(1 << 13)
	}
	if err != nil {
		return nil, nil, a.failed(err)
	}
	return runner, nil, nil
}

// check refuses outputs that exclude each other.
func (f *runFlags) check(a *app) error {
	var chosen []string
	for _, out := range []struct {
		name string
		set  bool
	}{{"--json", f.json}, {"--csv", f.csv}, {"--svg", f.svg != ""}, {"--digest", f.digest}} {
		if out.set {
			chosen = append(chosen, out.name)
		}
	}
	if len(chosen) > 1 {
		return a.bad(a.say("error.one-output", "got", strings.Join(chosen, ", ")))
	}
	if f.events != "" && (f.svg != "" || f.digest) {
		return a.bad(a.say("error.events-with", "got", chosen[0]))
	}
	return nil
}

// window reads FROM..TO.
func (a *app) window(text string) (from, to int64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	first, last, found := strings.Cut(text, "..")
	if !found {
		return 0, 0, a.bad(a.say("error.bad-window", "got", text))
	}
	from, err = labs.Seconds.Parse("--events", first)
	if err == nil {
		to, err = labs.Seconds.Parse("--events", last)
	}
	if err != nil {
		return 0, 0, a.failed(err)
	}
	if from < 0 || to < from {
		return 0, 0, a.bad(a.say("error.bad-window", "got", text))
	}
	return from, to, nil
}

// listWindow puts the events of a window in the place of the trace's first ones.
func (a *app) listWindow(run *report.Run, runner *labs.Runner, from, to int64) {
	events := runner.Replay(from, 0, labs.MaxLog)
	n := len(events)
	for n > 0 && events[n-1].At > to {
		n--
	}
	run.Events, run.Truncated = events[:n:n], n == labs.MaxLog
	if run.Truncated {
		fmt.Fprintln(a.err, "seedbed: "+a.say("note.events-cut", "n", fmt.Sprint(n), "at", labs.Seconds.Format(events[n-1].At)))
	}
}

// write writes the run in the form that was asked for, and ends as the checks fared.
func (a *app) write(run *report.Run, f *runFlags, files *stored) error {
	forPeople := false
	switch {
	case f.json:
		fmt.Fprintf(a.out, "%s\n", run.JSON())
	case f.csv && f.events != "":
		fmt.Fprintf(a.out, "%s", run.EventsCSV())
	case f.csv:
		fmt.Fprintf(a.out, "%s", run.CSV())
	case f.digest:
		fmt.Fprintln(a.out, run.Trace.Digest())
	case f.svg != "":
		svg := picture.Run(picture.Picture{
			Lab: run.Spec.Lab, Spec: run.Spec, Trace: run.Trace, Layout: run.Layout, Words: run.Words, UI: a.words, Lang: a.lang, Standalone: true,
		})
		if err := a.save(f.svg, svg); err != nil {
			return err
		}
	default:
		forPeople = true
		a.print(run, files)
	}
	return a.verdict(run, forPeople)
}
