package cachetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// LoadTarget is a single flight, or a cache with loads, of any type L, and what it promises.
type LoadTarget[L any] struct {
	// New makes an empty one. Whatever it caches must outlive a few milliseconds, and errors must not be cached.
	New func() L
	// Load returns the value of a key, by load unless somebody else's load of this key is under way. One that knows no context
	// leaves Cancels out and passes the caller's on.
	Load func(ctx context.Context, l L, key string, load func(context.Context) (int, error)) (int, error)
	// Forget makes the next Load of a key begin anew, whatever is cached or under way. It may be nil if Forgets is not claimed.
	Forget func(l L, key string)

	Claims LoadClaim

	// Patience is how long what should come is waited for; 0 means a second. In RunLoad the time is virtual, and nobody waits.
	Patience time.Duration
}

// LoadClaim is a set of promises to be tested.
type LoadClaim uint32

const (
	// Once: callers who ask while a load is under way get what it brings, and it runs once.
	Once LoadClaim = 1 << iota
	// Apart: the load of one key holds up no other.
	Apart
	// Errors: a load's error reaches all who wait, and the next caller loads again.
	Errors
	// Panics: a load that panics leaves nobody hanging, tells nobody that all went well, and the next caller loads again.
	Panics
	// Exits: the same when it calls runtime.Goexit.
	Exits
	// Cancels: the cancellation of the one who asked first fails none of the others; whoever is cancelled returns at once.
	Cancels
	// Forgets: after Forget the next caller loads anew, the one before lands without ending that load, and all who waited for a
	// load get what it brought.
	Forgets

	// FullLoad is every claim.
	FullLoad = Forgets<<1 - 1
)

var loadNames = [...]string{"once", "apart", "errors", "panics", "exits", "cancels", "forgets"}

// String lists the claims.
func (c LoadClaim) String() string { return listed(uint32(c), loadNames[:]) }

// RunLoad tries each claim of the target in a subtest, in virtual time. It fails at once when the target itself makes no sense.
func RunLoad[L any](t *testing.T, target LoadTarget[L]) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for i, name := range loadNames {
		if target.Claims&(1<<i) != 0 {
			t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { target.try(t, i) }) })
		}
	}
}

// CheckLoad is RunLoad without subtests, for a TB of one's own, and in real time.
func CheckLoad[L any](t TB, target LoadTarget[L]) {
	t.Helper()
	if !target.sound(t) {
		return
	}
	for i := range loadNames {
		if target.Claims&(1<<i) != 0 {
			target.try(t, i)
		}
	}
}

func (g *LoadTarget[L]) sound(t TB) bool {
	t.Helper()
	switch {
	case g.New == nil || g.Load == nil:
		t.Errorf("target: New or Load is nil; New makes one, Load asks it")
	case g.Forget == nil && g.Claims&Forgets != 0:
		t.Errorf("target: Forget is nil; Forgets cannot be claimed without it")
	case g.Claims&FullLoad == 0:
		t.Errorf("target: no claims; start with cachetest.FullLoad")
	default:
		if g.Patience == 0 {
			g.Patience = time.Second
		}
		return true
	}
	return false
}

func (g *LoadTarget[L]) try(t TB, claim int) {
	t.Helper()
	checks := [...]func(*LoadTarget[L]){
		once[L], apart[L], fails[L], panics[L], exits[L], cancels[L], forgets[L],
	}
	if why := attempt(func() { checks[claim](g) }); why != "" {
		t.Errorf("%s%s", loadNames[claim], why)
	}
}

// followers is how many join a leader.
const followers = 8

// result is how one call ended.
type result struct {
	value    int
	err      error
	panicked any
	exited   bool // its goroutine was ended by runtime.Goexit
}

func (r result) String() string {
	switch {
	case r.panicked != nil:
		return fmt.Sprintf("a panic (%.40v)", r.panicked)
	case r.exited:
		return "runtime.Goexit"
	case r.err != nil:
		return fmt.Sprintf("error %.40q", r.err)
	}
	return fmt.Sprint(r.value)
}

// ok reports whether a call says that all went well.
func (r result) ok() bool { return r.err == nil && r.panicked == nil && !r.exited }

// call loads in a goroutine of its own and sends how it ended.
func (g *LoadTarget[L]) call(ctx context.Context, l L, key string, load func(context.Context) (int, error)) <-chan result {
	out := make(chan result, 1)
	go func() {
		r := result{exited: true}
		defer func() {
			if v := recover(); v != nil {
				r = result{panicked: v}
			}
			out <- r
		}()
		v, err := g.Load(ctx, l, key, load)
		r = result{value: v, err: err}
	}()
	return out
}

// wait returns how a call ended, if it does.
func (g *LoadTarget[L]) wait(c <-chan result, who string) result {
	timer := time.NewTimer(g.Patience)
	defer timer.Stop()
	select {
	case r := <-c:
		return r
	case <-timer.C:
		fail("%s hangs", who)
		panic("not reached")
	}
}

// settle lets every goroutine go as far as it can: exactly so in virtual time, and nearly so in real time.
func settle() { time.Sleep(20 * time.Millisecond) }

// gate is a load that waits until it is opened, and counts how often it began.
type gate struct {
	runs atomic.Int64
	open chan struct{}
	then func() (int, error)
}

func newGate(then func() (int, error)) *gate { return &gate{open: make(chan struct{}), then: then} }

