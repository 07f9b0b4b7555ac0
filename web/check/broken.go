package check

import (
	"io/fs"
	"path"

	"seedbed/web/page"
	"seedbed/web/text"
)

// Broken returns the first problem of content that cannot be read at all: a file of words, of a lab's texts or of terms, front matter
// or a fence, that is not YAML. What stands in it is then missing on every page, so a program is not built or started with it. nil when
// everything can be read, and where there is no content. It runs no lab, and takes a few hundredths of a second for all of ours.
func Broken(fsys fs.FS) *text.Problem {
	var problems []*text.Problem
	if there, _ := fs.Glob(fsys, "*/ui.yaml"); len(there) > 0 { // the pattern is good
		_, err := text.Load(fsys)
		problems = text.Problems(err)
	}
	for _, lang := range text.Langs {
		terms := path.Join(string(lang), "glossary", "terms.yaml")
		if src, err := fs.ReadFile(fsys, terms); err == nil {
			_, found := page.ParseGlossary(src, page.Options{File: terms})
			problems = append(problems, found...)
		}
		for _, folder := range folders {
			files, _ := fs.Glob(fsys, path.Join(string(lang), folder, "*.md")) // the pattern is good
			for _, file := range files {
				if !page.IsSource(file) {
					continue
				}
				src, err := fs.ReadFile(fsys, file)
				if err != nil {
					return &text.Problem{File: file, Message: "cannot be read: " + err.Error(), Broken: true}
				}
				_, found := page.Parse(src, page.Options{File: file})
				problems = append(problems, found...)
			}
		}
	}
	return text.Broken(problems)
}
