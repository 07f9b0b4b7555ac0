package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresPort names the socket; nothing listens on a port.
const postgresPort = "5432"

// postgres makes a cluster in the stand's folder, starts it, and returns how to connect: over a socket in that folder, as anybody. It has
// nothing to do with a cluster of the machine's own. PostgreSQL refuses to run as root, who lets somebody else run it.
func (s *stand) postgres(ctx context.Context, connections int) (string, error) {
	data := filepath.Join(s.dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return "", err
	}
	who, err := nobodySpecial()
	if err == nil && who != nil {
		err = errors.Join(os.Chmod(s.dir, 0o711), os.Chown(data, int(who.Uid), int(who.Gid)))
	}
	if err != nil {
		return "", err
	}
	initdb := exec.CommandContext(ctx, "initdb", "-D", data, "-U", "reality", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
	initdb.Dir, initdb.SysProcAttr = data, &syscall.SysProcAttr{Credential: who}
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", fmt.Errorf("initdb: %w: %s", err, out)
	}
	err = s.startAs(ctx, who, "unix", filepath.Join(data, ".s.PGSQL."+postgresPort), "postgres", "-D", data, "-k", data,
		"-c", "listen_addresses=", "-c", "port="+postgresPort, "-c", "fsync=off", "-c", fmt.Sprintf("max_connections=%d", connections))
	if err != nil {
		return "", err
	}
	connect := fmt.Sprintf("host=%s port=%s user=reality dbname=postgres sslmode=disable", data, postgresPort)
	// It listens before it is ready.
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		c, err := pgx.Connect(ctx, connect)
		if err == nil {
			return connect, c.Close(ctx)
		}
		if time.Now().After(end) {
			return "", err
		}
	}
}

// nobodySpecial is who runs PostgreSQL when this process is root's: its own user where the machine has one. It is nil for others.
func nobodySpecial() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// pool opens a pool of n connections, all of them made before it is returned. It is closed with the stand.
func (s *stand) pool(ctx context.Context, connect string, n int) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(connect)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns, cfg.MinConns = int32(n), int32(n)
	p, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s.undo = append(s.undo, p.Close)
	var held []*pgxpool.Conn
	for range n {
		c, err := p.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		held = append(held, c)
	}
	for _, c := range held {
		c.Release()
	}
	return p, nil
}
