package cachetest_test

import (
	"fmt"

	"seedbed/chapters/cache/cachetest"
)

// careful is somebody's cache: a map that takes nothing new once it is full.
type careful struct {
	room   int
	values map[string]int
}

func (c *careful) Get(key string) (int, bool) {
	v, ok := c.values[key]
	return v, ok
}

func (c *careful) Set(key string, value int) {
	if _, there := c.values[key]; there || len(c.values) < c.room {
		c.values[key] = value
	}
}

// printer is a TB that prints; a test passes its *testing.T to Run.
type printer struct{}

func (printer) Helper() {}

func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// It never holds too much and never lies, but what was set is not always there.
func Example() {
	cachetest.Check(printer{}, cachetest.Target[*careful]{
		New:    func(capacity int) *careful { return &careful{capacity, make(map[string]int)} },
		Get:    func(c *careful, _ int64, key string) (int, bool) { return c.Get(key) },
		Set:    func(c *careful, _ int64, key string, value int, _ int64) { c.Set(key, value) },
		Delete: func(c *careful, key string) { delete(c.values, key) },
		Claims: cachetest.Full &^ (cachetest.Expires | cachetest.Ends | cachetest.Scans),
	})
	// Output:
	// kept: capacity 1, seed 0, step 3: key k0 is gone right after it was set
}
