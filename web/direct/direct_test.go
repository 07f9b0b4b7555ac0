package direct

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The pages of the toy site: one that fits a write, one that does not.
var pages = map[string][]byte{"/a": []byte("alpha"), "/b/c.css": []byte("beta"), "/large": bytes.Repeat([]byte("x"), 3*writeSize)}

const date = "Mon, 02 Jan 2006 15:04:05 GMT"

// answer gives a page as net/http would: fields in the order of their names.
func answer(b []byte, r *Request) (head, body []byte, ok bool) {
	body, ok = pages[r.Path]
	if !ok {
		return nil, nil, false
	}
	if r.Path == "/panic" {
		panic("fault")
	}
	b = append(b, "HTTP/1.1 200 OK\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\nContent-Type: text/x\r\nDate: "+date+"\r\n"+
		"X-Accept-Encoding: "+r.AcceptEncoding+"\r\nX-If-None-Match: "+r.IfNoneMatch+"\r\n\r\n"...)
	if r.Head {
		body = nil
	}
	return b, body, true
}

// handler gives the same pages by net/http, and others.
func handler(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Date", date)
	h.Set("Content-Type", "text/x")
	body, ok := pages[r.URL.Path]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		body = []byte(r.Method + " " + r.URL.String() + "\n")
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusNotFound)
		w.Write(body)
		return
	}
	h.Set("X-Accept-Encoding", strings.Join(r.Header["Accept-Encoding"], ","))
	h.Set("X-If-None-Match", strings.Join(r.Header["If-None-Match"], ","))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// listen starts a server and returns its address.
func listen(t testing.TB, serve func(net.Listener) error, end func()) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); serve(l) }()
	t.Cleanup(func() { end(); <-done })
	return l.Addr().String()
}

func both(t testing.TB) (direct, plain string) {
	s := &Server{Answer: answer, HTTP: &http.Server{Handler: http.HandlerFunc(handler)}}
	h := &http.Server{Handler: http.HandlerFunc(handler)}
	return listen(t, s.Serve, func() { s.Close() }), listen(t, h.Serve, func() { h.Close() })
}

// say sends bytes in the given parts and reads all that comes back until the other side closes or nothing more comes.
func say(t testing.TB, addr string, parts ...string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, p := range parts {
		if _, err := io.WriteString(c, p); err != nil {
			break // it has heard enough
		}
	}
	c.(*net.TCPConn).CloseWrite()
	c.SetReadDeadline(time.Now().Add(5 * time.Second))
	got, err := io.ReadAll(c)
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		t.Errorf("no end came after %q", parts)
	}
	return string(got)
}

const (
	ask = "GET /a HTTP/1.1\r\nHost: example.org\r\n"
	end = "\r\n"
)

// requests are simple ones and everything that only looks so.
var requests = []string{
	ask + end,
	"HEAD /a HTTP/1.1\r\nHost: example.org\r\n\r\n",
	"GET /b/c.css HTTP/1.1\r\nhost:   [::1]:80 \r\naccept-encoding: br;q=1, gzip\r\nIf-None-Match: \"x\", W/\"y\"\r\n\r\n",
	"GET /large HTTP/1.1\r\nHost: a\r\n\r\n",
	ask + end + end,
	ask + end + "GE",
	ask + end + "\r\n\r",
	ask + end + "\r\n\r\n",
	ask + "Connection: Keep-Alive\r\n" + end,
	ask + "Connection: close\r\n" + end,
	ask + "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n" + end,
	ask + end + ask + end + "HEAD /b/c.css HTTP/1.1\r\nHost: a\r\n\r\n",
	ask + end + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n" + ask + end,
	ask + end + "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + ask + end,
	"GET /a?x=1 HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /%61 HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /b/../a HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET //a HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET http://other/a HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /a HTTP/1.0\r\nHost: a\r\n\r\n",
	"GET /a HTTP/1.0\r\n\r\n",
	"GET /a HTTP/1.1\r\n\r\n",
	"GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
	"GET /a HTTP/1.1\r\nHost: a b\r\n\r\n",
	"GET /a HTTP/1.1\r\nHost: \r\n\r\n",
	"GET /a HTTP/1.1\nHost: a\n\n",
	"GET  /a HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /a  HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /a HTTP/2.0\r\nHost: a\r\n\r\n",
	"get /a HTTP/1.1\r\nHost: a\r\n\r\n",
	"PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
	ask + "Content-Length: 5\r\n" + end + "hello" + ask + end,
	ask + "Content-Length: 0\r\n" + end + ask + end,
	ask + "Content-Length: x\r\n" + end,
	ask + "Transfer-Encoding: chunked\r\n" + end + "0\r\n\r\n" + ask + end,
	ask + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n" + end + "0\r\n\r\n" + ask + end,
	ask + "Transfer_Encoding: chunked\r\n" + end,
	ask + "Content-Length : 5\r\n" + end + "hello",
	ask + " folded: line\r\n" + end,
	ask + "X: a\r\n folded\r\n" + end,
	ask + "X\r\n" + end,
	ask + ": x\r\n" + end,
	ask + "X: a\x00b\r\n" + end,
	ask + "X: a\rb\r\n" + end,
	ask + "X: é\r\n" + end,
	ask + "Accept-Encoding: gzip\r\nAccept-Encoding: br\r\n" + end,
	ask + "Expect: 100-continue\r\n" + end,
	ask + "Expect: nonsense\r\n" + end,
	ask + "X: " + strings.Repeat("y", 2*readSize) + "\r\n" + end,
	"GET /" + strings.Repeat("a", readSize) + " HTTP/1.1\r\nHost: a\r\n\r\n",
	"", "\r\n\r\n", "nonsense\r\n\r\n", "\x16\x03\x01\x02\x00", "GET", "GET /a HTTP/1.1\r\nHost: a\r\n",
}

