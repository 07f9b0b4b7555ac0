package text

import (
	"errors"
	"slices"
	"strings"
)

// expand fills a sentence's named values; value returns false for a name that it does not know, which then stays as it is written,
// braces and all, so that it is seen.
func expand(sentence string, value func(name string) (string, bool)) string {
	if !strings.Contains(sentence, "{") {
		return sentence
	}
	var b strings.Builder
	rest := sentence
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if strings.HasPrefix(after, "{") {
			b.WriteByte('{')
			rest = after[1:]
			continue
		}
		slot, next, closed := strings.Cut(after, "}")
		if !closed {
			b.WriteString("{" + after)
			return b.String()
		}
		name, forms, choose := strings.Cut(slot, "|")
		v, ok := value(name)
		switch {
		case !ok:
			b.WriteString("{" + slot + "}")
		case choose:
			one, other, _ := strings.Cut(forms, "|")
			if v != "1" {
				one = other
			}
			b.WriteString(one)
		default:
			b.WriteString(v)
		}
		rest = next
	}
}

// names lists the values that a sentence names, each once, in the order of their first use; the error says what is wrong with its
// braces.
func names(sentence string) ([]string, error) {
	var list []string
	rest := sentence
	for {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return list, nil
		}
		if strings.HasPrefix(after, "{") {
			rest = after[1:]
			continue
		}
		slot, next, closed := strings.Cut(after, "}")
		if !closed {
			return list, errors.New("a brace is not closed; a brace itself is written {{")
		}
		name, forms, choose := strings.Cut(slot, "|")
		if !isName(name) {
			return list, errors.New("{" + slot + "} names no value; a name is lower-case letters, digits and hyphens")
		}
		if choose && strings.Count(forms, "|") != 1 {
			return list, errors.New("{" + slot + "} wants two forms: {" + name + "|one|other}")
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
		rest = next
	}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return s != ""
}

// pairs looks a name up in "name", "value", "name", "value" …
func pairs(named []string) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(named); i += 2 {
			if named[i] == name {
				return named[i+1], true
			}
		}
		return "", false
	}
}
