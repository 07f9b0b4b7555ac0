package intentstore_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seedbed/chapters/intent"
	"seedbed/web/store/intentstore"
)

// The test binary runs itself as a child, which accepts intents and works on them until it kills itself with SIGKILL in the middle of an
// Append. Each next child goes on from the file. What a child acknowledged stands in its output, line by line, and so outlives it.
const childPath, childKill = "INTENTSTORE_TEST_PATH", "INTENTSTORE_TEST_KILL"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		fmt.Println("failed", child(path, os.Getenv(childKill)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// doomed is a store during one of whose Appends the process is killed.
type doomed struct {
	intent.Store
	left int // Appends until then
	spin int // turns of an empty loop after that one has begun
}

func (d *doomed) Append(r intent.Record) error {
	if d.left--; d.left >= 0 {
		return d.Store.Append(r)
	}
	os.Stdout.WriteString(fmt.Sprintf("dying %d\n", r.ID))
	go func() {
		for i := range d.spin {
			if i < 0 {
				return
			}
		}
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}()
	d.Store.Append(r)
	select {}
}

// child goes on from what the file holds, and returns only when something is wrong.
func child(path, kill string) error {
	d := &doomed{}
	var next uint64
	if _, err := fmt.Sscan(kill, &d.left, &d.spin, &next); err != nil {
		return err
	}
	s, err := intentstore.Open(path, intentstore.Options{})
	if err != nil {
		return err
	}
	d.Store = s
	log, err := intent.New(config, d)
	if err != nil {
		return err
	}
	for now := int64(0); ; now++ {
		if r, err := log.AcceptAt(now, next, body(next)); err != nil || r.Answer != intent.Accepted && r.Answer != intent.Known {
			return fmt.Errorf("accept %d: %v, %v", next, r, err)
		}
		os.Stdout.WriteString(fmt.Sprintf("accepted %d\n", next))
		next++
		if now%3 == 0 {
			continue // some stay open
		}
		c, ok, err := log.ClaimAt(now)
		if err != nil || !ok || c.Body != body(c.ID) {
			return fmt.Errorf("claim: %+v, %v, %v", c, ok, err)
		}
		if ok, err := log.FinishAt(now, c, "sent "+c.Body); err != nil || !ok {
			return fmt.Errorf("finish %d: %v, %v", c.ID, ok, err)
		}
		os.Stdout.WriteString(fmt.Sprintf("done %d\n", c.ID))
	}
}

func body(id uint64) string { return strings.Repeat(fmt.Sprint("order ", id, " "), 1+int(id%50)) }

// life lets a child live until it is killed, notes what it acknowledged, and returns the intent whose record was being written.
func life(path, kill string, said map[uint64]string) (dying uint64, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childPath+"="+path, childKill+"="+kill)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	lines, last := bufio.NewScanner(out), ""
	for lines.Scan() {
		var what string
		var id uint64
		last = lines.Text()
		if _, err := fmt.Sscan(last, &what, &id); err == nil && what == "dying" {
			dying = id
		} else if err == nil && (what == "accepted" || what == "done") {
			said[id] = what
		}
	}
	cmd.Wait()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL || !strings.HasPrefix(last, "dying") {
		return 0, fmt.Errorf("the child ended with %v and %q, want it killed while it writes", cmd.ProcessState, last)
	}
	return dying, nil
}

// Forty processes are killed while they write. After each, nothing that was acknowledged is missing, and the next process goes on.
func TestKilledAtAnyInstant(t *testing.T) {
	lives := 40
	if testing.Short() {
		lives = 4
	}
	path := filepath.Join(t.TempDir(), "intents.db")
	rng := rand.New(rand.NewPCG(1, 14))
	said := map[uint64]string{}
	there, next := 0, uint64(1)
	for n := range lives {
		dying, err := life(path, fmt.Sprint(rng.IntN(30), " ", rng.IntN(3_000_000), " ", next), said)
		if err != nil {
			t.Fatalf("life %d: %v", n, err)
		}
		s, err := intentstore.Open(path, intentstore.Options{})
		if err != nil {
			t.Fatalf("life %d: %v", n, err)
		}
		log, err := intent.New(config, s)
		if err != nil {
			t.Fatalf("life %d: %v", n, err)
		}
		for id, what := range said {
			state, result := log.StatusOf(id)
			if state == intent.Unknown || what == "done" && (state != intent.Done || result != "sent "+body(id)) {
				t.Fatalf("life %d: intent %d was told to be %s, and is %v with %q", n, id, what, state, result)
			}
			next = max(next, id+1)
		}
		if state, _ := log.StatusOf(dying); said[dying] == "" && state != intent.Unknown {
			there++ // written, and the process was killed before it could say so
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(said) < 2*lives {
		t.Errorf("%d intents acknowledged in %d lives: the test shows little", len(said), lives)
	}
	t.Logf("%d intents acknowledged in %d lives, %d more written when the process was killed", len(said), lives, there)
}
