package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"seedbed/labs"
	"seedbed/labs/input"
	"seedbed/web/text"
)

// logFlags say which log drives a run and how it is read.
type logFlags struct {
	file, format string
	spread       bool
}

func (a *app) logFlags(cmd *cobra.Command, f *logFlags) {
	cmd.Flags().StringVar(&f.file, "input", "", a.say("flag.input"))
	cmd.Flags().StringVar(&f.format, "format", "auto", a.say("flag.format"))
	cmd.Flags().BoolVar(&f.spread, "spread", false, a.say("flag.spread"))
}

// readLog reads the log that --input names, tells what became of its lines, and gives its arrivals to the run.
func (a *app) readLog(spec *labs.Spec, opts *labs.Options, f *logFlags) error {
	switch {
	case f.file == "":
		return nil
	case !spec.Lab.Input: // before the log is read, and much is told of it
		return a.failed(&labs.Error{Code: "no-input", Field: "--input", Got: spec.Lab.ID, Want: "this lab is not driven by a log"})
	}
	format, err := input.ParseFormat(f.format)
	if err != nil {
		return a.failed(err)
	}
	how := input.Options{Format: format}
	if f.spread {
		how.Spread = input.SpreadEvenly
	}
	arrivals, told, err := a.read(f.file, how)
	var unusable *input.Error
	switch {
	case a.context.Err() != nil:
		return &outcome{exitStopped, a.say("error.interrupted", "file", f.file)}
	case errors.As(err, &unusable):
		return a.bad(f.file + ": " + strings.TrimPrefix(a.texts.Error(a.lang, err), "log: "))
	case err != nil:
		return a.bad(a.say("error.cannot-read", "file", f.file, "why", reason(err)))
	}
	a.tell(&told)
	opts.Input, opts.InputDigest = arrivals.At, arrivals.Digest()
	if spec.Input == "" {
		spec.Input = opts.InputDigest
	}
	a.tellHorizon(spec, arrivals.At)
	return nil
}

// read reads a log; "-" is standard input. What begins as gzip does is unpacked.
func (a *app) read(name string, how input.Options) (input.Arrivals, input.Report, error) {
	var source io.Reader = a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return input.Arrivals{}, input.Report{}, err
		}
		defer f.Close()
		source = f
	}
	buffered := bufio.NewReaderSize(interruptible(a.context, source), 1<<16)
	source = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return input.Arrivals{}, input.Report{}, err
		}
		source = unpacked
	}
	reader := input.NewReader(how)
	if _, err := io.Copy(reader, source); err != nil {
		return input.Arrivals{}, input.Report{}, err
	}
	return reader.Close()
}

// interruptible reads on until the process is interrupted, even from a pipe or a terminal that has nothing to say. What still waits
// for such a source then is left behind: the process is about to end.
func interruptible(ctx context.Context, source io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, source)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { r.CloseWithError(ctx.Err()) })
	return r
}

// tell says on standard error what became of the log's lines: three counts that add up, why lines are not requests, what was out of
// order, and what the log cannot tell apart.
func (a *app) tell(r *input.Report) {
	count := func(n int) string { return text.Number(a.lang, labs.Count, int64(n)) }
	lasting := func(ns int64) string { return text.Number(a.lang, labs.Seconds, ns) }
	line := func(key string, named ...string) { fmt.Fprintln(a.err, a.say(key, named...)) }
	line("log.counts", "lines", count(r.Lines), "requests", count(r.Requests()), "comments", count(r.Comments()), "rejected", count(r.Rejected()))
	for _, reject := range r.First {
		line("log.rejected", "line", count(reject.Line), "why", a.texts.Why(a.lang, reject.Why), "text", reject.Text)
	}
	if more := r.Rejected() - len(r.First); more > 0 {
		line("log.more-rejected", "n", count(more))
	}
	if r.OutOfOrder > 0 {
		line("log.disorder", "n", count(r.OutOfOrder), "most", lasting(r.MaxDisorder))
	} else {
		line("log.in-order")
	}
	line("log.span", "span", lasting(r.Span), "gap", lasting(r.LargestGap))
	if r.MostShared > 1 {
		line("log.shared", "step", lasting(r.Resolution), "n", count(r.MostShared))
	}
}

// tellHorizon says how much of the log lies within the run, when not all of it does.
func (a *app) tellHorizon(spec *labs.Spec, at []int64) {
	horizon := spec.Lab.Horizon(spec.Config(at))
	inside := sort.Search(len(at), func(i int) bool { return at[i] >= horizon })
	if inside < len(at) {
		fmt.Fprintln(a.err, a.say("log.cut", "horizon", text.Number(a.lang, labs.Seconds, horizon),
			"inside", text.Number(a.lang, labs.Count, int64(inside)), "all", text.Number(a.lang, labs.Count, int64(len(at)))))
	}
}

// reason is an error of the file system without the path that the message names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err.Error()
	}
	return err.Error()
}
