package main

import (
	"os"
	"path/filepath"
)

// buildModules compiles each WebAssembly module.
//
// The output stays in the cache folder, where the go command finds it next time
// and leaves it alone when nothing changed. -buildvcs=false keeps the commit out
// of the bytes: otherwise each commit would have another module, and every
// reader would fetch it again. The runtime is compiled without inlining: it is
// three quarters of the module, labs spend next to no time in it (an event
// allocates nothing), and it saves 5 % of what a reader downloads (556,182 bytes
// of brotli became 528,000 when this was written).
func buildModules(root, cache string) ([]asset, error) {
	env := append([]string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}, smallCollector(root)...)
	var out []asset
	for _, m := range modules {
		path := filepath.Join(cache, m.name)
		args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-tags=" + m.tags}
		for _, p := range m.cold {
			args = append(args, "-gcflags="+p+"=-l")
		}
		if _, err := goOutput(root, env, append(args, "-o", path, "./"+m.dir)...); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		out = append(out, asset{name: m.name, data: data})
	}
	return out, nil
}

// smallCollector chooses Go's collector of before 1.26, where the toolchain still has it: the newer one is for many cores and large heaps,
// and is 10 KiB of every module. A toolchain that knows it no more refuses the name.
func smallCollector(root string) []string {
	const without = "GOEXPERIMENT=nogreenteagc"
	if _, err := goOutput(root, []string{without}, "env", "GOVERSION"); err != nil {
		return nil
	}
	return []string{without}
}
