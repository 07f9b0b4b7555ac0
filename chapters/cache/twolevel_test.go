package cache_test

import (
	"testing"

	"seedbed/chapters/cache"
)

func twoLevel(change func(*cache.TwoLevelConfig[string])) *cache.TwoLevel[string, int] {
	cfg := cache.TwoLevelConfig[string]{
		Local: cache.ReadThroughConfig[string]{
			Cache: cache.Config[string]{Capacity: 10}, TTL: 5 * second, Negative: 2 * second, Timeout: second,
		},
		RemoteTTL: 600 * second, RemoteNegative: 30 * second,
	}
	if change != nil {
		change(&cfg)
	}
	c := must(cache.NewTwoLevel[string, int](cfg))
	return &c
}

// leads asks for a key that is not there, and returns the flight.
func leads(t *testing.T, c *cache.TwoLevel[string, int], now int64) cache.Flight[string] {
	t.Helper()
	return ask(t, &c.ReadThrough, now, load)
}

func TestTwoLevels(t *testing.T) {
	c := twoLevel(nil)
	f := leads(t, c, 0)
	if next := c.RemoteAt(1, f, cache.Reply[int]{}, nil); next != cache.AskOrigin {
		t.Errorf("the remote cache has nothing: %v, want to ask the origin", next)
	}
	ask(t, &c.ReadThrough, 2, wait) // one flight covers both questions
	put, kept := c.OriginAt(3, f, 7, nil)
	if want := (cache.Put{TTL: 600 * second}); !kept || put != want {
		t.Errorf("put %+v, %t; want %+v", put, kept, want)
	}
	ask(t, &c.ReadThrough, 5*second+2, fresh(7))

	f = leads(t, c, 5*second+3)
	if next := c.RemoteAt(6*second, f, cache.Reply[int]{Kind: cache.RemoteFound, Value: 7, Left: 594 * second}, nil); next != cache.Landed {
		t.Errorf("found: %v, want the flight landed", next)
	}
	ask(t, &c.ReadThrough, 11*second-1, fresh(7))
	f = leads(t, c, 11*second)
	// A local copy ends with the one that it was taken from.
	c.RemoteAt(11*second, f, cache.Reply[int]{Kind: cache.RemoteFound, Value: 7, Left: second}, nil)
	ask(t, &c.ReadThrough, 12*second-1, fresh(7))
	f = leads(t, c, 12*second)
	if next := c.RemoteAt(12*second, f, cache.Reply[int]{Kind: cache.RemoteFound, Value: 7, Left: 0}, nil); next != cache.AskOrigin {
		t.Errorf("a copy that is over: %v, want to ask the origin", next)
	}
	put, kept = c.OriginAbsentAt(12*second, f, nil)
	if want := (cache.Put{Absent: true, TTL: 30 * second}); !kept || put != want {
		t.Errorf("put %+v, %t; want %+v", put, kept, want)
	}
	ask(t, &c.ReadThrough, 14*second-1, absent)
	f = leads(t, c, 14*second)
	c.RemoteAt(14*second, f, cache.Reply[int]{Kind: cache.RemoteAbsent, Left: second}, nil)
	ask(t, &c.ReadThrough, 15*second-1, absent)
	leads(t, c, 15*second)
}

// TestTwoLevelsWhenTheRemoteIsDown: the origin is spared, unless it is said to bear it.
func TestTwoLevelsWhenTheRemoteIsDown(t *testing.T) {
	c := twoLevel(nil)
	if next := c.RemoteAt(1, leads(t, c, 0), cache.Reply[int]{Kind: cache.RemoteFailed}, nil); next != cache.Landed {
		t.Errorf("the remote cache is down: %v, want nothing more", next)
	}
	leads(t, c, 2) // and the next may try again
	past := twoLevel(func(cfg *cache.TwoLevelConfig[string]) { cfg.PastRemote = true })
	if next := past.RemoteAt(1, leads(t, past, 0), cache.Reply[int]{Kind: cache.RemoteFailed}, nil); next != cache.AskOrigin {
		t.Errorf("past the remote cache: %v, want to ask the origin", next)
	}
}

// TestTwoLevelsKeepNothingOld: who loaded before an invalidation may not write what it read to either level.
func TestTwoLevelsKeepNothingOld(t *testing.T) {
	c := twoLevel(nil)
	f := leads(t, c, 0)
	c.RemoteAt(0, f, cache.Reply[int]{}, nil)
	c.Invalidate("k")
	if put, kept := c.OriginAt(1, f, 7, nil); kept {
		t.Errorf("put %+v after an invalidation", put)
	}
	d := c.Clone()
	f = leads(t, c, 2)
	if put, kept := d.OriginAbsentAt(3, f, nil); kept {
		t.Errorf("put %+v for a flight of another copy", put)
	}
	if _, kept := c.OriginAt(3, f, 8, nil); !kept {
		t.Error("the next flight's value was not kept")
	}
}

// TestTwoLevelsBoundStaleness: when the news of a write is lost, a reader sees the old value for Local.TTL, with its jitter, and no
// longer.
func TestTwoLevelsBoundStaleness(t *testing.T) {
	c := twoLevel(func(cfg *cache.TwoLevelConfig[string]) { cfg.Local.Jitter, cfg.RemoteJitter = 200_000, 100_000 })
	r := newSource(1)
	store, remote, remoteEnds, remoteHas := 0, 0, int64(0), false
	written := int64(0)
	for now := int64(0); now < 3600*second; now += second / 4 {
		if now%(40*second) == 0 { // a writer, whose word does not reach the local cache
			store++
			remoteHas, written = false, now
		}
		a := c.AskAt(now, "k", r)
		v := a.Value
		if a.Load {
			reply := cache.Reply[int]{}
			if remoteHas && now < remoteEnds {
				reply = cache.Reply[int]{Kind: cache.RemoteFound, Value: remote, Left: remoteEnds - now}
			}
			v = remote
			if c.RemoteAt(now, a.Flight, reply, r) == cache.AskOrigin {
				v = store
				if put, kept := c.OriginAt(now, a.Flight, v, r); kept {
					remote, remoteHas, remoteEnds = v, true, now+put.TTL
					if put.TTL < 540*second || put.TTL > 660*second {
						t.Fatalf("put for %d s, want 600 with a tenth of jitter", put.TTL/second)
					}
				}
			}
		}
		if v != store && now-written > 6*second {
			t.Fatalf("at %d s: value %d although %d was written %d ms ago", now/second, v, store, (now-written)/1_000_000)
		}
	}
}
