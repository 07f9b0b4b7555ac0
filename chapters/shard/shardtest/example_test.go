package shardtest_test

import (
	"fmt"

	"seedbed/chapters/shard"
	"seedbed/chapters/shard/shardtest"
)

// printer is a TB that prints; a test passes its *testing.T.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

// trusting is somebody's store: it takes a write from whoever comes, as long as it is open.
type trusting struct{ shard.Memory }

func (s *trusting) Write(t shard.Term, r shard.Row) (shard.Row, error) {
	if st, _ := s.State(); st.Gate.Mode == shard.Open {
		t = st.Gate.Serves
	}
	return s.Memory.Write(t, r)
}

func Example() {
	shardtest.Check(printer{}, shardtest.Target{
		New:    func(name string) shard.Store { return &trusting{shard.NewMemory(name)} },
		Claims: shardtest.Gated,
	})
	// Output:
	// gated: seed 2: got no refusal, want "not served here"
	//   call 6: fence under no epoch, cursor as it is: true
	//   call 7: fence under no epoch, cursor as it is: false
	//   call 8: open under epoch 1 of a, cursor as it is: true
	//   call 9: fence under epoch 3 of a, cursor as it is: true
	//   call 10: write 50 version 0 "v4" under epoch 2 of b
}
