package picture

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

var texts = func() *text.Texts {
	t, err := text.Load(content.FS)
	if err != nil && t == nil {
		panic(err)
	}
	return t
}()

// pictureOf runs a Spec and returns what is to be drawn.
func pictureOf(t testing.TB, spec string, lang text.Lang) Picture {
	t.Helper()
	s, err := labs.Parse(spec, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := labs.Run(s, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	layout := s.Lab.Layout(s.Config(nil))
	return Picture{Lab: s.Lab, Spec: &s, Trace: trace, Layout: &layout, Words: texts.Lab(lang, s.Lab.ID), UI: texts.UI(lang), Lang: lang}
}

// TestGoldenPictures keeps a few pictures as files that a person can look at: each lab's default and a counterexample, wide and
// narrow, in both languages by turns.
func TestGoldenPictures(t *testing.T) {
	for i, spec := range []string{
		"window-edge", "window-edge?use=fixed", "window-edge?use=buckets&spare=0&first=9.9&gap=990.2",
		"window-edge?traffic=poisson&length=10&do=2s:burst&do=7.5s:burst::200",
		"token-bucket", "layered-limit", "layered-limit?use=qps-only&do=5s:bypass:gateway&do=12s:restore:gateway",
	} {
		for _, narrow := range []bool{false, true} {
			lang := text.Langs[i%2]
			if narrow {
				lang = text.Langs[1-i%2]
			}
			in := pictureOf(t, spec, lang)
			in.Narrow, in.Standalone = narrow, true
			golden(t, fileName(spec, lang, narrow), Run(in))
			if narrow {
				golden(t, fileName(spec, lang, false)+"-card", Card(in))
			}
		}
	}
}

// fileName names a golden by what is in it.
func fileName(spec string, lang text.Lang, narrow bool) string {
	name := strings.NewReplacer("?", "-", "&", "-", "=", "-", ":", "-").Replace(spec) + "-" + string(lang)
	if narrow {
		name += "-narrow"
	}
	return name
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from its golden; look at it, then run with -update", name)
	}
}
