package direct

import (
	"net"
	"sync"
	"time"
)

// Sizes of buffers. A browser's request for a page is below 2 KiB; what is larger than a read is not simple.
const (
	readSize  = 4 << 10
	writeSize = 40 << 10 // an answer up to this goes out in one write; a page is below, compressed
)

// buffers are what an answer needs while it is made.
type buffers struct {
	read  [readSize]byte
	write [writeSize]byte
}

var pool = sync.Pool{New: func() any { return new(buffers) }}

// serve answers simple requests on a connection until one comes that is not, or none for a while.
func (s *Server) serve(c net.Conn, rest *handed) {
	defer s.forget(c)
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	handing := false
	defer func() {
		// A panic is a fault of Answer: this connection is lost, the server is not. net/http does the same.
		if v := recover(); v != nil || !handing {
			c.Close()
		}
	}()
	var armed time.Time
	have, answered := 0, false
	for {
		// The time limit is moved on only now and then: setting it costs as much as finding the answer.
		if now := time.Now(); now.Sub(armed) > time.Second {
			armed = now
			c.SetReadDeadline(now.Add(s.idle()))
		}
		if s.closing.Load() { // asked after the limit was set, for Shutdown sets one as well
			return
		}
		n, err := c.Read(b.read[have:])
		if err != nil {
			return
		}
		have += n
		used, err := s.answerAll(c, b, have)
		if err != nil {
			return
		}
		have = copy(b.read[:], b.read[used:have])
		answered = answered || used > 0
		if have > 0 && !(answered && have < another) {
			c.SetReadDeadline(time.Time{})
			handing = true
			rest.give(c, b.read[:have])
			return
		}
	}
}

// another is how many bytes net/http wants to see before it takes them for one more request on a connection that had one: fewer, and
// then the end, are no bad request but a client that has gone.
const another = 4

// idle is how long a connection may wait for its next request.
func (s *Server) idle() time.Duration {
	if s.HTTP.IdleTimeout > 0 {
		return s.HTTP.IdleTimeout
	}
	return time.Hour
}

// answerAll answers the requests among the n bytes that were read and are not answered yet. used is how many bytes they took; what follows is for net/http. The
// error is that of writing.
func (s *Server) answerAll(c net.Conn, b *buffers, n int) (used int, err error) {
	var r Request
	for used < n {
		start := time.Now()
		length := parse(b.read[used:n], &r)
		if length == 0 {
			break
		}
		head, body, ok := s.Answer(b.write[:0], &r)
		if !ok {
			break
		}
		if err := s.write(c, head, body); err != nil {
			return used, err
		}
		used += length
		if s.Done != nil {
			s.Done(&r, len(body), time.Since(start))
		}
	}
	return used, nil
}

// write sends an answer, in one write where the buffer has room for both.
func (s *Server) write(c net.Conn, head, body []byte) error {
	if len(body) <= cap(head)-len(head) {
		_, err := c.Write(append(head, body...))
		return err
	}
	both := net.Buffers{head, body}
	_, err := both.WriteTo(c)
	return err
}
