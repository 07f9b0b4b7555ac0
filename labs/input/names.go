package input

import "strings"

// timeNames are the keys and columns that hold the time of a request, the best
// first: where a line has several, the start of the request comes before its end,
// and the finer before the coarser (nginx writes both msec and time_iso8601).
var timeNames = [...]string{
	"StartUTC", "StartLocal", // Traefik
	"msec",                                                        // nginx, seconds with milliseconds
	"ts",                                                          // Caddy
	"@timestamp", "timestamp", "start_time", "EdgeStartTimestamp", // ECS, Envoy, Cloudflare
	"time_iso8601", "time", "datetime", "date_time", "instant", "at",
	"arrival", "arrival_time", "start", "t", "time_local", "date",
}

// clientNames and pathNames are those of the key, the best first.
var clientNames = [...]string{
	"client_ip", "remote_ip", "ClientHost", "remote_addr", "ClientAddr", "ip", "client", "clientip",
	"source.ip", "ClientIP", "c-ip", "remote_host", "user", "key",
}

var pathNames = [...]string{
	"path", "uri", "RequestPath", "request_uri", "url.path", "cs-uri-stem", "ClientRequestPath", "url", "request", "key",
}

// timeRank says whether a name holds times: 0 when not, else the greater the
// better. With a wanted name only that one counts. A unit may be part of the
// name, as in ts_ms.
func timeRank(name []byte, wanted string) (rank int, unit Unit) {
	base, unit := unitSuffix(string(name))
	if wanted != "" {
		if equalFold(string(name), wanted) {
			return 1, unit
		}
		return 0, BySize
	}
	return nameRank(base, timeNames[:]), unit
}

// keyRank says the same of the key.
func keyRank(name []byte, opts *Options) int {
	switch {
	case opts.Key == NoKey:
		return 0
	case opts.KeyName != "":
		if equalFold(string(name), opts.KeyName) {
			return 1
		}
		return 0
	case opts.Key == ByPath:
		return nameRank(string(name), pathNames[:])
	}
	return nameRank(string(name), clientNames[:])
}

func nameRank(name string, names []string) int {
	for i, n := range names {
		if equalFold(n, name) {
			return len(names) - i
		}
	}
	return 0
}

// equalFold ignores the case of letters of ASCII, which names are made of; the
// full fold of package strings would link the tables of Unicode.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && (a[i]|0x20 != b[i]|0x20 || !isLetter(a[i])) {
			return false
		}
	}
	return true
}

// unitSuffix cuts a unit off a name.
func unitSuffix(name string) (base string, unit Unit) {
	cut := strings.LastIndexByte(name, '_')
	if cut < 1 {
		return name, BySize
	}
	for _, s := range unitSuffixes {
		if equalFold(s.suffix, name[cut+1:]) {
			return name[:cut], s.unit
		}
	}
	return name, BySize
}

var unitSuffixes = [...]struct {
	suffix string
	unit   Unit
}{
	{"s", InSeconds}, {"sec", InSeconds}, {"seconds", InSeconds},
	{"ms", InMillis}, {"msec", InMillis}, {"millis", InMillis},
	{"us", InMicros}, {"usec", InMicros}, {"micros", InMicros},
	{"ns", InNanos}, {"nsec", InNanos}, {"nanos", InNanos},
}
