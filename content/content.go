// Package content holds all that Seedbed says: chapters, the texts of the labs, the glossary, decisions, and the words of the pages
// and of the command line, in English and in Simplified Chinese.
//
// Each language is a folder of the same shape, and the same file name is the same page in the other language:
//
//	ui.yaml                    words of pages, pictures and commands: a flat map from key to sentence
//	labs/ID.yaml               what a lab is called and how it tells what happens (read by web/text)
//	chapters/NN-slug.md        the chapters, in their order
//	glossary/terms.yaml        the terms
//	decisions/DL-n-slug.md     the decisions
//	guides/slug.md             how the program itself is used; notes of others have them too
//	evidence/slug.md           what real programs say to the questions of the labs, each written by cmd/reality from _slug.md.tmpl
//
// The package embeds the files and does nothing else. Who reads them finds faults in them; `seedbed check` reports all at once.
package content

import "embed"

// FS holds the folders en and zh. Files whose names begin with a dot or an underscore (an editor's) are left out.
//
//go:embed en zh
var FS embed.FS
