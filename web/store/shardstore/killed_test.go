package shardstore_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"seedbed/chapters/shard"
	"seedbed/web/store/shardstore"
)

// The test binary runs itself as a child, which migrates back and forth between two files while writers write, and is killed with
// SIGKILL. Each next child goes on from the files. What a child acknowledged stands in its output, line by line, and so outlives it.
const childDir, childKill = "SHARDSTORE_TEST_DIR", "SHARDSTORE_TEST_KILL"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir, os.Getenv(childKill)); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// operations is how many operations of a store or of the map each step has.
var operations = [shard.NStep]int{
	shard.Planning: 5, shard.Snapshot: 5, shard.Replay: 5, shard.CatchUp: 5, shard.Fencing: 5, shard.FenceReplay: 5,
	shard.Verify: 6, shard.CutOver: 8, shard.Drain: 5, shard.CleanUp: 5, shard.Undo: 9,
}

// instant is when a child is to be killed: during an operation of a step, a little after its beginning.
type instant struct {
	step      shard.Step
	operation int
	spin      int  // turns of an empty loop after the operation has begun
	back      bool // the move before is rolled back while it drains
}

func (i instant) String() string {
	return fmt.Sprintf("%d %d %d %t", i.step, i.operation, i.spin, i.back)
}

const rowsEach = 8

// files are the two stores and the map in a folder, founded when they are new.
type files struct {
	stores [2]*shardstore.File
	owners *shardstore.Directory
}

func openFiles(dir string) (f files, err error) {
	for i, name := range [...]string{"old", "new"} {
		if f.stores[i], err = shardstore.Open(filepath.Join(dir, name+".db"), name, shardstore.Options{}); err != nil {
			return f, err
		}
	}
	if f.owners, err = shardstore.OpenDirectory(filepath.Join(dir, "owners.db"), shardstore.Options{}); err != nil {
		return f, err
	}
	m, err := f.owners.Load()
	if err != nil || m.Version > 0 {
		return f, err
	}
	if m, err = shard.NewMap(shard.Part{Shard: "old", Epoch: 1}); err != nil {
		return f, err
	}
	return f, errors.Join(shard.Grant(f.stores[0], one, 0), f.owners.Publish(m))
}

func (f *files) close() error {
	return errors.Join(f.stores[0].Close(), f.stores[1].Close(), f.owners.Close())
}

// store is the file of that name.
func (f *files) store(name string) *shardstore.File {
	if name == "new" {
		return f.stores[1]
	}
	return f.stores[0]
}

// process is a child at work.
type process struct {
	files
	kill   instant
	next   shard.Step   // the step that is being done
	count  int          // operations of this step
	writes atomic.Int64 // answers that writers got
}

func child(dir, kill string) error {
	p := &process{}
	if _, err := fmt.Sscan(kill, &p.kill.step, &p.kill.operation, &p.kill.spin, &p.kill.back); err != nil {
		return err
	}
	var err error
	if p.files, err = openFiles(dir); err != nil {
		return err
	}
	failed := make(chan error)
	for id := range 2 {
		go func() { failed <- p.writer(id) }()
	}
	go func() { failed <- p.pester() }()
	go func() { failed <- p.migrate() }()
	return <-failed // else it is killed
}

// acknowledge tells the parent, in one write.
func (p *process) acknowledge(t shard.Term, r shard.Row) {
	os.Stdout.WriteString(fmt.Sprintf("ack %d %d %d %s %s\n", r.Key, r.Version, t.Epoch, t.Writer, r.Value))
}

// writer writes rows of its own by the newest route.
func (p *process) writer(id int) error {
	for i := 0; ; i++ {
		m, err := p.owners.Load()
		if err != nil {
			return err
		}
		t := m.Parts[0].Term()
		k := shard.Key(id*rowsEach + i%rowsEach)
		r, err := p.store(t.Writer).Write(t, shard.Row{Key: k, Value: fmt.Sprintf("writer-%d-%d-%d", id, os.Getpid(), i)})
		var no *shard.Refused
		switch {
		case err == nil:
			p.acknowledge(t, r)
		case !errors.As(err, &no):
			return err
		}
		p.writes.Add(1)
	}
}

// pester writes a row of its own by the routes of all epochs there ever were, to both stores. Whoever takes one must keep it.
func (p *process) pester() error {
	for i := 0; ; i++ {
		m, err := p.owners.Load()
		if err != nil {
			return err
		}
		newest := m.Parts[0].Epoch
		t := shard.Term{Epoch: max(1, newest-int64(i%3)), Writer: [...]string{"old", "new"}[i/3%2]}
		s := p.stores[i/6%2]
		if t.Writer == "new" && t.Epoch == 1 || t.Epoch == newest && t.Writer != m.Parts[0].Shard {
			continue // no map ever said so
		}
		r, err := s.Write(t, shard.Row{Key: shard.Key(2*rowsEach + i%rowsEach), Value: fmt.Sprintf("pester-%d-%d", os.Getpid(), i)})
		var no *shard.Refused
		switch {
		case err == nil:
			p.acknowledge(t, r)
		case !errors.As(err, &no):
			return err
		}
		p.writes.Add(1)
	}
}

