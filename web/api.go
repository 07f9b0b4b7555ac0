package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
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
		return noLab(c.Param("id"))
	}
	d := newDocument(jsonType, revalidate, append(report.Lab(s.texts, l), '\n'), onceEffort)
	return d.serve(c.Response(), c.Request(), http.StatusOK)
}

// maxSpecBody is a Spec's text and a little around it: white space, or the JSON of an object with one member.
const maxSpecBody = labs.MaxSpecText + 64

// readBody reads a request's body of so many bytes at most. Whatever keeps it from being read is the client's or the network's: one that
// does not come in time is 408, one that breaks off 400.
func readBody(c echo.Context, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, most))
	var large *http.MaxBytesError
	switch {
	case err == nil, errors.As(err, &large), errors.Is(err, context.Canceled):
		return body, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Response().Header().Set("Connection", "close") // what still comes of the body is no request
		return nil, &refusal{status: http.StatusRequestTimeout, code: "late-body", key: "late"}
	}
	return nil, &refusal{status: http.StatusBadRequest, code: "cut-body", key: "cut"}
}

// specText is the text of a Spec in a request's body: the body as it is, or the member spec of a JSON object. A Spec never begins with a
// brace, so an object is known as one whatever the client calls it.
func specText(contentType string, body []byte) (string, error) {
	kind, _, _ := mime.ParseMediaType(contentType) // one that cannot be read is as good as none
	text := strings.TrimSpace(string(body))
	switch {
	case strings.HasPrefix(text, "{"), kind == jsonType:
		var object struct{ Spec *string }
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		err := d.Decode(&object)
		if _, end := d.Token(); err != nil || object.Spec == nil || end != io.EOF { // More would take a stray ] for the end
			return "", &refusal{status: http.StatusBadRequest, code: "bad-json", field: "spec", key: "json"}
		}
		return strings.TrimSpace(*object.Spec), nil
	case kind == "", strings.HasPrefix(kind, "text/"), kind == "application/x-www-form-urlencoded", kind == "application/octet-stream":
		return text, nil // what curl and browsers say of a text by themselves
	}
	return "", &refusal{status: http.StatusUnsupportedMediaType, code: "unsupported-media-type", key: "type", named: []string{"type", kind}}
}

// apiRun runs the Spec whose text is the request's body and answers with its digest, metrics and checks. The body may be plain text, so
// that a page of any origin can ask without a preflight, or JSON.
func (s *Server) apiRun(c echo.Context) error {
	now := s.site.Load()
	r := c.Request()
	body, err := readBody(c, maxSpecBody)
	if err != nil {
		return err
	}
	text, err := specText(r.Header.Get("Content-Type"), body)
	if err != nil {
		return err
	}
	spec, err := labs.Parse(text, s.find)
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
