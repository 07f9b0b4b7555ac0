package main

import (
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/web/text"
)

// app is what commands share: the streams, the texts and the language of this process.
type app struct {
	world
	content fs.FS // ours
	texts   *text.Texts
	broken  *text.Problem // a file of the texts that cannot be read; nil when all can
	lang    text.Lang
	words   text.Words
}

// builtIn reads the texts that are built in, once a process: the tests run hundreds of commands in theirs.
var builtIn = sync.OnceValues(func() (*text.Texts, error) { return text.Load(content.FS) })

// newApp reads the texts of the program's own content. A sentence that is missing there is no reason to refuse to run a lab: the other
// language's stands in, and `seedbed check` and the tests report it. A file that cannot be read is one, see refuse.
func newApp(args []string, w world, own fs.FS) *app {
	load := func() (*text.Texts, error) { return text.Load(own) }
	if own == content.FS {
		load = builtIn
	}
	texts, err := load()
	lang := language(args, w.getenv)
	return &app{world: w, content: own, texts: texts, broken: text.Broken(text.Problems(err)), lang: lang, words: texts.UI(lang)}
}

// refuse ends a command whose program was built with content that cannot be read. The line is in English: its words may be what is
// missing.
func refuse(p *text.Problem) *outcome {
	return &outcome{exitFault, "this program was built with content that cannot be read: content/" + p.Error() + "; mend it and build again"}
}

// language finds out in which language to speak, before flags are parsed, because their help is in it too.
func language(args []string, getenv func(string) string) text.Lang {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		value, found := strings.CutPrefix(arg, "--lang=")
		if !found && arg == "--lang" && i+1 < len(args) {
			value, found = args[i+1], true
		}
		if found && text.Lang(value).Known() {
			return text.Lang(value)
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			if strings.HasPrefix(strings.ToLower(value), "zh") {
				return text.ZH
			}
			break
		}
	}
	return text.EN
}

// say returns a sentence of the command line.
func (a *app) say(key string, named ...string) string { return a.words.Get("cli."+key, named...) }

// bad is an end by bad input or flags.
func (a *app) bad(message string) *outcome { return &outcome{exitBad, message} }

// failed turns what a run or a Spec came to into how the command ends.
func (a *app) failed(err error) error {
	var bound *labs.Bound
	if errors.As(err, &bound) {
		return &outcome{exitStopped, a.texts.Error(a.lang, err)}
	}
	return a.bad(a.texts.Error(a.lang, err))
}

// lab returns the lab's texts, empty ones when it has none.
func (a *app) lab(id string) *text.Lab {
	if words := a.texts.Lab(a.lang, id); words != nil {
		return words
	}
	return &text.Lab{Lang: a.lang, ID: id}
}

// stopper is asked by one run whether to stop: when the process was interrupted, or the run's wall clock is up.
func (a *app) stopper() func() bool { return a.stopAfter(a.bound) }

func (a *app) stopAfter(bound time.Duration) func() bool {
	deadline := time.Now().Add(bound)
	return func() bool { return a.context.Err() != nil || time.Now().After(deadline) }
}
