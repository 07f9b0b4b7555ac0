package cachetest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"seedbed/chapters/cache/cachetest"
)

// group is a single flight whose right habits can be switched off. Right, it loads in a goroutine of its own.
type group struct {
	mu    sync.Mutex
	calls map[string]*loading

	always     bool // everybody loads
	global     bool // one load at a time, whatever the key
	keeps      bool // the failed load's error stays
	swallows   bool // a load that dies brings its zero value
	hangs      bool // nobody is told of a load that died
	inCaller   bool // the load has the first caller's context
	deaf       bool // who waits does not heed the own context
	neverAgain bool // Forget does nothing
	byKey      bool // a load that lands ends whatever is under way for its key
}

type loading struct {
	done  chan struct{}
	value int
	err   error
}

var errDied = errors.New("load died")

func (g *group) load(ctx context.Context, key string, load func(context.Context) (int, error)) (int, error) {
	if g.global {
		key = "one for all"
	}
	g.mu.Lock()
	if g.calls == nil {
		g.calls = make(map[string]*loading)
	}
	c, joined := g.calls[key]
	if !joined || g.always {
		c = &loading{done: make(chan struct{}), err: errDied}
		g.calls[key] = c
		under := context.WithoutCancel(ctx)
		if g.inCaller {
			under = ctx
		}
		go g.run(under, key, c, load)
	}
	g.mu.Unlock()
	if g.deaf {
		<-c.done
		return c.value, c.err
	}
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (g *group) run(ctx context.Context, key string, c *loading, load func(context.Context) (int, error)) {
	defer func() {
		recover()
		died := c.err == errDied
		if died && g.hangs {
			return
		}
		if died && g.swallows {
			c.err = nil
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if (g.calls[key] == c || g.byKey) && !(g.keeps && c.err != nil) {
			delete(g.calls, key)
		}
		close(c.done)
	}()
	c.value, c.err = load(ctx)
}

func (g *group) forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.neverAgain {
		delete(g.calls, key)
	}
}

func groups(bend func(*group)) cachetest.LoadTarget[*group] {
	return cachetest.LoadTarget[*group]{
		New: func() *group {
			g := &group{}
			if bend != nil {
				bend(g)
			}
			return g
		},
		Load: func(ctx context.Context, g *group, key string, load func(context.Context) (int, error)) (int, error) {
			return g.load(ctx, key, load)
		},
		Forget:   (*group).forget,
		Claims:   cachetest.FullLoad,
		Patience: 100 * time.Millisecond,
	}
}

func TestRightLoaderPasses(t *testing.T) {
	target := groups(nil)
	target.Patience = 0
	cachetest.RunLoad(t, target)
}

// TestEachLoadClaimFindsItsFault, in real time.
func TestEachLoadClaimFindsItsFault(t *testing.T) {
	for _, c := range []struct {
		claim cachetest.LoadClaim
		bend  func(*group)
		want  string
	}{
		{cachetest.Once, func(g *group) { g.always = true }, "9 loads for 9 callers at once, want 1"},
		{cachetest.Apart, func(g *group) { g.global = true }, "a caller for another key hangs"},
		{cachetest.Errors, func(g *group) { g.keeps = true }, `the next caller gets error "store down"`},
		{cachetest.Panics, func(g *group) { g.hangs = true }, "a caller who waited hangs"},
		{cachetest.Panics, func(g *group) { g.swallows = true }, "a caller who waited gets 0 although the load brought nothing"},
		{cachetest.Exits, func(g *group) { g.hangs = true }, "a caller who waited hangs"},
		{cachetest.Exits, func(g *group) { g.keeps = true }, `the next caller gets error "load died"`},
		{cachetest.Cancels, func(g *group) { g.inCaller = true }, `one who waited gets error "context canceled"`},
		{cachetest.Cancels, func(g *group) { g.deaf = true }, "a caller who was cancelled while waiting hangs"},
		{cachetest.Forgets, func(g *group) { g.neverAgain = true }, "after Forget the next caller began 0 loads"},
		{cachetest.Forgets, func(g *group) { g.byKey = true }, "ended another's"},
	} {
		target := groups(c.bend)
		target.Claims = c.claim
		var r recorder
		cachetest.CheckLoad(&r, target)
		if len(r.said) != 1 || !strings.HasPrefix(r.said[0], c.claim.String()+": ") || !strings.Contains(r.said[0], c.want) {
			t.Errorf("%v: said %q, want one line with %q", c.claim, r.said, c.want)
		}
	}
	for _, c := range []struct {
		bend func(*cachetest.LoadTarget[*group])
		want string
	}{
		{func(g *cachetest.LoadTarget[*group]) { g.Load = nil }, "New or Load is nil"},
		{func(g *cachetest.LoadTarget[*group]) { g.Forget = nil }, "Forget is nil"},
		{func(g *cachetest.LoadTarget[*group]) { g.Claims = 0 }, "no claims"},
	} {
		target := groups(nil)
		c.bend(&target)
		var r recorder
		cachetest.CheckLoad(&r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], c.want) {
			t.Errorf("said %q, want %q", r.said, c.want)
		}
	}
}
