package labs

import (
	"slices"
	"strconv"
	"strings"
)

// Limits of every Spec.
const (
	MaxSpecText = 8 << 10 // bytes
	MaxActions  = 200
)

// Spec is the identity of a run: a lab, its parameters, a seed, and actions at instants. Two Specs with the same Text run the same.
type Spec struct {
	Lab     *Lab
	Version int     // the version that the text asked for; Lab.Version when it named none
	Values  []int64 // one a parameter, in the lab's order, in base units
	Seed    uint64
	Do      []Do   // by instant, then as written
	Input   string // digest of the access log that drives the run; empty without one
	At      int64  // ns, the instant at which a view opens, -1 for none; not part of the run's identity
}

// Find looks up a lab by its id; it returns nil when there is none. catalog.Find is one.
type Find func(id string) *Lab

// Among finds among some labs.
func Among(list []*Lab) Find {
	return func(id string) *Lab {
		for _, l := range list {
			if l.ID == id {
				return l
			}
		}
		return nil
	}
}

// New is the Spec of a lab's defaults, with seed 1.
func New(lab *Lab) Spec {
	s := Spec{Lab: lab, Version: lab.Version, Values: make([]int64, len(lab.Params)), Seed: 1, At: -1}
	for i := range lab.Params {
		s.Values[i] = lab.Params[i].Default
	}
	return s
}

// Parse reads a Spec from its text: `LAB` or `LAB?key=value&…`. The keys are the lab's parameters and v, seed, do, at and input;
// any order is read, one is written. The error is an *Error that names the field. The cost is linear in the text.
func Parse(text string, find Find) (Spec, error) {
	if len(text) > MaxSpecText {
		return Spec{}, fault("too-long", "spec", strconv.Itoa(len(text))+" bytes", strconv.Itoa(MaxSpecText))
	}
	id, query, _ := strings.Cut(text, "?")
	lab := find(id)
	if lab == nil {
		return Spec{}, fault("unknown-lab", "lab", clip(id), "the labs that `seedbed lab list` prints")
	}
	return ParseQuery(lab, query)
}

// ParseQuery reads the part of a Spec's text behind the question mark.
func ParseQuery(lab *Lab, query string) (Spec, error) {
	s := New(lab)
	if len(query) > MaxSpecText {
		return s, fault("too-long", "spec", strconv.Itoa(len(query))+" bytes", strconv.Itoa(MaxSpecText))
	}
	seen := make([]string, 0, 16)
	for len(query) > 0 {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		rawKey, rawValue, _ := strings.Cut(pair, "=")
		key, ok := unescape(rawKey)
		value, ok2 := unescape(rawValue)
		if !ok || !ok2 {
			return s, fault("bad-escape", "spec", clip(pair), "a % is followed by two hex digits")
		}
		if key != "do" {
			if slices.Contains(seen, key) {
				return s, fault("twice", "spec", clip(key), "")
			}
			seen = append(seen, key)
		}
		if err := s.Set(key, value); err != nil {
			return s, err
		}
	}
	return s, s.Check()
}

// Set gives one key its value, as it stands in a Spec's text; "do" adds an action. On an error the Spec is unchanged.
func (s *Spec) Set(key, value string) error {
	switch key {
	case "v":
		return s.setVersion(value)
	case "seed":
		seed, ok := digits(value, 10)
		if !ok {
			return fault("not-a-seed", "seed", clip(value), "a seed is a whole number from 0 to 18446744073709551615")
		}
		s.Seed = seed
		return nil
	case "do":
		if len(s.Do) >= MaxActions {
			return fault("too-many-actions", "do", strconv.Itoa(MaxActions+1), strconv.Itoa(MaxActions))
		}
		do, err := parseDo(s.Lab, value)
		if err != nil {
			return err
		}
		s.addDo(do)
		return nil
	case "at":
		at, err := parseInstant("at", value)
		if err == nil {
			s.At = at
		}
		return err
	case "input":
		if len(value) != 32 || strings.Trim(value, "0123456789abcdef") != "" {
			return fault("wrong-input", "input", clip(value), "it is the 32 hex digits that a log's digest has")
		}
		s.Input = value
		return nil
	}
	i := s.Lab.Param(key)
	if i < 0 {
		return fault("unknown-parameter", s.Lab.ID, clip(key), strings.Join(s.Lab.keys(), ", "))
	}
	v, err := s.Lab.Params[i].parse(value)
	if err == nil {
		s.Values[i] = v
	}
	return err
}

