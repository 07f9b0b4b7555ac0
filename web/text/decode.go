package text

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// lines tells at which line of a file each entry stands, by its path: "params.limit.label".
type lines map[string]int

// file is one YAML file being read.
type file struct {
	name   string
	lines  lines
	faults *faults
}

// open reads a file and returns the mapping at its top; nil when there is none, and then its lines are nil too: one fault is enough.
func (f *file) open(fsys fs.FS) *yaml.Node {
	src, err := fs.ReadFile(fsys, f.name)
	if err != nil {
		f.faults.broken(f.name, 0, "cannot be read: "+reason(err))
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		line, message := yamlFault(err)
		f.faults.broken(f.name, line, message)
		return nil
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		f.faults.broken(f.name, 1, "the file wants a mapping of keys to texts")
		return nil
	}
	f.lines = lines{}
	return doc.Content[0]
}

// reason is an error without the path that it repeats.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// yamlFault takes the line out of an error of the YAML parser, which leaves it away when it is the first.
func yamlFault(err error) (line int, message string) {
	message = strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: ")
	line = 1
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	return line, "is not YAML: " + message
}

// each calls do for every entry of a mapping. Keys that stand twice are faults, and so is anything that is not a mapping.
func (f *file) each(n *yaml.Node, at string, do func(key string, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		f.faults.add(f.name, n.Line, at+" wants a mapping of keys to texts")
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Value == "<<" {
			f.faults.add(f.name, key.Line, "a key is a plain word")
			continue
		}
		if first := seen[key.Value]; first > 0 {
			f.faults.add(f.name, key.Line, join(at, key.Value)+" is here twice, first at line "+strconv.Itoa(first))
			continue
		}
		seen[key.Value] = key.Line
		do(key.Value, value)
	}
}

// fields reads a mapping whose keys are known; each has its reader.
func (f *file) fields(n *yaml.Node, at string, known map[string]func(value *yaml.Node, at string)) {
	f.each(n, at, func(key string, value *yaml.Node) {
		read, ok := known[key]
		if !ok {
			want := strings.Join(slices.Sorted(maps.Keys(known)), ", ")
			f.faults.add(f.name, value.Line, join(at, key)+" is not known; it is one of "+want)
			return
		}
		read(value, join(at, key))
	})
}

// sentence reads a text into its place, and holds it against the grammar of sentences.
func (f *file) sentence(into *string) func(n *yaml.Node, at string) {
	return func(n *yaml.Node, at string) {
		if n.Kind != yaml.ScalarNode {
			f.faults.add(f.name, n.Line, at+" wants a text")
			return
		}
		f.lines[at] = n.Line
		*into = strings.TrimSpace(n.Value)
		if *into == "" || n.Tag == "!!null" {
			f.faults.add(f.name, n.Line, at+" is empty")
			return
		}
		if _, err := names(*into); err != nil {
			f.faults.add(f.name, n.Line, at+": "+err.Error())
		}
	}
}

// sentences reads a mapping from any keys to texts.
func (f *file) sentences(into *map[string]string) func(n *yaml.Node, at string) {
	*into = map[string]string{}
	return func(n *yaml.Node, at string) {
		f.each(n, at, func(key string, value *yaml.Node) {
			var s string
			f.sentence(&s)(value, join(at, key))
			(*into)[key] = s
		})
	}
}

// entries reads a mapping from any keys to mappings whose fields are known.
func entries[T any](f *file, into *map[string]T, known func(entry *T) map[string]func(value *yaml.Node, at string)) func(n *yaml.Node, at string) {
	*into = map[string]T{}
	return func(n *yaml.Node, at string) {
		f.each(n, at, func(key string, value *yaml.Node) {
			var entry T
			f.lines[join(at, key)] = value.Line
			f.fields(value, join(at, key), known(&entry))
			(*into)[key] = entry
		})
	}
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// loadWords reads ui.yaml.
func (t *Texts) loadWords(fsys fs.FS, lang Lang, all *faults) {
	f := &file{name: path.Join(string(lang), "ui.yaml"), faults: all}
	w := Words{lang: lang, sentences: map[string]string{}}
	if top := f.open(fsys); top != nil {
		last := ""
		f.each(top, "", func(key string, value *yaml.Node) {
			if key < last {
				all.add(f.name, value.Line, key+" stands after "+last+"; keys are sorted")
			}
			last = key
			var s string
			f.sentence(&s)(value, key)
			w.sentences[key] = s
			if lang == EN && strings.HasPrefix(key, errorPrefix) {
				all.add(f.name, value.Line, key+" has no use: the English of an error is its own text")
			}
		})
	}
	t.words[lang], t.files[f.name] = w, f.lines
}

// loadLabs reads the labs' texts of one language.
func (t *Texts) loadLabs(fsys fs.FS, lang Lang, all *faults) {
	t.labs[lang] = map[string]*Lab{}
	found, err := fs.Glob(fsys, path.Join(string(lang), "labs", "*.yaml"))
	if err != nil {
		all.add(path.Join(string(lang), "labs"), 0, "cannot be read: "+reason(err))
	}
	for _, name := range found {
		f := &file{name: name, faults: all}
		lab := &Lab{Lang: lang, ID: strings.TrimSuffix(path.Base(name), ".yaml")}
		if top := f.open(fsys); top != nil {
			f.fields(top, "", lab.fields(f))
		}
		t.labs[lang][lab.ID], t.files[name] = lab, f.lines
	}
}

// compare finds what one language has and another lacks. A file that cannot be read has its fault already.
func (t *Texts) compare(all *faults) {
	for name, here := range t.files { // order cannot matter: faults are sorted
		lang, rest, _ := strings.Cut(name, "/")
		for _, other := range Langs {
			twin := string(other) + "/" + rest
			there, ok := t.files[twin]
			switch {
			case !ok:
				all.add(twin, 0, "is missing; "+name+" is there")
			case string(other) != lang && there != nil:
				all.missing(name, here, twin, there)
			}
		}
	}
}

// missing adds what stands in one file and not in its twin, but for what is missing as part of a larger entry.
func (f *faults) missing(name string, here lines, twin string, there lines) {
	lacks := func(at string) bool { return here[at] > 0 && there[at] == 0 }
	for at, line := range here { // order cannot matter: faults are sorted
		parent := at[:max(0, strings.LastIndexByte(at, '.'))]
		if lacks(at) && !lacks(parent) && !strings.HasPrefix(at, errorPrefix) {
			f.add(twin, 0, at+" is missing; "+name+":"+strconv.Itoa(line)+" has it")
		}
	}
}
