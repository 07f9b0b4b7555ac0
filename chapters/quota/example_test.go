package quota_test

import (
	"fmt"
	"time"

	"seedbed/chapters/quota"
)

// 100 a second for three nodes, 10 of them each node's own. A node asks for 20 at a time; when the coordinator is gone it has its reserve.
func Example() {
	pool, err := quota.NewPool(quota.Config{Limit: 100, Reserved: 30, Period: int64(time.Second), Most: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	node, err := quota.NewSpender(quota.SpenderConfig{Node: 1, Period: int64(time.Second), Reserve: 10, Drift: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	sent, received := int64(0), int64(5*time.Millisecond)
	g, why := pool.GrantAt(0, 1, 20)
	fmt.Println(why, g.Units, "for", time.Duration(g.TTL), "taken:", node.Granted(received, sent, g))
	served := 0
	for range 50 {
		if node.TakeAt(received, 1) {
			served++
		}
	}
	fmt.Println(served, "of 50 served")
	// Output:
	// granted 20 for 1s taken: true
	// 30 of 50 served
}
