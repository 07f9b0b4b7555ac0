package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// entry is one script or stylesheet: a file from which esbuild follows imports.
type entry struct {
	name   string // in the manifest
	source string // slash-separated, from the module's root
	stable bool   // keeps its plain name, because pages that are not ours have it
}

// entries are all scripts and styles that a browser may load.
var entries = []entry{
	{name: "site.css", source: "web/client/css/site.css"},                  // every page
	{name: "site.js", source: "web/client/site/main.ts"},                   // every page: theme, progress
	{name: "lab.js", source: "web/client/lab/main.ts"},                     // pages with labs: the custom element
	{name: "worker.js", source: "web/client/worker/worker.ts"},             // runs the engine, with Go's wasm_exec.js inside
	{name: "frame.js", source: "web/client/embed/frame.ts"},                // the page inside an embed's frame
	{name: "embed.js", source: "web/client/embed/loader.ts", stable: true}, // what other sites load, at /embed.js
}

// module is a main package that is built for the browser.
type module struct {
	name string   // in the manifest
	dir  string   // slash-separated, from the module's root
	tags string   // build tags, with commas
	cold []string // packages compiled without inlining: they run seldom, and it makes them smaller
}

// modules are the WebAssembly modules, one for each part of the catalog and one for the sheets. Three quarters of any is Go's runtime, so
// a reader loads that once a part; in one module for all, each reader of one chapter would load the labs of every other.
var modules = []module{
	{name: "core.wasm", dir: "wasm", tags: "core", cold: []string{"runtime"}},
	{name: "gateway.wasm", dir: "wasm", tags: "gateway", cold: []string{
		"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/chapters/route", "seedbed/labs/routing",
	}},
	{name: "owners.wasm", dir: "wasm", tags: "owners", cold: []string{
		"runtime", "internal/...", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/chapters/ring", "seedbed/chapters/shard",
		"seedbed/labs/rings", "seedbed/labs/sharding",
	}},
	{name: "caches.wasm", dir: "wasm", tags: "caches", cold: []string{
		"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/labs/caching", "seedbed/labs/hotkeys",
	}},
	{name: "resilience.wasm", dir: "wasm", tags: "resilience", cold: []string{
		"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/labs/overload",
	}},
	{name: "consistency.wasm", dir: "wasm", tags: "consistency", cold: []string{
		"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/labs/consistency",
	}},
	{name: "incidents.wasm", dir: "wasm", tags: "incidents", cold: []string{
		"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/labs/culprit", "seedbed/labs/incidents",
	}},
	{name: "quota.wasm", dir: "wasm", tags: "quota", cold: []string{"..."}},
	{name: "calc.wasm", dir: "wasm/calc", cold: []string{"runtime", "slices", "strconv", "strings", "seedbed/wasm/bridge", "seedbed/chapters/calc"}},
}

// browsers are the oldest that the bundles run in, all of the first half of
// 2023: esbuild rewrites newer syntax (CSS nesting, for one) for them. Go's
// WebAssembly runs in each.
var browsers = []api.Engine{
	{Name: api.EngineChrome, Version: "111"},
	{Name: api.EngineFirefox, Version: "114"},
	{Name: api.EngineSafari, Version: "16.4"},
}

// missing reports every source that the tables name and that is not there.
func missing(root string) error {
	var all []error
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(e.source))); err != nil || info.IsDir() {
			all = append(all, fmt.Errorf("%s: no such file; it is the entry point of %s", e.source, e.name))
		}
	}
	for _, m := range modules {
		if found, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(m.dir), "*.go")); len(found) == 0 {
			all = append(all, fmt.Errorf("%s: no Go files; they are the source of %s", m.dir, m.name))
		}
	}
	return errors.Join(all...)
}
