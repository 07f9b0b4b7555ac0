package cache_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seedbed/chapters/cache"
)

// place is a store and a cache with one key, and guards. A value is the version of its write; 0 was there first.
type place struct {
	store    uint64
	cached   uint64
	has      bool
	guard    string // of what a reader sets: nothing, lease, version
	flights  cache.Flights[string]
	versions cache.Versions[string]
}

func newPlace(guard string) *place {
	return &place{
		guard:    guard,
		flights:  must(cache.NewFlights(cache.FlightsConfig[string]{Timeout: 1 << 40})),
		versions: must(cache.NewVersions(cache.VersionsConfig[string]{Keys: 4})),
	}
}

// actor is somebody who takes steps. Each says what it did, or "" when it was finished before.
type actor interface{ step(p *place) string }

// reader looks up, and on a miss reads the store and sets the cache.
type reader struct {
	at     int
	flight cache.Flight[string]
	read   uint64
}

func (r *reader) step(p *place) string {
	switch r.at {
	case 0:
		r.at = 3
		if p.has {
			return "finds"
		}
		f, b := p.flights.BoardAt(0, "k")
		if p.guard == "lease" && b != cache.Lead {
			return "waits"
		}
		r.at, r.flight = 1, f
		return "misses"
	case 1:
		r.at, r.read = 2, p.store
		return "reads"
	case 2:
		r.at = 3
		switch p.guard {
		case "lease":
			if _, ok := p.flights.LandAt(0, r.flight); !ok {
				return "is refused"
			}
		case "version":
			if !p.versions.Admit("k", r.read) {
				return "is refused"
			}
		}
		p.cached, p.has = r.read, true
		return "sets"
	}
	return ""
}

// writer takes its steps from a Write.
type writer struct {
	plan    cache.Write
	version uint64
}

func newWriter(s cache.Strategy) *writer {
	return &writer{plan: must(cache.NewWrite(cache.WriteConfig{Strategy: s, Delay: 10}))}
}

func (w *writer) step(p *place) string {
	s := w.plan.StepAt(0)
	switch s.Do {
	case cache.Finished:
		return ""
	case cache.WriteStore:
		p.store++
		w.version = p.store
	case cache.DeleteCache:
		p.has = false
		p.flights.Forget("k")
	case cache.SetCache:
		p.cached, p.has = w.version, true
		if w.version == 0 { // write-behind sets what it has not written yet
			p.cached = p.store + 1
		}
		p.flights.Forget("k")
	case cache.SetVersion:
		if p.versions.Admit("k", w.version) {
			p.cached, p.has = w.version, true
		}
		p.flights.Forget("k")
	}
	w.plan.DoneAt(0, true)
	return s.Do.String()
}

// orders plays each order in which the actors can take their steps, and returns those that end with an old value in the cache, and
// how many there are in all. drain runs when all are done: what comes later anyway.
func orders(start func() (*place, []actor), drain func(*place)) (old []string, total int) {
	var play func(schedule []int)
	play = func(schedule []int) {
		p, actors := start()
		var story []string
		for _, who := range schedule {
			did := actors[who].step(p)
			if did == "" {
				return // this one had finished: the order was told already
			}
			story = append(story, fmt.Sprint(who, " ", did))
		}
		finished := true
		for who := range actors {
			q, again := start()
			for _, w := range schedule {
				again[w].step(q)
			}
			if again[who].step(q) != "" {
				finished = false
				play(append(slices.Clone(schedule), who))
			}
		}
		if !finished {
			return
		}
		total++
		if drain != nil {
			drain(p)
		}
		if p.has && p.cached < p.store {
			old = append(old, strings.Join(story, ", "))
		}
	}
	play(nil)
	return old, total
}

