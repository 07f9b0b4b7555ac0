package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"seedbed/web"
)

// watch follows the sources while developing.
type watch struct {
	app     *app
	site    *web.Server
	serving *serving
	content string // somebody's own notes; "" for ours
	files   *fsnotify.Watcher
}

// change is what has to be made anew.
type change uint8

const (
	nothing change = iota
	changedContent
	changedClient
	changedCode
	changedTemplates
)

// watched are the folders whose sources make the site, from the module's root.
var watched = []string{"content", "web", "chapters", "labs", "wasm", "cmd"}

// settle is how long nothing may change before work begins: editors and formatters write a file several times.
const settle = 150 * time.Millisecond

func newWatch(a *app, site *web.Server, s *serving) (*watch, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watch{app: a, site: site, serving: s, content: s.content, files: files}
	for _, folder := range append([]string{s.content}, watched...) {
		if folder != "" {
			err = errors.Join(err, w.add(folder))
		}
	}
	return w, err
}

// add watches a folder and those in it.
func (w *watch) add(folder string) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "node_modules", "gen", "testdata", "vendor":
			return filepath.SkipDir
		}
		return w.files.Add(path)
	})
}

func (w *watch) close() { w.files.Close() }

// follow does what changes ask for, until ctx is done (then it returns "") or a new program is ready (then its path).
func (w *watch) follow(ctx context.Context) string {
	pending := nothing
	timer := time.NewTimer(settle)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ""
		case e, ok := <-w.files.Events:
			if !ok {
				return ""
			}
			if info, err := os.Stat(e.Name); err == nil && info.IsDir() && e.Has(fsnotify.Create) {
				w.say("watch", w.add(e.Name))
			}
			if what := w.kind(e.Name); what != nothing && !e.Has(fsnotify.Chmod) {
				pending = max(pending, what)
				timer.Reset(settle)
			}
		case err := <-w.files.Errors:
			w.say("watch", err)
		case <-timer.C:
			what := pending
			pending = nothing
			if next := w.renew(ctx, what); next != "" {
				return next
			}
		}
	}
}

// kind is what a file is a source of.
func (w *watch) kind(name string) change {
	base := filepath.Base(name)
	path := filepath.ToSlash(name)
	switch {
	case strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") || strings.HasSuffix(base, "_test.go"):
		return nothing
	case strings.HasSuffix(base, ".templ"):
		return changedTemplates
	case strings.HasSuffix(base, ".go"):
		return changedCode
	case w.content != "" && strings.HasPrefix(path, filepath.ToSlash(w.content)+"/"), strings.HasPrefix(path, "content/"):
		return changedContent
	case strings.HasPrefix(path, "web/client/"):
		return changedClient
	case strings.HasPrefix(path, "web/static/"):
		return changedContent // served as it is
	}
	return nothing
}

// renew makes anew what has changed. What fails is told, and the site stays as it was.
func (w *watch) renew(ctx context.Context, what change) string {
	switch what {
	case changedContent:
		w.reload()
	case changedClient:
		if w.command(ctx, "go", "run", "./cmd/assets", "-fast") {
			w.reload()
		}
	case changedTemplates, changedCode:
		// From the root, without -path: the generated code names its sources, and the test of freshness makes it here too.
		if what == changedTemplates && !w.command(ctx, "go", "tool", "templ", "generate") {
			return ""
		}
		next, err := filepath.Abs(filepath.Join("bin", "seedbed-dev"))
		if err == nil && w.command(ctx, "go", "run", "./cmd/assets", "-fast") && w.command(ctx, "go", "build", "-o", next, "./cmd/seedbed") {
			return next
		}
		w.say("build", err)
	}
	return ""
}

func (w *watch) reload() {
	if err := w.site.Reload(); err != nil {
		w.say("reload", err)
		return
	}
	for _, problem := range w.app.problems(w.serving, w.site) {
		fmt.Fprintln(w.app.err, oneLine(problem.Error()))
	}
}

// command runs a command of the module and shows what it says when it fails.
func (w *watch) command(ctx context.Context, name string, args ...string) bool {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(w.app.err, "%s%s: %v\n", out, strings.Join(append([]string{name}, args...), " "), err)
	}
	return err == nil
}

func (w *watch) say(what string, err error) {
	if err != nil {
		fmt.Fprintf(w.app.err, "serve: %s: %v\n", what, err)
	}
}
