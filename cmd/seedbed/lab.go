package main

import (
	"strings"

	"github.com/spf13/cobra"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

// labCommand is `seedbed lab` and what is below it.
func (a *app) labCommand() *cobra.Command {
	cmd := a.group("lab", "lab")
	cmd.AddCommand(a.labListCommand(), a.labShowCommand(), a.labRunCommand(), a.labSweepCommand(), a.labSearchCommand())
	return cmd
}

// specFlags are the flags that make a Spec, beside the arguments.
type specFlags struct {
	preset string
	seed   string
	do     []string
}

func (a *app) specFlags(cmd *cobra.Command) *specFlags {
	f := &specFlags{}
	cmd.Flags().StringVar(&f.preset, "preset", "", a.say("flag.preset"))
	cmd.Flags().StringVar(&f.seed, "seed", "", a.say("flag.seed"))
	cmd.Flags().StringArrayVar(&f.do, "do", nil, a.say("flag.do"))
	return f
}

// find looks a lab up by its id.
func (a *app) find(id string) (*labs.Lab, error) {
	spec, err := labs.Parse(id, catalog.Find)
	if err != nil {
		return nil, a.failed(err)
	}
	return spec.Lab, nil
}

// base is the Spec that the first argument and --preset name: SPEC, or LAB with a preset's settings.
func (a *app) base(text string, f *specFlags) (labs.Spec, error) {
	id, query, _ := strings.Cut(text, "?")
	if f.preset == "" {
		return labs.Parse(text, catalog.Find)
	}
	if query != "" {
		return labs.Spec{}, a.bad(a.say("error.preset-and-query", "got", text, "lab", id))
	}
	spec, err := labs.Parse(id, catalog.Find)
	if err != nil {
		return spec, err
	}
	preset, ok := spec.Lab.Preset(f.preset)
	if !ok {
		names := make([]string, len(spec.Lab.Presets))
		for i, p := range spec.Lab.Presets {
			names[i] = p.Name
		}
		return spec, &labs.Error{Code: "unknown-preset", Field: "preset", Got: f.preset, Want: strings.Join(names, ", ")}
	}
	return labs.ParseQuery(spec.Lab, preset.Query)
}

// resolve makes a Spec of SPEC or LAB, the settings name=value behind it, and the flags; later ones win over the Spec's own, and each
// may be given once. The Spec is judged as a whole by whoever runs it.
func (a *app) resolve(text string, settings []setting, f *specFlags) (labs.Spec, error) {
	spec, err := a.base(text, f)
	if err != nil {
		return spec, a.failed(err)
	}
	if f.seed != "" {
		settings = append(settings, setting{"seed", f.seed})
	}
	seen := map[string]bool{}
	for _, s := range settings {
		if seen[s.name] && s.name != "do" {
			return spec, a.failed(&labs.Error{Code: "twice", Field: spec.Lab.ID, Got: s.name})
		}
		seen[s.name] = true
		if err := spec.Set(s.name, s.value); err != nil {
			return spec, a.failed(err)
		}
	}
	for _, do := range f.do {
		if err := spec.Set("do", do); err != nil {
			return spec, a.failed(err)
		}
	}
	return spec, nil
}

// setting is one argument name=value.
type setting struct{ name, value string }

func (a *app) settings(args []string) ([]setting, error) {
	list := make([]setting, len(args))
	for i, arg := range args {
		name, value, found := strings.Cut(arg, "=")
		if !found || name == "" {
			return nil, a.bad(a.say("error.not-a-setting", "got", arg))
		}
		list[i] = setting{name, value}
	}
	return list, nil
}
