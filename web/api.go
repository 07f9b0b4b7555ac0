package web

import (
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"seedbed/labs"
	"seedbed/web/report"
)

const jsonType = "application/json"

// apiLabs lists the labs.
func apiLabs(c echo.Context, s *site) error {
	d := newDocument(jsonType, revalidate, append(report.Labs(s.texts, s.server.config.Labs), '\n'), onceEffort)
	return d.serve(c.Response(), c.Request(), http.StatusOK)
}

// apiLab describes one lab.
func apiLab(c echo.Context, s *site) error {
	l := s.find(c.Param("id"))
	if l == nil {
		return errNotFound
	}
	d := newDocument(jsonType, revalidate, append(report.Lab(s.texts, l), '\n'), onceEffort)
	return d.serve(c.Response(), c.Request(), http.StatusOK)
}

// maxSpecBody is a Spec's text and a little white space around it.
const maxSpecBody = labs.MaxSpecText + 64

// apiRun runs the Spec whose text is the request's body and answers with its digest, metrics and checks. The body is plain text, so
// that a page of any origin may ask without a preflight.
func (s *Server) apiRun(c echo.Context) error {
	now := s.site.Load()
	r := c.Request()
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxSpecBody))
	if err != nil {
		return err
	}
	spec, err := labs.Parse(strings.TrimSpace(string(body)), s.find)
	if err != nil {
		return err
	}
	who := s.session.client(c)
	result, err := s.runs.Do(r.Context(), who, spec)
	if who.Session == "" && r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		// Only a page of ours sends cookies back; giving one to a script would do nothing.
		s.session.begin(c, strings.HasPrefix(s.config.Base, "https:"))
	}
	if err != nil {
		return err
	}
	lang := preferred(r)
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Language, Cookie")
	run := report.Run{Spec: &result.Spec, Trace: result.Trace, Layout: result.Layout, Words: now.labWords(lang, spec.Lab)}
	return c.Blob(http.StatusOK, jsonType, append(run.Summary(), '\n'))
}

// preflight answers a browser that asks beforehand, for a client that sends JSON's type or fields of its own.
func preflight(c echo.Context) error {
	h := c.Response().Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type")
	h.Set("Access-Control-Max-Age", "86400")
	return c.NoContent(http.StatusNoContent)
}
