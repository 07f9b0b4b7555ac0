package web

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/labstack/echo/v4"
)

// news tells pages that are open while developing that the site has changed.
type news struct {
	mu      sync.Mutex
	prefix  string // another one after each start
	version int
	changed chan struct{} // closed when version moves on
	over    bool
}

func (n *news) init(prefix string) { n.prefix, n.changed = prefix, make(chan struct{}) }

func (n *news) publish() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.version++
	if !n.over {
		close(n.changed)
		n.changed = make(chan struct{})
	}
}

// close lets all who wait go, for good.
func (n *news) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.over {
		n.over = true
		close(n.changed)
	}
}

// now is the present version, and what is closed when it has passed.
func (n *news) now() (string, <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.prefix + "." + strconv.Itoa(n.version), n.changed
}

// waitForNews answers with the site's version as soon as it is not the one that the page has seen.
func (s *Server) waitForNews(c echo.Context) error {
	version, changed := s.news.now()
	if c.QueryParam("seen") == version {
		select {
		case <-changed:
			version, _ = s.news.now()
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		}
	}
	return plainText(c, http.StatusOK, version)
}
