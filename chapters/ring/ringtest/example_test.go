package ringtest_test

import (
	"fmt"
	"hash/fnv"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// printer is a TB that prints, for this example; a test passes its *testing.T to ringtest.Run.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// byModulo is a "ring" as it is often written first.
type byModulo []ring.Member

func (m byModulo) owner(key string) (string, bool) {
	if len(m) == 0 {
		return "", false
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	return m[h.Sum32()%uint32(len(m))].Name, true
}

func ExampleCheck() {
	ringtest.Check(printer{}, ringtest.Target[byModulo]{
		New:    func(members []ring.Member) (byModulo, error) { return append(byModulo(nil), members...), nil },
		Owner:  byModulo.owner,
		Claims: ringtest.Total | ringtest.Repeats | ringtest.Copies | ringtest.Minimal,
	})
	// Output:
	// minimal: seed 0: with 15 members and then without node-6, 1742 of 2000 keys moved without a reason; such as key-0, from node-12 to node-14
}
