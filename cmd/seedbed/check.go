package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"seedbed/labs/catalog"
	"seedbed/web"
	"seedbed/web/check"
	"seedbed/web/text"
)

// checkCommand is `seedbed check`.
func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check [DIR]", Short: a.say("check.short"), Long: a.say("check.long"), Args: a.between(0, 1), DisableFlagsInUseLine: true,
		Example: "  seedbed check\n  seedbed check ~/notes",
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.report("content", check.Content(a.content, catalog.All()))
		}
		if about, err := os.Stat(args[0]); err != nil {
			return a.bad(a.say("error.cannot-open", "file", args[0], "why", reason(err)))
		} else if !about.IsDir() {
			return a.bad(a.say("error.cannot-open", "file", args[0], "why", "not a directory"))
		}
		notes, err := openFolder(args[0])
		if err != nil {
			return a.bad(a.say("error.cannot-open", "file", args[0], "why", reason(err)))
		}
		return a.report(args[0], a.notesProblems(notes))
	}
	return cmd
}

// notesProblems are the problems of somebody's own notes, by which `check` and `serve` judge alike: on top of ours, as they are served.
func (a *app) notesProblems(notes fs.FS) []*text.Problem {
	return check.Notes(notes, web.Overlay(notes, a.content), catalog.All())
}

// report writes the problems of the content in a folder, one a line, where an editor finds them.
func (a *app) report(dir string, problems []*text.Problem) error {
	for _, p := range problems {
		fmt.Fprintln(a.out, located(dir, p))
	}
	if len(problems) == 0 {
		return nil
	}
	return &outcome{exitViolated, a.say("check.found", "n", fmt.Sprint(len(problems)))}
}

// located is a problem with the file's name as it is from here. It is one line that a terminal can be shown, however a file is called.
func located(dir string, p *text.Problem) string {
	at := *p
	at.File = filepath.Join(dir, filepath.FromSlash(p.File))
	return oneLine(at.Error())
}
