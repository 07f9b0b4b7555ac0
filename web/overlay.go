package web

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Overlay is content that somebody else wrote, on top of ours: what their folder lacks of the words of pages and the texts of labs
// comes from ours, and everything else (chapters, glossary, decisions, evidence) is theirs alone. It answers Open, ReadFile and ReadDir.
func Overlay(theirs, ours fs.FS) fs.FS { return overlay{theirs, ours} }

type overlay struct{ theirs, ours fs.FS }

// shared is true for what both may have: LANG, LANG/ui.yaml, LANG/labs and what is in it.
func shared(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	return rest == "" || rest == "ui.yaml" || rest == "labs" || strings.HasPrefix(rest, "labs/")
}

func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.theirs.Open(name)
	if errors.Is(err, fs.ErrNotExist) && shared(name) {
		return o.ours.Open(name)
	}
	return f, err
}

// ReadDir lists a folder of both, theirs winning; of ours only what may be shared.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.theirs, name)
	if !shared(name) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return entries, err
	}
	more, ourErr := fs.ReadDir(o.ours, name)
	if err != nil && ourErr != nil {
		return nil, err
	}
	for _, e := range more {
		there := slices.ContainsFunc(entries, func(t fs.DirEntry) bool { return t.Name() == e.Name() })
		if !there && shared(path.Join(name, e.Name())) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}
