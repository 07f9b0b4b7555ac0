package web

import (
	"bufio"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What readers look for, which labs they run, and any token in an address are theirs: none of it may reach the log, whatever happens.
func TestLogHasNoTextOfReaders(t *testing.T) {
	s, _, log := newSite(t, func(c *Config) { c.Content = bareContent() })
	const secret = "s3cr3t"
	for _, path := range []string{
		"/en/labs/window-edge?use=" + secret, "/en/labs/window-edge?seed=424242&" + secret + "=1", "/zh/" + secret, "/" + secret + "/x?q=" + secret,
		"/oembed?url=" + secret, "/labs/window-edge.svg?" + secret, "/embed/en/" + secret, "/static/" + secret, "/en/chapters/" + secret, "/api/labs/" + secret,
		"/en/labs/window-edge?seed=424242",
	} {
		get(s, path, "Cookie", "seedbed-session="+secret, "User-Agent", secret, "Referer", "https://example.org/"+secret, "X-Request-Id", secret)
	}
	ask(s, http.MethodPost, "/api/runs", "window-edge?use="+secret)
	ask(s, "S3CR3T", "/en/", "")
	text := log.String()
	if n := strings.Count(text, "msg=request"); n != 13 {
		t.Errorf("%d requests in the log, want 13:\n%s", n, text)
	}
	for _, never := range []string{secret, "S3CR3T", "424242", "192.0.2.1"} {
		if strings.Contains(text, never) {
			t.Errorf("the log holds %q:\n%s", never, text)
		}
	}
	line := regexp.MustCompile(`level=INFO msg=request id=[0-9a-f]{8}-[0-9a-z]+ method=GET route=/en/labs/:id status=400 bytes=\d+ took=`)
	if !line.MatchString(text) {
		t.Errorf("no line of the form %s:\n%s", line, text)
	}
}

func TestEachRequestHasAnIDOfItsOwn(t *testing.T) {
	s := theSite()
	seen := map[string]bool{}
	for range 10 {
		id := get(s, "/healthz", "X-Request-Id", "mine").Header().Get("X-Request-Id")
		if id == "" || id == "mine" || seen[id] {
			t.Errorf("id %q, want one of ours, each time another", id)
		}
		seen[id] = true
	}
}

// The text that Prometheus reads is parsed back: names, labels, one value a line, histograms that add up.
func TestMetrics(t *testing.T) {
	s, c, _ := newSite(t, func(c *Config) { c.Content = bareContent() })
	get(s, "/en/")
	get(s, "/en/")
	get(s, "/nothing/%22%0A")
	ask(s, "MADE-UP", "/en/", "")
	c.now.Add(1)
	values := map[string]float64{}
	lines := bufio.NewScanner(get(s, "/metrics").Body)
	form := regexp.MustCompile(`^([a-z_]+(?:\{(?:[a-z]+="[^"\n]*",?)+\})?) (\S+)$`)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "# ") {
			continue
		}
		m := form.FindStringSubmatch(lines.Text())
		if m == nil {
			t.Fatalf("line %q is not a metric", lines.Text())
		}
		v, err := strconv.ParseFloat(m[2], 64)
		if _, twice := values[m[1]]; err != nil || twice {
			t.Fatalf("line %q: %v, or the second of its name", lines.Text(), err)
		}
		values[m[1]] = v
	}
	for name, want := range map[string]float64{
		`seedbed_http_request_seconds_count{method="GET",route="/en/",status="200"}`:              2,
		`seedbed_http_request_seconds_bucket{method="GET",route="/en/",status="200",le="0.0001"}`: 2, // the clock stands still
		`seedbed_http_request_seconds_bucket{method="GET",route="/en/",status="200",le="+Inf"}`:   2,
		`seedbed_http_request_seconds_sum{method="GET",route="/en/",status="200"}`:                0,
		`seedbed_http_request_seconds_count{method="GET",route="none",status="404"}`:              1,
		`seedbed_http_request_seconds_count{method="other",route="/en/",status="405"}`:            1,
		`seedbed_runs_in_progress`: 0,
	} {
		if got, ok := values[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if started := values[`seedbed_runs_total{outcome="started"}`]; started < 10 {
		t.Errorf("%v runs were started, want those of the pages", started)
	}
	if values["go_goroutines"] < 1 || values["go_memstats_heap_alloc_bytes"] < 1 {
		t.Error("nothing is told of the process")
	}
}
