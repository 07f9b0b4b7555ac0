package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asSeedbed in the environment makes the test's binary the command itself, for tests that start a process without a script.
const asSeedbed = "SEEDBED_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asSeedbed) != "" {
		main()
		return
	}
	testscript.Main(m, map[string]func(){"seedbed": main})
}

// TestScripts runs the scripts in testdata: real processes, as a user has them. `exits N seedbed …` runs a command and expects the
// exit code; stdout and stderr of the script language then look at what it said. `gzip FROM TO [BYTES]` packs a file, and cuts it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"gzip": pack,
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exits CODE COMMAND …")
				}
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				code := 0
				var exit *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
					code = exit.ExitCode()
				} else if err != nil {
					ts.Check(err)
				}
				if code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
			},
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("LANG", "C.UTF-8")
			env.Setenv("LC_ALL", "")
			return nil
		},
	})
}

func pack(ts *testscript.TestScript, neg bool, args []string) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(w.Close())
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		packed.Truncate(n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), packed.Bytes(), 0o644))
}
