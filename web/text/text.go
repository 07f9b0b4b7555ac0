// Package text is everything that Seedbed says to people, by language: the words of pages and commands, and how each lab names its
// parts and tells what happened.
//
// Labs speak in codes and numbers; the sentences stand in content/{en,zh}/ui.yaml and content/{en,zh}/labs/ID.yaml. [Load] reads them
// strictly: an unknown key, a missing one, a key that only one language has, a sentence whose braces do not close are faults, and all
// faults are reported at once, each as file:line: message. [Texts.Prove] then holds a lab against its texts: every code must have its
// sentence in both languages, and every value that a sentence names must exist.
//
// # Sentences
//
// {name} stands for a value; {name|one|other} is "one" when the value of name is 1 and "other" when not, which is all the grammar of
// number that the two languages need; {{ is a brace. A sentence of a lab may name what is listed at [Lab].
//
// The package draws no page and reads no clock. It does not translate prose: chapters are written in each language.
package text

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strconv"
)

// Lang is a language of the site: its code in URLs and in <html lang>.
type Lang string

// The languages.
const (
	EN Lang = "en"
	ZH Lang = "zh"
)

// Langs lists the languages, English first: its files are the ones that others are compared with.
var Langs = []Lang{EN, ZH}

// Known is true for a language that the site has.
func (l Lang) Known() bool { return slices.Contains(Langs, l) }

// Texts is all texts in all languages. It is read once and never written, and so is safe for concurrent use.
type Texts struct {
	words map[Lang]Words
	labs  map[Lang]map[string]*Lab
	files map[string]lines // where each entry stands, for Prove
}

// Load reads the texts below fsys, whose folders are the languages. The error joins all faults, each `file:line: message`, in the
// order of files and lines; the texts are returned with it and hold what could be read, so that a page can still be shown.
func Load(fsys fs.FS) (*Texts, error) {
	t := &Texts{words: map[Lang]Words{}, labs: map[Lang]map[string]*Lab{}, files: map[string]lines{}}
	var f faults
	for _, lang := range Langs {
		t.loadWords(fsys, lang, &f)
		t.loadLabs(fsys, lang, &f)
	}
	t.lend()
	t.compare(&f)
	return t, f.join()
}

// Lab returns the texts of the lab of that id, nil when there are none.
func (t *Texts) Lab(lang Lang, id string) *Lab { return t.labs[lang][id] }

// UI returns the words of pages, pictures and commands.
func (t *Texts) UI(lang Lang) Words { return t.words[lang] }

// Problem is one fault of a file.
type Problem struct {
	File    string
	Line    int // from 1; 0 when the fault is the file's as a whole
	Message string
	Broken  bool // the file, or its part that begins there, cannot be read at all: what it says is missing everywhere
}

// Broken is the first problem of what cannot be read at all, nil when everything can.
func Broken(problems []*Problem) *Problem {
	for _, p := range problems {
		if p.Broken {
			return p
		}
	}
	return nil
}

// Error is the problem in one line.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ": " + p.Message
}

// Problems takes apart what Load and Prove return.
func Problems(err error) []*Problem {
	var list []*Problem
	var walk func(err error)
	walk = func(err error) {
		if p, ok := err.(*Problem); ok {
			list = append(list, p)
			return
		}
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	return list
}

// faults gathers problems.
type faults []*Problem

func (f *faults) add(file string, line int, message string) {
	*f = append(*f, &Problem{File: file, Line: line, Message: message})
}

// broken adds the fault of a file that cannot be read at all.
func (f *faults) broken(file string, line int, message string) {
	*f = append(*f, &Problem{File: file, Line: line, Message: message, Broken: true})
}

// join sorts the problems by their place and makes one error of them, nil of none.
func (f faults) join() error {
	slices.SortFunc(f, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	errs := make([]error, len(f))
	for i, p := range f {
		errs[i] = p
	}
	return errors.Join(errs...)
}
