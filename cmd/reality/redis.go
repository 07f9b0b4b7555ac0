package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// redis starts a Redis that saves nothing, with the given lines of configuration, and returns a connection to it. A stand has one: its
// address is in s.redisAddr.
func (s *stand) redis(ctx context.Context, conf string) (*redis, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, _ := strings.Cut(addr, ":")
	file, err := s.file("redis.conf", fmt.Sprintf("bind 127.0.0.1\nport %s\ndir %s\nsave \"\"\n%s\n", port, s.dir, conf))
	if err == nil {
		err = s.start(ctx, addr, "redis-server", file)
	}
	if err != nil {
		return nil, err
	}
	s.redisAddr = addr
	return s.dialRedis()
}

// dialRedis is one more connection to the stand's Redis.
func (s *stand) dialRedis() (*redis, error) {
	c, err := net.Dial("tcp", s.redisAddr)
	if err != nil {
		return nil, err
	}
	s.undo = append(s.undo, func() { _ = c.Close() })
	return &redis{c, bufio.NewReaderSize(c, 1<<16), bufio.NewWriterSize(c, 1<<16)}, nil
}

// redis is one connection. What is asked together is sent together, and Redis answers it in order with nothing of this connection between.
type redis struct {
	conn net.Conn
	in   *bufio.Reader
	out  *bufio.Writer
}

// redisReply is what Redis answers: a text, a number, a list, or nothing.
type redisReply struct {
	text string
	n    int64
	none bool
	list []redisReply
}

// errRedis is an answer that says what was wrong with the question.
var errRedis = errors.New("redis")

// ask sends commands, their words separated by single blanks, and returns the answers. The first that is an error is returned as one.
func (r *redis) ask(commands ...string) ([]redisReply, error) {
	if err := r.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	for _, c := range commands {
		words := strings.Split(c, " ")
		fmt.Fprintf(r.out, "*%d\r\n", len(words))
		for _, w := range words {
			fmt.Fprintf(r.out, "$%d\r\n%s\r\n", len(w), w)
		}
	}
	if err := r.out.Flush(); err != nil {
		return nil, err
	}
	replies := make([]redisReply, len(commands))
	var wrong error
	for i := range replies {
		var err error
		replies[i], err = readReply(r.in)
		if errors.Is(err, errRedis) {
			wrong = fmt.Errorf("%s: %w", commands[i], err)
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return replies, wrong
}

// readReply reads one answer (RESP2).
func readReply(in *bufio.Reader) (redisReply, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return redisReply{}, err
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return redisReply{}, errors.New("an empty line where Redis should answer")
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+':
		return redisReply{text: rest}, nil
	case '-':
		return redisReply{}, fmt.Errorf("%w: %s", errRedis, rest)
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		return redisReply{}, fmt.Errorf("answer %q: %w", line, err)
	}
	switch {
	case kind == ':':
		return redisReply{n: n}, nil
	case n < 0:
		return redisReply{none: true}, nil
	case kind == '$':
		text := make([]byte, n+2)
		if _, err := io.ReadFull(in, text); err != nil {
			return redisReply{}, err
		}
		return redisReply{text: string(text[:n])}, nil
	case kind == '*':
		list := make([]redisReply, n)
		for i := range list {
			if list[i], err = readReply(in); err != nil {
				return redisReply{}, err
			}
		}
		return redisReply{list: list}, nil
	}
	return redisReply{}, fmt.Errorf("answer %q: no kind that is known", line)
}

// clock reads the answer to TIME, in µs.
func (r redisReply) clock() (int64, error) {
	if len(r.list) != 2 {
		return 0, fmt.Errorf("TIME is answered with %d numbers; want 2", len(r.list))
	}
	s, err := strconv.ParseInt(r.list[0].text, 10, 64)
	if err != nil {
		return 0, err
	}
	us, err := strconv.ParseInt(r.list[1].text, 10, 64)
	return s*1_000_000 + us, err
}

// info reads one field of the answer to INFO.
func (r redisReply) info(field string) (int64, error) {
	_, rest, found := strings.Cut("\n"+r.text, "\n"+field+":")
	if !found {
		return 0, fmt.Errorf("INFO does not tell %s", field)
	}
	value, _, _ := strings.Cut(rest, "\r")
	return strconv.ParseInt(value, 10, 64)
}
