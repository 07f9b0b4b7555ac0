package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"seedbed/chapters/limiter"
	"seedbed/labs"
	"seedbed/labs/limits"
)

// rateConf limits everybody together. RATE and BURST are as nginx has them.
const rateConf = `limit_req_zone $server_port zone=all:1m rate=RATE;
server {
    listen LISTEN;
    root .;
    location / { limit_req zone=allBURST; }
}`

// stream is requests at instants, and the limit that they meet.
type stream struct {
	name  string
	rate  limiter.Rate
	nginx string // the same rate as nginx has it
	burst int64
	delay bool // nginx's way without nodelay: hold back instead of letting through
	at    func() []time.Duration
}

// together is n requests at one instant, then more of them evenly spaced, of which rate come in a second, for a time.
func together(n int, rate float64, length time.Duration) func() []time.Duration {
	return func() []time.Duration {
		at := make([]time.Duration, n)
		for k := 1; ; k++ {
			t := time.Duration(float64(k) / rate * float64(time.Second))
			if t > length {
				return at
			}
			at = append(at, t)
		}
	}
}

// independent is requests at random, rate in a second on average, the same in each run.
func independent(rate float64, length time.Duration) func() []time.Duration {
	return func() []time.Duration {
		r := rand.New(rand.NewPCG(7, 3))
		var at []time.Duration
		for t := 0.0; ; {
			t += r.ExpFloat64() / rate
			if t > length.Seconds() {
				return at
			}
			at = append(at, time.Duration(t*float64(time.Second)))
		}
	}
}

var fifty = limiter.PerSecond(50)

// The streams of the page limit-req. The first two are what the lab token-bucket sends by default and with burst-of-one.
var streams = []stream{
	{"flood", fifty, "50r/s", 99, false, together(150, 200, 4*time.Second)},
	{"one", fifty, "50r/s", 0, false, together(20, 60, 4*time.Second)},
	{"random", fifty, "50r/s", 5, false, independent(80, 5*time.Second)},
	{"queue", fifty, "50r/s", 10, true, independent(80, 5*time.Second)},
	{"minutes", limiter.Rate{N: 1000, Per: 60_000_000_000}, "1000r/m", 0, false, together(1, 1000.0/60, 9*time.Second)},
}

// askRate holds limit_req against the leaky buckets of package limiter, at nginx's own instants.
func askRate(ctx context.Context, p *paper) error {
	p.raw("conf", "%s", rateConf)
	for _, s := range streams {
		log, refusals, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		verdicts, err := verdictsOf(log)
		if err == nil && len(verdicts) == 0 {
			err = errors.New("nginx's log has no decision of limit_req; want an nginx that was built with --with-debug")
		}
		if err == nil {
			err = s.judge(p, verdicts, refusals)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if s.name == "random" {
			p.raw("log", "%s", strings.Join(clockLines(log, 12), "\n"))
		}
	}
	for _, l := range []struct{ stream, preset string }{{"flood", "default"}, {"one", "burst-of-one"}} {
		preset, _ := limits.TokenBucket.Preset(l.preset)
		spec, err := labs.ParseQuery(limits.TokenBucket, preset.Query)
		if err != nil {
			return err
		}
		trace, err := labs.Run(spec, labs.Options{})
		if err != nil {
			return err
		}
		for _, metric := range []string{"at-once", "sustained"} {
			i := limits.TokenBucket.Metric(metric)
			p.fact(l.stream+".lab."+metric, limits.TokenBucket.Metrics[i].Unit.Format(trace.Metrics[i]))
		}
	}
	return nil
}

// run sends the stream to nginx, and returns nginx's log and how many of the clients were refused.
func (s *stream) run(ctx context.Context) (string, int, error) {
	st, err := newStand()
	if err != nil {
		return "", 0, err
	}
	defer st.close()
	burst := ""
	if s.burst > 0 {
		burst = fmt.Sprintf(" burst=%d", s.burst)
		if !s.delay {
			burst += " nodelay"
		}
	}
	if _, err := st.file("x", "here\n"); err != nil {
		return "", 0, err
	}
	addr, err := st.nginx(ctx, 1, "debug", strings.NewReplacer("RATE", s.nginx, "BURST", burst).Replace(rateConf))
	if err != nil {
		return "", 0, err
	}
	refusals, err := s.send(ctx, addr)
	if err != nil {
		return "", 0, err
	}
	st.halt() // so that the log is whole
	log, err := os.ReadFile(filepath.Join(st.dir, "error.log"))
	return string(log), refusals, err
}

// send asks at the stream's instants, each request on a connection of its own, and counts the refusals.
func (s *stream) send(ctx context.Context, addr string) (int, error) {
	at := s.at()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	refusals, first := 0, error(nil)
	begin := time.Now()
	for _, t := range at {
		time.Sleep(time.Until(begin.Add(t)))
		wg.Go(func() {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/x", nil)
			if err != nil {
				panic(err) // the address is good
			}
			res, err := client.Do(r)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				first = err
			case res.StatusCode == http.StatusServiceUnavailable:
				refusals++
			case res.StatusCode != http.StatusOK:
				first = fmt.Errorf("nginx answers %d", res.StatusCode)
			}
			if res != nil {
				_ = res.Body.Close()
			}
		})
	}
	wg.Wait()
	return refusals, first
}