func (d *gate) load(context.Context) (int, error) {
	d.runs.Add(1)
	<-d.open
	return d.then()
}

// gives is a load that brings a value at once.
func gives(v int) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { return v, nil }
}

// crowd starts a leader whose load waits at the gate, and followers who join it.
func (g *LoadTarget[L]) crowd(l L, d *gate) (leader <-chan result, joined []<-chan result) {
	leader = g.call(context.Background(), l, "k", d.load)
	settle()
	for range followers {
		joined = append(joined, g.call(context.Background(), l, "k", d.load))
	}
	settle()
	return leader, joined
}

// again fails unless a further caller gets a value.
func (g *LoadTarget[L]) again(l L) {
	if r := g.wait(g.call(context.Background(), l, "k", gives(77)), "the next caller"); !r.ok() || r.value != 77 {
		fail("the next caller gets %v, want what its own load brings, 77", r)
	}
}

func once[L any](g *LoadTarget[L]) {
	l, d := g.New(), newGate(func() (int, error) { return 5, nil })
	leader, joined := g.crowd(l, d)
	close(d.open)
	for _, c := range append(joined, leader) {
		if r := g.wait(c, "a caller"); !r.ok() || r.value != 5 {
			fail("a caller gets %v, want what the load brought, 5", r)
		}
	}
	if n := d.runs.Load(); n != 1 {
		fail("%d loads for %d callers at once, want 1", n, followers+1)
	}
}

func apart[L any](g *LoadTarget[L]) {
	l, d := g.New(), newGate(func() (int, error) { return 5, nil })
	leader, joined := g.crowd(l, d)
	r := g.wait(g.call(context.Background(), l, "other", gives(6)), "a caller for another key")
	close(d.open)
	for _, c := range append(joined, leader) {
		g.wait(c, "a caller")
	}
	if !r.ok() || r.value != 6 {
		fail("a caller for another key gets %v, want what its own load brings, 6", r)
	}
}

func fails[L any](g *LoadTarget[L]) {
	down := errors.New("store down")
	l, d := g.New(), newGate(func() (int, error) { return 0, down })
	leader, joined := g.crowd(l, d)
	close(d.open)
	for _, c := range append(joined, leader) {
		if r := g.wait(c, "a caller"); !errors.Is(r.err, down) {
			fail("a caller gets %v, want the load's error", r)
		}
	}
	g.again(l)
}

func panics[L any](g *LoadTarget[L]) { g.dies(func() (int, error) { panic("load") }) }

func exits[L any](g *LoadTarget[L]) {
	g.dies(func() (int, error) { runtime.Goexit(); return 0, nil })
}

// dies lets a load end in a way in which it returns nothing.
func (g *LoadTarget[L]) dies(how func() (int, error)) {
	l, d := g.New(), newGate(how)
	leader, joined := g.crowd(l, d)
	close(d.open)
	for i, c := range append(joined, leader) {
		who := "a caller who waited"
		if i == followers {
			who = "the caller who led"
		}
		if r := g.wait(c, who); r.ok() {
			fail("%s gets %v although the load brought nothing", who, r)
		}
	}
	g.again(l)
}

func cancels[L any](g *LoadTarget[L]) {
	l, open := g.New(), make(chan struct{})
	// This load heeds its context, as one over the network does.
	load := func(ctx context.Context) (int, error) {
		select {
		case <-open:
			return 5, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	leader := g.call(ctx, l, "k", load)
	settle()
	ctx2, cancel2 := context.WithCancel(context.Background())
	hasty := g.call(ctx2, l, "k", load)
	patient := g.call(context.Background(), l, "k", load)
	settle()
	cancel2()
	if r := g.wait(hasty, "a caller who was cancelled while waiting"); !errors.Is(r.err, context.Canceled) {
		fail("a caller who was cancelled while waiting gets %v, want context.Canceled", r)
	}
	cancel()
	settle()
	close(open)
	if r := g.wait(patient, "a caller who waited"); !r.ok() || r.value != 5 {
		fail("after the first caller was cancelled, one who waited gets %v, want 5", r)
	}
	g.wait(leader, "the first caller, cancelled,")
}

func forgets[L any](g *LoadTarget[L]) {
	l := g.New()
	first := newGate(func() (int, error) { return 1, nil })
	second := newGate(func() (int, error) { return 2, nil })
	leader, joined := g.crowd(l, first)
	g.Forget(l, "k")
	later := g.call(context.Background(), l, "k", second.load)
	settle()
	if n := second.runs.Load(); n != 1 {
		close(first.open)
		close(second.open)
		fail("after Forget the next caller began %d loads, want 1 of its own", n)
	}
	close(first.open)
	for _, c := range append(joined, leader) {
		if r := g.wait(c, "a caller from before Forget"); !r.ok() || r.value != 1 {
			close(second.open)
			fail("a caller from before Forget gets %v, want 1, as all who waited for that load", r)
		}
	}
	third := g.call(context.Background(), l, "k", second.load)
	settle()
	close(second.open)
	for _, c := range []<-chan result{later, third} {
		if r := g.wait(c, "a caller from after Forget"); !r.ok() || r.value != 2 {
			fail("a caller from after Forget gets %v, want 2: the load from before must not be kept", r)
		}
	}
	if n := second.runs.Load(); n != 1 {
		fail("%d loads after Forget, want 1: the end of the load before ended another's", n)
	}
}
