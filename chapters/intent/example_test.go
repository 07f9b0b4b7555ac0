package intent_test

import (
	"fmt"

	"seedbed/chapters/intent"
)

// An order is accepted, the process dies while somebody works on it, and the order is served by the next process.
func Example() {
	cfg := intent.Config{MaxOpen: 1000, MaxDone: 1000, MaxAttempts: 5, Lease: 30_000_000_000}
	store := &intent.Memory{} // a durable one in earnest
	log, err := intent.New(cfg, store)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := log.AcceptAt(0, 4711, "two cups")
	fmt.Println(r.Answer, err)
	c, _, _ := log.ClaimAt(1)
	fmt.Println("attempt", c.Attempt, "at", c.Body)

	log, err = intent.New(cfg, store) // the process has died, and is back
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _, _ = log.ClaimAt(2)
	fmt.Println("attempt", c.Attempt, "at", c.Body)
	log.FinishAt(3, c, "sent")
	r, _ = log.AcceptAt(4, 4711, "two cups") // the buyer, impatient, asks again
	fmt.Println(r.Answer, r.State, r.Result)
	// Output:
	// accepted <nil>
	// attempt 1 at two cups
	// attempt 2 at two cups
	// known done sent
}
