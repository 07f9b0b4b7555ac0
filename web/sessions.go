package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"

	"seedbed/web/runs"
)

// sessions tell the browsers behind one address apart, for limits and for nothing else: a classroom shares an address, and one of its
// readers must not use up what the others may. A session is a random name in a cookie that ends with the browser, signed so that a
// client cannot make up new ones; a client that takes none shares its address's with all who take none.
type sessions struct {
	key [16]byte // drawn at start: a restart begins new sessions, and nobody minds
}

const sessionCookie = "seedbed-session"

// client is who asks for a run.
func (s *sessions) client(c echo.Context) runs.Client {
	who := runs.Client{Address: network(c.RealIP())}
	if cookie, err := c.Cookie(sessionCookie); err == nil && s.valid(cookie.Value) {
		who.Session = cookie.Value
	}
	return who
}

// begin gives a client without a session one. Only answers that nobody may cache call it.
func (s *sessions) begin(c echo.Context, secure bool) {
	var name [9]byte
	rand.Read(name[:])
	id := base64.RawURLEncoding.EncodeToString(name[:])
	c.SetCookie(&http.Cookie{
		Name: sessionCookie, Value: id + "." + s.sign(id), Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *sessions) valid(value string) bool {
	id, sign, ok := strings.Cut(value, ".")
	return ok && len(value) < 64 && hmac.Equal([]byte(sign), []byte(s.sign(id)))
}

func (s *sessions) sign(id string) string {
	m := hmac.New(sha256.New, s.key[:])
	m.Write([]byte(id))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:12])
}

// network is the part of an address that one household or room has: an IPv6 host can choose among 2^64 addresses of its own.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap(); a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
