package page

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar is one value of a YAML text, with the line on which it begins in the file.
type scalar struct {
	text string
	line int // in the YAML text until decode has moved it
}

// UnmarshalYAML takes any scalar as it is written, so that 100 and "100" are the same.
func (s *scalar) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		// This type of error lets the decoder go on and find the other faults.
		return &yaml.TypeError{Errors: []string{"line " + strconv.Itoa(n.Line) + ": wants one value here, not a list or a map"}}
	}
	s.text, s.line = n.Value, n.Line
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		s.line++ // the text of a block begins below its mark
	}
	return nil
}

// within moves scalars of a YAML text to their lines in the file; first is the line on which the text begins.
func within(first int, scalars ...*scalar) {
	for _, s := range scalars {
		if s != nil && s.line > 0 {
			s.line += first - 1
		}
	}
}

var yamlLine = regexp.MustCompile(`(?:yaml: )?(?:unmarshal errors:\n)?\s*line (\d+): (.*)`)

// decode reads a YAML text into v, strictly. Each fault is reported at its line of the file; false means that there was one.
func (c *collector) decode(source []byte, first int, v any) bool {
	d := yaml.NewDecoder(bytes.NewReader(source))
	d.KnownFields(true)
	err := d.Decode(v)
	if errors.Is(err, io.EOF) {
		return true
	}
	return c.decoded(err, first, v)
}

// decoded reports the faults of a decoder that read into v.
func (c *collector) decoded(err error, first int, v any) bool {
	if err == nil {
		return true
	}
	faults := []string{err.Error()}
	var typed *yaml.TypeError
	broken := !errors.As(err, &typed)
	if !broken {
		faults = typed.Errors
	}
	for _, fault := range faults {
		line, message := first, strings.TrimPrefix(fault, "yaml: ")
		if m := yamlLine.FindStringSubmatch(fault); m != nil {
			n, _ := strconv.Atoi(m[1])
			line, message = first+n-1, m[2]
		}
		if message = yamlMessage(message, reflect.TypeOf(v)); broken {
			message = "is not YAML: " + message
		}
		c.problem(line, message)
		c.problems[len(c.problems)-1].Broken = broken
	}
	return false
}

var unknownField = regexp.MustCompile(`^field (\S+) not found in type (.*)$`)

// yamlMessage says what yaml says of a value of a type, without the names of our types.
func yamlMessage(m string, in reflect.Type) string {
	if f := unknownField.FindStringSubmatch(m); f != nil {
		return "the key " + f[1] + " is not known here; it is one of " + strings.Join(keysOf(in, f[2]), ", ")
	}
	return strings.ReplaceAll(m, " into page.", " into ")
}

// keysOf are the keys of the type of that name, which is t or within it, in the order of its fields.
func keysOf(t reflect.Type, name string) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return keysOf(t.Elem(), name)
	case reflect.Struct:
		var keys []string
		for i := range t.NumField() {
			f := t.Field(i)
			if key := f.Tag.Get("yaml"); t.String() == name && key != "" && key != "-" {
				keys = append(keys, key)
			} else if within := keysOf(f.Type, name); within != nil {
				return within
			}
		}
		return keys
	}
	return nil
}
