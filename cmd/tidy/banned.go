package main

import "slices"

// zone is a part of the house that a ban covers. Tests and conformance suites
// are in none.
type zone struct {
	say     string
	folders []string
	except  []string
}

// holds reports whether a folder is in the zone.
func (z zone) holds(folder string) bool {
	in := func(dir string) bool { return within(folder, dir) }
	return slices.ContainsFunc(z.folders, in) && !slices.ContainsFunc(z.except, in)
}

var (
	// pure code gives the same run everywhere.
	pure = zone{"chapters and labs", []string{"chapters", "labs"}, nil}
	runs = zone{"labs", []string{"labs"}, nil}
	// linked code is in the WebAssembly modules of the labs. What a
	// package costs there is KiB of brotli, measured on an empty program.
	linked = zone{"what the labs' WebAssembly modules link", []string{"chapters", "labs", "wasm"}, nil}
	// reflected is the same, but for the one package that has to reach a
	// field of Raft's which has no setter. That Raft itself links fmt, reflect
	// and more is why its labs have a module of their own; their own code
	// is held to all the other bans.
	reflected = zone{linked.say, linked.folders, []string{"labs/quota"}}
	views     = zone{"views", []string{"web/view"}, nil}
)

// ban forbids a package, or some of its names, in a zone.
type ban struct {
	pkg   string   // import path; "x/..." is x and all below it
	names []string // nil: the whole package
	in    zone
	waits bool // lifted in block.go
	why   string
}

// clock is what reads or waits for the machine's time.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// bans are all forbidden packages and names. What a folder may import at all is in law.go.
var bans = []ban{
	{"time", clock, pure, true, "time is an argument, so that a run is a function of its Spec"},
	{"time", clock, views, false, "a view is a function of its model: the time belongs in it"},

	{"math/rand/...", nil, pure, false, "its streams differ by Go version and are shared; draw from a named stream of labs/sim"},
	{"hash/maphash", nil, pure, false, "its seed differs by process; use chapters/hashing"},
	{"crypto/...", nil, pure, false, "crypto/rand differs by run, and crypto/md5 alone is 59 KiB of module; use chapters/hashing"},
	{"os/...", nil, pure, false, "input and output are the caller's"},
	{"net/...", nil, pure, false, "input and output are the caller's; net/url also links fmt"},
	{"log/...", nil, pure, false, "what happened is returned, not written"},
	{"syscall/...", nil, pure, false, "input and output are the caller's"},
	{"runtime/...", nil, runs, false, "a run knows nothing of the machine that it runs on"},
	{"container/heap", nil, runs, false, "it costs 4.7 times ours in WebAssembly, by its interface calls; use the queue of labs/sim"},

	{"fmt", nil, linked, false, "it is 100 KiB of module; use strconv and typed errors"},
	{"reflect", nil, reflected, false, "it is slow and large in the module"},
	{"time", nil, linked, true, "it is 38 KiB of module; durations are int64 nanoseconds"},
	{"context", nil, linked, true, "it is 30 KiB of module; a run is stopped by a function that it asks"},
	{"embed", nil, linked, false, "it is 22 KiB of module; texts live in content"},
	{"os/...", nil, linked, false, "the browser has no files; panic and errors leave through the bridge"},
	{"math/big", nil, linked, false, "it links fmt"},
	{"encoding/...", nil, linked, false, "encoding/binary links reflect, the others fmt; write bytes by hand"},
	{"compress/...", nil, linked, false, "it links fmt; unpack before the bridge"},
	{"net/...", nil, linked, false, "it links fmt"},
	{"crypto/...", nil, linked, false, "crypto/md5 alone links os and is 59 KiB of module"},
}

// exactMath are the functions of math with the same bits on every platform, and
// whose result is no sum that a compiler might fuse with a product. The others
// are approximations, some of them in assembly on one platform only: Exp and Pow
// give other bits on amd64 than in WebAssembly.
var exactMath = []string{
	"Abs", "Ceil", "Copysign", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits",
	"Floor", "FMA", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "Mod", "NaN", "Nextafter",
	"Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",

	"E", "Pi", "Phi", "Sqrt2", "SqrtE", "SqrtPi", "SqrtPhi", "Ln2", "Log2E", "Ln10", "Log10E",
	"MaxFloat32", "SmallestNonzeroFloat32", "MaxFloat64", "SmallestNonzeroFloat64",
	"MaxInt", "MinInt", "MaxInt8", "MinInt8", "MaxInt16", "MinInt16", "MaxInt32", "MinInt32", "MaxInt64", "MinInt64",
	"MaxUint", "MaxUint8", "MaxUint16", "MaxUint32", "MaxUint64",
}
