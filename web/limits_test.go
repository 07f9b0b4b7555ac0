package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"seedbed/labs"
)

func limitedSite(t *testing.T, do func()) (*Server, *clock, *buffer) {
	t.Helper()
	c := &clock{}
	s, _, log := newSite(t, func(config *Config) {
		config.Labs, config.Clock, config.Runs = []*labs.Lab{toy(do)}, c.now.Load, tight(c)
		config.Content = bareContent()
	})
	return s, c, log
}

func TestTooManyRunsAre429(t *testing.T) {
	s, c, _ := limitedSite(t, func() {})
	n := 0
	fresh := func() string { n++; return strconv.Itoa(n) }
	for range 2 {
		if got := get(s, "/labs/toy.svg?n="+fresh()); got.Code != http.StatusOK {
			t.Fatalf("within the burst: %d %s", got.Code, got.Body)
		}
	}
	page := get(s, "/zh/labs/toy?n="+fresh())
	api := ask(s, http.MethodPost, "/api/runs", "toy?n="+fresh())
	if page.Code != http.StatusTooManyRequests || !strings.Contains(page.Body.String(), "一下子运行得太多了") {
		t.Errorf("page: %d, want 429 in its language", page.Code)
	}
	if p := problemOf(t, api); p["code"] != "too-many-runs" || !strings.Contains(p["detail"].(string), "in 1 s") {
		t.Errorf("problem %v, want too-many-runs that says for how long", p)
	}
	for _, got := range []*httptest.ResponseRecorder{page, api} {
		for key, want := range map[string]string{
			"Retry-After": "1", "RateLimit-Policy": `"session";q=2;w=2, "address";q=3;w=3`, "RateLimit": `"session";r=0;t=1`, "Cache-Control": "no-store",
		} {
			if got := got.Header().Get(key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
	}
	if got := get(s, "/labs/toy.svg?n=1"); got.Code != http.StatusOK {
		t.Errorf("a run that is kept: %d, want it for free", got.Code)
	}
	c.now.Add(1e9)
	if got := get(s, "/labs/toy.svg?n="+fresh()); got.Code != http.StatusOK {
		t.Errorf("after Retry-After: %d, want 200", got.Code)
	}
}

// Forty readers behind one address: a session of one's own, but never more than the address may have.
func TestSessionsOfOneAddressAreApart(t *testing.T) {
	s, _, _ := limitedSite(t, func() {})
	n := 0
	run := func(cookie string) *httptest.ResponseRecorder {
		n++
		return ask(s, http.MethodPost, "/api/runs", "toy?n="+strconv.Itoa(n), "Sec-Fetch-Site", "same-origin", "Cookie", cookie)
	}
	first := run("")
	cookie, _, _ := strings.Cut(first.Header().Get("Set-Cookie"), ";")
	if !strings.HasPrefix(cookie, "seedbed-session=") || !strings.Contains(first.Header().Get("Set-Cookie"), "HttpOnly; SameSite=Lax") {
		t.Fatalf("Set-Cookie %q, want a session", first.Header().Get("Set-Cookie"))
	}
	run("")
	if got := run("").Code; got != http.StatusTooManyRequests {
		t.Errorf("third run without a session: %d, want 429", got)
	}
	if got := run("seedbed-session=made.up").Code; got != http.StatusTooManyRequests {
		t.Errorf("a session that was made up: %d, want 429", got)
	}
	if got := run(cookie); got.Code != http.StatusOK || got.Header().Get("Set-Cookie") != "" {
		t.Errorf("a session of its own: %d, Set-Cookie %q; want 200 and no other session", got.Code, got.Header().Get("Set-Cookie"))
	}
	if got := run(cookie); got.Code != http.StatusTooManyRequests || !strings.HasPrefix(got.Header().Get("RateLimit"), `"address"`) {
		t.Errorf("fourth run of the address: %d %s, want 429 of the address", got.Code, got.Header().Get("RateLimit"))
	}
}

func TestFullHouseIs503(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		s, _, _ := limitedSite(t, func() { <-gate })
		var wg sync.WaitGroup
		wg.Go(func() {
			if got := get(s, "/labs/toy.svg?n=1"); got.Code != http.StatusOK {
				t.Errorf("the run in progress: %d, want 200", got.Code)
			}
		})
		synctest.Wait()
		got := ask(s, http.MethodPost, "/api/runs", "toy?n=2")
		if p := problemOf(t, got); p["status"] != 503.0 || p["code"] != "full" || got.Header().Get("Retry-After") == "" {
			t.Errorf("%v, Retry-After %q; want 503 full that says when to come back", p, got.Header().Get("Retry-After"))
		}
		close(gate)
		wg.Wait()
	})
}

func TestOnePictureForAllWhoAskAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran atomic.Int32
		gate := make(chan struct{})
		s, _, _ := limitedSite(t, func() { ran.Add(1); <-gate })
		var wg sync.WaitGroup
		bodies := make([]string, 50)
		for i := range bodies {
			wg.Go(func() {
				got := get(s, "/labs/toy.svg?n=1", "Accept-Encoding", "br")
				bodies[i] = strconv.Itoa(got.Code) + got.Body.String()
			})
		}
		synctest.Wait()
		close(gate)
		wg.Wait()
		if ran.Load() != 1 {
			t.Errorf("ran %d times, want once", ran.Load())
		}
		for i, body := range bodies {
			if body != bodies[0] || !strings.HasPrefix(body, "200") {
				t.Fatalf("asker %d got %.20q, want what all got", i, body)
			}
		}
	})
}

func TestRunEndsWhenItsClientGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		s, _, log := limitedSite(t, func() { <-gate })
		ctx, leave := context.WithCancel(t.Context())
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/labs/toy.svg?n=1", nil).WithContext(ctx))
		}()
		synctest.Wait()
		leave()
		<-done
		close(gate)
		synctest.Wait()
		if got := s.runs.Counts(); got.Cancelled != 1 || got.Flights != 0 {
			t.Errorf("%+v, want one run given up", got)
		}
		if !strings.Contains(log.String(), "status=499") {
			t.Errorf("the log does not tell that the client has gone:\n%s", log)
		}
	})
}

func TestNetworks(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "::ffff:192.0.2.7": "192.0.2.7", "": "", "odd": "odd",
	} {
		if got := network(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

// Only a proxy on this machine may say for whom it asks.
func TestAddressOfTheClient(t *testing.T) {
	for _, c := range []struct{ peer, forwarded, want string }{
		{"198.51.100.1:99", "192.0.2.7", "198.51.100.1"},
		{"127.0.0.1:99", "192.0.2.7", "192.0.2.7"},
		{"127.0.0.1:99", "203.0.113.9, 192.0.2.7", "192.0.2.7"},
		{"10.0.0.5:99", "192.0.2.7", "10.0.0.5"},
		{"127.0.0.1:99", "", "127.0.0.1"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := addressOf(r); got != c.want {
			t.Errorf("peer %s, forwarded for %q: got %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}
