package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"seedbed/labs/catalog"
	"seedbed/web/report"
)

// labListCommand is `seedbed lab list`.
func (a *app) labListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list [--json]", Short: a.say("lab-list.short"), Args: a.between(0, 0), DisableFlagsInUseLine: true}
	asJSON := cmd.Flags().Bool("json", false, a.say("flag.json"))
	cmd.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			fmt.Fprintf(a.out, "%s\n", report.Labs(a.texts, catalog.All()))
			return nil
		}
		var rows [][]string
		for _, lab := range catalog.All() {
			rows = append(rows, []string{lab.ID, a.lab(lab.ID).Title, a.words.Get("family." + lab.Family)})
		}
		fmt.Fprint(a.out, columns(rows, "lll"))
		return nil
	}
	return cmd
}
