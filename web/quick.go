package web

import (
	"bytes"
	"net/http"
	"sync/atomic"
	"time"

	"seedbed/web/direct"
)

// A stored document is asked for by the simplest of requests, and package direct answers those without net/http and echo. What it
// answers is the same to the last header field but the order, which a test compares for every document of the site.

// quicken gives each document what its quick answer needs.
func (s *site) quicken() {
	c := s.server.echo.NewContext(nil, nil)
	for path, d := range s.documents { // order cannot matter: each is another
		s.server.echo.Router().Find(http.MethodGet, path, c)
		d.route = c.Path()
		h := http.Header{}
		secure(h, path)
		d.policy = fieldsOf(h)
	}
}

// heads are the beginnings of a form's answers: with its body, and without one because the client has it.
func (d *document) heads(f *form) (head, unchanged []byte) {
	head = append(append(append([]byte("HTTP/1.1 200 OK\r\n"), fieldsOf(f.fields)...), "Content-Length: "+f.length[0]+"\r\n"...), d.policy...)
	some := http.Header{}
	for _, key := range unchangedFields {
		if values := f.fields[key]; values != nil {
			some[key] = values
		}
	}
	unchanged = append(append([]byte("HTTP/1.1 304 Not Modified\r\n"), fieldsOf(some)...), d.policy...)
	return head, unchanged
}

// fieldsOf is header fields as they are sent.
func fieldsOf(h http.Header) []byte {
	var b bytes.Buffer
	h.Write(&b) // a bytes.Buffer takes all
	return b.Bytes()
}

// quickAnswer answers for a stored document, as observe, stored and document.serve do together.
func (s *Server) quickAnswer(b []byte, r *direct.Request) (head, body []byte, ok bool) {
	d := s.site.Load().documents[r.Path]
	if d == nil {
		return nil, nil, false
	}
	f := d.ready(d.choose([]string{r.AcceptEncoding}))
	r.ID, r.Route, r.Status = s.ids.next(), d.route, http.StatusOK
	if matches([]string{r.IfNoneMatch}, f.etag) {
		r.Status = http.StatusNotModified
		b = append(b, f.unchanged...)
	} else {
		b = append(b, f.head...)
		if !r.Head {
			body = f.body
		}
	}
	b = append(append(b, "X-Request-Id: "...), r.ID...)
	b = append(append(b, "\r\nDate: "...), s.date.now()...)
	return append(b, "\r\n\r\n"...), body, true
}

func (s *Server) quickDone(r *direct.Request, size int, took time.Duration) {
	method := http.MethodGet
	if r.Head {
		method = http.MethodHead
	}
	s.record(r.ID, method, r.Route, r.Status, int64(size), took)
}

// dates keeps the text of the present second.
type dates struct{ last atomic.Pointer[dated] }

type dated struct {
	second int64
	text   string
}

func (d *dates) now() string {
	t := time.Now()
	if last := d.last.Load(); last != nil && last.second == t.Unix() {
		return last.text
	}
	text := t.UTC().Format(http.TimeFormat)
	d.last.Store(&dated{t.Unix(), text})
	return text
}
