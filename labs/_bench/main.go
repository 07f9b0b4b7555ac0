// Command _bench measures the algorithms of this project against their best known peers, in one run, and prints the tables that
// stand in README.md beside it. It is a module of its own, so that the peers stay out of the project's go.mod.
//
// Times on one machine differ from run to run by up to 2×; ratios within a run do not. So all candidates of a table are measured in
// turn, seven rounds of it, and what counts is the median of the seven ratios.
//
//	go run . [-rounds 7] [-run limiter] [-write]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// section is one chapter of the report.
type section struct {
	name  string
	write func(w io.Writer, rounds int)
}

var sections = []section{
	{"limiter", limiters},
	{"ring", rings},
	{"breaker", breakers},
	{"cache", caches},
	{"hotkey", hotKeys},
	{"migration", migrations},
}

func main() {
	rounds := flag.Int("rounds", 7, "rounds of each table; the ratios shown are medians")
	run := flag.String("run", "", "only the section of this name: limiter, ring, breaker, cache, hotkey or migration")
	write := flag.Bool("write", false, "put the tables into README.md")
	flag.Parse()
	found := false
	for _, s := range sections {
		if *run != "" && *run != s.name {
			continue
		}
		found = true
		var b strings.Builder
		fmt.Fprintf(&b, "\nMeasured on %s with `make bench` (%d rounds) with %s on %s/%s, %d cores.\n", time.Now().UTC().Format(time.DateOnly), *rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		s.write(&b, *rounds)
		fmt.Print(b.String())
		if *write {
			if err := rewrite("README.md", s.name, b.String()); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(1)
			}
		}
	}
	if !found {
		fmt.Fprintf(os.Stderr, "bench: -run %s is no section\n", *run)
		os.Exit(1)
	}
}

// rewrite replaces the tables of a section: what stands between the two lines that name it.
func rewrite(name, section, tables string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+section+": written by go run . -write -->\n", "<!-- end of "+section+" -->\n"
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the tables of %s", name, section)
	}
	return os.WriteFile(name, []byte(head+begin+tables+end+tail), 0o644)
}
