package text

import (
	"errors"
	"strings"

	"seedbed/labs"
	"seedbed/labs/input"
)

// Error says an error to people in one line: *labs.Error, *labs.Bound and *input.Error in the language, by their code, any other as it
// is. In English all are said as they are.
func (t *Texts) Error(lang Lang, err error) string {
	if lang == EN {
		return err.Error()
	}
	words := t.words[lang]
	var fault *labs.Error
	if errors.As(err, &fault) {
		key := errorPrefix + fault.Code
		if variant := key + "." + variantOf(fault); words.Has(variant) {
			key = variant
		}
		if !words.Has(key) {
			return err.Error()
		}
		said := words.Get(key, "field", fault.Field, "got", gotZH(fault), "want", wantZH(fault))
		if fault.Got == "" { // what is empty is not told by its value; what would be right stands behind the semicolon
			if _, right, found := strings.Cut(said, "；"); found {
				return words.Get(errorPrefix+emptyOf(fault), "field", fault.Field, "right", right)
			}
		}
		return said
	}
	var bound *labs.Bound
	if errors.As(err, &bound) && words.Has(errorPrefix+"bound-"+bound.Code) {
		return words.Get(errorPrefix+"bound-"+bound.Code, "at", Number(lang, labs.Seconds, bound.At))
	}
	var log *input.Error
	if errors.As(err, &log) && words.Has(errorPrefix+"log-"+log.Code) {
		return words.Get(errorPrefix+"log-"+log.Code, "line", Number(lang, labs.Count, int64(log.Line)), "got", log.Got,
			"why", t.Why(lang, log.Why), "most", Number(lang, labs.Count, input.MaxRequests))
	}
	return err.Error()
}

// Why says why a line of a log is not a request.
func (t *Texts) Why(lang Lang, v input.Verdict) string {
	if key := errorPrefix + "line-" + v.Code(); lang != EN && t.words[lang].Has(key) {
		return t.words[lang].Get(key)
	}
	return v.String()
}

// variantOf tells apart what one code says in different places: of a field ("do", where an action's instant is out of range), of a lab
// that has no actions at all ("none"), of what is no digest ("digest").
func variantOf(e *labs.Error) string {
	switch {
	case strings.HasPrefix(e.Want, "none: "):
		return "none"
	case e.Code == "wrong-input" && strings.HasPrefix(e.Want, "it is the 32 hex digits"):
		return "digest"
	}
	return e.Field
}

// emptyOf is the key for what is empty: a value, or a name, where the field is not what is named.
func emptyOf(e *labs.Error) string {
	switch e.Code {
	case "unknown-parameter", "unknown-verb", "unknown-target":
		return "empty-name"
	}
	return "empty"
}

// gotZH is what stood there, with the English of its unit put into Chinese.
func gotZH(e *labs.Error) string {
	if e.Got == "" {
		return "空"
	}
	if n, ok := strings.CutSuffix(e.Got, " bytes"); ok && e.Code == "too-long" {
		return n + " 字节"
	}
	return e.Got
}

// wantZH is what would be right, where it is a range, a list or an example: those are codes and numbers, so that only the words
// between them need Chinese.
func wantZH(e *labs.Error) string {
	want := e.Want
	switch e.Code {
	case "not-a-number", "too-large":
		return strings.ReplaceAll(want, " or ", " 或 ")
	case "out-of-range":
		if r, ok := strings.CutSuffix(want, " per second"); ok {
			return "每秒" + r
		}
		r, _, _ := strings.Cut(want, ", ")
		return r
	case "wants-target":
		_, list, _ := strings.Cut(want, ": one of ")
		return list
	case "wrong-input":
		return strings.TrimPrefix(want, "the Spec names the log ")
	}
	return want
}
