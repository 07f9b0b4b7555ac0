package web

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every document of the site is answered alike on the short way and by net/http, in every encoding, by GET and HEAD, and to a client
// that has it already.
func TestQuickAnswersAreTheSame(t *testing.T) {
	s, _, log := newSite(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := bufio.NewReader(c)
	asked := 0
	for path, d := range s.site.Load().documents {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, accept := range []string{"", "gzip", "br, gzip", "br;q=0"} {
				for _, tag := range []string{"", d.forms[identity].etag, d.choose([]string{accept}).etag} {
					fields := []string{}
					raw := method + " " + path + " HTTP/1.1\r\nHost: example.com\r\n"
					if accept != "" {
						fields, raw = append(fields, "Accept-Encoding", accept), raw+"Accept-Encoding: "+accept+"\r\n"
					}
					if tag != "" {
						fields, raw = append(fields, "If-None-Match", tag), raw+"If-None-Match: "+tag+"\r\n"
					}
					if _, err := io.WriteString(c, raw+"\r\n"); err != nil {
						t.Fatal(err)
					}
					asked++
					compare(t, raw, r, ask(s, method, path, "", fields...).Result())
				}
			}
		}
	}
	if n := strings.Count(log.String(), "msg=request"); n != 2*asked {
		t.Errorf("%d requests in the log, want %d: both ways note all", n, 2*asked)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// compare reads an answer and holds it against the one of the other way.
func compare(t *testing.T, raw string, r *bufio.Reader, want *http.Response) {
	t.Helper()
	method, _, _ := strings.Cut(raw, " ")
	got, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	wantBody, _ := io.ReadAll(want.Body)
	if got.StatusCode != want.StatusCode || string(body) != string(wantBody) {
		t.Errorf("%q: %d, %d bytes; want %d, %d bytes", raw, got.StatusCode, len(body), want.StatusCode, len(wantBody))
	}
	if got.Header.Get("Date") == "" || got.Header.Get("X-Request-Id") == "" {
		t.Errorf("%q: Date %q, X-Request-Id %q; want both", raw, got.Header.Get("Date"), got.Header.Get("X-Request-Id"))
	}
	for _, h := range []http.Header{got.Header, want.Header} {
		h.Del("Date")
		h.Del("X-Request-Id")
	}
	if diff := cmp.Diff(got.Header, want.Header); diff != "" {
		t.Errorf("%q: got − want +\n%s", raw, diff)
	}
}
