package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"seedbed/chapters/shard"
	"seedbed/web/store/shardstore"
)

// A migration of ten thousand rows between two SQLite files, while clients write 500 rows a second. No peer has the same thing to do,
// so the rows beside it are what the disk allows.
const (
	migratedRows  = 10_000
	offeredWrites = 500 // a second
	clients       = 16
)

func migrations(w io.Writer, rounds int) {
	dir := must(os.MkdirTemp("", "bench-"))
	defer os.RemoveAll(dir)
	fmt.Fprintf(w, "\n## Migration: %d rows from one SQLite file to another, journal WAL, synchronous FULL\n", migratedRows)
	var syncs []float64
	alone := map[int][]float64{}
	var runs []migrated
	for i := range rounds {
		syncs = append(syncs, syncRate(filepath.Join(dir, "sync")))
		for _, n := range []int{1, clients, 4 * clients} {
			alone[n] = append(alone[n], writeRate(filepath.Join(dir, fmt.Sprintf("alone-%d-%d", i, n)), n))
		}
		runs = append(runs, migrateOnce(filepath.Join(dir, fmt.Sprintf("run-%d", i))))
	}
	fmt.Fprintf(w, "\n| clients that each wait for their write | acknowledged writes/s | × what the disk syncs |\n|---|--:|--:|\n")
	fmt.Fprintf(w, "| (4 KiB and fsync, no database) | %.0f | 1.00 |\n", median(syncs))
	for _, n := range []int{1, clients, 4 * clients} {
		fmt.Fprintf(w, "| %d | %.0f | %.2f |\n", n, median(alone[n]), median(ratios(alone[n], syncs)))
	}
	of := func(value func(migrated) float64) float64 {
		var v []float64
		for _, m := range runs {
			v = append(v, value(m))
		}
		return median(v)
	}
	fmt.Fprintf(w, "\n| plan to cut-over | rows/s | writes offered | acknowledged, 2 s with it in them | acknowledged from plan to cut-over | of it without writes | slowest write |\n|--:|--:|--:|--:|--:|--:|--:|\n")
	fmt.Fprintf(w, "| %.0f ms | %.0f | %d/s | %.0f/s | %.0f/s | %.0f ms | %.0f ms |\n",
		of(func(m migrated) float64 { return ms(m.took) }), of(func(m migrated) float64 { return migratedRows / m.took.Seconds() }), offeredWrites,
		of(func(m migrated) float64 { return m.acknowledged }), of(func(m migrated) float64 { return m.meanwhile }), of(func(m migrated) float64 { return ms(m.shut) }), of(func(m migrated) float64 { return ms(m.slowest) }))
	rate := of(func(m migrated) float64 { return m.acknowledged })
	mark := "✓"
	if rate < .99*offeredWrites {
		mark = "✗"
	}
	fmt.Fprintf(w, "\n%s Of %d writes a second %.0f are acknowledged (the bar is all but one in a hundred); each that met the fence came again, and in the end every acknowledged row is with the new owner in its version.\n", mark, offeredWrites, rate)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// syncRate is how often a second the disk takes 4 KiB and says that it has them.
func syncRate(path string) float64 {
	f := must(os.Create(path))
	defer f.Close()
	block := make([]byte, 4096)
	n, begun := 0, time.Now()
	for ; time.Since(begun) < 500*time.Millisecond; n++ {
		must(f.WriteAt(block, int64(n%1000)*4096))
		check(f.Sync())
	}
	return float64(n) / time.Since(begun).Seconds()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// writeRate is how many writes a second a file acknowledges when each of n clients waits for one before it sends the next.
func writeRate(dir string, n int) float64 {
	check(os.Mkdir(dir, 0o755))
	f := must(shardstore.Open(filepath.Join(dir, "old.db"), "old", shardstore.Options{}))
	defer f.Close()
	check(shard.Grant(f, first, 0))
	var all sync.WaitGroup
	counts, begun := make([]int, n), time.Now()
	for id := range n {
		all.Go(func() {
			for ; time.Since(begun) < 500*time.Millisecond; counts[id]++ {
				must(f.Write(first, shard.Row{Key: shard.Key(id*1000 + counts[id]%1000), Value: value}))
			}
		})
	}
	all.Wait()
	took, sum := time.Since(begun).Seconds(), 0
	for _, c := range counts {
		sum += c
	}
	return float64(sum) / took
}

var first = shard.Term{Epoch: 1, Writer: "old"}

const value = "a row of some forty bytes, as they come"

// migrated is what came of one migration.
type migrated struct {
	took, shut, slowest time.Duration
	acknowledged        float64 // a second, over the time in which writes were offered
	meanwhile           float64 // a second, from plan to cut-over: it contains the time without writes
}

// migrateOnce founds two files, offers writes for two seconds, and begins to migrate after half of one.
func migrateOnce(dir string) (m migrated) {
	check(os.Mkdir(dir, 0o755))
	old := must(shardstore.Open(filepath.Join(dir, "old.db"), "old", shardstore.Options{}))
	defer old.Close()
	fresh := must(shardstore.Open(filepath.Join(dir, "new.db"), "new", shardstore.Options{}))
	defer fresh.Close()
	owners := must(shardstore.OpenDirectory(filepath.Join(dir, "owners.db"), shardstore.Options{}))
	defer owners.Close()
	rows := make([]shard.Row, migratedRows)
	for i := range rows {
		rows[i] = shard.Row{Key: shard.Key(i), Version: 1, Value: value}
	}
	check(old.Apply(shard.Batch{Term: first, Rows: rows}))
	check(shard.Grant(old, first, 0))
	check(owners.Publish(must(shard.NewMap(shard.Part{Shard: "old", Epoch: 1}))))

	load := &load{owners: owners, stores: []shard.Store{old, fresh}, newest: map[shard.Key]int64{}}
	done := make(chan bool)
	go func() { load.offer(2 * time.Second); close(done) }()
	time.Sleep(500 * time.Millisecond)
	move := must(shard.NewMigration(owners, shard.Plan{To: "new", Batch: 500, MaxLag: 100}, old, fresh))
	begun, before := time.Now(), load.count()
	check(move.Begin())
	var shut time.Time
	for now := int64(0); ; now++ {
		p := must(move.Step(now))
		if p.Did == shard.Fencing {
			shut = time.Now()
		}
		if p.Did == shard.CutOver {
			m.took, m.shut = time.Since(begun), time.Since(shut)
			m.meanwhile = float64(load.count()-before) / m.took.Seconds()
			break
		}
	}
	<-done
	m.slowest, m.acknowledged = load.slowest, float64(load.acks)/load.took.Seconds()
	load.judge(fresh)
	return m
}

// load offers writes at a steady rate, whether they are answered or not.
type load struct {
	owners shard.Owners
	stores []shard.Store

	mu      sync.Mutex
	acks    int
	newest  map[shard.Key]int64 // version that was acknowledged
	slowest time.Duration       // from the instant for which a write was planned to its acknowledgement
	took    time.Duration       // from the first to the last of them
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acks
}

func (l *load) offer(length time.Duration) {
	const step = time.Second / offeredWrites
	type planned struct {
		at  time.Time
		row shard.Row
	}
	queue := make(chan planned, length/step)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			router := shard.NewRouter(l.owners, l.stores...)
			for p := range queue {
				l.write(router, p.row, p.at)
			}
		})
	}
	begun := time.Now()
	for i := range int(length / step) {
		at := begun.Add(time.Duration(i) * step)
		time.Sleep(time.Until(at))
		queue <- planned{at, shard.Row{Key: shard.Key(i * 7919 % migratedRows), Value: value}}
	}
	close(queue)
	all.Wait()
	l.took = time.Since(begun)
}

// write writes a row, and comes again a millisecond later for as long as nobody takes writes.
func (l *load) write(router *shard.Router, row shard.Row, planned time.Time) {
	for {
		r, err := router.Write(row)
		var no *shard.Refused
		if errors.As(err, &no) {
			time.Sleep(time.Millisecond)
			continue
		}
		check(err)
		l.mu.Lock()
		l.acks++
		l.newest[r.Key] = max(l.newest[r.Key], r.Version)
		l.slowest = max(l.slowest, time.Since(planned))
		l.mu.Unlock()
		return
	}
}

// judge proves that the new owner has what was acknowledged.
func (l *load) judge(owner shard.Store) {
	rows := must(owner.Rows(0, 2*migratedRows))
	if len(rows) != migratedRows {
		panic(fmt.Sprintf("%d rows arrived of %d", len(rows), migratedRows))
	}
	for _, r := range rows {
		if r.Version < l.newest[r.Key] {
			panic(fmt.Sprintf("row %d has version %d, acknowledged was %d", r.Key, r.Version, l.newest[r.Key]))
		}
	}
}