// TestWhatEachStrategyLeavesOpen goes through all orders of one or two writers and a reader, with the cache full and empty, and
// finds for each strategy and guard whether an old value may stay.
func TestWhatEachStrategyLeavesOpen(t *testing.T) {
	for _, c := range []struct {
		strategy cache.Strategy
		guard    string
		writers  int
		stays    bool
		such     string // an order in which it does
	}{
		{cache.DeleteAfterWrite, "", 1, true, "0 misses, 0 reads, 1 write store, 1 delete cache, 0 sets"},
		{cache.DeleteAfterWrite, "lease", 1, false, ""},
		{cache.DeleteAfterWrite, "lease", 2, false, ""},
		{cache.DeleteBeforeWrite, "", 1, true, "1 delete cache, 0 misses, 0 reads, 0 sets, 1 write store"},
		{cache.DeleteBeforeWrite, "lease", 1, true, "1 delete cache, 0 misses, 0 reads, 0 sets, 1 write store"},
		{cache.DoubleDelete, "", 1, true, "1 delete cache, 0 misses, 0 reads, 1 write store, 1 delete cache, 0 sets"},
		{cache.DoubleDelete, "lease", 1, false, ""},
		{cache.WriteThrough, "", 1, true, "0 misses, 0 reads, 1 write store, 1 set cache, 0 sets"},
		{cache.WriteThrough, "lease", 1, false, ""},
		{cache.WriteThrough, "lease", 2, true, "1 write store, 2 write store, 2 set cache, 0 finds, 1 set cache"},
		{cache.WriteVersioned, "version", 1, false, ""},
		{cache.WriteVersioned, "version", 2, false, ""},
		{cache.WriteBehind, "", 1, true, "0 misses, 0 reads, 1 set cache, 0 sets, 1 write store"},
		{cache.WriteBehind, "lease", 1, false, ""},
		{cache.LogDriven, "", 1, true, "0 misses, 0 reads, 1 write store, 0 sets"},
	} {
		var old []string
		total := 0
		for _, full := range []bool{false, true} {
			stays, n := orders(func() (*place, []actor) {
				p := newPlace(c.guard)
				p.has = full
				actors := []actor{&reader{}}
				for range c.writers {
					actors = append(actors, newWriter(c.strategy))
				}
				return p, actors
			}, nil)
			old, total = append(old, stays...), total+n
		}
		if (len(old) > 0) != c.stays {
			t.Errorf("%v, guard %q, %d writers: %d of %d orders leave an old value, such as %.1q", c.strategy, c.guard, c.writers, len(old), total, old)
		}
		if c.stays && !slices.Contains(old, c.such) {
			t.Errorf("%v, guard %q: %q does not leave an old value; but %q", c.strategy, c.guard, c.such, old)
		}
	}
}

// TestLogDrivenCloses what a writer without guard leaves open, once the log's deletion has come.
func TestLogDrivenCloses(t *testing.T) {
	old, total := orders(func() (*place, []actor) {
		return newPlace(""), []actor{&reader{}, newWriter(cache.LogDriven), newWriter(cache.LogDriven)}
	}, func(p *place) {
		log := must(cache.NewChanges[string](cache.ChangesConfig{Retry: 1, Most: 10}))
		for v := range p.store {
			log.Append(v+1, "k")
		}
		for ch, ok := log.NextAt(0); ok; ch, ok = log.NextAt(0) {
			p.has = false
			log.Ack(ch.Position)
		}
	})
	if len(old) > 0 || total < 10 {
		t.Errorf("%d of %d orders leave an old value after the log was applied: %q", len(old), total, old)
	}
}

// TestWriteTellsItsSteps, their instants, and what is done about failures.
func TestWriteTellsItsSteps(t *testing.T) {
	play := func(cfg cache.WriteConfig, results string) string {
		w := must(cache.NewWrite(cfg))
		var out []string
		now := int64(100)
		for _, ok := range results {
			s := w.StepAt(now)
			if again := w.StepAt(now); again != s {
				t.Errorf("asked twice: %v and %v", s, again)
			}
			if s.Do == cache.Finished {
				break
			}
			out = append(out, fmt.Sprint(s.Do, "@", s.At))
			now = s.At + 1
			w.DoneAt(now, ok == '+')
		}
		if s := w.StepAt(now); s.Do != cache.Finished {
			out = append(out, "unfinished")
		} else {
			w.DoneAt(now, false) // changes nothing any more
		}
		if w.Failed() {
			out = append(out, "failed")
		}
		if w.Lost() {
			out = append(out, "lost")
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		cfg           cache.WriteConfig
		results, want string
	}{
		{cache.WriteConfig{}, "++", "write store@100, delete cache@101"},
		{cache.WriteConfig{}, "-", "write store@100, failed"},
		{cache.WriteConfig{}, "+-", "write store@100, delete cache@101, lost"},
		{cache.WriteConfig{Tries: 3, Retry: 10}, "+--+", "write store@100, delete cache@101, delete cache@112, delete cache@123"},
		{cache.WriteConfig{Tries: 2, Retry: 10}, "-+--", "write store@100, write store@111, delete cache@112, delete cache@123, lost"},
		{cache.WriteConfig{Strategy: cache.DoubleDelete, Delay: 500}, "-++", "delete cache@100, write store@101, delete cache@602, lost"},
		{cache.WriteConfig{Strategy: cache.WriteBehind, Delay: 500}, "++", "set cache@100, write store@601"},
		{cache.WriteConfig{Strategy: cache.WriteThrough}, "++", "write store@100, set cache@101"},
		{cache.WriteConfig{Strategy: cache.WriteVersioned}, "++", "write store@100, set version@101"},
		{cache.WriteConfig{Strategy: cache.DeleteBeforeWrite}, "++", "delete cache@100, write store@101"},
		{cache.WriteConfig{Strategy: cache.LogDriven}, "+", "write store@100"},
		{cache.WriteConfig{Strategy: cache.LogDriven}, "", "unfinished"},
	} {
		if got := play(c.cfg, c.results); got != c.want {
			t.Errorf("%+v, %s: %s; want %s", c.cfg, c.results, got, c.want)
		}
	}
}
