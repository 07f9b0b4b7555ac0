package web

import (
	"net/http"
	"strings"
)

// The policies that every page is served with. Nothing comes from elsewhere, nothing is inline: scripts and styles are files of ours,
// and what a script must know stands in attributes and JSON. So pages carry no nonce, keep their ETag, and can be exported as files.
const (
	basePolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; form-action 'self'; base-uri 'none'"
	// pagePolicy lets only our own pages frame a page.
	pagePolicy = basePolicy + "; frame-ancestors 'self'"
	// picturePolicy is for SVG, which is a document of its own when it is opened alone: it has a style and nothing else.
	picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

	permissions = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"
)

// openPath is true for what other sites may load: embeds, what embeds are made of, pictures and data.
func openPath(path string) bool {
	return strings.HasPrefix(path, "/embed") || strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, "/api/") ||
		path == "/oembed" || strings.HasPrefix(path, "/labs/")
}

// Values of header fields, made once: a response takes the slice as it is.
var (
	noSniff      = []string{"nosniff"}
	sameOrigin   = []string{"same-origin"}
	crossOrigin  = []string{"cross-origin"}
	anyOrigin    = []string{"*"}
	requireCORP  = []string{"require-corp"}
	pageCSP      = []string{pagePolicy}
	embedCSP     = []string{basePolicy}
	pictureCSP   = []string{picturePolicy}
	noPermission = []string{permissions}
)

// secure sets the header fields that keep a page apart from others. What others may frame has neither frame-ancestors nor
// X-Frame-Options: "frame-ancestors *" would still refuse a parent from a file or an app.
func secure(h http.Header, path string) {
	h["X-Content-Type-Options"] = noSniff
	h["Referrer-Policy"] = sameOrigin
	h["Permissions-Policy"] = noPermission
	h["Content-Security-Policy"] = policyOf(path)
	if strings.HasSuffix(path, ".svg") {
		h["Content-Security-Policy"] = pictureCSP // an error that is answered instead is a page, and says so
	}
	if !openPath(path) {
		h["Cross-Origin-Opener-Policy"] = sameOrigin
		return
	}
	// A frame that is sandboxed without allow-same-origin has the origin null: it may load what any origin may. And a host that
	// isolates itself (COEP) shows only frames, workers and pictures that allow it and isolate themselves.
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Cross-Origin-Resource-Policy"] = crossOrigin
	h["Cross-Origin-Embedder-Policy"] = requireCORP
}

// policyOf is the policy of a page at a path.
func policyOf(path string) []string {
	if openPath(path) {
		return embedCSP
	}
	return pageCSP
}