func TestSameAsNetHTTP(t *testing.T) {
	direct, plain := both(t)
	for _, r := range requests {
		if got, want := say(t, direct, r), say(t, plain, r); got != want {
			t.Errorf("%.200q:\ngot  %.300q\nwant %.300q", r, got, want)
		}
	}
}

// A request that comes in pieces is the same request.
func TestSameInPieces(t *testing.T) {
	direct, plain := both(t)
	whole := ask + end
	for i := 1; i < len(whole); i += 7 {
		parts := []string{whole + whole[:i], whole[i:]}
		if got, want := say(t, direct, parts...), say(t, plain, parts...); got != want {
			t.Errorf("cut at %d: got %q, want %q", i, got, want)
		}
	}
}

func FuzzSameAsNetHTTP(f *testing.F) {
	for _, r := range requests {
		f.Add(r)
	}
	direct, plain := both(f)
	f.Fuzz(func(t *testing.T, r string) {
		if got, want := say(t, direct, r), say(t, plain, r); got != want {
			t.Errorf("%q:\ngot  %q\nwant %q", r, got, want)
		}
	})
}

// Simple requests are answered here, and not by net/http: or all of the above would prove nothing.
func TestSimpleRequestsTakeTheShortWay(t *testing.T) {
	done := make(chan string, 10)
	s := &Server{
		Answer: answer,
		Done: func(r *Request, size int, took time.Duration) {
			if took < 0 {
				t.Errorf("took %v", took)
			}
			done <- r.Path + " " + strconv.Itoa(size)
		},
		HTTP: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("net/http was asked for %s", r.URL) })},
	}
	addr := listen(t, s.Serve, func() { s.Close() })
	say(t, addr, ask+end+"HEAD /b/c.css HTTP/1.1\r\nHost: a\r\nUser-Agent: x (y; z) w/1.0\r\n\r\n")
	for _, want := range []string{"/a 5", "/b/c.css 0"} {
		if got := <-done; got != want {
			t.Errorf("done %s, want %s", got, want)
		}
	}
}

func TestShutdown(t *testing.T) {
	gate, started := make(chan struct{}), make(chan struct{})
	s := &Server{Answer: answer, HTTP: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(started)
		<-gate
		handler(w, r)
	})}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	idle, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	io.WriteString(idle, ask+end)
	if _, err := io.ReadFull(idle, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	slow := make(chan string, 1)
	go func() { slow <- say(t, l.Addr().String(), "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n") }()
	<-started
	stopped := make(chan error, 1)
	go func() { stopped <- s.Shutdown(context.Background()) }()
	if _, err := io.ReadAll(idle); err != nil {
		t.Errorf("the idle connection: %v, want its end", err)
	}
	select {
	case err := <-stopped:
		t.Errorf("Shutdown returned %v while a request was in progress", err)
	default:
	}
	close(gate)
	if got := <-slow; !strings.HasPrefix(got, "HTTP/1.1 404") {
		t.Errorf("the request in progress got %q", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve: %v, want http.ErrServerClosed", err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("a connection after the end was taken")
	}
}

func TestIdleConnectionsEnd(t *testing.T) {
	s := &Server{Answer: answer, HTTP: &http.Server{Handler: http.HandlerFunc(handler), IdleTimeout: 10 * time.Millisecond}}
	addr := listen(t, s.Serve, func() { s.Close() })
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(5 * time.Second))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a connection that asks nothing: %v, want its end", err)
	}
}

func TestFaultOfAnswerLosesOneConnection(t *testing.T) {
	pages["/panic"] = []byte("x")
	defer delete(pages, "/panic")
	direct, _ := both(t)
	if got := say(t, direct, "GET /panic HTTP/1.1\r\nHost: a\r\n\r\n"); got != "" {
		t.Errorf("got %q", got)
	}
	if got := say(t, direct, ask+end); !strings.HasPrefix(got, "HTTP/1.1 200") {
		t.Errorf("after a fault: %q, want an answer", got)
	}
}

func BenchmarkParse(b *testing.B) {
	in := []byte(ask + "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: keep-alive\r\n" + end)
	var r Request
	b.ReportAllocs()
	for b.Loop() {
		if parse(in, &r) != len(in) {
			b.Fatal("not simple")
		}
	}
}
