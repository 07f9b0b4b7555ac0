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
		if strings.EqualFold(string(name), wanted) {
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
		if strings.EqualFold(string(name), opts.KeyName) {
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
		if strings.EqualFold(n, name) {
			return len(names) - i
		}
	}
	return 0
}

// unitSuffix cuts a unit off a name.
func unitSuffix(name string) (base string, unit Unit) {
	cut := strings.LastIndexByte(name, '_')
	if cut < 1 {
		return name, BySize
	}
	switch strings.ToLower(name[cut+1:]) {
	case "s", "sec", "seconds":
		return name[:cut], InSeconds
	case "ms", "millis", "msec":
		return name[:cut], InMillis
	case "us", "micros", "usec":
		return name[:cut], InMicros
	case "ns", "nanos", "nsec":
		return name[:cut], InNanos
	}
	return name, BySize
}
