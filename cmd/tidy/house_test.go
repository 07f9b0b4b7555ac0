package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestHouse holds the house to its law.
func TestHouse(t *testing.T) {
	h, err := open(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range h.check(rules) {
		t.Error(p)
	}
}

func TestHouseIsRead(t *testing.T) {
	h, err := open(".")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(h.files, func(f *file) bool { return f.path == "cmd/tidy/house_test.go" })
	if at < 0 {
		t.Fatal("this file is not among the house's")
	}
	if f := h.files[at]; f.folder != "cmd/tidy" || !f.test() || f.nested || f.lines < 20 {
		t.Errorf("this file is taken for %+v", *f)
	}
	for _, f := range h.code(typedFolders...) {
		if f.info == nil {
			t.Errorf("%s has no types", f.path)
		}
	}
}

func TestBreachesComeInOrderAndOnce(t *testing.T) {
	h := houseOf(t, nil)
	same := problem{"b.go", 2, "x"}
	got := h.check([]rule{
		func(*house) []problem { return []problem{same, {"b.go", 10, "y"}} },
		func(*house) []problem { return []problem{{"a.go", 3, "z"}, same} },
	})
	want := []problem{{"a.go", 3, "z"}, same, {"b.go", 10, "y"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-traps"}, 0, "26–41 rings"},
		{[]string{"-C", "/"}, 1, "no go.mod here or above"},
		{[]string{"labs"}, 1, `unexpected argument "labs"`},
		{[]string{"-nonsense"}, 1, "-nonsense"},
	} {
		var out bytes.Buffer
		if code := run(c.args, &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("tidy %s: exit %d, want %d, with %q:\n%s", strings.Join(c.args, " "), code, c.code, c.want, &out)
		}
	}
}
