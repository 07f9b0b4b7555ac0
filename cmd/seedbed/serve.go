package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"seedbed/labs/catalog"
	"seedbed/web"
	"seedbed/web/check"
	"seedbed/web/static"
	"seedbed/web/text"
)

// serving is what the flags of `seedbed serve` say.
type serving struct {
	addr, content, base, report string
	dev                         bool

	notes fs.FS // what content names, once it is open
}

// serveCommand is `seedbed serve`.
func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve [flags]", Short: a.say("serve.short"), Long: a.say("serve.long"), Args: a.between(0, 0), DisableFlagsInUseLine: true,
	}
	var s serving
	cmd.Flags().StringVar(&s.addr, "addr", "127.0.0.1:8080", a.say("flag.addr"))
	cmd.Flags().StringVar(&s.content, "content", "", a.say("flag.content"))
	cmd.Flags().StringVar(&s.base, "base-url", "", a.say("flag.base-url"))
	cmd.Flags().StringVar(&s.report, "report-to", "", a.say("flag.report-to"))
	cmd.Flags().BoolVar(&s.dev, "dev", false, a.say("flag.dev"))
	cmd.RunE = func(*cobra.Command, []string) error { return a.serve(&s) }
	return cmd
}

// serve makes the site, then takes the address, so that whoever reaches it gets pages.
func (a *app) serve(s *serving) error {
	config, err := a.siteConfig(s)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(a.context, syscall.SIGTERM)
	defer stop()
	// The address is tried first: a mistake in it should not cost the seconds in which pages are drawn. It is not held in them: who came
	// would wait, and be cut off without an answer when the start is stopped.
	trial, err := net.Listen("tcp", s.addr)
	if err != nil {
		return a.bad(a.listenError(s.addr, err))
	}
	trial.Close()
	if s.content == "" { // with notes of somebody's own, the pages are as good as they can be
		if broken := check.Broken(config.Content); broken != nil {
			return refuse(broken)
		}
	}
	site, err := web.New(config)
	if err != nil {
		return a.bad("serve: " + err.Error())
	}
	a.warn(site, a.problems(s, site), config.Log)
	if ctx.Err() != nil {
		return nil // stopped before it began
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return a.bad(a.listenError(s.addr, err))
	}
	defer listener.Close()
	fmt.Fprintln(a.out, a.say("serve.started", "url", "http://"+listener.Addr().String()+"/"))
	if s.dev {
		return a.develop(ctx, s, site, listener)
	}
	return site.Serve(ctx, listener)
}

// warn tells what is wrong with a site that can be served all the same.
func (a *app) warn(site *web.Server, problems []*text.Problem, log *slog.Logger) {
	for _, problem := range problems {
		log.Warn("content", "problem", problem.Error())
	}
	if !site.Built() {
		fmt.Fprintln(a.err, "seedbed: "+a.say("serve.unbuilt"))
	}
}

// problems are those of the content that is served, the same as `seedbed check` finds. The program's own was judged before it was built:
// of that, what drawing the pages has met is enough, and saves each start a second.
func (a *app) problems(s *serving, site *web.Server) []*text.Problem {
	switch {
	case s.content != "":
		return a.notesProblems(s.notes)
	case s.dev:
		return check.Content(os.DirFS("content"), catalog.All())
	}
	return site.Problems()
}

// siteConfig checks the flags and gathers what the site is made of.
func (a *app) siteConfig(s *serving) (web.Config, error) {
	level := slog.LevelInfo
	if s.dev {
		level = slog.LevelDebug
	}
	start := time.Now()
	c := web.Config{
		Content: a.content, Static: static.FS, Labs: catalog.All(), Dev: s.dev, ReportTo: s.report,
		Log:   slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level})),
		Clock: func() int64 { return int64(time.Since(start)) },
	}
	if s.dev {
		if _, err := os.Stat("go.mod"); err != nil {
			return c, a.bad(a.say("serve.dev-where"))
		}
		c.Content, c.Static = os.DirFS("content"), os.DirFS("web/static")
	}
	if s.content != "" {
		var err error
		if s.notes, err = openFolder(s.content); err != nil || !hasLanguage(s.notes) {
			return c, a.bad(a.say("serve.no-content", "dir", s.content))
		}
		if !check.HasChapters(s.notes) {
			return c, a.bad(a.say("serve.no-chapters", "dir", s.content))
		}
		c.Content = web.Overlay(s.notes, c.Content)
	}
	var ok bool
	if c.Base, ok = baseURL(s.base); !ok {
		return c, a.bad(a.say("serve.bad-base", "got", s.base))
	}
	if u, err := url.Parse(s.report); err != nil || s.report != "" && u.Scheme != "https" && u.Scheme != "mailto" {
		return c, a.bad(a.say("serve.bad-report", "got", s.report))
	}
	return c, nil
}

// hasLanguage is true when a folder holds content of at least one language.
func hasLanguage(dir fs.FS) bool {
	for _, lang := range text.Langs {
		if info, err := fs.Stat(dir, string(lang)); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// baseURL is the site's address without a slash at its end; "" is none.
func baseURL(s string) (string, bool) {
	if s == "" {
		return "", true
	}
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
	return strings.TrimRight(s, "/"), ok
}

// listenError says why an address could not be taken, and what would be right.
func (a *app) listenError(addr string, err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return a.say("serve.in-use", "addr", addr)
	case errors.Is(err, syscall.EACCES):
		return a.say("serve.not-allowed", "addr", addr)
	}
	return a.say("serve.bad-addr", "addr", addr, "why", reason(err))
}

// develop serves as Serve does, and follows what changes: content and client code at once, Go code and templates by building the
// program anew and starting it in place of this one.
func (a *app) develop(ctx context.Context, s *serving, site *web.Server, listener net.Listener) error {
	ctx, restart := context.WithCancel(ctx)
	defer restart()
	w, err := newWatch(a, site, s)
	if err != nil {
		return a.bad("serve: " + err.Error())
	}
	defer w.close()
	next := ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		if next = w.follow(ctx); next != "" {
			restart()
		}
	}()
	if err := site.Serve(ctx, listener); err != nil {
		return err
	}
	restart()
	<-done
	if next == "" {
		return nil
	}
	listener.Close()
	return syscall.Exec(next, append([]string{next}, os.Args[1:]...), os.Environ())
}