// migrate moves the part to the other store, and back, until it is killed. Of a move that it finds under way it does not know the
// first step: the one after that is known.
func (p *process) migrate() error {
	for range 6 {
		m, err := p.owners.Load()
		if err != nil {
			return err
		}
		to := "new"
		if part := m.Parts[0]; part.Move.Epoch > 0 {
			to = part.Move.To
		} else if part.Shard == "new" {
			to = "old"
		}
		move, err := shard.NewMigration(watchedOwners{p.owners, p}, shard.Plan{To: to, Batch: 6, MaxLag: 4, Drain: 3}, watched{p.stores[0], p}, watched{p.stores[1], p})
		if err != nil {
			return err
		}
		if m.Parts[0].Move.Epoch == 0 {
			if err := move.Begin(); err != nil {
				return err
			}
			p.next = shard.Planning
		}
		if err := p.steps(&move); err != nil {
			return err
		}
	}
	return fmt.Errorf("six moves were made, and none came to %v", p.kill)
}

// steps steps until the move is done, and rolls back where the instant wants it.
func (p *process) steps(move *shard.Migration) error {
	for now := int64(0); now < 2000; now++ {
		switch back := p.kill.step == shard.Undo; {
		case back && p.next == shard.Verify, p.kill.back && p.next == shard.Drain:
			if err := move.RollBack(); err != nil {
				return err
			}
			p.next = shard.Planning
			if back {
				p.next = shard.Undo
			}
			p.kill.back = false
		}
		p.count = 0
		did, err := move.Step(now)
		if err != nil {
			return err
		}
		if p.next = did.Next; p.next == shard.Idle {
			return nil
		}
		for until := p.writes.Load() + 2; p.writes.Load() < until; { // let others write
			syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 50})
		}
	}
	return fmt.Errorf("a move does not end, it is at %v", p.next)
}

// operation begins one of the migration's operations. When its hour has come, somebody kills the process while it is under way.
func (p *process) operation(do func() error) error {
	p.count++
	if p.next != p.kill.step || p.count != p.kill.operation+1 {
		return do()
	}
	os.Stdout.WriteString("kill " + p.kill.step.String() + "\n")
	go func() {
		for i := range p.kill.spin {
			if i < 0 {
				return
			}
		}
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}()
	do()
	select {}
}

type watchedOwners struct {
	shard.Owners
	p *process
}

func (o watchedOwners) Load() (m shard.Map, err error) {
	err = o.p.operation(func() (e error) { m, e = o.Owners.Load(); return e })
	return m, err
}

func (o watchedOwners) Publish(m shard.Map) error {
	return o.p.operation(func() error { return o.Owners.Publish(m) })
}

type watched struct {
	shard.Store
	p *process
}

func (s watched) State() (st shard.State, err error) {
	err = s.p.operation(func() (e error) { st, e = s.Store.State(); return e })
	return st, err
}

func (s watched) Rows(from shard.Key, n int) (rows []shard.Row, err error) {
	err = s.p.operation(func() (e error) { rows, e = s.Store.Rows(from, n); return e })
	return rows, err
}

func (s watched) Log(after int64, n int) (c []shard.Change, err error) {
	err = s.p.operation(func() (e error) { c, e = s.Store.Log(after, n); return e })
	return c, err
}

func (s watched) Digest(from, to shard.Key, n int) (d shard.Digest, err error) {
	err = s.p.operation(func() (e error) { d, e = s.Store.Digest(from, to, n); return e })
	return d, err
}

func (s watched) Apply(b shard.Batch) error {
	return s.p.operation(func() error { return s.Store.Apply(b) })
}

func (s watched) Turn(o shard.Order) error {
	return s.p.operation(func() error { return s.Store.Turn(o) })
}

// ledger is what the parent knows: each acknowledged write, as the children's output says.
type ledger struct {
	dir    string
	acked  map[shard.Key]shard.Row
	writer map[int64]string
	acks   int
}

