// Package web is the site: HTTP in, pages, pictures and data out.
//
// # What it serves
//
// Pages in two languages from the content; labs, whose pages, pictures and results it computes by the same code that readers run in
// their browsers; an API for programs; frames and a script for other sites; and the assets that cmd/assets builds. routes.go is the
// list.
//
// # How
//
// The content becomes pages once, at the start: parsed, drawn, compressed, each with its ETag ([site]). Answering with one is a look-up
// and a write. A change of the content (only while developing) makes a whole new site and puts it in place of the old, so that no
// request sees half of one. What depends on a Spec is computed by package runs, within its limits, and kept with the run.
//
// Handlers return errors; [site.failureOf] is the one place that makes statuses of them. Nothing in a page is a reader's own: choices,
// answers and progress stay in the browser, so pages are the same for all and can be cached by anybody.
//
// Every part takes its clock, its files and its log from [Config]. The package starts no process and reads no environment, except while
// developing, where it builds what has changed.
package web

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"seedbed/labs"
	"seedbed/web/runs"
	"seedbed/web/text"
)

// Config is what a site is made of. Content, Static, Labs, Log and Clock must be set.
type Config struct {
	Content  fs.FS       // the folders en and zh, as package content describes them
	Static   fs.FS       // as package static embeds it
	Labs     []*labs.Lab // in the order in which people see them
	Base     string      // "https://notes.example.org": where the site stands, without a slash at its end; "" when unknown
	ReportTo string      // where mistakes are reported, https: or mailto:; "" for none
	Log      *slog.Logger
	Clock    func() int64 // ns, monotonic
	Runs     *runs.Config // nil for runs.Defaults

	// Dev makes the pages reload themselves when Server.Reload is called, and show the problems of their content.
	Dev bool
}

// Server serves one site. It is safe for concurrent use.
type Server struct {
	config  Config
	log     *slog.Logger
	clock   func() int64
	runs    *runs.Runner
	echo    *echo.Echo
	meters  *meters
	ids     ids
	session sessions
	news    news

	site   atomic.Pointer[site]
	closed atomic.Bool // no longer ready: going down
}

// New makes the site: it reads the content and draws every page, which takes about a second. Faults of the content are no error: they
// are Problems, and the pages are as good as the content allows. The error says what cannot be served at all.
func New(c Config) (*Server, error) {
	s := &Server{config: c, log: c.Log, clock: c.Clock}
	s.config.Base = strings.TrimSuffix(c.Base, "/")
	var drawn [28]byte
	rand.Read(drawn[:]) // never fails: it ends the process instead
	// Request ids are for all to see; the others are secret, and so share no byte with them.
	s.ids.prefix = hex.EncodeToString(drawn[:4])
	s.session.key = [16]byte(drawn[4:20])
	limits := runs.Defaults(c.Clock, binary.LittleEndian.Uint64(drawn[20:]))
	if c.Runs != nil {
		limits = *c.Runs
	}
	var err error
	if s.runs, err = runs.New(limits); err != nil {
		return nil, err
	}
	s.meters = newMeters(s.runs)
	s.news.init(s.ids.prefix)
	s.echo = s.routes()
	if err := s.Reload(); err != nil {
		return nil, err
	}
	return s, nil
}

// Reload reads content and assets again and puts a new site in place of the present one, which stays when there is an error.
func (s *Server) Reload() error {
	next, err := s.build()
	if err != nil {
		return err
	}
	s.site.Store(next)
	s.news.publish()
	return nil
}

// Built is true when the program has the styles, scripts and modules that browsers load.
func (s *Server) Built() bool { return s.site.Load().manifest.Build != unbuilt }

// Problems are the faults of the content that were met while its pages were drawn: some of those that package check finds.
func (s *Server) Problems() []*text.Problem { return s.site.Load().problems }

// find is the lab of that id, or nil.
func (s *Server) find(id string) *labs.Lab {
	for _, l := range s.config.Labs {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Limits of a connection. There is no limit on writing an answer: a reader with a slow line may take as long as it does, and streams
// are meant to last.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10 // a Spec of 8 KiB in an address, and room for cookies
	shutdownTimeout   = 10 * time.Second
)

// Serve answers on a listener until ctx is done; then it takes no new requests, lets those in progress end, for ten seconds at most,
// and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	streams, cut := context.WithCancel(context.Background())
	defer cut()
	front := &http.Server{
		Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), levelQuiet),
		BaseContext: func(net.Listener) context.Context { return streams },
	}
	front.RegisterOnShutdown(func() { s.closed.Store(true); s.news.close() })
	ended := make(chan error, 1)
	go func() { ended <- front.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.closed.Store(true)
	patience, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	err := front.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		// What has not ended by now is cut: first what it computes, then its connection.
		cut()
		err = front.Close()
	}
	if serve := <-ended; !errors.Is(serve, http.ErrServerClosed) {
		return errors.Join(err, serve)
	}
	return err
}

// stack is the stack of a panic that is being recovered from.
func stack() []byte { return debug.Stack() }
