package shardtest_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"seedbed/chapters/shard"
	"seedbed/chapters/shard/shardtest"
)

// recorder is a TB that keeps what it is told.
type recorder struct {
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
	r.mu.Unlock()
}

// bent is a right store with one habit turned off. It is as good as it can be for all else.
type bent struct {
	shard.Memory
	mu    sync.Mutex
	racy  bool // reads, lets others run, and writes
	write func(b *bent, t shard.Term, r shard.Row) (shard.Row, error)
	read  func(b *bent, t shard.Term, k shard.Key) (shard.Row, error)
	rows  func(rows []shard.Row) []shard.Row
	log   func(b *bent, after int64, n int) ([]shard.Change, error)
	sum   func(d *shard.Digest)
	apply func(b *bent, batch shard.Batch) error
	turn  func(b *bent, o shard.Order) error
	state func(s *shard.State)
}

func (b *bent) State() (shard.State, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, err := b.Memory.State()
	if b.state != nil {
		b.state(&s)
	}
	return s, err
}

func (b *bent) Read(t shard.Term, k shard.Key) (shard.Row, error) {
	if b.read != nil {
		return b.read(b, t, k)
	}
	return b.Memory.Read(t, k)
}

func (b *bent) Write(t shard.Term, r shard.Row) (shard.Row, error) {
	if !b.racy {
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	if b.write != nil {
		return b.write(b, t, r)
	}
	return b.Memory.Write(t, r)
}

func (b *bent) Rows(from shard.Key, n int) ([]shard.Row, error) {
	rows, err := b.Memory.Rows(from, n)
	if b.rows != nil {
		rows = b.rows(rows)
	}
	return rows, err
}

func (b *bent) Log(after int64, n int) ([]shard.Change, error) {
	if b.log != nil {
		return b.log(b, after, n)
	}
	return b.Memory.Log(after, n)
}

func (b *bent) Digest(from, to shard.Key, n int) (shard.Digest, error) {
	d, err := b.Memory.Digest(from, to, n)
	if b.sum != nil {
		b.sum(&d)
	}
	return d, err
}

func (b *bent) Apply(batch shard.Batch) error {
	if b.apply != nil {
		return b.apply(b, batch)
	}
	return b.Memory.Apply(batch)
}

func (b *bent) Turn(o shard.Order) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.turn != nil {
		return b.turn(b, o)
	}
	return b.Memory.Turn(o)
}

// served is the term that a store serves, or would.
func (b *bent) served() shard.Term {
	s, _ := b.Memory.State()
	return s.Gate.Serves
}

// cursor is the cursor that is there.
func (b *bent) cursor() shard.Cursor {
	s, _ := b.Memory.State()
	return s.Cursor
}

