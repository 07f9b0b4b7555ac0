package input_test

import (
	"strings"
	"testing"

	"seedbed/labs/input"
)

// one reads a single line as the named format and returns its verdict, its
// instant in seconds since 1970 and its key.
func one(t *testing.T, opts input.Options, line string) (v input.Verdict, start int64, key string) {
	t.Helper()
	r := input.NewReader(opts)
	if _, err := r.Write([]byte(line)); err != nil {
		t.Fatalf("Write(%.60q): %v", line, err)
	}
	a, report, err := r.Close()
	if report.Lines != 1 {
		t.Fatalf("%d lines of %.60q", report.Lines, line)
	}
	for _, verdict := range input.Verdicts() {
		if report.Counts[verdict] == 1 {
			v = verdict
		}
	}
	if (v == input.Request) != (err == nil) {
		t.Fatalf("%.60q: verdict %q with error %v", line, v, err)
	}
	if v == input.Request && a.Key[0] >= 0 {
		key = a.Names[a.Key[0]]
	}
	return v, report.Start, key
}

// The instant of most lines below: 10 Oct 2000, 20:55:36 UTC.
const october = 971211336_000_000_000

const when = "[10/Oct/2000:13:55:36 -0700]"

// accessLines are the shapes that real logs have, with addresses from the ranges
// for documentation.
var accessLines = []struct {
	shape, line string
	want        input.Verdict
	client      string
	path        string
}{
	{"Common", `192.0.2.1 - - ` + when + ` "GET /a.gif HTTP/1.0" 200 2326`, input.Request, "192.0.2.1", "/a.gif"},
	{"Common with ident and user", `192.0.2.1 ident anna ` + when + ` "GET / HTTP/1.0" 200 -`, input.Request, "192.0.2.1", "/"},
	{"Combined", `198.51.100.7 - - ` + when + ` "GET /p?q=1 HTTP/1.1" 200 12 "https://example.org/" "Mozilla/5.0 (X11)"`, input.Request, "198.51.100.7", "/p"},
	{"referer missing", `198.51.100.7 - - ` + when + ` "GET /p HTTP/1.1" 200 12 "-" "curl/8.5.0"`, input.Request, "198.51.100.7", "/p"},
	{"IPv6", `2001:db8::17 - - ` + when + ` "GET / HTTP/2.0" 304 0 "-" "-"`, input.Request, "2001:db8::17", "/"},
	{"IPv6 in brackets with port", `[2001:db8::17]:51313 - - ` + when + ` "GET / HTTP/2.0" 304 0`, input.Request, "2001:db8::17", "/"},
	{"client with port", `192.0.2.1:40112 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"host name as client", `host-7.example.net - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "host-7.example.net", "/"},
	{"no client", `- - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "", "/"},
	{"unix socket", `unix: - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "unix:", "/"},
	{"virtual host and port in front", `www.example.org:443 192.0.2.9 - - ` + when + ` "GET / HTTP/1.1" 200 5 "-" "-"`, input.Request, "192.0.2.9", "/"},
	{"virtual host without port", `www.example.org 192.0.2.9 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.9", "/"},
	{"address as virtual host", `203.0.113.5:80 2001:db8::5 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "2001:db8::5", "/"},
	{"forwarded list", `192.0.2.1, 198.51.100.2 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"forwarded list without spaces", `192.0.2.1,198.51.100.2 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"user with a space", `192.0.2.1 - anna b ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"host name as client, user with a space", `host-7.example.net - anna b ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "host-7.example.net", "/"},
	{"user in brackets", `192.0.2.1 - [bot] ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"request time and upstream behind", `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" 200 5 "-" "-" 0.004 0.003 "203.0.113.8:8080"`, input.Request, "192.0.2.1", "/"},
	{"field between time and request", `192.0.2.1 - - ` + when + ` 0.004 "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"host in quotes behind the request", `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" "example.org" 200 5`, input.Request, "192.0.2.1", "/"},
	{"escaped quotes in the request", `192.0.2.1 - - ` + when + ` "GET /s?q=\"x y\" HTTP/1.1" 200 5 "-" "-"`, input.Request, "192.0.2.1", "/s"},
	{"raw quotes in the request", `192.0.2.1 - - ` + when + ` "GET /s?q="x y" HTTP/1.1" 200 5 "-" "-"`, input.Request, "192.0.2.1", "/s"},
	{"escaped quotes in the agent", `192.0.2.1 - - ` + when + ` "GET /s HTTP/1.1" 200 5 "-" "\"odd\" agent \\"`, input.Request, "192.0.2.1", "/s"},
	{"agent cut off", `192.0.2.1 - - ` + when + ` "GET /s HTTP/1.1" 200 5 "-" "Mozill`, input.Request, "192.0.2.1", "/s"},
	{"space in the target", `192.0.2.1 - - ` + when + ` "GET /a b HTTP/1.1" 400 5`, input.Request, "192.0.2.1", "/a b"},
	{"absolute target", `192.0.2.1 - - ` + when + ` "GET http://example.org/x?y HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/x"},
	{"absolute target without path", `192.0.2.1 - - ` + when + ` "GET http://example.org HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"query with a URL", `192.0.2.1 - - ` + when + ` "GET /r/http://example.org/x HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/r/http://example.org/x"},
	{"OPTIONS *", `192.0.2.1 - - ` + when + ` "OPTIONS * HTTP/1.0" 200 -`, input.Request, "192.0.2.1", "*"},
	{"CONNECT", `192.0.2.1 - - ` + when + ` "CONNECT example.org:443 HTTP/1.1" 405 5`, input.Request, "192.0.2.1", "example.org:443"},
	{"HTTP/0.9", `192.0.2.1 - - ` + when + ` "GET /" 200 5`, input.Request, "192.0.2.1", "/"},
	{"WebDAV method", `192.0.2.1 - - ` + when + ` "VERSION-CONTROL /x HTTP/1.1" 405 5`, input.Request, "192.0.2.1", "/x"},
	{"status missing", `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" - 0`, input.Request, "192.0.2.1", "/"},
	{"zone +0530", `192.0.2.1 - - [11/Oct/2000:02:25:36 +0530] "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"ISO time", `192.0.2.1 - - [2000-10-10T20:55:36+00:00] "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"tabs", "192.0.2.1\t-\t-\t" + when + "\t\"GET / HTTP/1.1\"\t200\t5", input.Request, "192.0.2.1", "/"},
	{"carriage return", `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" 200 5` + "\r\n", input.Request, "192.0.2.1", "/"},
	{"byte order mark", "\ufeff" + `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"hole of zero bytes", strings.Repeat("\x00", 5000) + `192.0.2.1 - - ` + when + ` "GET / HTTP/1.1" 200 5`, input.Request, "192.0.2.1", "/"},
	{"very long target", `192.0.2.1 - - ` + when + ` "GET /?` + strings.Repeat("x", 60_000) + ` HTTP/1.1" 414 5`, input.Request, "192.0.2.1", "/"},

	{"empty request", `192.0.2.1 - - ` + when + ` "-" 408 -`, input.NoRequest, "", ""},
	{"empty quotes", `192.0.2.1 - - ` + when + ` "" 400 0 "-" "-"`, input.NoRequest, "", ""},
	{"no quotes", `192.0.2.1 - - ` + when + ` GET / 200`, input.NoRequest, "", ""},
	{"TLS on a plain port, nginx", `192.0.2.1 - - ` + when + ` "\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03" 400 157 "-" "-"`, input.NotHTTP, "", ""},
	{"TLS on a plain port, raw", "192.0.2.1 - - " + when + " \"\x16\x03\x01\x02\" 400 157", input.NotHTTP, "", ""},
	{"another protocol", `192.0.2.1 - - ` + when + ` "t3 12.1.2" 400 157`, input.NotHTTP, "", ""},
	{"one word", `192.0.2.1 - - ` + when + ` "SSH-2.0-Go" 400 157`, input.NotHTTP, "", ""},
	{"method alone", `192.0.2.1 - - ` + when + ` "GET  HTTP/1.1" 400 157`, input.NotHTTP, "", ""},
	{"HTTP/2 preface", `192.0.2.1 - - ` + when + ` "PRI * HTTP/2.0" 400 157 "-" "-"`, input.Preface, "", ""},
	{"cut in the request", `192.0.2.1 - - ` + when + ` "GET /a/lo`, input.CutOff, "", ""},
	{"cut after the time", `192.0.2.1 - - ` + when, input.CutOff, "", ""},
	{"cut in the time", `192.0.2.1 - - [10/Oct/2000:13:5`, input.NoTime, "", ""},
	{"no status", `192.0.2.1 - - ` + when + ` "GET /" what`, input.NoStatus, "", ""},
	{"no such day", `192.0.2.1 - - [31/Sep/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5`, input.BadTime, "", ""},
	{"no such month", `192.0.2.1 - - [10/Okt/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5`, input.BadTime, "", ""},
	{"before 1970", `192.0.2.1 - - [31/Dec/1969:23:59:59 +0000] "GET / HTTP/1.1" 200 5`, input.OutOfEra, "", ""},
	{"prose", `server started`, input.NoTime, "", ""},
	{"line of the error log", `2000/10/10 20:55:36 [error] 7#7: *1 open() "/x" failed`, input.NoTime, "", ""},
	{"blank", "  \t", input.Comment, "", ""},
	{"directive", "#Software: example", input.Comment, "", ""},
	{"over 64 KiB", `192.0.2.1 - - ` + when + ` "GET /?` + strings.Repeat("x", input.MaxLine) + ` HTTP/1.1" 414 5`, input.TooLong, "", ""},
}

func TestAccessLines(t *testing.T) {
	for _, c := range accessLines {
		t.Run(c.shape, func(t *testing.T) {
			v, start, client := one(t, input.Options{Format: input.Access}, c.line)
			if v != c.want {
				t.Fatalf("%q, want %q: %.200s", v, c.want, c.line)
			}
			if v != input.Request {
				return
			}
			if start != october {
				t.Errorf("instant %d, want %d", start, int64(october))
			}
			if client != c.client {
				t.Errorf("client %q, want %q", client, c.client)
			}
			if _, _, path := one(t, input.Options{Format: input.Access, Key: input.ByPath}, c.line); path != c.path {
				t.Errorf("path %q, want %q", path, c.path)
			}
		})
	}
}
