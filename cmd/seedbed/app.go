package main

import (
	"errors"
	"strings"
	"time"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/web/text"
)

// app is what commands share: the streams, the texts and the language of this process.
type app struct {
	world
	texts *text.Texts
	lang  text.Lang
	words text.Words
}

// newApp reads the embedded texts. A fault in them is no reason to refuse to run a lab: `seedbed check` and the tests report it, and
// a sentence that is missing shows itself.
func newApp(args []string, w world) *app {
	texts, _ := text.Load(content.FS)
	lang := language(args, w.getenv)
	return &app{world: w, texts: texts, lang: lang, words: texts.UI(lang)}
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
