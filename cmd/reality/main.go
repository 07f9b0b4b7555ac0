// Command reality runs the real programs that labs model, nginx, HAProxy, Redis and PostgreSQL, asks them and our own code the same,
// compares decision by decision, and writes what it found to the pages content/LANG/evidence/SLUG.md.
//
//	go run ./cmd/reality                 compare, and say what agrees
//	go run ./cmd/reality -only turns     one page's comparison
//	go run ./cmd/reality -write          compare and write the pages, with today's date
//	go run ./cmd/reality -text           write the pages anew from what was measured last, after a change of their text
//
// Each page has a text in each language, content/LANG/evidence/_SLUG.md.tmpl, in which numbers and raw output are filled in by name
// (package text/template; the functions are in page.go). What was measured last lies in facts.json beside this command, so that a
// test can tell that every page is what its text and the measurement give.
//
// The texts make claims, such as that all choices are the same, or that some are not and why. Each claim is checked by the run. If one
// does not hold, nothing is written and the exit code is 2: the model has changed, or the text has to.
//
// # How it is compared
//
// Real programs run in a folder of their own, on a free port of the loopback interface, and nothing of the machine's own configuration
// is read. The backends are in this process and count; they have fixed addresses, 127.7.0.1:7070 and on, which are this machine on
// Linux, and so one run at a time is possible. Where a choice depends on what happened before, both see the same history, one
// request after the other. Where it depends on time, ours is asked at the instants of the real program's own clock. Where it depends on
// chance, ours gets the real program's dice.
//
// Exit: 0 all claims hold; 1 a program is missing or did not work, or bad flags; 2 a claim does not hold.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// page is one comparison and what it is about.
type page struct {
	slug     string
	labs     []string // that it judges
	programs []string
	ask      func(context.Context, *paper) error
}

// pages are all comparisons, in the order in which the site lists them.
var pages = []page{
	{"turns", []string{"route-capacity"}, []string{"nginx"}, askTurns},
	{"max-conns", []string{"route-capacity"}, []string{"nginx"}, askPlaces},
	{"failures", []string{"retry-storm", "recovery"}, []string{"nginx"}, askFailures},
	{"limit-req", []string{"token-bucket"}, []string{"nginx"}, askRate},
	{"haproxy", []string{"route-capacity"}, []string{"haproxy"}, askHAProxy},
	{"hashing", []string{"hash-ring"}, []string{"nginx", "haproxy"}, askRings},
	{"redis-lfu", []string{"eviction", "hot-key"}, []string{"redis"}, askLFU},
	{"redis-expiry", []string{"cache-avalanche"}, []string{"redis"}, askExpiry},
	{"stampede", []string{"cache-breakdown"}, []string{"postgres"}, askStampede},
}

// run is main with its surroundings as arguments. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("reality", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "compare for the page of this `slug` alone")
	write := flags.Bool("write", false, "write the pages")
	text := flags.Bool("text", false, "write the pages from what was measured last; runs nothing")
	root := flags.String("C", ".", "`folder` of the repository")
	if err := flags.Parse(args); err != nil {
		return 1
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "reality: unexpected argument %q: only flags are taken\n", flags.Arg(0))
		return 1
	}
	if *only != "" && !slices.ContainsFunc(pages, func(p page) bool { return p.slug == *only }) {
		fmt.Fprintf(stderr, "reality: -only: there is no page %q\n", *only)
		return 1
	}
	// Debian keeps servers where the path of who is not root does not lead.
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // a pattern that is well formed
	places = append([]string{os.Getenv("PATH"), "/usr/sbin", "/usr/local/sbin"}, places...)
	if err := os.Setenv("PATH", strings.Join(places, ":")); err != nil {
		fmt.Fprintf(stderr, "reality: %v\n", err)
		return 1
	}
	known, err := readFacts(*root)
	if err == nil && !*text {
		var found map[string]string
		if found, err = versions(ctx, *only); err == nil {
			var hold bool
			if hold, err = measure(ctx, pages, found, known, *only, stdout); err == nil && !hold {
				fmt.Fprintln(stderr, "reality: a claim does not hold: a text says what is not so, or a model has changed. Nothing was written.")
				return 2
			}
		}
	}
	if err == nil && (*write || *text) {
		err = known.write(*root, *only)
	}
	if err != nil {
		fmt.Fprintf(stderr, "reality: %v\n", err)
		return 1
	}
	return 0
}

// measure runs the comparisons of a list, all or one, keeps what they found, and reports whether all claims hold.
func measure(ctx context.Context, list []page, versions map[string]string, known *facts, only string, stdout io.Writer) (hold bool, err error) {
	hold = true
	for _, pg := range list {
		if only != "" && pg.slug != only {
			continue
		}
		p, begin := newPaper(), time.Now()
		if err := pg.ask(ctx, p); err != nil {
			return false, fmt.Errorf("%s: %w", pg.slug, err)
		}
		fmt.Fprintf(stdout, "%s (%.1f s)\n", pg.slug, time.Since(begin).Seconds())
		for _, c := range p.claims {
			mark := "ok "
			if !c.holds {
				mark, hold = "NOT", false
			}
			fmt.Fprintf(stdout, "  %s  %s\n", mark, c.text)
		}
		m := &measured{Date: begin.UTC().Format(time.DateOnly), Facts: p.facts, Raw: p.raws}
		for _, name := range pg.programs {
			m.Against = append(m.Against, title[name]+" "+versions[name])
		}
		known.Pages[pg.slug] = m
	}
	return hold, nil
}
