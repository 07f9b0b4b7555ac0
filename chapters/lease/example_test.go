package lease_test

import (
	"fmt"
	"time"

	"seedbed/chapters/lease"
)

// A holds the lock and stops for 20 s. B gets it, raises the fence, reads and writes. When A goes on its write is refused.
func Example() {
	lock, err := lease.NewLock(lease.Config{TTL: int64(10 * time.Second)})
	if err != nil {
		fmt.Println(err)
		return
	}
	var stock lease.Cell[int]
	a, _ := lock.AcquireAt(0, 1)
	stock.Write(a.Token, 7)
	seenByA, _ := stock.Read(a.Token)

	now := int64(20 * time.Second)
	b, why := lock.AcquireAt(now, 2)
	fmt.Println("B:", why, "with token", b.Token.N)
	stock.Raise(b.Token)
	seenByB, _ := stock.Read(b.Token)
	fmt.Println("B takes one:", stock.Write(b.Token, seenByB-1))
	fmt.Println("A takes one:", stock.Write(a.Token, seenByA-1))
	fmt.Println("left:", stock.Peek())
	// Output:
	// B: granted with token 2
	// B takes one: admitted
	// A takes one: stale
	// left: 6
}

// A client counts from when it asked, and a little less than the lock lasts.
func ExampleHeld() {
	g := lease.Grant{TTL: int64(10 * time.Second)}
	fmt.Println(time.Duration(lease.Held(0, g, 200)))
	// Output: 9.996000799s
}
