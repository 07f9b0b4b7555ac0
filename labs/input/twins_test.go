package input

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzJSONAgainstPackageJSON: our scanner takes a text for an object exactly when
// encoding/json does, and reads its strings alike.
func FuzzJSONAgainstPackageJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, `{"a":-0.5e+7,"b":[1,{"c":null}],"d":"\ud83d\ude00\u00e9\/\\"}`, `{"a":01}`, `{"a":1,}`, `{"a" 1}`, `{`, `{"\ud800":"\udc00\ud800x"}`,
		`{"a":"` + "\x01" + `"}`, `{"a":truee}`, `{"a":[]]}`, `{"request":{"uri":"\b\f\n\r\t\""}}`, `{"a":"\u12`, `{"a":-}`, `{"a":1.}`, `{"a":1e}`, "{\"a\":\"\xff\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compareJSON(t, text)
	})
}

func TestJSONAgainstPackageJSON(t *testing.T) {
	piece := rapid.SampledFrom([]string{`{`, `}`, `[`, `]`, `"`, `:`, `,`, `"a"`, `"a":`, `1`, `-`, `0`, `.`, `e`, `\`, `\u`, `d83d`, `\n`, `true`, `null`, ` `, `{"a":{"b":[]}}`})
	rapid.Check(t, func(t *rapid.T) {
		compareJSON(t, "{"+strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
	})
}

func compareJSON(t interface{ Fatalf(string, ...any) }, text string) {
	text = strings.Trim(text, " \t\r\n")
	if strings.Count(text, "{")+strings.Count(text, "[") >= maxDepth {
		return // a bound of ours
	}
	got := map[string]string{}
	s := jsonScan{scan: scan{b: []byte(text)}}
	ok := s.peek() == '{' && s.object(1, func(name, value []byte, kind jsonKind, depth int) {
		if depth == 1 {
			delete(got, string(name))
			if kind == jsonString {
				got[string(name)] = string(value)
			}
		}
	}) && s.done()
	valid := json.Valid([]byte(text)) && text[0] == '{'
	if ok != valid {
		t.Fatalf("%q: taken for an object: %v, by encoding/json: %v", text, ok, valid)
	}
	if !ok {
		return
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		return // a number beyond float64: valid, but not for Unmarshal
	}
	for name, value := range want {
		text, isText := value.(string)
		if g, found := got[name]; isText && strings.ToValidUTF8(g, "\ufffd") == g && (!found || g != text) {
			t.Fatalf("%q: %q, encoding/json %q", name, g, text)
		}
	}
}

// TestCSVAgainstPackageCSV: a row that encoding/csv writes is read back alike, but
// for the space around values, which means nothing here.
func TestCSVAgainstPackageCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.StringMatching(`[a-z",;| \\]{0,6}`), 1, 6).Draw(t, "fields")
		comma := rapid.SampledFrom(separators[:]).Draw(t, "comma")
		var row bytes.Buffer
		w := csv.NewWriter(&row)
		w.Comma = rune(comma)
		if err := w.Write(fields); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		line := bytes.TrimSuffix(row.Bytes(), []byte{'\n'})

		var p csvParser
		var got []string
		v := p.fields(line, comma, func(_ int, value []byte) { got = append(got, string(value)) })
		if v != Request || len(got) != len(fields) {
			t.Fatalf("%s: %v, %q, want %q", line, v, got, fields)
		}
		for i := range got {
			if want := strings.TrimSpace(fields[i]); got[i] != want {
				t.Fatalf("%s: field %d is %q, want %q", line, i, got[i], want)
			}
		}
	})
}
