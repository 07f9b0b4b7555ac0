package web

import (
	"net/http"
	"strings"

	"seedbed/web/text"
)

// languageCookie holds the reader's choice of language. The site's script sets it when the reader uses the switch.
const languageCookie = "seedbed-lang"

// languageOf is the language that a request is to be answered in: that of its path, else the reader's choice, else what the browser
// prefers, else English.
func languageOf(r *http.Request) text.Lang {
	path := strings.TrimPrefix(r.URL.Path, "/embed")
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if lang := text.Lang(first); lang.Known() {
		return lang
	}
	return preferred(r)
}

// preferred is the language of a request whose path names none.
func preferred(r *http.Request) text.Lang {
	if c, err := r.Cookie(languageCookie); err == nil && text.Lang(c.Value).Known() {
		return text.Lang(c.Value)
	}
	best, most := text.EN, 0
	for _, field := range r.Header["Accept-Language"] {
		for part := range strings.SplitSeq(field, ",") {
			tag, parameters, _ := strings.Cut(part, ";")
			primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
			if lang := text.Lang(primary); lang.Known() && weight(parameters) > most {
				best, most = lang, weight(parameters)
			}
		}
	}
	return best
}
