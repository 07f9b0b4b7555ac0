package main

import "testing"

func TestBannedPackages(t *testing.T) {
	tryRule(t, checkBans, []ruleCase{
		{name: "free or nearly so", files: tree{
			"chapters/ring/a.go":                "package ring\n\nimport (\n\t\"errors\"\n\t\"math/bits\"\n\t\"slices\"\n\t\"sort\"\n\t\"strconv\"\n\t\"strings\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n",
			"labs/quota/a.go":                   "package quota\n\nimport \"reflect\"\n",
			"labs/a_test.go":                    "package labs\n\nimport (\n\t\"fmt\"\n\t\"math/rand/v2\"\n\t\"os\"\n\t\"time\"\n)\n\nvar t = time.Now()\n",
			"web/a.go":                          "package web\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nvar t = time.Now()\n",
			"chapters/limiter/limitertest/a.go": "package limitertest\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nvar t = time.Now()\n",
			"labs/labtest/a.go":                 "package labtest\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n",
			"chapters/limiter/wait/block.go":    "package wait\n\nimport (\n\t\"context\"\n\t\"time\"\n)\n\nvar t = time.After(1)\n",
		}},
		{name: "each with its reason", files: tree{
			"chapters/ring/a.go":    "package ring\n\nimport (\n\t\"context\"\n\t\"crypto/rand\"\n\t\"encoding/binary\"\n\t\"fmt\"\n\t\"hash/maphash\"\n\t\"log/slog\"\n\t\"math/rand/v2\"\n\t\"net/url\"\n\t\"os\"\n\t\"time\"\n)\n",
			"wasm/bridge/a.go":      "package bridge\n\nimport (\n\t\"compress/gzip\"\n\t\"embed\"\n\t\"math/big\"\n\t\"reflect\"\n)\n",
			"labs/quota/a.go":       "package quota\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n",
			"labs/sim/simtest/a.go": "package simtest\n\nimport \"os\"\n",
			"labs/sim/a.go":         "package sim\n\nimport (\n\t\"container/heap\"\n\t\"runtime\"\n)\n",
		}, want: []breach{
			{"chapters/ring/a.go:4", "context is banned in what the labs' WebAssembly modules link: it is 30 KiB"},
			{"chapters/ring/a.go:5", "crypto/rand is banned in chapters and labs: crypto/rand differs by run"},
			{"chapters/ring/a.go:6", "encoding/binary is banned"},
			{"chapters/ring/a.go:7", "fmt is banned"},
			{"chapters/ring/a.go:8", "its seed differs by process"},
			{"chapters/ring/a.go:9", "log/slog is banned"},
			{"chapters/ring/a.go:10", "draw from a named stream"},
			{"chapters/ring/a.go:11", "net/url is banned"},
			{"chapters/ring/a.go:12", "os is banned"},
			{"chapters/ring/a.go:13", "durations are int64 nanoseconds"},
			{"labs/quota/a.go:4", "fmt is banned in what the labs' WebAssembly modules link"},
			{"labs/quota/a.go:5", "os is banned in chapters and labs"},
			{"labs/sim/a.go:4", "use the queue of labs/sim"},
			{"labs/sim/a.go:5", "a run knows nothing of the machine"},
			{"labs/sim/simtest/a.go:3", "os is banned"},
			{"wasm/bridge/a.go:4", "compress/gzip is banned"},
			{"wasm/bridge/a.go:5", "embed is banned"},
			{"wasm/bridge/a.go:6", "math/big is banned"},
			{"wasm/bridge/a.go:7", "reflect is banned"},
		}},
		{name: "the clock, by any name and as a value", files: tree{
			"labs/quota/a.go": "package quota\n\nimport clock \"time\"\n\nvar now = clock.Now\n\nfunc wait() { clock.Sleep(clock.Second) }\n",
			"web/view/a.go":   "package view\n\nimport \"time\"\n\nfunc age(t time.Time) time.Duration { return time.Since(t) }\n",
		}, want: []breach{
			{"labs/quota/a.go:3", "time is banned in what the labs' WebAssembly modules link"},
			{"web/view/a.go:5", "time.Since is banned in views"},
		}},
		{name: "block.go beside its state machine is not exempt", files: tree{
			"chapters/limiter/block.go":      "package limiter\n\nimport \"time\"\n",
			"chapters/limiter/wait/block.go": "package wait\n\nimport \"os\"\n",
			"chapters/limiter/wait/other.go": "package wait\n\nimport \"context\"\n",
			"labs/wait/deep/block.go":        "package deep\n\nimport \"time\"\n",
		}, want: []breach{
			{"chapters/limiter/block.go:3", "in a folder of its own: chapters/FAMILY/FOLDER"},
			{"chapters/limiter/wait/block.go:3", "os is banned"},
			{"chapters/limiter/wait/other.go:3", "context is banned"},
			{"labs/wait/deep/block.go:3", "time is banned"},
		}},
	})
}

func TestStatementsAndBackDoors(t *testing.T) {
	tryRule(t, checkStatements, []ruleCase{
		{name: "clean", files: tree{
			"chapters/a/a.go":          "package a\n\nimport \"unsafe\" // unsafe: the size of a state is shown to the reader\n\nconst size = unsafe.Sizeof(0)\n\ntype t struct{}\n\nfunc (t) init() {}\n",
			"chapters/a/a_test.go":     "package a\n\nfunc init() { go func() {}() }\n",
			"chapters/a/atest/a.go":    "package atest\n\nfunc Run() { go Run() }\n",
			"chapters/a/wait/block.go": "package wait\n\nfunc f(c chan int) { go f(c); select { case <-c: } }\n",
			"web/a.go":                 "package web\n\nfunc init() { go init2() }\n",
		}},
		{name: "breaches", files: tree{
			"chapters/a/a.go": "package a\n\nimport \"unsafe\" // unsafe:\n\nfunc init() {}\n\nfunc f(c chan int) {\n\tgo f(c)\n\tselect {\n\tcase <-c:\n\t}\n}\n\nconst s = unsafe.Sizeof(0)\n\n//go:linkname now runtime.nanotime\n",
		}, want: []breach{
			{"chapters/a/a.go:3", "unsafe without a comment"},
			{"chapters/a/a.go:5", "func init"},
			{"chapters/a/a.go:8", "go statement"},
			{"chapters/a/a.go:9", "select statement"},
			{"chapters/a/a.go:16", "go:linkname"},
		}},
	})
}

func TestExactMath(t *testing.T) {
	tryRule(t, checkExactMath, []ruleCase{
		{name: "exact", files: tree{
			"labs/a.go":      "package labs\n\nimport \"math\"\n\nvar a = math.Floor(math.Sqrt(2)) + math.MaxInt64\n",
			"labs/a_test.go": "package labs\n\nimport \"math\"\n\nvar b = math.Exp(1)\n",
			"web/a.go":       "package web\n\nimport \"math\"\n\nvar b = math.Exp(1)\n",
		}},
		{name: "approximate", files: tree{
			"labs/a.go":           "package labs\n\nimport m \"math\"\n\nvar a = m.Exp(1)\nvar log = m.Log2\n",
			"chapters/pmath/a.go": "package pmath\n\nimport \"math\"\nimport \"math/cmplx\"\n\nvar a, b = math.Pow(2, 3), cmplx.Sqrt(1)\n",
		}, want: []breach{
			{"chapters/pmath/a.go:6", "math.Pow may differ"},
			{"chapters/pmath/a.go:6", "math/cmplx"},
			{"labs/a.go:5", "math.Exp may differ"},
			{"labs/a.go:6", "math.Log2 may differ"},
		}},
	})
}
