// Command assets builds everything that a browser loads and leaves it in
// web/static/gen, ready to be embedded and served without further work.
//
//	go run ./cmd/assets                   build what changed
//	go run ./cmd/assets -fast             the same with quick compression, for development
//	go run ./cmd/assets -print sizes      build, then show each budget; exit 1 when one is broken
//	go run ./cmd/assets -print sizes -page http://127.0.0.1:8080/en/chapters/start
//	                                      the same, and what a page costs with its styles and scripts (a file will do)
//	go run ./cmd/assets -tests bin/client-tests
//	                                      bundle the client's *.test.ts files for Node's test runner
//
// It needs Go and nothing else: TypeScript and CSS go through esbuild's Go API,
// and the WebAssembly modules through the same go command that builds the site.
// Types are not checked here; tsc does that in make test. Content that cannot be
// read at all (YAML that is none) stops the build, because the site would be
// built of it next.
//
// # What it leaves
//
// For each asset NAME.EXT of entries.go: NAME-HASH.EXT, where HASH follows from
// the bytes, and beside it the same file as .br (brotli 11) and .gz. An asset
// marked stable keeps its plain name, because other sites have it in their
// pages. manifest.json says what was built:
//
//	{
//	  "build": "4f1c…",            a hash over all assets: the build's identity
//	  "fast": true,                present when the compression was the quick one
//	  "assets": {
//	    "lab.js": {"file": "lab-9b1de3a204.js", "size": 1, "brotli": 1, "gzip": 1, "integrity": "sha384-…"}
//	  }
//	}
//
// # What it promises
//
// Equal sources give equal bytes, names and build id: the modules carry neither
// paths nor version-control stamps. Each file is written under another name and
// renamed, and the manifest goes last, so a server that starts meanwhile sees
// the old build or the new one and nothing between. A lock lets one build at a
// time into the folder. Files of earlier builds are removed once the manifest
// no longer names them.
//
// What makes a second build quick is Go's own build cache for the modules and,
// for the compression (seconds at level 11), a cache by content in bin/assets.
// Nothing is skipped on the word of a time stamp.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("assets", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("C", ".", "`folder` of the module, or one below it")
	fast := flags.Bool("fast", false, "compress quickly instead of well")
	show := flags.String("print", "", "`what` to print after the build: sizes")
	page := flags.String("page", "", "with -print sizes: also measure this HTML `page`, a file or the address of a chapter")
	tests := flags.String("tests", "", "bundle the client's tests into this `folder`, and build nothing else")
	if err := flags.Parse(args); err != nil {
		return 1
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "assets: %v\n", err)
		return 1
	}
	switch {
	case flags.NArg() > 0:
		return fail(fmt.Errorf("unexpected argument %q: only flags are taken", flags.Arg(0)))
	case *show != "" && *show != "sizes":
		return fail(fmt.Errorf("-print %s: the only thing to print is sizes", *show))
	case *page != "" && *show == "":
		return fail(fmt.Errorf("-page needs -print sizes"))
	case *show != "" && *fast:
		return fail(fmt.Errorf("-print sizes needs the best compression: leave out -fast"))
	}
	root, err := moduleRoot(*dir)
	if err != nil {
		return fail(err)
	}
	if *tests != "" {
		if err := bundleTests(root, *tests); err != nil {
			return fail(err)
		}
		return 0
	}

	start := time.Now()
	b := newBuilder(root, *fast)
	m, err := b.build()
	if err != nil {
		return fail(err)
	}
	fmt.Fprintf(stderr, "assets: build %s, %d assets, %.2f s\n", m.Build, len(m.Assets), time.Since(start).Seconds())
	if *show == "" {
		return 0
	}
	rows, err := measure(m, *page)
	if err != nil {
		return fail(err)
	}
	if !printSizes(stdout, rows) {
		return fail(fmt.Errorf("over budget"))
	}
	return 0
}

// moduleRoot is the nearest folder with a go.mod, from dir upwards.
func moduleRoot(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s: no go.mod here or above", abs)
		}
	}
}