// wrong is a store that is wrong in one way, and a claim that it must fail.
var wrong = []struct {
	what  string
	fails shardtest.Claim
	bend  func(b *bent)
}{
	{"takes every epoch", shardtest.Gated, func(b *bent) {
		b.write = func(b *bent, _ shard.Term, r shard.Row) (shard.Row, error) { return b.Memory.Write(b.served(), r) }
	}},
	{"serves reads whatever the epoch", shardtest.Gated, func(b *bent) {
		b.read = func(b *bent, _ shard.Term, k shard.Key) (shard.Row, error) { return b.Memory.Read(b.served(), k) }
	}},
	{"forgets to fence", shardtest.Gated, func(b *bent) {
		b.turn = func(b *bent, o shard.Order) error {
			if o.Kind == shard.ToFence {
				return nil
			}
			return b.Memory.Turn(o)
		}
	}},
	{"refuses without a reason", shardtest.Gated, func(b *bent) {
		b.write = func(b *bent, t shard.Term, r shard.Row) (shard.Row, error) {
			r, err := b.Memory.Write(t, r)
			if err != nil {
				err = fmt.Errorf("no")
			}
			return r, err
		}
	}},
	{"overwrites whatever the version", shardtest.Versioned, func(b *bent) {
		b.write = func(b *bent, t shard.Term, r shard.Row) (shard.Row, error) {
			r.Version = 0
			return b.Memory.Write(t, r)
		}
	}},
	{"forgets that a row was deleted", shardtest.Versioned, func(b *bent) {
		b.write = func(b *bent, t shard.Term, r shard.Row) (shard.Row, error) {
			r.Deleted = false
			return b.Memory.Write(t, r)
		}
	}},
	{"logs under no term", shardtest.Logged, func(b *bent) {
		b.log = func(b *bent, after int64, n int) ([]shard.Change, error) {
			c, err := b.Memory.Log(after, n)
			c = slices.Clone(c)
			for i := range c {
				c[i].Term = shard.Term{}
			}
			return c, err
		}
	}},
	{"hides that its log was trimmed", shardtest.Logged, func(b *bent) {
		b.log = func(b *bent, after int64, n int) ([]shard.Change, error) {
			c, err := b.Memory.Log(after, n)
			if err != nil {
				return nil, nil
			}
			return c, err
		}
	}},
	{"applies without looking at the cursor", shardtest.Applied, func(b *bent) {
		b.apply = func(b *bent, batch shard.Batch) error {
			batch.Was = b.cursor()
			return b.Memory.Apply(batch)
		}
	}},
	{"applies the first row of a batch only", shardtest.Applied, func(b *bent) {
		b.apply = func(b *bent, batch shard.Batch) error {
			batch.Rows = batch.Rows[:min(1, len(batch.Rows))]
			return b.Memory.Apply(batch)
		}
	}},
	{"applies old versions as if they were new", shardtest.Applied, func(b *bent) {
		b.apply = func(b *bent, batch shard.Batch) error {
			batch.Rows = slices.Clone(batch.Rows)
			for i := range batch.Rows {
				batch.Rows[i].Version += 3
			}
			return b.Memory.Apply(batch)
		}
	}},
	{"leaves tombstones out", shardtest.Listed, func(b *bent) {
		b.rows = func(rows []shard.Row) []shard.Row {
			return slices.DeleteFunc(slices.Clone(rows), func(r shard.Row) bool { return r.Deleted })
		}
	}},
	{"lists backwards", shardtest.Listed, func(b *bent) {
		b.rows = func(rows []shard.Row) []shard.Row {
			rows = slices.Clone(rows)
			slices.Reverse(rows)
			return rows
		}
	}},
	{"digests nothing", shardtest.Digested, func(b *bent) { b.sum = func(d *shard.Digest) { d.Sum = 0 } }},
	{"goes on one key too late", shardtest.Digested, func(b *bent) {
		b.sum = func(d *shard.Digest) {
			if d.Next < shard.End {
				d.Next++
			}
		}
	}},
	{"digests at no position", shardtest.Digested, func(b *bent) { b.sum = func(d *shard.Digest) { d.Head = 0 } }},
	{"is emptied on an old view", shardtest.Emptied, func(b *bent) {
		b.turn = func(b *bent, o shard.Order) error {
			if o.Kind == shard.ToReset {
				o.Was = b.cursor()
			}
			return b.Memory.Turn(o)
		}
	}},
	{"is never emptied", shardtest.Emptied, func(b *bent) {
		b.turn = func(b *bent, o shard.Order) error {
			if o.Kind == shard.ToReset {
				return nil
			}
			return b.Memory.Turn(o)
		}
	}},
	{"loses a row that comes by a batch", shardtest.Moves, func(b *bent) {
		b.apply = func(b *bent, batch shard.Batch) error {
			batch.Rows = slices.DeleteFunc(slices.Clone(batch.Rows), func(r shard.Row) bool { return r.Key == 14 })
			return b.Memory.Apply(batch)
		}
	}},
	{"loses the cursor's instant when it is opened anew", shardtest.Durable, func(b *bent) {
		b.state = func(s *shard.State) {
			if s.Cursor.Since > 4 {
				s.Cursor.Since = 0
			}
		}
	}},
	{"checks, then acts", shardtest.Concurrent, func(b *bent) {
		b.racy = true
		b.write = func(b *bent, t shard.Term, r shard.Row) (shard.Row, error) {
			b.mu.Lock()
			was, err := b.Memory.Read(t, r.Key)
			b.mu.Unlock()
			if err != nil {
				return r, err
			}
			runtime.Gosched()
			r.Version = was.Version + 1
			return r, nil
		}
	}},
}

func memory(bend func(b *bent)) shardtest.Target {
	return shardtest.Target{
		New: func(name string) shard.Store {
			b := &bent{Memory: shard.NewMemory(name)}
			bend(b)
			return b
		},
		Reopen: func(s shard.Store) shard.Store {
			old := s.(*bent)
			b := &bent{Memory: old.Memory.Clone()}
			bend(b)
			return b
		},
		Trim: func(s shard.Store, upTo int64) error {
			s.(*bent).Memory.Trim(upTo)
			return nil
		},
		Claims: shardtest.Full | shardtest.Durable | shardtest.Concurrent,
	}
}

// The store in memory keeps every claim.
func TestMemory(t *testing.T) { shardtest.Run(t, memory(func(*bent) {})) }

// TestEachClaimCanFail wants every wrong store to fail the claim that it breaks, and the failure to begin with its name.
func TestEachClaimCanFail(t *testing.T) {
	var seen shardtest.Claim
	for _, c := range wrong {
		t.Run(c.what, func(t *testing.T) {
			target := memory(c.bend)
			target.Claims = c.fails
			var r recorder
			shardtest.Check(&r, target)
			if len(r.said) == 0 {
				t.Fatalf("%v holds", c.fails)
			}
			if !strings.HasPrefix(r.said[0], c.fails.String()+": ") {
				t.Errorf("a failure of %v does not begin with its name: %q", c.fails, r.said[0])
			}
			seen |= c.fails
		})
	}
	if all := shardtest.Full | shardtest.Durable | shardtest.Concurrent; seen != all {
		t.Errorf("no wrong store failed %v", all&^seen)
	}
}

func TestATargetWithoutSenseFails(t *testing.T) {
	fresh := func(name string) shard.Store { m := shard.NewMemory(name); return &m }
	for want, target := range map[string]shardtest.Target{
		"New is nil":           {Claims: shardtest.Full},
		"no claims":            {New: fresh},
		"Durable needs Reopen": {New: fresh, Claims: shardtest.Durable},
	} {
		var r recorder
		shardtest.Check(&r, target)
		if len(r.said) != 1 || !strings.Contains(r.said[0], want) {
			t.Errorf("said %q, want one failure with %q", r.said, want)
		}
	}
}

func TestClaimsAreNamed(t *testing.T) {
	if got, want := (shardtest.Full | shardtest.Durable).String(), "gated|versioned|logged|applied|listed|digested|emptied|moves|durable"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := shardtest.Claim(0).String(), "none"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
