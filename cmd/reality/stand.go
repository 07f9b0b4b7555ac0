package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long a real program may take to answer for the first time, to go, or to answer a single request.
const patience = 10 * time.Second

// stand is what one experiment runs in: a folder and the programs started from it. Closing it ends them and removes the folder.
type stand struct {
	dir       string
	redisAddr string // once there is one
	undo      []func()
}

func newStand() (*stand, error) {
	dir, err := os.MkdirTemp("", "reality-")
	if err != nil {
		return nil, err
	}
	return &stand{dir: dir}, nil
}

// halt ends what was started, the last first; the folder stays.
func (s *stand) halt() {
	for i := len(s.undo) - 1; i >= 0; i-- {
		s.undo[i]()
	}
	s.undo = nil
}

func (s *stand) close() {
	s.halt()
	_ = os.RemoveAll(s.dir)
}

// file writes a file into the folder and returns its whole name.
func (s *stand) file(name, text string) (string, error) {
	at := filepath.Join(s.dir, name)
	return at, os.WriteFile(at, []byte(text), 0o644)
}

// start runs a program until the stand is closed, and returns once it listens on the address.
func (s *stand) start(ctx context.Context, addr string, command ...string) error {
	return s.startAs(ctx, nil, "tcp", addr, command...)
}

// startAs is start for a program that somebody else runs, unless who is nil, or that listens elsewhere.
func (s *stand) startAs(ctx context.Context, who *syscall.Credential, network, addr string, command ...string) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	if who != nil {
		cmd.Dir, cmd.SysProcAttr = s.dir, &syscall.SysProcAttr{Credential: who}
	}
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = patience
	if err := cmd.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	go func() { _ = cmd.Wait(); close(gone) }()
	s.undo = append(s.undo, func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-gone:
		case <-time.After(patience):
			_ = cmd.Process.Kill()
			<-gone
		}
	})
	for end := time.Now().Add(patience); time.Now().Before(end); {
		select {
		case <-gone:
			return fmt.Errorf("%s ended at once: %s", command[0], strings.TrimSpace(said.String()))
		case <-time.After(10 * time.Millisecond):
		}
		if c, err := net.Dial(network, addr); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("%s did not listen on %s within %v", command[0], addr, patience)
}

// freeAddress is an address of the loopback interface that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// nginx starts nginx with so many workers and what the http block holds; LISTEN in it becomes the address, which is returned.
func (s *stand) nginx(ctx context.Context, workers int, level, http string) (string, error) {
	addr, err := freeAddress()
	if err != nil {
		return "", err
	}
	user := ""
	if os.Geteuid() == 0 {
		user = "user root root;\n" // or its workers could not enter the folder
	}
	conf := user + fmt.Sprintf("daemon off;\nworker_processes %d;\npid nginx.pid;\nerror_log error.log %s;\n", workers, level) +
		"events { worker_connections 2048; }\nhttp {\naccess_log off;\n" +
		"client_body_temp_path body;\nproxy_temp_path proxy;\nfastcgi_temp_path fastcgi;\nuwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\n" +
		strings.ReplaceAll(http, "LISTEN", addr) + "\n}\n"
	file, err := s.file("nginx.conf", conf)
	if err != nil {
		return "", err
	}
	return addr, s.start(ctx, addr, "nginx", "-p", s.dir, "-e", filepath.Join(s.dir, "error.log"), "-c", file)
}

// haproxy starts HAProxy with so many threads and the given sections; LISTEN becomes the address, which is returned.
func (s *stand) haproxy(ctx context.Context, threads int, sections string) (string, error) {
	addr, err := freeAddress()
	if err != nil {
		return "", err
	}
	file, err := s.file("haproxy.cfg", fmt.Sprintf("global\n  nbthread %d\n", threads)+strings.ReplaceAll(sections, "LISTEN", addr)+"\n")
	if err != nil {
		return "", err
	}
	return addr, s.start(ctx, addr, "haproxy", "-db", "-f", file)
}

// programs are the real ones, the command that tells each one's version, and where in what it says.
var programs = []struct{ name, command, flag, pattern string }{
	{"nginx", "nginx", "-v", `nginx/([0-9][0-9.]*)`},
	{"haproxy", "haproxy", "-v", `version ([0-9][0-9.]*)`},
	{"redis", "redis-server", "-v", `Redis server v=([0-9][0-9.]*)`},
	{"postgres", "postgres", "-V", `PostgreSQL\) ([0-9][0-9.]*)`},
}

// title is a program's name as its makers write it.
var title = map[string]string{"nginx": "nginx", "haproxy": "HAProxy", "redis": "Redis", "postgres": "PostgreSQL"}

// versions asks the programs of all pages, or of one, for their versions, or says which are missing.
func versions(ctx context.Context, only string) (map[string]string, error) {
	found := map[string]string{}
	var missing []string
	for _, p := range programs {
		if only != "" && !slices.ContainsFunc(pages, func(pg page) bool { return pg.slug == only && slices.Contains(pg.programs, p.name) }) {
			continue
		}
		out, err := exec.CommandContext(ctx, p.command, p.flag).CombinedOutput()
		if err != nil {
			missing = append(missing, p.name)
			continue
		}
		if found[p.name] = versionIn(string(out), p.pattern); found[p.name] == "" {
			return nil, fmt.Errorf("%s %s: no version in %q", p.command, p.flag, out)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("not on this machine: %s; .ci/need reality installs them where it may", strings.Join(missing, ", "))
	}
	return found, nil
}

// versionIn finds a version in what a program says of itself, "" when there is none.
func versionIn(said, pattern string) string {
	m := regexp.MustCompile(pattern).FindStringSubmatch(said)
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], ".")
}
