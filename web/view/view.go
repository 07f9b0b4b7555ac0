// Package view is the markup of the site's pages, as templ components: a view model in, markup out.
//
// # Contract
//
// Each page is a component of [Frame], which every page shares, and of a model of its own. Components read no clock, no store and no
// request, so the same models give the same bytes, and a page can be made once and served a million times. All sentences come from the
// content's words; a component holds none.
//
// A page is readable without script and holds none inline, nor any style: the site's Content-Security-Policy forbids both. What a
// script needs stands in attributes named data-… and in <script type="application/json">. What only a script can do is hidden until
// the script shows it.
//
// Chapters and labs come as HTML that was made before (packages page and view/lab); it goes into the page as it is.
package view

import (
	"strconv"
	"strings"

	"seedbed/web/text"
)

// Frame is what every page shares.
type Frame struct {
	Lang  text.Lang
	Words text.Words

	Title       string // of the page, without the site's name; "" on the home page
	Description string
	Path        string // the page's address without its language: "/chapters/windows"
	Query       string // what follows the question mark of the address, kept when the language is switched
	Elsewhere   bool   // the page is there in the other language too; otherwise the switch leads to its home page
	Base        string // "https://notes.example.org", for addresses that leave the site; "" when unknown
	NoIndex     bool   // search engines leave it out
	OEmbed      string // address of the page's oEmbed description; "" when it has none

	Section Section
	Assets  Assets
	HasLab  bool // the page holds a lab, and so needs its script
	Report  Report
}

// Section is the part of the site that a page is in.
type Section uint8

// The sections, as the header names them.
const (
	NoSection Section = iota
	Chapters
	Labs
	Notebook
	Glossary
)

// Assets are the addresses of what the pages load. An empty one has not been built: the page then does without.
type Assets struct {
	CSS, Theme, Site, Lab, Frame string
	Dev                          string // the script that reloads a page when its source changes; only while developing
	Build                        string // identity of the build
	Preload                      []string
}

// Report is where a mistake in a page is reported.
type Report struct {
	To     string // an address, https or mailto; "" when the site names none
	Source string // the file that says what the page says: "content/en/chapters/04-windows.md"
}

// w is a word.
func (f *Frame) w(key string, named ...string) string { return f.Words.Get(key, named...) }

// other is the language that the switch leads to.
func (f *Frame) other() text.Lang {
	if f.Lang == text.EN {
		return text.ZH
	}
	return text.EN
}

// here is the page's address in a language; the home page's when the page is not there in it.
func (f *Frame) here(lang text.Lang) string {
	if lang != f.Lang && !f.Elsewhere {
		return "/" + string(lang) + "/"
	}
	path := "/" + string(lang) + f.Path
	if f.Query != "" {
		path += "?" + f.Query
	}
	return path
}

// At is an address within the language of the page.
func (f *Frame) At(path string) string { return "/" + string(f.Lang) + path }

// bcp is the language as HTML wants it.
func bcp(lang text.Lang) string {
	if lang == text.ZH {
		return "zh-Hans"
	}
	return string(lang)
}

// name is the language's name in itself.
func name(lang text.Lang) string {
	if lang == text.ZH {
		return "中文"
	}
	return "English"
}

// title is the document's title.
func (f *Frame) title() string {
	if f.Title == "" {
		return f.w("site.title")
	}
	return f.Title + " · Seedbed"
}

// current is aria-current's value for a link to a section.
func (f *Frame) current(s Section) string {
	if f.Section == s {
		return "true"
	}
	return "false"
}

// ChapterLink is a chapter as lists show it.
type ChapterLink struct {
	Slug    string
	Number  string // "04"
	Title   string
	Summary string
}

func (f *Frame) chapter(slug string) string { return f.At("/chapters/" + slug) }

// HomePage is the first page.
type HomePage struct {
	Chapters []ChapterLink
	Labs     []LabLink

	// A run that shows what this is about: its picture as HTML, the lab that it is of, and what that lab asks.
	Featured, FeaturedHref, FeaturedName, FeaturedQuestion string
}

// LabLink is a lab as lists show it.
type LabLink struct {
	ID       string
	Title    string
	Question string
	Checks   int    // how many
	Breaks   int    // how many presets break one
	Picture  string // of its default run, as HTML
}

