package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"seedbed/labs"
	"seedbed/web/runs"
	"seedbed/web/text"
	"seedbed/web/view"
)

// errNotFound is the answer where there is nothing.
var errNotFound = echo.NewHTTPError(http.StatusNotFound)

// refusal is an error that a handler has words for: what of the request is not taken, and what would be.
type refusal struct {
	status int
	code   string
	field  string   // the parameter, where it is one's
	key    string   // of the sentence, below "error.refused."
	named  []string // its values
}

func (r *refusal) Error() string { return "web: " + r.code }

// noLab is the answer where a lab's id is none.
func noLab(id string) error {
	return &labs.Error{Code: "unknown-lab", Field: "lab", Got: id}
}

// statusGone is what a request ends with whose client has gone: nobody reads it but the log.
const statusGone = 499

// failure is an error as HTTP tells it.
type failure struct {
	status int
	code   string // for programs: the lab's error code, or what kind of refusal it is
	field  string // the parameter, where it is one's
	detail string // one sentence in the reader's language; empty where the status says it all
	wait   int64  // seconds for Retry-After; 0 for none
	ours   bool   // a fault of ours, which the log must have
}

// failureOf is the one place where errors become statuses.
func (s *site) failureOf(lang text.Lang, err error) failure {
	var (
		wrong   *labs.Error
		bound   *labs.Bound
		limited *runs.Limited
		httpErr *echo.HTTPError
		large   *http.MaxBytesError
		refused *refusal
	)
	words := s.texts.UI(lang)
	switch {
	case errors.As(err, &wrong):
		f := failure{status: http.StatusBadRequest, code: wrong.Code, field: wrong.Field, detail: s.texts.Error(lang, err)}
		switch { // a lab is said here without the command that lists them
		case wrong.Code != "unknown-lab":
		case wrong.Got == "":
			f.detail = words.Get("error.refused.no-lab")
		default:
			f.status, f.detail = http.StatusNotFound, words.Get("error.refused.lab", "id", wrong.Got)
		}
		return f
	case errors.As(err, &refused):
		return failure{status: refused.status, code: refused.code, field: refused.field, detail: words.Get("error.refused."+refused.key, refused.named...)}
	case errors.As(err, &bound):
		return failure{status: http.StatusUnprocessableEntity, code: "bound-" + bound.Code, detail: s.texts.Error(lang, err)}
	case errors.Is(err, runs.ErrTime):
		seconds := strconv.FormatInt(runs.Seconds(s.server.runs.Time()), 10)
		return failure{status: http.StatusUnprocessableEntity, code: "bound-time", detail: words.Get("error.time", "seconds", seconds)}
	case errors.As(err, &limited):
		wait := limited.RetryAfter()
		return failure{status: http.StatusTooManyRequests, code: "too-many-runs", wait: wait, detail: words.Get("error.limited", "seconds", strconv.FormatInt(wait, 10))}
	case errors.Is(err, runs.ErrFull):
		return failure{status: http.StatusServiceUnavailable, code: "full", wait: fullWait, detail: words.Get("error.full", "seconds", strconv.Itoa(fullWait))}
	case errors.Is(err, context.Canceled):
		return failure{status: statusGone, code: "gone"}
	case errors.As(err, &large):
		return failure{status: http.StatusRequestEntityTooLarge, code: "too-large", detail: words.Get("error.too-large", "bytes", strconv.FormatInt(large.Limit, 10))}
	case errors.As(err, &httpErr):
		return failure{status: httpErr.Code, code: strings.ReplaceAll(strings.ToLower(http.StatusText(httpErr.Code)), " ", "-")}
	}
	return failure{status: http.StatusInternalServerError, code: "fault", ours: true}
}

// fullWait is after how many seconds a full house is worth another try: most runs take well under one.
const fullWait = 2

