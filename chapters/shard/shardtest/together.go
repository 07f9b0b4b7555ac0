package shardtest

import (
	"errors"
	"fmt"
	"sync"

	"seedbed/chapters/shard"
)

// moves lets a part migrate from one store to another, back by a roll back, and there again, with writes between any two steps.
func moves(t TB, g *Target) {
	t.Helper()
	a, b := g.New("a"), g.New("b")
	var owners shard.Directory
	first, _ := shard.NewMap(shard.Part{Shard: "a", Epoch: 1})
	if err := errors.Join(owners.Publish(first), shard.Grant(a, shard.Term{Epoch: 1, Writer: "a"}, 0)); err != nil {
		t.Errorf("moves: founding: %v", err)
		return
	}
	router := shard.NewRouter(&owners, a, b)
	acked := map[shard.Key]shard.Row{}
	write := func(i int) {
		k := shard.Key(i * 7 % 40)
		r, err := router.Write(shard.Row{Key: k, Value: fmt.Sprint("v", i), Deleted: i%5 == 0})
		if err != nil {
			var no *shard.Refused
			if !errors.As(err, &no) || no.Reason != shard.Halted {
				t.Errorf("moves: write %d: %v", i, err)
			}
			return
		}
		if r.Version <= acked[k].Version {
			t.Errorf("moves: row %d went from version %d back to %d", k, acked[k].Version, r.Version)
		}
		acked[k] = r
	}
	for i := range 30 {
		write(i)
	}
	for leg, back := range []bool{true, false} {
		m, err := shard.NewMigration(&owners, shard.Plan{To: "b", Batch: 4, MaxLag: 2, Drain: 3}, a, b)
		if err == nil {
			err = m.Begin()
		}
		if err != nil {
			t.Errorf("moves: leg %d: %v", leg, err)
			return
		}
		for now := int64(0); ; now++ {
			p, err := m.Step(now)
			if err == nil && p.Did == shard.Drain && !p.Back && back {
				back, err = false, m.RollBack()
			}
			if err != nil || now > 500 {
				t.Errorf("moves: leg %d, step %v: %v", leg, p.Did, err)
				return
			}
			if p.Next == shard.Idle {
				break
			}
			write(int(now) + 100*leg)
		}
	}
	for k, want := range acked {
		if got, err := router.Read(k); err != nil || got != want {
			t.Errorf("moves: row %d is %+v (%v), acknowledged was %+v", k, got, err, want)
			return
		}
	}
	if end, _ := owners.Load(); end.Parts[0].Shard != "b" {
		t.Errorf("moves: the owner is %s at the end, want b", end.Parts[0].Shard)
	}
}

// concurrent lets writers race with each other and with a fence.
func concurrent(t TB, g *Target) {
	t.Helper()
	const writers, each = 8, 25
	s, one := g.New("a"), shard.Term{Epoch: 1, Writer: "a"}
	if err := shard.Grant(s, one, 0); err != nil {
		t.Errorf("concurrent: %v", err)
		return
	}
	var mu sync.Mutex
	seen := map[shard.Row]bool{}
	fenced, late, acked := false, 0, int64(0)
	var all sync.WaitGroup
	for id := range writers {
		all.Go(func() {
			for i := range each {
				mu.Lock()
				was := fenced
				mu.Unlock()
				r, err := s.Write(one, shard.Row{Key: shard.Key(i % 5)})
				mu.Lock()
				var no *shard.Refused
				switch {
				case err == nil && was:
					late++
				case err == nil && seen[r]:
					t.Errorf("concurrent: row %d was acknowledged twice in version %d", r.Key, r.Version)
				case err == nil:
					seen[r] = true
					acked++
				case !errors.As(err, &no):
					t.Errorf("concurrent: %v", err)
				}
				half := id == 0 && i == each/2
				mu.Unlock()
				if half {
					if err := s.Turn(shard.Order{Kind: shard.ToFence, Term: shard.Term{Epoch: 2, Writer: "b"}}); err != nil {
						t.Errorf("concurrent: %v", err)
					}
					mu.Lock()
					fenced = true
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	if late > 0 {
		t.Errorf("concurrent: %d writes were acknowledged after the fence", late)
	}
	changes, err := s.Log(0, writers*each)
	if err != nil || int64(len(changes)) != acked {
		t.Errorf("concurrent: the log holds %d changes (%v), %d were acknowledged", len(changes), err, acked)
	}
	for i, c := range changes {
		if c.Position != int64(i+1) || !seen[c.Row] {
			t.Errorf("concurrent: change %d is %+v, which nobody was told", i+1, c)
			return
		}
	}
}