// ChapterPage is a chapter.
type ChapterPage struct {
	Slug    string
	Number  string
	Title   string
	Summary string
	Body    string // HTML
	Outline []OutlineEntry

	Chapters   []ChapterLink // all of them, this one among them
	Prev, Next *ChapterLink
	Updated    string // YYYY-MM-DD
	Stale      *Stale // the other language's text has changed since
	Labs       int    // in the text
	Numbers    int    // in the text that come from runs
	Problems   []string
}

// Stale says which text of the other language a page follows, and when that one was changed since.
type Stale struct{ Follows, Changed string }

// OutlineEntry is a heading on the page.
type OutlineEntry struct {
	ID, Text string
	Level    int
}

// LabsPage lists the labs.
type LabsPage struct {
	Families []LabFamily
}

// LabFamily is labs that show one thing from several sides.
type LabFamily struct {
	ID   string
	Name string
	Labs []LabLink
}

// LabPage is one lab on a page of its own.
type LabPage struct {
	Body     string // the lab, as HTML, with its title and question
	About    string
	Checks   []Named
	Presets  []Preset
	Chapters []ChapterLink // in which it stands
	Evidence []EvidenceEntry
}

// Named is a name and a sentence about it.
type Named struct{ Code, Name, Text string }

// Preset is a named setting.
type Preset struct {
	Name, Title, Note, Href string
	Breaks                  string // the title of the check that it violates; empty when all hold
}

// GlossaryPage is the terms.
type GlossaryPage struct {
	Terms []TermEntry
}

// TermEntry is one term.
type TermEntry struct {
	ID, Term string
	Also     []string
	Text     string // inline HTML
	See      []TermEntry
}

// DecisionsPage lists the decisions.
type DecisionsPage struct {
	Decisions []DecisionEntry
}

// DecisionEntry is one decision in the list.
type DecisionEntry struct {
	ID, Title, Summary, Date string
	Status                   string // as the record says
}

// DecisionPage is one decision.
type DecisionPage struct {
	DecisionEntry
	Drivers    []string
	Metric     string
	Supersedes []string
	Body       string // HTML
}

// EvidenceListPage lists the comparisons with real programs.
type EvidenceListPage struct {
	Evidence []EvidenceEntry
}

// EvidenceEntry is one comparison in a list.
type EvidenceEntry struct {
	Slug, Title, Summary, Date string
	Against                    []string // the real programs with their versions
}

// EvidencePage is one comparison.
type EvidencePage struct {
	EvidenceEntry
	Labs []LabLink // that it judges
	Body string    // HTML
}

// GuideLink is a page about the program itself as lists show it.
type GuideLink struct{ Slug, Title, Summary string }

// GuidePage is one page about the program itself.
type GuidePage struct {
	GuideLink
	Body    string // HTML
	Outline []OutlineEntry
	Guides  []GuideLink // all of them, this one among them
}

// ErrorPage says what went wrong and what the reader can do.
type ErrorPage struct {
	Status  int
	Heading string
	Detail  string // one sentence; may be empty
	Hint    string // what to do; may be empty
	Links   []Link
	ID      string // of the request, for whoever looks into the log; may be empty
}

// Link is an address and its text.
type Link struct{ Href, Text string }

// EmbedPage is a lab within somebody else's page.
type EmbedPage struct {
	Lang   text.Lang
	Words  text.Words
	Title  string
	Body   string // the lab, as HTML
	Home   string // the lab's own page, absolute where the base is known
	Assets Assets
}

// compared says with what a comparison was made, and when.
func (f *Frame) compared(e EvidenceEntry) string {
	programs := ""
	for i, p := range e.Against {
		if i == 0 {
			programs = p
		} else {
			programs = f.w("evidence.and", "programs", programs, "program", p)
		}
	}
	return f.w("evidence.compared", "programs", programs, "date", e.Date)
}

// level is the outline entry's class.
func (e *OutlineEntry) level() string { return "level-" + strconv.Itoa(e.Level) }

// status is a decision's status in words; one that has none stands as it is written.
func (f *Frame) status(s string) string {
	if key := "decisions.status." + s; f.Words.Has(key) {
		return f.w(key)
	}
	return s
}

func status(s string) string { return "status " + strings.ReplaceAll(strings.ToLower(s), " ", "-") }

func num(n int) string { return strconv.Itoa(n) }
