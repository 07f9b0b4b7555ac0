package intenttest_test

import (
	"fmt"
	"strings"

	"seedbed/chapters/intent"
	"seedbed/chapters/intent/intenttest"
)

// lines is somebody's store: a line of text a record.
type lines struct{ text string }

func (l *lines) Append(r intent.Record) error {
	l.text += fmt.Sprintf("%d %d %d %d %s\n", r.Kind, r.ID, r.Attempt, r.At, r.Body)
	return nil
}

func (l *lines) ReadAt(from int64, into []intent.Record) (n int, err error) {
	all := strings.Split(strings.TrimSuffix(l.text, "\n"), "\n")
	for n < len(into) && l.text != "" && from+int64(n) < int64(len(all)) {
		r := &into[n]
		*r = intent.Record{}
		fields := strings.SplitN(all[from+int64(n)], " ", 5)
		fmt.Sscan(strings.Join(fields[:min(4, len(fields))], " "), &r.Kind, &r.ID, &r.Attempt, &r.At)
		r.Body = fields[len(fields)-1]
		n++
	}
	return n, nil
}

type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// In a test of your own, Run takes a *testing.T and makes a subtest of each claim. Here is what is said of a store that forgot that a body
// may hold more than one line.
func ExampleCheck() {
	intenttest.Check(printer{}, intenttest.Target{
		New:    func() intent.Store { return &lines{} },
		Claims: intenttest.Ordered | intenttest.Follows,
	})
	// Output:
	// ordered: seed 0: record 1 is {4 1 2 -9223372036854775808 "line"}, want {4 1 2 -9223372036854775808 "line\nline\r\n"}
}
