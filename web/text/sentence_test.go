package text

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSentencesAreWhatTheirPiecesAre builds sentences from pieces, and what they should say beside them.
func TestSentencesAreWhatTheirPiecesAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := map[string]string{}
		var sentence, want strings.Builder
		var used []string
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			name := rapid.SampledFrom([]string{"n", "admitted.fixed", "b-1"}).Draw(t, "name")
			if _, known := values[name]; !known {
				values[name] = rapid.SampledFrom([]string{"", "0", "1", "11", "1 s", "{n}"}).Draw(t, "value")
			}
			switch rapid.SampledFrom([]string{"text", "brace", "value", "forms"}).Draw(t, "kind") {
			case "text":
				text := rapid.StringMatching(`[a-z 个|}]{0,5}`).Draw(t, "text")
				sentence.WriteString(text)
				want.WriteString(text)
				continue
			case "brace":
				sentence.WriteString("{{")
				want.WriteString("{")
				continue
			case "value":
				sentence.WriteString("{" + name + "}")
				want.WriteString(values[name])
			case "forms":
				sentence.WriteString("{" + name + "|one|many of {{them}")
				// A form ends at the first }: braces within it are plain.
				if values[name] == "1" {
					want.WriteString("one")
				} else {
					want.WriteString("many of {{them")
				}
			}
			if !slices.Contains(used, name) {
				used = append(used, name)
			}
		}
		found, err := names(sentence.String())
		if err != nil || !slices.Equal(found, used) {
			t.Fatalf("%q names %v (%v), want %v", sentence.String(), found, err, used)
		}
		got := expand(sentence.String(), func(name string) (string, bool) { v, ok := values[name]; return v, ok })
		if got != want.String() {
			t.Fatalf("%q says %q, want %q", sentence.String(), got, want.String())
		}
	})
}

// TestUnknownNamesStay: what nobody gave is seen, not swallowed.
func TestUnknownNamesStay(t *testing.T) {
	for _, s := range []string{"{n} of {m}", "{n|one|two}", "{", "a{b", "{}"} {
		if got := expand(s, func(string) (string, bool) { return "", false }); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// FuzzSentences: no sentence makes expand or names fail, and what names accepts is expanded without a rest.
func FuzzSentences(f *testing.F) {
	for _, s := range []string{"{n} {n|lab|labs}", "{{x}}", "{", "{a|b}", "{a|b|c|d}", "}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, err := names(s)
		asked := map[string]bool{}
		expand(s, func(name string) (string, bool) { asked[name] = true; return "v", true })
		if err != nil {
			return
		}
		if len(asked) != len(list) {
			t.Errorf("%q names %v, and %v were asked for", s, list, asked)
		}
	})
}
