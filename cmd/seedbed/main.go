// Command seedbed is the one binary of Seedbed: it serves the site, runs labs, and checks content.
//
// Each command is one file; what they share is here and in app.go. A command returns an error or nothing, and only main ends the
// process. The exit codes are a contract with scripts:
//
//	0   done; of a run: every check holds
//	1   bad input or flags
//	2   a check is violated, or `check` found problems
//	3   stopped at a bound, by time or by an interrupt
//	70  a fault of ours (main recovers from panics, because a bare one would exit 2 and look like a counterexample)
//
// Results go to standard output. Errors go to standard error, one line: what is wrong, where, and what would be right. All that people
// read is in the language of --lang, or of LC_ALL, LC_MESSAGES, LANG; codes, Specs, JSON and CSV are the same in every language.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"seedbed/content"
)

// The exit codes.
const (
	exitBad      = 1
	exitViolated = 2
	exitStopped  = 3
	exitFault    = 70
)

// wallClock is how long one run may take, natively. It is a bound on every Spec, beside those on events and on the trace.
const wallClock = 10 * time.Second

// world is what a process is given: its streams and its environment.
type world struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	context  context.Context
	bound    time.Duration // wall clock that one run may take
	pages    int64         // of 4 KiB, that each file of a run may have; 0 is SQLite's own bound
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	os.Exit(run(os.Args[1:], world{os.Stdin, os.Stdout, os.Stderr, os.Getenv, ctx, wallClock, 0}))
}

// run is the whole process but for its end.
func run(args []string, w world) int { return runOn(content.FS, args, w) }

// runOn is run with other content than the program's own.
func runOn(own fs.FS, args []string, w world) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = fault(args, w, p)
		}
	}()
	out := &output{Writer: w.out}
	w.out = out
	a := newApp(args, w, own)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(w.context)
	if out.err != nil {
		err = a.bad(a.say("error.no-output", "why", reason(out.err)))
	}
	if err == nil {
		return 0
	}
	var o *outcome
	if !errors.As(err, &o) {
		o = a.bad(a.flagError(err))
	}
	if o.message != "" {
		fmt.Fprintln(w.err, "seedbed: "+oneLine(o.message))
	}
	return o.code
}

// output remembers the first write that failed: a result that did not arrive, on a full disk, is no success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// outcome is how a command ends other than well. Without a message everything has been said.
type outcome struct {
	code    int
	message string
}

func (o *outcome) Error() string { return o.message }

// fault reports a panic in one line. The stack is for whoever mends it, so it comes when asked for.
func fault(args []string, w world, p any) int {
	fmt.Fprintf(w.err, "seedbed: %s\n", oneLine(fmt.Sprintf("a fault of ours: %v (in: seedbed %s); please report it as the README says, with the stack that SEEDBED_STACK=1 adds", p, strings.Join(args, " "))))
	if w.getenv("SEEDBED_STACK") != "" {
		stack := debug.Stack()
		if far, ok := p.(*workerPanic); ok {
			stack = far.stack
		}
		fmt.Fprintf(w.err, "%s", stack)
	}
	return exitFault
}

// oneLine keeps a message on one line, whatever a user gave: what would move a terminal's cursor, or turn the order of its text, is shown
// and does nothing.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return '�'
		}
		return r
	}, strings.TrimSpace(s))
}
