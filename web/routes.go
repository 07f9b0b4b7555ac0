package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// routes lists all that the site answers. Every GET answers HEAD.
func (s *Server) routes() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.fail // for errors of echo itself; those of handlers pass through observe
	e.IPExtractor = addressOf
	e.Pre(s.observe)

	get := func(path string, h func(c echo.Context, now *site) error) {
		e.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error { return h(c, s.site.Load()) })
	}

	// Pages.
	get("/", front)
	for _, lang := range []string{"/en", "/zh"} {
		get(lang, redirectTo(lang+"/"))
		get(lang+"/", stored)
		get(lang+"/chapters", redirectTo(lang+"/#chapters"))
		get(lang+"/chapters/", redirectTo(lang+"/#chapters"))
		get(lang+"/chapters/:slug", stored)
		get(lang+"/labs", redirectTo(lang+"/labs/"))
		get(lang+"/labs/", stored)
		get(lang+"/labs/:id", labPage)
		get(lang+"/glossary", redirectTo(lang+"/glossary/"))
		get(lang+"/glossary/", stored)
		get(lang+"/decisions", redirectTo(lang+"/decisions/"))
		get(lang+"/decisions/", stored)
		get(lang+"/decisions/:slug", stored)
		get(lang+"/evidence", redirectTo(lang+"/evidence/"))
		get(lang+"/evidence/", stored)
		get(lang+"/evidence/:slug", stored)
		get(lang+"/guides", redirectTo(lang+"/guides/notes"))
		get(lang+"/guides/", redirectTo(lang+"/guides/notes"))
		get(lang+"/guides/:slug", stored)
		get("/embed"+lang+"/:id", embedPage)
	}

	// For other sites and for programs.
	get("/embed.js", stored)
	get("/oembed", oembed)
	get("/labs/:file", labFile)
	get("/api/labs", apiLabs)
	get("/api/labs/:id", apiLab)
	e.POST("/api/runs", s.apiRun)
	e.OPTIONS("/api/runs", preflight)

	// Assets.
	get("/static/*", stored)
	get("/favicon.svg", stored)
	get("/favicon.ico", redirectTo("/favicon.svg"))
	get("/robots.txt", stored)

	// For machines that watch.
	get("/healthz", func(c echo.Context, _ *site) error { return plainText(c, http.StatusOK, "ok\n") })
	get("/readyz", func(c echo.Context, _ *site) error {
		if s.closed.Load() {
			return plainText(c, http.StatusServiceUnavailable, "going down\n")
		}
		return plainText(c, http.StatusOK, "ready\n")
	})
	get("/metrics", func(c echo.Context, _ *site) error {
		s.meters.page.ServeHTTP(c.Response(), c.Request())
		return nil
	})
	if s.config.Dev {
		e.GET("/dev/wait", s.waitForNews)
	}
	return e
}

// addressOf is who asks: the peer, or, where the peer is a proxy on this machine, the last address that the proxy did not add itself.
// Proxies elsewhere are not trusted, because on a classroom's network any reader could claim to be one.
var addressOf = echo.ExtractIPFromXFFHeader(echo.TrustLoopback(true), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false))

// front sends a reader to the home page of their language.
func front(c echo.Context, _ *site) error {
	h := c.Response().Header()
	h.Set("Vary", "Accept-Language, Cookie")
	h.Set("Cache-Control", "private, no-cache")
	return c.Redirect(http.StatusFound, "/"+string(preferred(c.Request()))+"/")
}

// redirectTo corrects an address for good. Its query goes with it.
func redirectTo(path string) func(echo.Context, *site) error {
	return func(c echo.Context, _ *site) error {
		to := path
		if q := c.Request().URL.RawQuery; q != "" {
			to += "?" + q
		}
		c.Response().Header().Set("Cache-Control", "public, max-age=3600")
		return c.Redirect(http.StatusPermanentRedirect, to)
	}
}

// stored answers with a document that was made when the site was.
func stored(c echo.Context, now *site) error {
	d := now.documents[c.Request().URL.Path]
	if d == nil {
		return errNotFound
	}
	return d.serve(c.Response(), c.Request(), http.StatusOK)
}

func plainText(c echo.Context, status int, body string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(status, "text/plain; charset=utf-8", []byte(body))
}
