package page

import (
	"errors"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Kind is what a link leads to.
type Kind uint8

// The kinds of targets.
const (
	Outside      Kind = iota // another site; ID is the whole address
	Anchor                   // a heading of the same page
	Home                     // the site's first page
	Chapter                  // ID is its slug
	LabList                  // all labs
	LabPage                  // ID is the lab's, Query a Spec's
	Terms                    // the glossary; Fragment is a term's id
	Decisions                // all decisions
	Decision                 // ID is DL-n
	EvidenceList             // all comparisons with real programs
	Evidence                 // ID is its slug
	Guide                    // a page about the program itself; ID is its slug
)

// Target is what a link leads to, without the language: a link stays in the language of its page.
type Target struct {
	Kind     Kind
	ID       string
	Query    string
	Fragment string
}

// Path is the target's address on a site in a language.
func (t Target) Path(lang string) string {
	var p string
	switch t.Kind {
	case Outside:
		return t.ID
	case Anchor:
		return "#" + t.Fragment
	case Home:
		p = "/"
	case Chapter:
		p = "/chapters/" + t.ID
	case LabList:
		p = "/labs/"
	case LabPage:
		p = "/labs/" + t.ID
	case Terms:
		p = "/glossary/"
	case Decisions:
		p = "/decisions/"
	case Decision:
		p = "/decisions/" + t.ID
	case EvidenceList:
		p = "/evidence/"
	case Evidence:
		p = "/evidence/" + t.ID
	case Guide:
		p = "/guides/" + t.ID
	}
	p = "/" + lang + p
	if t.Query != "" {
		p += "?" + t.Query
	}
	if t.Fragment != "" {
		p += "#" + t.Fragment
	}
	return p
}

var outsideSchemes = map[string]bool{"https": true, "http": true, "mailto": true}

// Resolve says where a link of a file leads. Inside the site a link is the other file's name, relative to this one, so that it works
// wherever the Markdown is read, or an address of the site without its language: /labs/window-edge?use=log.
func Resolve(file, dest string) (Target, error) {
	u, err := url.Parse(dest)
	if err != nil {
		return Target{}, errors.New(strconv.Quote(dest) + " is not an address")
	}
	switch {
	case u.Scheme != "":
		switch {
		case !outsideSchemes[u.Scheme]:
			return Target{}, errors.New(strconv.Quote(dest) + ": links lead to https, http, mailto, lab:, files of the content, or addresses of this site")
		case u.Scheme == "mailto" && !strings.Contains(u.Opaque, "@"), u.Scheme != "mailto" && u.Hostname() == "":
			return Target{}, errors.New(strconv.Quote(dest) + " leads nowhere; write the whole address")
		}
		return Target{Kind: Outside, ID: dest}, nil
	case u.Host != "":
		return Target{}, errors.New(strconv.Quote(dest) + " has a host but no scheme; write https://")
	case u.Path == "" && u.RawQuery == "":
		return Target{Kind: Anchor, Fragment: u.Fragment}, nil
	}
	t := Target{Query: u.RawQuery, Fragment: u.Fragment}
	if strings.HasPrefix(u.Path, "/") {
		err = t.fromPath(u.Path)
	} else {
		err = t.fromFile(path.Join(path.Dir(file), u.Path))
	}
	if err == nil && t.Query != "" && t.Kind != LabPage {
		err = errors.New(strconv.Quote(dest) + ": only a lab's page takes a query")
	}
	return t, err
}

// fromPath reads an address of the site, with or without a language.
func (t *Target) fromPath(p string) error {
	p = strings.TrimPrefix(p, "/")
	if first, rest, _ := strings.Cut(p, "/"); languageForm.MatchString(first) {
		return errors.New("/" + p + " names a language; write /" + rest + ", which stays in the reader's")
	}
	section, id, _ := strings.Cut(p, "/")
	switch {
	case p == "":
		t.Kind = Home
	case section == "chapters" && id != "":
		t.Kind, t.ID = Chapter, id
	case section == "labs" && id == "":
		t.Kind = LabList
	case section == "labs":
		t.Kind, t.ID = LabPage, id
	case section == "glossary" && id == "":
		t.Kind = Terms
	case section == "decisions" && id == "":
		t.Kind = Decisions
	case section == "decisions":
		t.Kind, t.ID = Decision, id
	case section == "evidence" && id == "":
		t.Kind = EvidenceList
	case section == "evidence":
		t.Kind, t.ID = Evidence, id
	case section == "guides" && id != "":
		t.Kind, t.ID = Guide, id
	default:
		return errors.New("/" + p + " is no page of the site; pages are /, /chapters/SLUG, /labs/, /labs/ID, /glossary/, /decisions/, /decisions/DL-n, /evidence/, /evidence/SLUG and /guides/SLUG")
	}
	if strings.Contains(t.ID, "/") {
		return errors.New("/" + p + " goes too deep; no page has an address of that form")
	}
	return nil
}

var languageForm = regexp.MustCompile(`^(en|zh)$`)

// fromFile reads the name of a file of the content: LANG/FOLDER/NAME.
func (t *Target) fromFile(file string) error {
	_, name, _ := strings.Cut(file, "/")
	folder, base := path.Split(name)
	switch {
	case folder == "chapters/" && path.Ext(base) == ".md":
		t.Kind, t.ID = Chapter, Slug(base)
	case folder == "decisions/" && path.Ext(base) == ".md":
		t.Kind, t.ID = Decision, Slug(base)
	case folder == "evidence/" && path.Ext(base) == ".md":
		t.Kind, t.ID = Evidence, Slug(base)
	case folder == "guides/" && path.Ext(base) == ".md":
		t.Kind, t.ID = Guide, Slug(base)
	case folder == "labs/" && path.Ext(base) == ".yaml":
		t.Kind, t.ID = LabPage, strings.TrimSuffix(base, ".yaml")
	case name == "glossary/terms.yaml":
		t.Kind = Terms
	default:
		return errors.New(file + " is not a file that has a page; link chapters/*.md, decisions/*.md, evidence/*.md, guides/*.md, labs/*.yaml or glossary/terms.yaml")
	}
	return nil
}

// IsSource is true for a file that is a page: one whose name begins with a dot or an underscore is an editor's, or a draft.
func IsSource(file string) bool {
	name := path.Base(file)
	return !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

var (
	chapterFile  = regexp.MustCompile(`^[0-9]+-(.+)$`)
	decisionFile = regexp.MustCompile(`^(DL-[0-9]+)(-.*)?$`)
)

// Slug is the part of a file's name that is in its address: windows of 04-windows.md, DL-1 of DL-1-one-binary.md.
func Slug(file string) string {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if m := decisionFile.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	if m := chapterFile.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}
