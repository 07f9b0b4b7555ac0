package text_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// TestLabsHaveTheirTexts proves every lab that can be run: each code in both languages, each sentence with values that exist.
func TestLabsHaveTheirTexts(t *testing.T) {
	texts := ours(t)
	for _, lab := range catalog.All() {
		if err := texts.Prove(lab); err != nil {
			t.Errorf("%s:\n%v", lab.ID, err)
		}
	}
}

// sources returns what the programs of the site say, without tests and generated files.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, root := range []string{"../../web", "../../cmd", "../../wasm"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			switch ext := filepath.Ext(path); {
			case strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, "_templ.go"), strings.Contains(path, "static/gen"):
				return nil
			case ext == ".go" || ext == ".templ" || ext == ".ts":
				src, err := os.ReadFile(path)
				all.Write(src)
				return err
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

var (
	getCall = regexp.MustCompile(`\.Get\("([a-z0-9-]+(?:\.[a-z0-9-]+)+)"[,)]`) // not the beginning of a key, which the rest is added to
	quoted  = regexp.MustCompile("[\"'`]([a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.?)[\"'`]")
)

// TestWordsAndProgramsAgree: each key that a program asks for by name is there, and each key is asked for, whole or by a literal that
// it begins with up to a dot ("family.").
func TestWordsAndProgramsAgree(t *testing.T) {
	words, src := ours(t).UI(text.EN), sources(t)
	for _, m := range getCall.FindAllStringSubmatch(src, -1) {
		if !words.Has(m[1]) {
			t.Errorf("a program asks for %s, which ui.yaml does not have", m[1])
		}
	}
	literals := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(src, -1) {
		literals[m[1]] = true
	}
	asked := func(key string) bool {
		for at := key; ; {
			if literals[at] {
				return true
			}
			dot := strings.LastIndexByte(strings.TrimSuffix(at, "."), '.')
			if dot < 0 {
				return false
			}
			at = at[:dot+1]
		}
	}
	for key := range words.Under("") { // order cannot matter: each is judged alone
		if !asked(key) {
			t.Errorf("no program asks for %s", key)
		}
	}
}

var gap = regexp.MustCompile(`[\p{Han}，。：；（）] [A-Za-z]|[A-Za-z0-9] [\p{Han}（）]`)

// TestChineseWordsOfPagesHaveNoGaps: pages set Chinese and Latin side by side without a space, and browsers add what belongs between
// them. Commands and what they say of errors are for terminals, which do not.
func TestChineseWordsOfPagesHaveNoGaps(t *testing.T) {
	judged := 0
	for key, sentence := range ours(t).UI(text.ZH).Under("") { // order cannot matter: each is judged alone
		if strings.HasPrefix(key, "cli.") || strings.HasPrefix(key, "lab-error.") {
			continue
		}
		judged++
		if m := gap.FindString(sentence); m != "" {
			t.Errorf("zh/ui.yaml: %s has a space in “%s”", key, m)
		}
	}
	if judged < 100 {
		t.Errorf("%d words were judged", judged)
	}
}