// addDo keeps actions in the order of their instants, and of their writing within one.
func (s *Spec) addDo(do Do) {
	i := len(s.Do)
	for i > 0 && s.Do[i-1].At > do.At {
		i--
	}
	all := make([]Do, len(s.Do)+1) // by hand: slices.Insert rotates, and is 2 KiB of module
	copy(all, s.Do[:i])
	all[i] = do
	copy(all[i+1:], s.Do[i:])
	s.Do = all
}

func (s *Spec) setVersion(value string) error {
	v, ok := digits(value, 10)
	if !ok || v < 1 {
		return fault("bad-version", "v", clip(value), "a version is a whole number from 1")
	}
	if v > uint64(s.Lab.Version) {
		return fault("newer-version", "v", clip(value), strconv.Itoa(s.Lab.Version))
	}
	s.Version = int(v)
	return nil
}

// Check judges the Spec as a whole: combinations of parameters, and actions' targets and instants.
func (s *Spec) Check() error {
	cfg := s.Config(nil)
	if s.Lab.Valid != nil {
		if err := s.Lab.Valid(cfg); err != nil {
			return err
		}
	}
	var layout Layout
	if len(s.Do) > 0 {
		layout = s.Lab.Layout(cfg)
	}
	horizon := s.Lab.Horizon(cfg)
	for i := range s.Do {
		if err := s.Lab.checkDo(&s.Do[i], cfg, &layout, horizon); err != nil {
			return err
		}
	}
	return nil
}

// Config resolves the Spec for a run; input is the log's instants, or nil.
func (s *Spec) Config(input []int64) Config {
	return Config{lab: s.Lab, values: s.Values, Input: input}
}

// Outdated is true when the text asked for an earlier version of the lab: the run is by today's rules and may differ.
func (s *Spec) Outdated() bool { return s.Version != s.Lab.Version }

// Text is the canonical text: `LAB?v=1&…`, parameters that equal their default left out, in the lab's order, then seed, actions,
// input and at. Parse reads it back to an equal Spec.
func (s *Spec) Text() string { return s.Lab.ID + "?" + s.Query() }

// Query is the canonical text behind the question mark.
func (s *Spec) Query() string {
	id := s.identity()
	if s.At >= 0 {
		id += "&at=" + Seconds.Format(s.At) + "s"
	}
	return id
}

// identity is the canonical query without the view's instant: what the trace is a function of.
func (s *Spec) identity() string {
	b := make([]byte, 0, 128)
	b = append(b, "v="...)
	b = strconv.AppendInt(b, int64(s.Version), 10)
	for i := range s.Lab.Params {
		if p := &s.Lab.Params[i]; s.Values[i] != p.Default {
			b = append(b, '&')
			b = append(b, p.Name...)
			b = append(b, '=')
			b = append(b, p.Format(s.Values[i])...)
		}
	}
	if s.Seed != 1 {
		b = append(b, "&seed="...)
		b = strconv.AppendUint(b, s.Seed, 10)
	}
	for i := range s.Do {
		b = append(b, "&do="...)
		b = append(b, s.Do[i].text(s.Lab)...)
	}
	if s.Input != "" {
		b = append(b, "&input="...)
		b = append(b, s.Input...)
	}
	return string(b)
}

// keys lists what a Spec of the lab may set.
func (l *Lab) keys() []string {
	keys := make([]string, 0, len(l.Params)+5)
	for i := range l.Params {
		keys = append(keys, l.Params[i].Name)
	}
	return append(keys, "seed", "do", "at", "v", "input")
}

// Default is the Spec that a page opens with: the lab's first preset.
func (l *Lab) Default() Spec {
	s, err := ParseQuery(l, l.Presets[0].Query)
	if err != nil {
		panic("labs: the first preset of " + l.ID + ": " + err.Error())
	}
	return s
}

// unescape turns %xx into its byte; a plus stays a plus.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		v, ok := digits(s[i+1:i+3], 16)
		if !ok {
			return "", false
		}
		b = append(b, byte(v))
		i += 2
	}
	return string(b), true
}
