package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"seedbed/content"
	"seedbed/labs/catalog"
	"seedbed/web/check"
)

// checkCommand is `seedbed check`.
func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check [DIR]", Short: a.say("check.short"), Long: a.say("check.long"), Args: a.between(0, 1), DisableFlagsInUseLine: true,
		Example: "  seedbed check\n  seedbed check ~/notes",
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.check(content.FS, "content")
		}
		if about, err := os.Stat(args[0]); err != nil {
			return a.bad(a.say("error.cannot-open", "file", args[0], "why", reason(err)))
		} else if !about.IsDir() {
			return a.bad(a.say("error.cannot-open", "file", args[0], "why", "not a directory"))
		}
		return a.check(os.DirFS(args[0]), args[0])
	}
	return cmd
}

// check writes the problems of content, one a line, where an editor finds them.
func (a *app) check(fsys fs.FS, dir string) error {
	problems := check.Content(fsys, catalog.All())
	for _, p := range problems {
		at := *p
		at.File = filepath.Join(dir, filepath.FromSlash(p.File))
		fmt.Fprintln(a.out, at.Error())
	}
	if len(problems) == 0 {
		return nil
	}
	return &outcome{exitViolated, a.say("check.found", "n", fmt.Sprint(len(problems)))}
}
