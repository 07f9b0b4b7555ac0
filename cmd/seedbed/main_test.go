package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/labs/sim"
	"seedbed/web/text"
)

// process runs the binary's main in this process.
type process struct {
	code        int
	out, errout string
}

func start(t *testing.T, ctx context.Context, bound time.Duration, env map[string]string, args ...string) process {
	t.Helper()
	var out, errout bytes.Buffer
	code := run(args, world{strings.NewReader(""), &out, &errout, func(name string) string { return env[name] }, ctx, bound, 0})
	return process{code, out.String(), errout.String()}
}

func seedbed(t *testing.T, args ...string) process {
	t.Helper()
	return start(t, t.Context(), wallClock, nil, args...)
}

// TestBadInput: each fault is one line that says what, where and what would be right; exit 1; nothing on standard output.
func TestBadInput(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"window-edg"}, "lab: window-edg is not known"},
		{[]string{""}, "lab is empty; it is one of the labs that `seedbed lab list` prints"},
		{[]string{"window-edge", "--preset", "edge"}, "preset: edge is not known; it is one of default, "},
		{[]string{"window-edge?use=fixed", "--preset", "edge-burst"}, "--preset: window-edge?use=fixed has settings of its own; write window-edge --preset …"},
		{[]string{"window-edge", "limt=5"}, "window-edge: the parameter limt is not known; it is one of use, limit, "},
		{[]string{"window-edge", "limit"}, "limit is not a setting; write settings as name=value"},
		{[]string{"window-edge", "=5"}, "=5 is not a setting"},
		{[]string{"window-edge", "limit=5", "limit=6"}, "window-edge: limit is given twice"},
		{[]string{"window-edge", "seed=5", "--seed", "6"}, "window-edge: seed is given twice"},
		{[]string{"window-edge?limit=5&limit=6"}, "spec: limit is given twice"},
		{[]string{"window-edge", "use=fix"}, "use: fix is not known; it is one of fixed, two-counter, log, buckets"},
		{[]string{"window-edge", "limit=0"}, "limit: 0 is outside 1..100000"},
		{[]string{"window-edge", "limit=-5"}, "limit: -5 is outside 1..100000"},
		{[]string{"window-edge", "limit="}, "limit is empty; write it as 50"},
		{[]string{"window-edge", "limit=NaN"}, "limit: NaN is not a number here"},
		{[]string{"window-edge", "limit=Inf"}, "limit: Inf is not a number here"},
		{[]string{"window-edge", "limit=1e400"}, "limit: 1e400 is too large a number"},
		{[]string{"window-edge", "limit=0x10"}, "limit: 0x10 is not a number here"},
		{[]string{"window-edge", "limit=1.5"}, "limit: 1.5 is finer than the least step, 1"},
		{[]string{"window-edge", "gap=2m"}, "gap: 2m is not a number here; write it as 50 or 50ms"},
		{[]string{"window-edge", "use=buckets", "buckets=3"}, "buckets: 3 does not fit; "},
		{[]string{"window-edge", "--seed", "-1"}, "seed: -1 does not fit"},
		{[]string{"window-edge", "--seed", "18446744073709551616"}, "seed: 18446744073709551616 does not fit"},
		{[]string{"window-edge", "v=99"}, "v: 99 is newer than this build knows, 1"},
		{[]string{"window-edge", "--do", "1s"}, "do: 1s does not fit; an action is AT:VERB[:TARGET[:VALUE]]"},
		{[]string{"window-edge", "--do", "1s:crash"}, "do: the verb crash is not known; it is one of burst"},
		{[]string{"window-edge", "--do", "2s:burst"}, "do: 2s:burst is outside 0..2 s, the run's length, its end left out"},
		{[]string{"window-edge", "--do", "-1s:burst"}, "do: -1s does not fit; an instant is 0 or later"},
		{[]string{"window-edge", "--do", "1s:burst::0"}, "requests: 0 is outside 1..100000"},
		{[]string{"window-edge", "--do", "1s:burst:client"}, "do: client does not fit; burst takes no target"},
		{[]string{"window-edge?limit=%zz"}, "spec: limit=%zz does not fit; a % is followed by two hex digits"},
		{[]string{"window-edge?limit=" + strings.Repeat("1", 9<<10)}, "spec: 9234 bytes are more than the 8192 allowed"},
		{[]string{"window-edge", "limit=" + strings.Repeat("1", 9<<10)}, "limit: 111111"},
		{[]string{"window-edge", "limit=5\nsecond line\x1b[31m"}, "limit: 5 second line�[31m is not a number here"},
		{[]string{"window-edge", "--frob"}, "--frob: there is no such flag; --help lists those that are"},
		{[]string{"window-edge", "-x"}, "-x: there is no such flag"},
		{[]string{"window-edge", "--seed"}, "--seed: its value is missing"},
		{[]string{"window-edge", "--keep", ""}, "--keep: its value is missing; give it behind the flag"},
		{[]string{"shard-migrate", "--store", "sqlite", "--keep="}, "--keep: its value is missing"},
		{[]string{"window-edge", "--svg", ""}, "--svg: its value is missing"},
		{[]string{"window-edge", "--preset="}, "--preset: its value is missing"},
		{[]string{"window-edge", "--input", ""}, "--input: its value is missing"},
		{[]string{"window-edge", "--lang", ""}, "--lang: its value is missing"},
		{[]string{"window-edge", "--json=maybe"}, "--json: maybe does not fit; it wants true, false"},
	} {
		got := seedbed(t, append([]string{"lab", "run"}, row.args...)...)
		if got.code != exitBad || got.out != "" || strings.Count(got.errout, "\n") != 1 || !strings.HasPrefix(got.errout, "seedbed: "+row.want) {
			t.Errorf("%.60q: exit %d, stdout %q, stderr %.200q; want exit 1 and %q", row.args, got.code, got.out, got.errout, row.want)
		}
		if len(got.errout) > 400 {
			t.Errorf("%.60q: an error of %d bytes is not a line to read", row.args, len(got.errout))
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left")}
}

// TestLostOutput: a result that could not be written is not reported as done.
func TestLostOutput(t *testing.T) {
	for _, args := range [][]string{{"lab", "list"}, {"lab", "run", "window-edge", "--json"}, {"lab", "run", "window-edge", "--svg", "-"}, {"--help"}} {
		var errout bytes.Buffer
		code := run(args, world{strings.NewReader(""), full{}, &errout, func(string) string { return "" }, t.Context(), wallClock, 0})
		if want := "seedbed: standard output: cannot be written (no space left); send it where there is room\n"; code != exitBad || errout.String() != want {
			t.Errorf("%v: exit %d, stderr %q; want exit 1 and %q", args, code, errout.String(), want)
		}
	}
}

// TestPresets: every preset of every lab ends as it says, and a counterexample names its check, an instant and a request.
func TestPresets(t *testing.T) {
	for _, lab := range catalog.All() {
		for _, p := range lab.Presets {
			got := seedbed(t, "lab", "run", lab.ID, "--preset", p.Name)
			if p.Breaks == "" {
				if got.code != 0 || got.errout != "" || strings.Contains(got.out, "✗") {
					t.Errorf("%s, %s: exit %d, want 0\n%s%s", lab.ID, p.Name, got.code, got.out, got.errout)
				}
				continue
			}
			told := seedbed(t, "lab", "run", lab.ID, "--preset", p.Name, "--digest").errout
			if got.code != exitViolated || !strings.Contains(got.out, "\n✗ "+p.Breaks+": ") {
				t.Errorf("%s, %s: exit %d, want 2 and %s\n%s", lab.ID, p.Name, got.code, p.Breaks, got.out)
			}
			if !strings.Contains(told, p.Breaks+": first at ") || !strings.Contains(told, " by request ") {
				t.Errorf("%s, %s: names no instant or request: %s", lab.ID, p.Name, told)
			}
		}
	}
}

// panicking is a lab with a fault of ours.
func panicking() *labs.Lab {
	return &labs.Lab{
		ID: "panicking", Version: 1, Family: "limits", Presets: []labs.Preset{{Name: "default"}},
		Horizon: func(labs.Config) int64 { return 1 }, Layout: func(labs.Config) labs.Layout { return labs.Layout{} },
		Start: func(labs.Config, *labs.Env) labs.State { panic("the moon is full") },
	}
}

// endless is a lab of which every instant has another event, so that only a bound ends it.
type endless struct{}

func (endless) Handle(env *labs.Env, e sim.Event) { env.At(env.Now(), 0, 0, 0, 0) }
func (endless) Act(*labs.Env, labs.Do)            {}
func (endless) Finish(*labs.Env)                  {}
func (s endless) Clone() labs.State               { return s }
func (endless) Bytes() int                        { return 0 }

func stuck() *labs.Lab {
	lab := panicking()
	lab.Start = func(_ labs.Config, env *labs.Env) labs.State { env.At(0, 0, 0, 0, 0); return endless{} }
	return lab
}

// inside runs do as a command of the binary.
func inside(t *testing.T, ctx context.Context, bound time.Duration, env map[string]string, do func(a *app) error) process {
	t.Helper()
	before := commands
	defer func() { commands = before }()
	commands = append(commands[:len(before):len(before)], func(a *app) *cobra.Command {
		return &cobra.Command{Use: "inside", RunE: func(*cobra.Command, []string) error { return do(a) }}
	})
	return start(t, ctx, bound, env, "inside")
}

// TestPanicExits70: a fault of ours is one line that says where to report it, and never looks like a counterexample.
func TestPanicExits70(t *testing.T) {
	spec := labs.New(panicking())
	run := func(a *app) error { return a.runLab(spec, &runFlags{digest: true}) }
	for name, do := range map[string]func(a *app) error{
		"in a run":      run,
		"in a worker":   func(a *app) error { return a.search(spec, 8) },
		"with newlines": func(a *app) error { panic(errors.New("two\nlines")) },
	} {
		got := inside(t, t.Context(), wallClock, nil, do)
		if got.code != exitFault || strings.Count(got.errout, "\n") != 1 || !strings.HasPrefix(got.errout, "seedbed: a fault of ours: ") ||
			!strings.Contains(got.errout, "(in: seedbed inside); please report it as the README says") || got.out != "" {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", name, got.code, got.out, got.errout)
		}
	}
	stack := map[string]string{"SEEDBED_STACK": "1"}
	for name, do := range map[string]func(a *app) error{"in a run": run, "in a worker": func(a *app) error { return a.search(spec, 8) }} {
		got := inside(t, t.Context(), wallClock, stack, do)
		if !strings.Contains(got.errout, "the moon is full") || !strings.Contains(got.errout, "panicking.func") {
			t.Errorf("%s: the stack does not show where it was: %s", name, got.errout)
		}
	}
}

// TestStopsExit3: by time, by an interrupt, and by the bound on events; nothing is written of such a run.
func TestStopsExit3(t *testing.T) {
	interrupted, stop := context.WithCancel(t.Context())
	stop()
	spec := labs.New(stuck())
	run := func(a *app) error { return a.runLab(spec, &runFlags{json: true}) }
	for name, row := range map[string]struct {
		ctx   context.Context
		bound time.Duration
		do    func(a *app) error
		want  string
	}{
		"by time":             {t.Context(), 0, run, "seedbed: run: stopped at 0 s of virtual time before its end, by time or by whoever asked for it\n"},
		"by an interrupt":     {interrupted, wallClock, run, "seedbed: run: stopped at 0 s of virtual time before its end, by time or by whoever asked for it\n"},
		"by events":           {t.Context(), time.Hour, run, "seedbed: run: stopped at 0 s of virtual time: more than 10 million events; lower the rate or the length of the run\n"},
		"search, interrupted": {interrupted, wallClock, func(a *app) error { return a.search(spec, 3) }, "seedbed: panicking?v=1: run: stopped at 0 s of virtual time before its end, by time or by whoever asked for it\n"},
	} {
		got := inside(t, row.ctx, row.bound, nil, row.do)
		if got.code != exitStopped || got.out != "" || got.errout != row.want {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 3 and %q", name, got.code, got.out, got.errout, row.want)
		}
	}
}

// TestInterrupt sends a real signal to a real process, which waits for the rest of its log.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(os.Args[0], "lab", "run", "window-edge", "--input", "-")
	cmd.Env = append(os.Environ(), asSeedbed+"=1", "LANG=C")
	var errout bytes.Buffer
	cmd.Stderr = &errout
	log, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: once it is written, the process reads, and so it listens for signals.
	if _, err := log.Write(bytes.Repeat([]byte("1\n"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitStopped || errout.String() != "seedbed: -: interrupted while it was read\n" {
		t.Errorf("%v, stderr %q; want exit 3 and that the log was interrupted", err, errout.String())
	}
}

// TestHelpOfEveryCommand: each has help in both languages, on standard output, and says what each of its flags is for.
func TestHelpOfEveryCommand(t *testing.T) {
	for _, lang := range text.Langs {
		a := newApp([]string{"--lang", string(lang)}, world{getenv: func(string) string { return "" }}, content.FS)
		var walk func(cmd *cobra.Command)
		walk = func(cmd *cobra.Command) {
			path := strings.Fields(cmd.CommandPath())[1:]
			got := seedbed(t, append(path, "--help", "--lang", string(lang))...)
			if got.code != 0 || got.errout != "" || !strings.HasPrefix(got.out, firstWords(cmd)) {
				t.Errorf("%v --help: exit %d, stderr %q, stdout\n%s", path, got.code, got.errout, got.out)
			}
			for _, row := range a.flagRows(cmd) {
				if strings.TrimSpace(row[1]) == "" || !strings.Contains(got.out, strings.TrimSpace(row[0])) {
					t.Errorf("%v --help says nothing of %s", path, row[0])
				}
			}
			for _, c := range cmd.Commands() {
				if !c.Hidden {
					walk(c)
				}
			}
		}
		walk(a.root())
	}
}

// firstWords is what the help of a command begins with.
func firstWords(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short
}

func TestEach(t *testing.T) {
	boom := errors.New("boom")
	for range 50 {
		seen := make([]int, 100)
		err := each(100, func(i int) error {
			seen[i]++
			if i == 40 || i == 60 {
				return fmt.Errorf("%d: %w", i, boom)
			}
			return nil
		})
		if err == nil || err.Error() != "40: boom" {
			t.Fatalf("got %v, want the error of the least number", err)
		}
		for i := range 40 {
			if seen[i] != 1 {
				t.Fatalf("%d was done %d times", i, seen[i])
			}
		}
	}
	if err := each(0, func(int) error { return boom }); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

func TestColumns(t *testing.T) {
	got := columns([][]string{{"  到达", "1,060", "x"}, {"  ab", "3", ""}}, "lrl")
	want := "  到达  1,060  x\n  ab        3\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
