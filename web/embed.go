package web

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"seedbed/labs"
	"seedbed/web/runs"
	"seedbed/web/text"
	"seedbed/web/view"
)

// embedPage answers with a lab alone, for a frame in somebody else's page.
func embedPage(c echo.Context, s *site) error {
	lang := languageOf(c.Request())
	spec, result, err := s.asked(c, c.Param("id"), c.Request().URL.RawQuery)
	if err != nil {
		return err
	}
	made := any(nil)
	make := func() any {
		body, err := s.embedBody(lang, result, spec, s.base(c.Request()))
		if err != nil {
			return err
		}
		return newDocument(htmlType, revalidate, body, onceEffort)
	}
	if spec.At < 0 && s.server.config.Base != "" {
		made = result.Once(s.key("embed", lang), make)
	} else {
		made = make()
	}
	if err, failed := made.(error); failed {
		return err
	}
	return made.(*document).serve(c.Response(), c.Request(), http.StatusOK)
}

func (s *site) embedBody(lang text.Lang, result *runs.Result, spec labs.Spec, base string) ([]byte, error) {
	title := s.labTitle(lang, spec.Lab)
	shown := s.result(result, spec)
	component, err := s.component(lang, shown, fence{id: "lab", heading: 1, compact: true, base: base})
	if err != nil {
		return nil, err
	}
	return s.render(view.Embed(&view.EmbedPage{
		Lang: lang, Words: s.texts.UI(lang), Title: title, Body: component, Assets: s.assets(),
		Home: base + "/" + string(lang) + "/labs/" + spec.Lab.ID + "?" + spec.Query(),
	}))
}

var hostForm = regexp.MustCompile(`^[A-Za-z0-9.:\[\]-]+$`)

// base is the site's address: as configured, or as the client knows it.
func (s *site) base(r *http.Request) string {
	if s.server.config.Base != "" || !hostForm.MatchString(r.Host) {
		return s.server.config.Base
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// What a frame is by default, CSS px. It sizes itself where the host lets it.
const (
	embedWidth, embedHeight = 720, 620
	embedLeast              = 200
)

// oembed describes a lab's page to a host that shows links as what they lead to (oembed.com, version 1.0, JSON).
func oembed(c echo.Context, s *site) error {
	q := c.Request().URL.Query()
	switch q.Get("format") {
	case "", "json":
	default:
		return &refusal{status: http.StatusNotImplemented, code: "not-implemented", field: "format", key: "format", named: []string{"format", q.Get("format")}}
	}
	if q.Get("url") == "" {
		return &refusal{status: http.StatusBadRequest, code: "missing", field: "url", key: "url-missing", named: []string{"base", s.base(c.Request())}}
	}
	base := s.base(c.Request())
	lang, spec, err := s.target(base, q.Get("url"))
	if err != nil {
		return err
	}
	width, height := fit(q.Get("maxwidth"), embedWidth), fit(q.Get("maxheight"), embedHeight)
	title := s.labTitle(lang, spec.Lab)
	src := base + "/embed/" + string(lang) + "/" + spec.Lab.ID + "?" + spec.Query()
	body, err := json.Marshal(map[string]any{
		"version": "1.0", "type": "rich", "title": title, "provider_name": "Seedbed", "provider_url": base + "/",
		"width": width, "height": height, "cache_age": 86400,
		"html": `<iframe src="` + html.EscapeString(src) + `" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) +
			`" height="` + strconv.Itoa(height) + `" loading="lazy"></iframe>`,
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, jsonType, body)
}

// target is the lab that an address of this site shows.
func (s *site) target(base, address string) (text.Lang, labs.Spec, error) {
	u, err := url.Parse(address)
	if err != nil || base == "" || !strings.HasPrefix(address, base+"/") && !strings.HasPrefix(address, "/") {
		return "", labs.Spec{}, noPage(base, address)
	}
	path := strings.TrimPrefix(u.Path, "/embed")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) == 3 && parts[1] == "labs" {
		parts = []string{parts[0], parts[2]}
	}
	if len(parts) != 2 || !text.Lang(parts[0]).Known() {
		return "", labs.Spec{}, noPage(base, address)
	}
	if s.find(parts[1]) == nil {
		return "", labs.Spec{}, noLab(parts[1])
	}
	l := s.find(parts[1])
	spec := l.Default()
	if u.RawQuery != "" {
		if spec, err = labs.Parse(l.ID+"?"+u.RawQuery, s.find); err != nil {
			return "", spec, err
		}
	}
	return text.Lang(parts[0]), spec, nil
}

// noPage is the answer where an address is not that of a lab here.
func noPage(base, address string) error {
	return &refusal{status: http.StatusNotFound, code: "not-found", field: "url", key: "url", named: []string{"base", base, "url", address}}
}

// fit is a length that is no longer than the host wants.
func fit(most string, wish int) int {
	n, err := strconv.Atoi(most)
	if err != nil || n <= 0 {
		return wish
	}
	return max(min(wish, n), min(n, embedLeast))
}

func urlEscape(s string) string { return url.QueryEscape(s) }
