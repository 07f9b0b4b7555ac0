package input_test

import (
	"strings"
	"testing"

	"seedbed/labs/input"
)

func TestJSONLines(t *testing.T) {
	const ns = october + 250_000_000
	for _, c := range []struct {
		shape, line  string
		want         input.Verdict
		start        int64
		client, path string
	}{
		{"Caddy", `{"level":"info","ts":971211336.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.1","remote_port":"4212","client_ip":"198.51.100.3","proto":"HTTP/2.0","method":"GET","host":"example.org","uri":"/a?b=c","headers":{"User-Agent":["curl/8.5.0"],"Uri":["/no"]}},"bytes_read":0,"duration":0.0004,"status":200}`,
			input.Request, ns, "198.51.100.3", "/a"},
		{"Caddy with RFC 3339", `{"level":"info","ts":"2000-10-10T20:55:36.250Z","msg":"handled request","request":{"remote_ip":"2001:db8::4","uri":"/"},"status":200}`, input.Request, ns, "2001:db8::4", "/"},
		{"Caddy with wall time", `{"level":"info","ts":"2000/10/10 20:55:36.250","msg":"handled request","request":{"remote_ip":"192.0.2.1","uri":"/"},"status":200}`, input.Request, ns, "192.0.2.1", "/"},
		{"Caddy starting", `{"level":"info","ts":971211336.25,"logger":"admin","msg":"admin endpoint started","address":"localhost:2019"}`, input.NoRequest, 0, "", ""},
		{"Caddy telling an error again", `{"level":"error","ts":971211336.25,"logger":"http.log.error","msg":"dial tcp: refused","request":{"remote_ip":"192.0.2.1","uri":"/"},"status":502}`, input.NoRequest, 0, "", ""},
		{"Traefik", `{"ClientAddr":"192.0.2.8:53410","ClientHost":"192.0.2.8","Duration":1520000,"RequestMethod":"GET","RequestPath":"/x?y","StartLocal":"2000-10-10T13:55:36.25-07:00","StartUTC":"2000-10-10T20:55:36.25Z","level":"info","msg":"","time":"2000-10-10T20:55:37Z"}`, input.Request, ns, "192.0.2.8", "/x"},
		{"Traefik without StartUTC", `{"ClientAddr":"192.0.2.8:53410","RequestPath":"/x","level":"info","msg":"","time":"2000-10-10T20:55:36Z"}`, input.Request, october, "192.0.2.8", "/x"},
		{"nginx, the finer time", `{"time_iso8601":"2000-10-10T20:55:36+00:00","msec":"971211336.250","remote_addr":"192.0.2.2","request":"GET /n?x HTTP/1.1","status":"200"}`, input.Request, ns, "192.0.2.2", "/n"},
		{"nginx, msec as a number", `{"msec":971211336.250,"remote_addr":"192.0.2.2","request_uri":"/n"}`, input.Request, ns, "192.0.2.2", "/n"},
		{"nginx, time_local", `{"time_local":"10\/Oct\/2000:13:55:36 -0700","remote_addr":"192.0.2.2","uri":"/n"}`, input.Request, october, "192.0.2.2", "/n"},
		{"nginx, TLS on a plain port", `{"msec":"971211336.250","remote_addr":"192.0.2.2","request":"\u0016\u0003\u0001","status":"400"}`, input.NotHTTP, 0, "", ""},
		{"nginx, no request", `{"msec":"971211336.250","remote_addr":"192.0.2.2","request":"","status":"400"}`, input.NoRequest, 0, "", ""},
		{"nginx, HTTP/2 preface", `{"msec":"971211336.250","request":"PRI * HTTP/2.0","status":"400"}`, input.Preface, 0, "", ""},
		{"Elastic names", `{"@timestamp":"2000-10-10T20:55:36.250Z","source.ip":"192.0.2.1","url.path":"/e","message":"GET /e","http":{"version":"1.1"}}`, input.Request, ns, "192.0.2.1", "/e"},
		{"outside before inside", `{"ts":971211336.25,"request":{"client_ip":"192.0.2.6","uri":"/in"},"remote_addr":"192.0.2.5","request_uri":"/out"}`, input.Request, ns, "192.0.2.5", "/out"},
		{"a key next to a known one", "{\"`timestamp\":971211336.25}", input.NoTime, 0, "", ""},
		{"only a time", `{"timestamp":971211336250}`, input.Request, ns, "", ""},
		{"milliseconds by name", `{"t_ms":1250}`, input.Request, 1_250_000_000, "", ""},
		{"small seconds", `{"t":1.25}`, input.Request, 1_250_000_000, "", ""},
		{"exponent", `{"ts":9.7121133625e8}`, input.Request, ns, "", ""},
		{"spaces and nesting", ` { "a" : [ { "ts" : 1 } , [ ] , null ] , "ts" : 971211336.25 , "b" : { "ts" : 2 } } `, input.Request, ns, "", ""},
		{"escapes in the path", `{"ts":971211336.25,"uri":"/\u00e9\ud83d\ude00\t\"","client_ip":"192.0.2.1"}`, input.Request, ns, "192.0.2.1", "/é😀\t\""},
		{"half a surrogate pair", `{"ts":971211336.25,"uri":"/\ud83dx"}`, input.Request, ns, "", "/\ufffdx"},
		{"a better time that is broken", `{"msec":"-","time":"2000-10-10T20:55:36Z"}`, input.Request, october, "", ""},

		{"bad time", `{"time":"yesterday"}`, input.BadTime, 0, "", ""},
		{"bad day", `{"time":"2000-02-30T00:00:00Z"}`, input.BadTime, 0, "", ""},
		{"before 1970", `{"time":-1}`, input.OutOfEra, 0, "", ""},
		{"time is null", `{"time":null,"uri":"/"}`, input.NoTime, 0, "", ""},
		{"no time", `{"uri":"/"}`, input.NoTime, 0, "", ""},
		{"cut off", `{"ts":971211336.25,"uri":"/a`, input.NotJSON, 0, "", ""},
		{"two objects", `{"ts":1} {"ts":2}`, input.NotJSON, 0, "", ""},
		{"an array", `[{"ts":1}]`, input.NotJSON, 0, "", ""},
		{"trailing comma", `{"ts":1,}`, input.NotJSON, 0, "", ""},
		{"leading zero", `{"ts":01}`, input.NotJSON, 0, "", ""},
		{"bare word", `{"ts":now}`, input.NotJSON, 0, "", ""},
		{"bad escape", `{"ts":1,"a":"\x16"}`, input.NotJSON, 0, "", ""},
		{"prose", `listening on port 80`, input.NotJSON, 0, "", ""},
	} {
		t.Run(c.shape, func(t *testing.T) {
			v, start, client := one(t, input.Options{Format: input.JSON}, c.line)
			if v != c.want || start != c.start || client != c.client {
				t.Errorf("%q at %d by %q, want %q at %d by %q", v, start, client, c.want, c.start, c.client)
			}
			if _, _, path := one(t, input.Options{Format: input.JSON, Key: input.ByPath}, c.line); path != c.path {
				t.Errorf("path %q, want %q", path, c.path)
			}
		})
	}
}

