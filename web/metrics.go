package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"seedbed/web/runs"
)

// meters are what Prometheus reads at /metrics. Labels are routes, never paths, so that their number is bounded.
type meters struct {
	requests *prometheus.HistogramVec
	page     http.Handler
}

func newMeters(r *runs.Runner) *meters {
	m := &meters{requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "seedbed_http_request_seconds", Help: "Time from a request's headers to the end of its answer.",
		Buckets: []float64{0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10},
	}, []string{"route", "method", "status"})}
	all := prometheus.NewRegistry()
	all.MustRegister(m.requests, runMeters{r}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.page = promhttp.HandlerFor(all, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// request counts one answered request.
func (m *meters) request(route, method string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, methodName(method), strconv.Itoa(status)).Observe(took.Seconds()) // any client can make up methods
}

// runMeters tells of the runs, read when asked for.
type runMeters struct{ runs *runs.Runner }

var (
	runsTotal = prometheus.NewDesc("seedbed_runs_total",
		"Runs by what became of them: asked for, answered from memory (kept), joined one in progress, started, refused by a rate limit (limited) or by a full house (full), given up because all who asked had gone (cancelled), ended with an error (failed).",
		[]string{"outcome"}, nil)
	runsInProgress = prometheus.NewDesc("seedbed_runs_in_progress", "Runs that run or wait now.", nil, nil)
	runsKept       = prometheus.NewDesc("seedbed_runs_kept_bytes", "Memory that finished runs take, about.", nil, nil)
)

// Describe names the metrics.
func (m runMeters) Describe(to chan<- *prometheus.Desc) {
	to <- runsTotal
	to <- runsInProgress
	to <- runsKept
}

// Collect reads them.
func (m runMeters) Collect(to chan<- prometheus.Metric) {
	c := m.runs.Counts()
	for _, one := range []struct {
		outcome string
		n       int64
	}{
		{"asked", c.Asked}, {"kept", c.Kept}, {"joined", c.Joined}, {"started", c.Started}, {"limited", c.Limited}, {"full", c.Full},
		{"cancelled", c.Cancelled}, {"failed", c.Failed},
	} {
		to <- prometheus.MustNewConstMetric(runsTotal, prometheus.CounterValue, float64(one.n), one.outcome)
	}
	to <- prometheus.MustNewConstMetric(runsInProgress, prometheus.GaugeValue, float64(c.Flights))
	to <- prometheus.MustNewConstMetric(runsKept, prometheus.GaugeValue, float64(c.Bytes))
}
