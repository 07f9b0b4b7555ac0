package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"seedbed/web/runs"
)

// levelQuiet is for what is asked for all the time by machines, and what is nobody's fault.
const levelQuiet = slog.LevelDebug

// ids numbers requests: a part drawn at start, so that two servers' logs can be told apart, and a count.
type ids struct {
	prefix string
	n      atomic.Uint64
}

func (i *ids) next() string {
	return i.prefix + "-" + strconv.FormatUint(i.n.Add(1), 36)
}

const idKey = "id"

func requestID(c echo.Context) string {
	id, _ := c.Get(idKey).(string)
	return id
}

func idOf(c echo.Context) slog.Attr { return slog.String("id", requestID(c)) }

// observe gives each request its id, its security header fields, a line in the log and its place in the metrics, and turns a panic
// into an error. The log has the route and never the query, a body, a cookie or an address: what readers search for and which labs
// they run is theirs, and links may hold a token.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.clock()
		r, response := c.Request(), c.Response()
		id := s.ids.next()
		c.Set(idKey, id)
		h := response.Header()
		h["X-Request-Id"] = []string{id}
		secure(h, r.URL.Path)
		if err := guard(next, c); err != nil {
			s.fail(err, c)
		}
		route := c.Path()
		if route == "" {
			route = "none"
		}
		s.record(id, r.Method, route, response.Status, response.Size, time.Duration(s.clock()-start))
		return nil
	}
}

// record notes an answered request in metrics and log.
func (s *Server) record(id, method, route string, status int, size int64, took time.Duration) {
	s.meters.request(route, method, status, took)
	level := slog.LevelInfo
	if quietRoutes[route] {
		level = levelQuiet
	}
	ctx := context.Background()
	if !s.log.Enabled(ctx, level) {
		return
	}
	// The record is made by hand, because LogAttrs looks up the caller each time: a quarter of the cost of the line.
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(
		slog.String("id", id), slog.String("method", methodName(method)), slog.String("route", route), slog.Int("status", status),
		slog.Int64("bytes", size), slog.Duration("took", took))
	s.log.Handler().Handle(ctx, line)
}

// quietRoutes are asked for by machines, over and over.
var quietRoutes = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true, "/dev/wait": true}

// methodName is a method that HTTP knows; others could be anything, also a text of somebody's own.
func methodName(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return m
	}
	return "other"
}

// guard turns a panic of a handler into an error.
func guard(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if v == http.ErrAbortHandler { // net/http's own sign: the connection is to be cut
			panic(v)
		}
		err = &runs.Fault{Spec: "handler of " + c.Path(), Value: v, Stack: stack()}
	}()
	return next(c)
}

// logFault writes a fault of ours, with its stack where there is one. A run that broke a lab is named by its Spec: without it nobody
// could mend the lab.
func (s *Server) logFault(c echo.Context, err error) {
	attrs := []slog.Attr{idOf(c), slog.String("route", c.Path()), slog.String("error", err.Error())}
	var fault *runs.Fault
	if errors.As(err, &fault) {
		attrs = append(attrs, slog.String("stack", string(fault.Stack)))
	}
	s.log.LogAttrs(c.Request().Context(), slog.LevelError, "fault", attrs...)
}