// fail answers a request with an error: problem details where programs ask, a page where people do.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return // too late to say anything; the log has it
	}
	now := s.site.Load()
	r := c.Request()
	lang := languageOf(r)
	f := now.failureOf(lang, err)
	if f.ours {
		s.logFault(c, err)
	}
	h := c.Response().Header()
	h.Del("ETag")
	h.Set("Cache-Control", "no-store")
	if f.wait > 0 {
		h.Set("Retry-After", strconv.FormatInt(f.wait, 10))
	}
	var limited *runs.Limited
	if errors.As(err, &limited) {
		policy, limit := limited.Fields()
		h.Set("RateLimit-Policy", policy)
		h.Set("RateLimit", limit)
	}
	var write error
	if wantsProblem(r.URL.Path) {
		write = now.problem(c, lang, f)
	} else {
		write = now.errorPage(c, lang, f)
	}
	if write != nil {
		s.log.LogAttrs(r.Context(), levelQuiet, "error page not sent", idOf(c))
	}
}

// wantsProblem is true where programs ask.
func wantsProblem(path string) bool {
	return strings.HasPrefix(path, "/api/") || strings.HasSuffix(path, ".json") || path == "/oembed"
}

// problem writes problem details (RFC 9457). The type is about:blank, so the title is the status's; code says more exactly what
// happened, and field names the parameter. There is always a detail: a status alone does not say what would be right.
func (s *site) problem(c echo.Context, lang text.Lang, f failure) error {
	if f.detail == "" {
		words := s.texts.UI(lang)
		switch f.status {
		case http.StatusNotFound:
			f.detail = words.Get("error.refused.path", "path", c.Request().URL.Path)
		case http.StatusMethodNotAllowed:
			f.detail = words.Get("error.refused.method", "method", c.Request().Method, "allow", c.Response().Header().Get("Allow"))
		default:
			f.detail = words.Get("error.other.hint")
		}
	}
	body, err := json.Marshal(struct {
		Type      string `json:"type"`
		Title     string `json:"title"`
		Status    int    `json:"status"`
		Detail    string `json:"detail,omitempty"`
		Code      string `json:"code"`
		Field     string `json:"field,omitempty"`
		RequestID string `json:"request,omitempty"`
	}{"about:blank", statusTitle(f.status), f.status, f.detail, f.code, f.field, requestID(c)})
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(lang))
	h.Set("Vary", "Accept-Language, Cookie")
	return c.Blob(f.status, "application/problem+json", body)
}

func statusTitle(status int) string {
	if status == statusGone {
		return "Client Closed Request"
	}
	return http.StatusText(status)
}

// errorPage writes a page that says what is wrong and what can be done.
func (s *site) errorPage(c echo.Context, lang text.Lang, f failure) error {
	words := s.texts.UI(lang)
	kind := "other"
	switch f.status {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusUnprocessableEntity, http.StatusMethodNotAllowed:
		kind = strconv.Itoa(f.status)
	}
	p := &view.ErrorPage{Status: f.status, Heading: words.Get("error." + kind + ".heading"), Detail: f.detail, Hint: words.Get("error." + kind + ".hint")}
	if f.ours {
		p.ID = requestID(c)
	}
	prefix := "/" + string(lang)
	if lab := s.server.find(c.Param("id")); lab != nil {
		p.Links = append(p.Links, view.Link{Href: prefix + "/labs/" + lab.ID, Text: words.Get("error.to-lab", "title", s.labTitle(lang, lab))})
	}
	p.Links = append(p.Links, view.Link{Href: prefix + "/labs/", Text: words.Get("site.labs")}, view.Link{Href: prefix + "/", Text: words.Get("error.to-home")})
	frame := s.frame(lang, p.Heading, "")
	frame.NoIndex = true
	body, err := s.render(view.Page(frame, view.Error(frame, p)))
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h["Content-Security-Policy"] = policyOf(c.Request().URL.Path) // where a picture was asked for, too
	h.Set("Vary", "Accept-Language, Cookie")
	return c.Blob(f.status, htmlType, body)
}
