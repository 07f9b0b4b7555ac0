package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seedbed/web/text"
)

// commands are the commands of the first level, in the order of the help.
var commands = []func(*app) *cobra.Command{
	(*app).labCommand,
	(*app).checkCommand,
	(*app).serveCommand,
}

// root builds the tree of commands in the language of this process.
func (a *app) root() *cobra.Command {
	root := a.group("seedbed", "root")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	root.SetUsageFunc(func(cmd *cobra.Command) error { a.help(cmd); return nil })
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, RunE: func(cmd *cobra.Command, args []string) error {
		about, _, err := root.Find(args)
		if err != nil {
			return a.unknownCommand(root, args)
		}
		a.help(about)
		return nil
	}})
	lang := root.PersistentFlags().String("lang", "", a.say("flag.lang"))
	root.PersistentFlags().BoolP("help", "h", false, a.say("flag.help"))
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.broken != nil && cmd.Name() != "check" { // which reports this fault with all others
			return refuse(a.broken)
		}
		if *lang != "" && !text.Lang(*lang).Known() {
			return a.bad(a.say("error.unknown-value", "flag", "--lang", "got", *lang, "want", "en, zh"))
		}
		return a.emptyFlag(cmd)
	}
	for _, build := range commands {
		root.AddCommand(build(a))
	}
	return root
}

// group is a command that only holds others.
func (a *app) group(use, key string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: a.say(key + ".short"),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.unknownCommand(cmd, args)
			}
			a.help(cmd)
			return nil
		},
	}
}

func (a *app) unknownCommand(cmd *cobra.Command, args []string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	slices.Sort(known)
	return a.bad(within(cmd) + a.say("error.unknown-command", "got", args[0], "want", strings.Join(known, ", ")))
}

// within begins an error that is about a command: its path below the root, as a prefix.
func within(cmd *cobra.Command) string {
	if path, ok := strings.CutPrefix(cmd.CommandPath(), cmd.Root().Name()+" "); ok {
		return path + ": "
	}
	return ""
}

// between asks for a number of arguments; most < 0 is no upper bound.
func (a *app) between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return a.bad(within(cmd) + a.say("error.too-few", "usage", cmd.UseLine()))
		case most >= 0 && len(args) > most:
			return a.bad(within(cmd) + a.say("error.too-many", "got", args[most], "usage", cmd.UseLine()))
		}
		return nil
	}
}

// flagError says what the parser of flags says, in the language of this process.
func (a *app) flagError(err error) string {
	var unknown *pflag.NotExistError
	var wants *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return a.say("error.unknown-flag", "flag", dashes(unknown.GetSpecifiedName()))
	case errors.As(err, &wants):
		return a.say("error.flag-wants-value", "flag", dashes(wants.GetSpecifiedName()))
	case errors.As(err, &invalid):
		return a.say("error.bad-flag", "flag", "--"+invalid.GetFlag().Name, "got", invalid.GetValue(), "want", a.kindOf(invalid.GetFlag()))
	case errors.As(err, &syntax):
		return a.say("error.unknown-flag", "flag", syntax.GetSpecifiedFlag())
	}
	return err.Error()
}

// emptyFlag refuses a word that was given and is empty, which a script with a variable that is not set gives: it would be taken for a
// flag that was left out.
func (a *app) emptyFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = a.bad(a.say("error.flag-wants-value", "flag", "--"+f.Name))
		}
	})
	return err
}

func dashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// kindOf says what a flag's value is.
func (a *app) kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true, false"
	case "int":
		return a.say("kind.int")
	}
	return f.Value.Type()
}

// help writes what a command is for.
func (a *app) help(cmd *cobra.Command) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(a.out, "%s\n\n%s\n  %s\n", about, a.say("help.usage"), cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(a.out, "\n%s\n%s\n", a.say("help.examples"), cmd.Example)
	}
	var rows [][]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			rows = append(rows, []string{"  " + c.Name(), c.Short})
		}
	}
	if rows != nil {
		fmt.Fprintf(a.out, "\n%s\n%s", a.say("help.commands"), columns(rows, "ll"))
	}
	fmt.Fprintf(a.out, "\n%s\n%s", a.say("help.flags"), columns(a.flagRows(cmd), "ll"))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(a.out, "\n%s\n", a.say("help.more", "command", cmd.CommandPath()))
	}
}

// flagRows lists the flags of a command, its own first.
func (a *app) flagRows(cmd *cobra.Command) [][]string {
	var rows [][]string
	row := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "  --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if f.Value.Type() != "bool" {
			name += " " + value
			if f.DefValue != "" && f.DefValue != "[]" {
				usage += " " + a.say("help.default", "value", f.DefValue)
			}
		}
		rows = append(rows, []string{name, usage})
	}
	cmd.LocalNonPersistentFlags().VisitAll(row)
	cmd.Root().PersistentFlags().VisitAll(row)
	return rows
}
