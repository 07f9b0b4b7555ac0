package shard_test

import (
	"fmt"

	"seedbed/chapters/shard"
)

// A part moves from one shard to another while it is written, and each write lasts.
func Example() {
	var owners shard.Directory
	old, new := shard.NewMemory("old"), shard.NewMemory("new")
	first, _ := shard.NewMap(shard.Part{Shard: "old", Epoch: 1})
	owners.Publish(first)
	shard.Grant(&old, shard.Term{Epoch: 1, Writer: "old"}, 0)

	router := shard.NewRouter(&owners, &old, &new)
	router.Write(shard.Row{Key: 7, Value: "draft"})

	move, err := shard.NewMigration(&owners, shard.Plan{To: "new", Batch: 100, Drain: 2}, &old, &new)
	if err != nil {
		fmt.Println(err)
		return
	}
	move.Begin()
	for now := int64(0); ; now++ {
		p, err := move.Step(now)
		if err != nil {
			fmt.Println(err) // nothing is lost: mend it, or roll back
			return
		}
		fmt.Printf("%-12s %d of %d carried, owner: %v\n", p.Did, p.Applied, p.Head, p.Owner)
		if p.Did == shard.Snapshot {
			router.Write(shard.Row{Key: 7, Value: "ready"}) // behind the snapshot
		}
		if p.Next == shard.Idle {
			break
		}
	}
	row, _ := router.Read(7) // by a route of epoch 1, which the old store refuses
	fmt.Println(row.Value, "in version", row.Version)
	_, err = old.Write(shard.Term{Epoch: 1, Writer: "old"}, shard.Row{Key: 7, Value: "late"})
	fmt.Println(err)
	// Output:
	// plan         1 of 1 carried, owner: epoch 1 of old
	// snapshot     1 of 1 carried, owner: epoch 1 of old
	// replay       2 of 2 carried, owner: epoch 1 of old
	// catch-up     2 of 2 carried, owner: epoch 1 of old
	// fence        2 of 2 carried, owner: epoch 1 of old
	// fence-replay 2 of 2 carried, owner: epoch 1 of old
	// verify       2 of 2 carried, owner: epoch 1 of old
	// cut-over     2 of 2 carried, owner: epoch 2 of new
	// drain        0 of 0 carried, owner: epoch 2 of new
	// drain        0 of 0 carried, owner: epoch 2 of new
	// drain        0 of 0 carried, owner: epoch 2 of new
	// clean-up     0 of 0 carried, owner: epoch 2 of new
	// ready in version 2
	// write at old: stale epoch: it carries epoch 1 of old, the store is closed and has heard of epoch 2 of new; ask new
}

// After the cut-over the new owner takes writes, and then it turns out that it must not stay. Going back loses none of them.
func ExampleMigration_RollBack() {
	var owners shard.Directory
	old, new := shard.NewMemory("old"), shard.NewMemory("new")
	first, _ := shard.NewMap(shard.Part{Shard: "old", Epoch: 1})
	owners.Publish(first)
	shard.Grant(&old, shard.Term{Epoch: 1, Writer: "old"}, 0)
	router := shard.NewRouter(&owners, &old, &new)

	move, _ := shard.NewMigration(&owners, shard.Plan{To: "new", Batch: 100, Drain: 10}, &old, &new)
	move.Begin()
	for now := int64(0); ; now++ {
		p, _ := move.Step(now)
		if p.Did == shard.CutOver && !p.Back {
			router.Write(shard.Row{Key: 7, Value: "taken by the new owner"})
			move.RollBack()
		}
		if p.Next == shard.Idle {
			fmt.Println("owner:", p.Owner)
			break
		}
	}
	row, _ := router.Read(7)
	fmt.Println(row.Value)
	// Output:
	// owner: epoch 3 of old
	// taken by the new owner
}
