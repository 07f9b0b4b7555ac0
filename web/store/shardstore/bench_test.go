package shardstore_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"seedbed/chapters/shard"
	"seedbed/web/store/shardstore"
)

// BenchmarkMigration moves 10,000 rows from one file to another while a writer writes 500 times a second, or as often as the disk lets
// it. Beside the time to the cut-over it reports for how long of it writes had to wait, and how many a second were acknowledged.
func BenchmarkMigration(b *testing.B) {
	var total, waited time.Duration
	writes := 0
	for b.Loop() {
		b.StopTimer()
		f := benchFiles(b)
		stop, acked := make(chan bool), 0
		var writer sync.WaitGroup
		writer.Go(func() {
			router := shard.NewRouter(f.owners, f.stores[0], f.stores[1])
			tick := time.NewTicker(2 * time.Millisecond)
			defer tick.Stop()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-tick.C:
				}
				_, err := router.Write(shard.Row{Key: shard.Key(i * 7919 % 10_000), Value: "a row as it was written behind the snapshot"})
				var no *shard.Refused
				switch {
				case err == nil:
					acked++
				case !errors.As(err, &no):
					b.Error(err)
				}
			}
		})
		m, err := shard.NewMigration(f.owners, shard.Plan{To: "new", Batch: 500, MaxLag: 100}, f.stores[0], f.stores[1])
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		var shut time.Time
		begun := time.Now()
		err = m.Begin()
		for now := int64(0); err == nil; now++ {
			var p shard.Progress
			if p, err = m.Step(now); p.Did == shard.Fencing {
				shut = time.Now()
			}
			if err == nil && p.Did == shard.CutOver {
				waited += time.Since(shut)
				break
			}
		}
		total += time.Since(begun)
		b.StopTimer()
		close(stop)
		writer.Wait()
		writes += acked
		if err != nil {
			b.Fatal(err)
		}
		f.close()
		b.StartTimer()
	}
	b.ReportMetric(float64(waited.Milliseconds())/float64(b.N), "ms-shut/op")
	b.ReportMetric(float64(writes)/total.Seconds(), "writes/s")
}

// benchFiles are two files and a map, the old one with 10,000 rows.
func benchFiles(b *testing.B) files {
	dir := b.TempDir()
	f := files{stores: [2]*shardstore.File{
		open(b, filepath.Join(dir, "old.db"), "old", shardstore.Options{}), open(b, filepath.Join(dir, "new.db"), "new", shardstore.Options{}),
	}}
	rows := make([]shard.Row, 10_000)
	for i := range rows {
		rows[i] = shard.Row{Key: shard.Key(i), Version: 1, Value: "a row as it was before the migration"}
	}
	first, err := shard.NewMap(shard.Part{Shard: "old", Epoch: 1})
	if err == nil {
		f.owners, err = shardstore.OpenDirectory(filepath.Join(dir, "owners.db"), shardstore.Options{})
	}
	if err == nil {
		err = errors.Join(f.stores[0].Apply(shard.Batch{Term: one, Rows: rows}), shard.Grant(f.stores[0], one, 0), f.owners.Publish(first))
	}
	if err != nil {
		b.Fatal(err)
	}
	return f
}
