package web

import (
	"bufio"
	"io"
	"math"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"seedbed/web/runs"
)

// meters are what Prometheus reads at /metrics, in its text format 0.0.4. Labels are routes, never paths, so that their number is
// bounded. The format is a few lines of text; a client library for it would be the largest dependency of the server.
type meters struct {
	runs *runs.Runner

	mu     sync.RWMutex
	routes map[routeKey]*routeMeter
}

type routeKey struct {
	route, method string
	status        int
}

// routeMeter counts the answers of one route, method and status, by how long they took.
type routeMeter struct {
	buckets [len(bounds) + 1]atomic.Int64 // each counts what fell into it alone
	nanos   atomic.Int64
}

// bounds are the upper ends of the histogram's buckets.
var bounds = [...]time.Duration{
	100 * time.Microsecond, time.Millisecond, 5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond,
	500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second,
}

func newMeters(r *runs.Runner) *meters {
	return &meters{runs: r, routes: map[routeKey]*routeMeter{}}
}

// request counts one answered request.
func (m *meters) request(route, method string, status int, took time.Duration) {
	key := routeKey{route, methodName(method), status} // any client can make up methods
	m.mu.RLock()
	one := m.routes[key]
	m.mu.RUnlock()
	if one == nil {
		m.mu.Lock()
		if one = m.routes[key]; one == nil {
			one = &routeMeter{}
			m.routes[key] = one
		}
		m.mu.Unlock()
	}
	i := 0
	for i < len(bounds) && took > bounds[i] {
		i++
	}
	one.buckets[i].Add(1)
	one.nanos.Add(int64(took))
}

// write writes all metrics.
func (m *meters) write(out io.Writer) error {
	w := exposition{bufio.NewWriter(out)}
	m.writeRoutes(w)
	c := m.runs.Counts()
	w.head("seedbed_runs_total", "counter", "Runs by what became of them: asked for, answered from memory (kept), joined one in progress, started, refused by a rate limit (limited) or by a full house (full), given up because all who asked had gone (cancelled), ended with an error (failed).")
	for _, one := range []struct {
		name  string
		value int64
	}{
		{"asked", c.Asked}, {"kept", c.Kept}, {"joined", c.Joined}, {"started", c.Started}, {"limited", c.Limited}, {"full", c.Full},
		{"cancelled", c.Cancelled}, {"failed", c.Failed},
	} {
		w.value("seedbed_runs_total", `outcome="`+one.name+`"`, float64(one.value))
	}
	w.head("seedbed_runs_in_progress", "gauge", "Runs that run or wait now.")
	w.value("seedbed_runs_in_progress", "", float64(c.Flights))
	w.head("seedbed_runs_kept_bytes", "gauge", "Memory that finished runs take, about.")
	w.value("seedbed_runs_kept_bytes", "", float64(c.Bytes))
	w.writeProcess()
	return w.Flush()
}

// writeRoutes writes the requests: a histogram a route, method and status. Its _count is the number of requests.
func (m *meters) writeRoutes(w exposition) {
	m.mu.RLock()
	keys := make([]routeKey, 0, len(m.routes))
	for key := range m.routes { // order cannot matter: sorted below
		keys = append(keys, key)
	}
	m.mu.RUnlock()
	slices.SortFunc(keys, func(a, b routeKey) int {
		if c := strings.Compare(a.route+" "+a.method, b.route+" "+b.method); c != 0 {
			return c
		}
		return a.status - b.status
	})
	const name = "seedbed_http_request_seconds"
	w.head(name, "histogram", "Time from a request's headers to the end of its answer.")
	for _, key := range keys {
		m.mu.RLock()
		one := m.routes[key]
		m.mu.RUnlock()
		labels := `route="` + escapeLabel(key.route) + `",method="` + key.method + `",status="` + strconv.Itoa(key.status) + `"`
		total := int64(0)
		for i := range one.buckets {
			total += one.buckets[i].Load()
			le := "+Inf"
			if i < len(bounds) {
				le = formatFloat(bounds[i].Seconds())
			}
			w.value(name+"_bucket", labels+`,le="`+le+`"`, float64(total))
		}
		w.value(name+"_sum", labels, time.Duration(one.nanos.Load()).Seconds())
		w.value(name+"_count", labels, float64(total))
	}
}

// exposition writes Prometheus' text format.
type exposition struct{ *bufio.Writer }

func (w exposition) head(name, kind, help string) {
	w.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
}

func (w exposition) value(name, labels string, v float64) {
	w.WriteString(name)
	if labels != "" {
		w.WriteString("{" + labels + "}")
	}
	w.WriteString(" " + formatFloat(v) + "\n")
}

// processMetrics are what the runtime tells of the process, under the names that dashboards for Go programs look for.
var processMetrics = []struct{ runtime, name, kind, help string }{
	{"/sched/goroutines:goroutines", "go_goroutines", "gauge", "Goroutines that exist."},
	{"/memory/classes/heap/objects:bytes", "go_memstats_heap_alloc_bytes", "gauge", "Bytes of live and not yet swept heap objects."},
	{"/memory/classes/total:bytes", "go_memstats_sys_bytes", "gauge", "Bytes obtained from the system."},
	{"/gc/cycles/total:gc-cycles", "go_gc_cycles_total", "counter", "Garbage collections so far."},
	{"/cpu/classes/user:cpu-seconds", "go_cpu_user_seconds_total", "counter", "Estimated time spent in Go code, without the collector."},
}

func (w exposition) writeProcess() {
	samples := make([]metrics.Sample, len(processMetrics))
	for i := range processMetrics {
		samples[i].Name = processMetrics[i].runtime
	}
	metrics.Read(samples)
	for i, p := range processMetrics {
		w.head(p.name, p.kind, p.help)
		switch v := samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			w.value(p.name, "", float64(v.Uint64()))
		case metrics.KindFloat64:
			w.value(p.name, "", v.Float64())
		}
	}
}

func formatFloat(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "NaN"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func escapeLabel(s string) string { return labelEscaper.Replace(s) }
