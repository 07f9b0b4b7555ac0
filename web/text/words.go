package text

import (
	"strings"
	"testing"
)

// errorPrefix begins the keys that say a labs.Error in a language other than English; English errors speak for themselves.
const errorPrefix = "lab-error."

// Words are the sentences of one language's ui.yaml. The zero value has none.
type Words struct {
	lang      Lang
	sentences map[string]string
	lent      map[string]string // of the other language, for keys that this one lacks
}

// Lang is the language of the words.
func (w Words) Lang() Lang { return w.lang }

// Get returns the sentence of a key, filled with values: Get("lab.count", "n", "3"). Where this language lacks the key, the sentence is
// the other language's: readers of both understand more of it than of a key. A key that is missing everywhere, or a value that the
// sentence names and nobody gave, is a fault of the program: it panics under test, and shows itself as ⟨key⟩ or {name} in service,
// where half a page is better than none.
func (w Words) Get(key string, named ...string) string {
	sentence, ok := w.sentences[key]
	if !ok {
		sentence, ok = w.lent[key]
	}
	if !ok {
		if testing.Testing() {
			panic("text: " + string(w.lang) + "/ui.yaml has no key " + key)
		}
		return "⟨" + key + "⟩"
	}
	if len(named)%2 != 0 && testing.Testing() {
		panic("text: " + key + " was given a name without its value: " + strings.Join(named, ", "))
	}
	value := pairs(named)
	return expand(sentence, func(name string) (string, bool) {
		v, ok := value(name)
		if !ok && testing.Testing() {
			panic("text: " + key + " in " + string(w.lang) + " names {" + name + "}, which was not given")
		}
		return v, ok
	})
}

// Has is true when the key is there in this language.
func (w Words) Has(key string) bool {
	_, ok := w.sentences[key]
	return ok
}

// Under returns the sentences whose keys begin with prefix, by the rest of their keys: what a client script needs of one part. As in
// Get, the other language helps out.
func (w Words) Under(prefix string) map[string]string {
	found := map[string]string{}
	for _, sentences := range []map[string]string{w.lent, w.sentences} {
		for key, sentence := range sentences { // order cannot matter: into a map
			if rest, ok := strings.CutPrefix(key, prefix); ok {
				found[rest] = sentence
			}
		}
	}
	return found
}

// lend gives each language the sentences of the others that it lacks, but for those of errors, which English has no use for.
func (t *Texts) lend() {
	for _, lang := range Langs {
		w := t.words[lang]
		w.lent = map[string]string{}
		for _, other := range Langs {
			for key, sentence := range t.words[other].sentences { // order cannot matter: into a map, and there are two languages
				if !w.Has(key) && !strings.HasPrefix(key, errorPrefix) {
					w.lent[key] = sentence
				}
			}
		}
		t.words[lang] = w
	}
}
