package check

import (
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Chinese is set with marks of full width. What a keyboard gives by accident is the half-width mark of another script, which leaves a
// gap on the wrong side; search and line breaking suffer too.
var (
	// Brackets are judged by what they hold: around a formula they are its own.
	halfWidth = regexp.MustCompile(`\p{Han}[)”’]?([,;:?!])|(\()[^()]*\p{Han}[^()]*\)`)
	// fullWidth is what stands for each mark.
	fullWidth = map[string]string{",": "，", ";": "；", ":": "：", "?": "？", "!": "！", "(": "（…）"}
	// spared is what is not prose: code, numbers of runs, where links lead, addresses, ids of headings.
	spared = regexp.MustCompile("`[^`]*`" + `|\{=[^}]*\}|\]\([^)]*\)|<[^>]*>|\{#[^}]*\}`)
)

// chinese reports the first half-width mark beside a Chinese character in a line of prose.
func (s *site) chinese(file string, line int, prose string) {
	prose = spared.ReplaceAllStringFunc(prose, func(code string) string { return strings.Repeat("x", utf8.RuneCountInString(code)) })
	m := halfWidth.FindStringSubmatch(prose)
	if m == nil {
		return
	}
	mark := m[1] + m[2]
	s.add(file, line, "half-width "+mark+" in “"+m[0]+"”; write "+fullWidth[mark])
}

// chineseYAML judges every text of a YAML file.
func (s *site) chineseYAML(file string) {
	src, err := fs.ReadFile(s.fsys, file)
	if err != nil {
		return // whoever reads it has said so
	}
	s.chineseTexts(file, 0, src)
}

// chineseTexts judges the values of YAML that begins below the given line; in flow style its commas are no punctuation.
func (s *site) chineseTexts(file string, above int, src []byte) {
	var doc yaml.Node
	if yaml.Unmarshal(src, &doc) != nil {
		return // whoever reads it has said so
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			s.chinese(file, above+n.Line, n.Value)
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(&doc)
}

// chineseMarkdown judges prose, and within the fences that are YAML, their texts. Other fences are code.
func (s *site) chineseMarkdown(file string, src []byte) {
	lines := strings.Split(string(src), "\n")
	fence, info, start := "", "", 0
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case i == 0 && line == "---":
			fence, info, start = "---", "front", 1
		case fence != "" && strings.HasPrefix(trimmed, fence):
			if word, _, _ := strings.Cut(info, " "); word == "lab" || word == "quiz" || word == "front" {
				s.chineseTexts(file, start, []byte(strings.Join(lines[start:i], "\n")))
			}
			fence = ""
		case fence != "":
		case strings.HasPrefix(trimmed, "```"):
			fence, info, start = "```", strings.TrimSpace(strings.TrimLeft(trimmed, "`")), i+1
		default:
			s.chinese(file, i+1, line)
		}
	}
}