// table reads a whole text and returns its arrivals, which must be there.
func table(t *testing.T, opts input.Options, text string) (input.Arrivals, input.Report) {
	t.Helper()
	r := input.NewReader(opts)
	if _, err := r.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	a, report, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Requests() + report.Comments() + report.Rejected(); got != report.Lines {
		t.Fatalf("counts add up to %d, not to %d lines", got, report.Lines)
	}
	return a, report
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		shape, text string
		opts        input.Options
		at          []int64
		names       []string
		comments    int
		rejected    int
	}{
		{"header, RFC 3339", "time,client_ip,path\n2000-10-10T20:55:36Z,192.0.2.1,/a\n2000-10-10T20:55:37.5+00:00,192.0.2.2,/b\n", input.Options{}, []int64{0, 1_500_000_000}, []string{"192.0.2.1", "192.0.2.2"}, 1, 0},
		{"date and time with a space, zone given", "id;Timestamp;ip\n1;2000-10-10 13:55:36;192.0.2.1\n2;2000-10-10T20:55:36Z;192.0.2.1\n", input.Options{ZoneOffset: -7 * 3600}, []int64{0, 0}, []string{"192.0.2.1"}, 1, 0},
		{"seconds", "ts\tuser\n971211336\ta\n971211337.25\tb\n", input.Options{}, []int64{0, 1_250_000_000}, []string{"a", "b"}, 1, 0},
		{"milliseconds", "a,ts\nx,971211336000\ny,971211336007\n", input.Options{}, []int64{0, 7_000_000}, nil, 1, 0},
		{"microseconds", "a,ts\nx,971211336000000\ny,971211336000007\n", input.Options{}, []int64{0, 7_000}, nil, 1, 0},
		{"nanoseconds", "a,ts\nx,1700000000123456789\ny,1700000000123456796\n", input.Options{}, []int64{0, 7}, nil, 1, 0},
		{"unit by option", "a,ts\nx,5\ny,12\n", input.Options{Unit: input.InMillis}, []int64{0, 7_000_000}, nil, 1, 0},
		{"unit by name", "arrival_us,a\n5,x\n12,y\n", input.Options{}, []int64{0, 7_000}, nil, 1, 0},
		{"column by option", "when,who,time\n2000-10-10T20:55:36Z,a,1\n2000-10-10T20:55:38Z,b,1\n", input.Options{Format: input.CSV, TimeName: "When", KeyName: "WHO"}, []int64{0, 2_000_000_000}, []string{"a", "b"}, 1, 0},
		{"quoted fields", "\"time\",\"user\"\n\"2000-10-10T20:55:36Z\",\"a, \"\"b\"\"\"\n 2000-10-10T20:55:37Z , \"c\" \n", input.Options{}, []int64{0, 1_000_000_000}, []string{`a, "b"`, "c"}, 1, 0},
		{"no header", "7,192.0.2.1,971211336\n8,192.0.2.2,971211337\n", input.Options{}, []int64{0, 1_000_000_000}, []string{"192.0.2.1", "192.0.2.2"}, 0, 0},
		{"header that is not known", "when|ip\n2000-10-10T20:55:36Z|192.0.2.1\n2000-10-10T20:55:37Z|192.0.2.1\n", input.Options{}, []int64{0, 1_000_000_000}, []string{"192.0.2.1"}, 0, 1},
		{"rows with a fault", "time,ip\n2000-10-10T20:55:36Z,192.0.2.1\n\"2000-10-10T20:55:37Z,192.0.2.1\nsoon,192.0.2.1\n\n2000-10-10T20:55:38Z\n", input.Options{}, []int64{0, 2_000_000_000}, []string{"192.0.2.1"}, 2, 2},
		{"paths", "time,path\n1,/a?x=1\n2,/a\n3,/b\n", input.Options{Key: input.ByPath}, []int64{0, 1_000_000_000, 2_000_000_000}, []string{"/a", "/b"}, 1, 0},
		{"instants", "971211336\n971211337\n# a comment\n971211336.5\n", input.Options{}, []int64{0, 500_000_000, 1_000_000_000}, nil, 1, 0},
		{"instants with a header", "t_ms\n0\n1.5\n1000\n", input.Options{}, []int64{0, 1_500_000, 1_000_000_000}, nil, 1, 0},
		{"instants as dates", "2000-10-10 20:55\n2000-10-10 20:56\n", input.Options{}, []int64{0, 60_000_000_000}, nil, 0, 0},
	} {
		t.Run(c.shape, func(t *testing.T) {
			a, report := table(t, c.opts, c.text)
			if !equal(a.At, c.at) || !equal(a.Names, c.names) {
				t.Errorf("at %v by %q, want %v by %q", a.At, a.Names, c.at, c.names)
			}
			if report.Comments() != c.comments || report.Rejected() != c.rejected {
				t.Errorf("%d comments, %d rejected, want %d and %d: %+v", report.Comments(), report.Rejected(), c.comments, c.rejected, report.First)
			}
		})
	}
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestDetection(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       input.Format
	}{
		{"access log after a prologue", "# rotated\n\nserver restarted\n192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5\n", input.Access},
		{"CSV after pages of prose", strings.Repeat("not yet\n", 300) + "ts,a\n1,b\n", input.CSV},
		{"JSON after a line of prose", "starting\n{\"ts\":1}\n{\"ts\":2}\n", input.JSON},
		{"CSV", "ts,a\n1,b\n", input.CSV},
		{"instants", "1\n2\n", input.Instants},
		{"JSON that is no log", "{\"a\":1}\n{\"ts\":}\n", input.JSON},
		{"a table without times", "a,b\nc,d\n", input.CSV},
		{"prose", "all work and no play\n", input.Access},
	} {
		r := input.NewReader(input.Options{})
		if _, err := r.Write([]byte(c.text)); err != nil {
			t.Fatal(err)
		}
		if _, report, _ := r.Close(); report.Format != c.want {
			t.Errorf("%s: taken for %v, want %v", c.name, report.Format, c.want)
		}
	}
	for _, name := range []string{"auto", "access", "common", "combined", "json", "csv", "instants"} {
		if _, err := input.ParseFormat(name); err != nil {
			t.Errorf("ParseFormat(%q): %v", name, err)
		}
	}
	const want = `log: format "xml" is not known; it is one of auto, access, json, csv, instants`
	if _, err := input.ParseFormat("xml"); err == nil || err.Error() != want {
		t.Errorf("ParseFormat(xml): %v, want %s", err, want)
	}
}
