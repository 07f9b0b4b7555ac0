package web

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Overlay is content that somebody else wrote, on top of ours: what their folder lacks of the words of pages, the texts of labs, the
// glossary and the guides comes from ours, file by file, and everything else (chapters, decisions, evidence) is theirs alone. It
// answers Open, ReadFile and ReadDir.
func Overlay(theirs, ours fs.FS) fs.FS { return overlay{theirs, ours} }

type overlay struct{ theirs, ours fs.FS }

// shared is true for what both may have: LANG, LANG/ui.yaml, the folders labs, glossary and guides of a language and what is in them.
func shared(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	folder, _, _ := strings.Cut(rest, "/")
	return rest == "" || rest == "ui.yaml" || folder == "labs" || folder == "glossary" || folder == "guides"
}

func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.theirs.Open(name)
	if errors.Is(err, fs.ErrNotExist) && shared(name) {
		return o.ours.Open(name)
	}
	return f, err
}

// seeChapter is the sentence at the end of a term of ours that leads to one of our chapters, in English or Chinese.
var seeChapter = regexp.MustCompile(` See \[[^\]]*\]\(\.\./chapters/[^)]*\)\.|见\[[^\]]*\]\(\.\./chapters/[^)]*\)。`)

// ReadFile reads a file of theirs, or else of ours. Our terms come without what leads to our chapters, which are not there.
func (o overlay) ReadFile(name string) ([]byte, error) {
	b, err := fs.ReadFile(o.theirs, name)
	if !errors.Is(err, fs.ErrNotExist) || !shared(name) {
		return b, err
	}
	if b, err = fs.ReadFile(o.ours, name); path.Base(name) == "terms.yaml" {
		b = seeChapter.ReplaceAll(b, nil)
	}
	return b, err
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
