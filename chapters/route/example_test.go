package route_test

import (
	"fmt"

	"seedbed/chapters/route"
)

// Two peers with two places each: what the gateway of the chapter decides.
func Example() {
	pool, err := route.NewPool(route.Config{Peers: []route.Peer{
		{Name: "a", Weight: 1, MaxConns: 2},
		{Name: "b", Weight: 1, MaxConns: 2},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var last route.Decision
	ask := func() {
		d := pool.PickAt(0, nil)
		if !d.OK {
			fmt.Printf("503: %v, Retry-After: %d\n", d.Reason, route.RetryAfterSeconds(d.RetryAfter))
			return
		}
		last = d
		fmt.Println(pool.Peer(d.Peer).Name)
	}
	for range 5 {
		ask()
	}
	pool.SetHealth(0, pool.Find("a"), false)
	pool.DoneAt(0, last.Lease, route.Success) // b's
	ask()
	ask()
	// Output:
	// a
	// b
	// a
	// b
	// 503: all full, Retry-After: 1
	// b
	// 503: all full, Retry-After: 1
}

// A line before one peer with one place: one waits, one is refused.
func ExampleGateway() {
	g, err := route.NewGateway(route.Config{Peers: []route.Peer{{Name: "a", Weight: 1, MaxConns: 1}}}, route.QueueConfig{Depth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, first := g.AskAt(0, route.NoDeadline, nil)
	ticket, second := g.AskAt(0, route.NoDeadline, nil)
	_, third := g.AskAt(0, route.NoDeadline, nil)
	fmt.Println(first.Reason, "·", second.Reason, "·", third.Reason)

	g.DoneAt(5, first.Lease, route.Success)
	for {
		w, d, ok := g.NextAt(5, nil)
		if !ok {
			break
		}
		fmt.Println(w.Ticket == ticket, d.Reason, "after", w.Waited)
	}
	// Output:
	// granted · waiting · queue full
	// true granted after 5
}

// A POST that is sent again returns what the first one made.
func ExampleKeys() {
	keys, err := route.NewKeys[string](route.KeysConfig{MaxKeys: 1000, Lease: 30_000_000_000, TTL: 86_400_000_000_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	shares := 0
	post := func(now int64) string {
		d := keys.BeginAt(now, "ann POST /shares 7f3c", 0x51)
		switch d.State {
		case route.First:
			shares++
			result := fmt.Sprintf("201, share %d", shares)
			keys.FinishAt(now, d.Claim, result) // together with the effect
			return result
		case route.Finished:
			return d.Result
		}
		return d.State.String()
	}
	fmt.Println(post(0))
	fmt.Println(post(1_000_000_000))
	// Output:
	// 201, share 1
	// 201, share 1
}

// Retries are paid for by requests: ten of them at 20 percent buy two.
func ExampleRetrier() {
	t, err := route.NewRetrier(route.RetryConfig{
		Attempts: 3,
		Backoff:  route.Backoff{Base: 100_000_000, Cap: 10_000_000_000},
		Budget:   route.BudgetConfig{Percent: 20, TTL: 10_000_000_000},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 10 {
		t.FirstAt(0)
	}
	lost := route.Attempt{Number: 1, Failed: route.Lost, Safe: true, Told: -1, Deadline: route.NoDeadline}
	for range 3 {
		fmt.Println(t.NextAt(0, lost, newSource(1)).Stop)
	}
	lost.Safe = false // a POST without an idempotency key
	fmt.Println(t.NextAt(0, lost, newSource(1)).Stop)
	// Output:
	// retried
	// retried
	// no budget
	// unsafe
}