// line takes one line of a child's output, and says what is wrong with it.
func (l *ledger) line(text string) error {
	f := strings.Fields(text)
	if len(f) != 6 || f[0] != "ack" {
		return errors.New(text)
	}
	var n [3]int64
	for i := range n {
		n[i], _ = strconv.ParseInt(f[1+i], 10, 64)
	}
	r, epoch, writer := shard.Row{Key: shard.Key(n[0]), Version: n[1], Value: f[5]}, n[2], f[4]
	if was := l.acked[r.Key]; r.Version <= was.Version {
		return fmt.Errorf("row %d went from version %d back to %d", r.Key, was.Version, r.Version)
	}
	if other, known := l.writer[epoch]; known && other != writer {
		return fmt.Errorf("epoch %d has two writers, %s and %s", epoch, other, writer)
	}
	l.acked[r.Key], l.writer[epoch] = r, writer
	l.acks++
	return nil
}

// life lets a child live until it is killed, and returns the step in which it was.
func (l *ledger) life(kill instant) (killed string, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+l.dir, childKill+"="+kill.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if step, is := strings.CutPrefix(lines.Text(), "kill "); is {
			killed = step
		} else if e := l.line(lines.Text()); e != nil && err == nil {
			err = e
		}
	}
	cmd.Wait()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); err == nil && (!ok || ws.Signal() != syscall.SIGKILL || killed == "") {
		err = fmt.Errorf("the child ended with %v, want it killed at %v", cmd.ProcessState, kill)
	}
	return killed, err
}

// judge opens the files as they were left, and compares them with the ledger: the owner that the map names has every acknowledged row,
// in its version or a newer one, and both logs tell one writer an epoch and epochs that never go back.
func (l *ledger) judge() error {
	f, err := openFiles(l.dir)
	if err != nil {
		return err
	}
	defer f.close()
	m, err := f.owners.Load()
	if err != nil {
		return err
	}
	rows, err := f.store(m.Parts[0].Shard).Rows(0, 1000)
	if err != nil {
		return err
	}
	have := map[shard.Key]shard.Row{}
	for _, r := range rows {
		have[r.Key] = r
	}
	for k, want := range l.acked {
		if got := have[k]; got.Version < want.Version || got.Version == want.Version && got != want {
			return fmt.Errorf("row %d is %+v in %s (%+v), acknowledged was %+v", k, got, m.Parts[0].Shard, m.Parts[0], want)
		}
	}
	for _, s := range f.stores {
		st, err := s.State()
		if err != nil {
			return err
		}
		changes, err := s.Log(max(0, st.Head-200), 200)
		var gap *shard.GapError
		if errors.As(err, &gap) {
			changes, err = s.Log(gap.Kept, 200)
		}
		if err != nil {
			return err
		}
		for i, c := range changes {
			if c.Term.Writer != s.Name() || i > 0 && c.Term.Epoch < changes[i-1].Term.Epoch || c.Term.Epoch > m.Parts[0].Epoch {
				return fmt.Errorf("change %d of %s was written under %v, before it %v", c.Position, s.Name(), c.Term, changes[max(0, i-1)].Term)
			}
		}
	}
	return nil
}

// Two hundred processes are killed, at least ten in each step, with writers running. After each, nothing that was acknowledged is
// missing, and the next process goes on.
func TestKilledAtAnyInstant(t *testing.T) {
	lineages, each, least := 4, 50, 10
	if underRace {
		each, least = 6, 1
	}
	if testing.Short() {
		t.Skip("kills 200 processes")
	}
	var mu sync.Mutex
	kills, acks, total := map[string]int{}, 0, 0
	var all sync.WaitGroup
	for id := range lineages {
		l := &ledger{dir: t.TempDir(), acked: map[shard.Key]shard.Row{}, writer: map[int64]string{}}
		rng := rand.New(rand.NewPCG(uint64(id), 8))
		all.Go(func() {
			for i := range each {
				step := shard.Planning + shard.Step((i+id*3)%int(shard.NStep-shard.Planning))
				at := instant{step, rng.IntN(operations[step]), rng.IntN(2) * rng.IntN(1_500_000), rng.IntN(4) == 0}
				killed, err := l.life(at)
				if err == nil {
					err = l.judge()
				}
				if err != nil {
					t.Errorf("lineage %d, kill %d at %v: %v", id, i, at, err)
					return
				}
				mu.Lock()
				kills[killed]++
				total++
				mu.Unlock()
			}
			mu.Lock()
			acks += l.acks
			mu.Unlock()
		})
	}
	all.Wait()
	if total < lineages*each {
		t.Errorf("%d processes were killed, want %d", total, lineages*each)
	}
	for s := shard.Planning; s < shard.NStep; s++ {
		if kills[s.String()] < least {
			t.Errorf("%d processes were killed in step %v, want at least %d", kills[s.String()], s, least)
		}
	}
	if acks < 5*total {
		t.Errorf("%d writes were acknowledged, too few to say something", acks)
	}
	t.Logf("%d killed, %d writes acknowledged: %v", total, acks, kills)
}
