// Command tidy is the house law: what each folder may import, what is banned
// where and why, how long files and functions may be, and that every package
// says what it is for. It prints one line for each breach, file:line: message,
// and exits 1 when there is one. Its test runs the same rules, so go test ./...
// enforces them.
//
//	go run ./cmd/tidy          all rules
//	go run ./cmd/tidy -traps   which numbered traps have a test, by family
//
// The law is in tables, each row with its reason: law.go (imports), banned.go
// (packages, calls and statements), size.go, layout.go and traps.go. To change
// the law, change a row and its reason; there are no exceptions by name
// elsewhere. Four comments, each for one line, give a reason where the law asks
// for one instead of forbidding:
//
//	for k := range m { // order: why the order of a map cannot matter here
//	import "unsafe" // unsafe: why it is needed and why it is right
//
// and two kinds of file have freedoms, because of what they are: tests may
// import and call anything, and so may a conformance suite (limitertest below limiter,
// labs/labtest), which is a test that others run. Code that must wait for a clock or
// for another goroutine stands in a file block.go, in a folder of its own below
// its family, and no lab may import that folder.
//
// Most rules read syntax trees alone. Those about maps and floats need types,
// which come from the compiler's export data; the rule about what the
// WebAssembly module links asks the go command. A nested module (labs/_bench,
// web/e2e) obeys the rules of size and comments only: it exists to import what
// the house may not.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("tidy", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("C", ".", "`folder` of the module, or one below it")
	traps := flags.Bool("traps", false, "print which numbered traps have a test")
	if err := flags.Parse(args); err != nil {
		return 1
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "tidy: unexpected argument %q: only flags are taken\n", flags.Arg(0))
		return 1
	}
	h, err := open(*dir)
	if err != nil {
		fmt.Fprintf(stderr, "tidy: %v\n", err)
		return 1
	}
	if *traps {
		printTraps(stdout, h)
		return 0
	}
	problems := h.check(rules)
	for _, p := range problems {
		fmt.Fprintln(stdout, p)
	}
	if len(problems) > 0 {
		fmt.Fprintf(stderr, "tidy: %d breaches of the house law\n", len(problems))
		return 1
	}
	return 0
}

// open reads the module in dir, or in the nearest folder above it, with types.
func open(dir string) (*house, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			return nil, fmt.Errorf("%s: no go.mod here or above", dir)
		}
		root = filepath.Dir(root)
	}
	h, err := parse(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	h.root = root
	return h, h.addTypes()
}
