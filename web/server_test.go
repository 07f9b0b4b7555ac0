package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"seedbed/labs"
	"seedbed/web/runs"
)

// A stop lets the request in progress end, refuses new ones, and says so to whoever balances load.
func TestServeStopsGracefully(t *testing.T) {
	started, gate := make(chan struct{}), make(chan struct{})
	lab := toy(func() { close(started); <-gate })
	s, _, _ := newSite(t, func(c *Config) { c.Labs = []*labs.Lab{lab} })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	url := "http://" + l.Addr().String()
	answer := make(chan int, 1)
	go func() {
		response, err := http.Get(url + "/labs/toy.json?n=1")
		if err != nil {
			answer <- 0
			return
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		answer <- response.StatusCode
	}()
	<-started
	if got := get(s, "/readyz"); got.Code != http.StatusOK {
		t.Errorf("/readyz before the stop: %d, want 200", got.Code)
	}
	stop()
	for !s.closed.Load() { // set at once; the loop only waits for the other goroutine's turn
		time.Sleep(time.Millisecond)
	}
	if got := get(s, "/readyz"); got.Code != http.StatusServiceUnavailable {
		t.Errorf("/readyz after the stop: %d, want 503", got.Code)
	}
	if got := get(s, "/healthz"); got.Code != http.StatusOK {
		t.Errorf("/healthz after the stop: %d, want 200: the process is well", got.Code)
	}
	close(gate)
	if got := <-answer; got != http.StatusOK {
		t.Errorf("the request in progress: %d, want 200", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v, want nil", err)
	}
	if _, err := http.Get(url + "/healthz"); err == nil {
		t.Error("a request after the stop was answered")
	}
}

func TestNewRefusesWhatCannotBeServed(t *testing.T) {
	broken := builtFiles()
	broken["gen/manifest.json"] = &fstest.MapFile{Data: []byte("{")}
	lacking := builtFiles()
	delete(lacking, "gen/lab-1.js")
	for name, change := range map[string]func(*Config){
		"broken manifest":         func(c *Config) { c.Static = broken },
		"asset that is not there": func(c *Config) { c.Static = lacking },
		"limits out of range":     func(c *Config) { c.Runs = &runs.Config{} },
	} {
		config := theSite().config
		change(&config)
		if _, err := New(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Without built assets the pages are there all the same, with the server's pictures.
func TestSiteWithoutAssets(t *testing.T) {
	bare := builtFiles()
	for name := range bare {
		if strings.HasPrefix(name, "gen/") {
			delete(bare, name)
		}
	}
	s, _, _ := newSite(t, func(c *Config) { c.Content, c.Static = bareContent(), bare })
	body := get(s, "/en/labs/window-edge").Body.String()
	for _, want := range []string{`content="unbuilt"`, `<svg `, "lab-note"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(body, "/static/gen/") {
		t.Error("the page asks for assets that are not there")
	}
	if got := get(s, "/embed.js"); got.Code != http.StatusNotFound {
		t.Errorf("/embed.js: %d, want 404", got.Code)
	}
}

// A page that is open while developing learns of a change at once, and of the end of the server.
func TestNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := newSite(t, func(c *Config) { c.Content, c.Dev = bareContent(), true })
		seen := get(s, "/dev/wait?seen=").Body.String()
		next := make(chan string, 1)
		go func() { next <- get(s, "/dev/wait?seen="+seen).Body.String() }()
		synctest.Wait()
		select {
		case got := <-next:
			t.Fatalf("%q before there was news", got)
		default:
		}
		if err := s.Reload(); err != nil {
			t.Fatal(err)
		}
		now := <-next
		if now == seen || now == "" {
			t.Errorf("after a change: %q, want another than %q", now, seen)
		}
		go func() { next <- get(s, "/dev/wait?seen="+now).Body.String() }()
		synctest.Wait()
		s.news.close()
		<-next
	})
}

func TestOnlyASiteThatIsBeingDevelopedHasNews(t *testing.T) {
	if got := get(theSite(), "/dev/wait"); got.Code != http.StatusNotFound {
		t.Errorf("/dev/wait of a site that is not being developed: %d, want 404", got.Code)
	}
	if strings.Contains(get(theSite(), "/en/").Body.String(), "dev-") {
		t.Error("a page of a site that is not being developed loads the script that reloads it")
	}
}

// A change of the content is seen; a site that cannot be made leaves the old one.
func TestReload(t *testing.T) {
	files := notes()
	static := builtFiles()
	s, _, _ := newSite(t, func(c *Config) { c.Content, c.Static = Overlay(files, theSite().config.Content), static })
	old := get(s, "/en/chapters/mine").Header().Get("ETag")
	files["en/chapters/01-mine.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Changed\n---\n\nNew.\n")}
	if err := s.Reload(); err != nil {
		t.Fatal(err)
	}
	got := get(s, "/en/chapters/mine", "If-None-Match", old)
	if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), "<title>Changed") {
		t.Errorf("after a change: %d, want the new page", got.Code)
	}
	delete(static, "theme.js")
	if err := s.Reload(); err == nil {
		t.Error("a site without its files was made")
	}
	if got := get(s, "/en/chapters/mine"); got.Code != http.StatusOK {
		t.Errorf("after a change that failed: %d, want the page as it was", got.Code)
	}
}
