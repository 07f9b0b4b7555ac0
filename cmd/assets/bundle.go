package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// asset is a built thing before it is compressed and named.
type asset struct {
	name   string // in the manifest
	stable bool   // see entry
	data   []byte
}

// bundleEntries turns each entry into one file without imports.
//
// Scripts are wrapped in a function (IIFE) and not left as modules: the same
// bytes then work as a deferred script, as a worker, and as a worker made from
// a blob, which is the only kind that a sandboxed frame may start.
func bundleEntries(root string) ([]asset, error) {
	points := make([]api.EntryPoint, len(entries))
	byPath := make(map[string]entry, len(entries))
	outdir := filepath.Join(root, "bin", "assets", "bundle") // never written to: names only
	for i, e := range entries {
		ext := filepath.Ext(e.name)
		points[i] = api.EntryPoint{
			InputPath:  filepath.Join(root, filepath.FromSlash(e.source)),
			OutputPath: strings.TrimSuffix(e.name, ext),
		}
		byPath[filepath.Join(outdir, e.name)] = e
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:       root,
		EntryPointsAdvanced: points,
		Outdir:              outdir,
		Bundle:              true,
		Format:              api.FormatIIFE,
		Platform:            api.PlatformBrowser,
		Engines:             browsers,
		Charset:             api.CharsetUTF8,
		LegalComments:       api.LegalCommentsInline,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		Plugins:             []api.Plugin{wasmExec(root)},
	})
	if err := messages(result.Errors, result.Warnings); err != nil {
		return nil, err
	}
	var out []asset
	for _, f := range result.OutputFiles {
		e, ok := byPath[f.Path]
		if !ok {
			return nil, fmt.Errorf("%s: a file that no entry asks for; import styles from site.css and not from scripts", filepath.Base(f.Path))
		}
		out = append(out, asset{name: e.name, stable: e.stable, data: f.Contents})
	}
	if len(out) != len(entries) {
		return nil, fmt.Errorf("esbuild made %d files of %d entries", len(out), len(entries))
	}
	return out, nil
}

// bundleTests bundles each *.test.ts under web/client for Node's test runner.
func bundleTests(root, dir string) error {
	client := filepath.Join(root, "web", "client")
	var sources []string
	err := filepath.WalkDir(client, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if err == nil && strings.HasSuffix(path, ".test.ts") {
			sources = append(sources, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return fmt.Errorf("web/client: no *.test.ts file")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if err := removeBundledTests(dir); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPoints:   sources,
		Outbase:       client,
		Outdir:        dir,
		OutExtension:  map[string]string{".js": ".mjs"},
		Bundle:        true,
		Write:         true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformNode,
		Sourcemap:     api.SourceMapInline,
		Plugins:       []api.Plugin{wasmExec(root)},
	})
	return messages(result.Errors, result.Warnings)
}

// removeBundledTests clears what an earlier bundleTests left, so that a test
// whose source is gone does not go on running.
func removeBundledTests(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil
		case err == nil && strings.HasSuffix(path, ".test.mjs"):
			return os.Remove(path)
		}
		return err
	})
}

// messages makes one error of what esbuild says. A warning counts: each has
// been a real fault so far (a duplicate key, a declaration that a browser drops).
func messages(lists ...[]api.Message) error {
	var all []error
	for _, list := range lists {
		for _, m := range list {
			if m.Location == nil {
				all = append(all, errors.New(m.Text))
				continue
			}
			all = append(all, fmt.Errorf("%s:%d: %s", filepath.ToSlash(m.Location.File), m.Location.Line, m.Text))
		}
	}
	return errors.Join(all...)
}

// wasmExec resolves the import "go:wasm_exec" to the script that Go ships for
// its WebAssembly modules, from the toolchain that builds them: the two must be
// of the same version. Its copyright notice is kept in the bundle.
func wasmExec(root string) api.Plugin {
	return api.Plugin{Name: "go", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^go:`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Path != "go:wasm_exec" {
				return api.OnResolveResult{}, fmt.Errorf("%s: the only import from Go is go:wasm_exec", args.Path)
			}
			return api.OnResolveResult{Path: "wasm_exec.js", Namespace: "go", SideEffects: api.SideEffectsTrue}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "go"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			goroot, err := goOutput(root, nil, "env", "GOROOT")
			if err != nil {
				return api.OnLoadResult{}, err
			}
			src, err := os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := "/*! wasm_exec.js: Copyright 2018 The Go Authors, BSD licence, go.dev/LICENSE */\n" + string(src)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}
}

// goOutput runs the go command in the module and returns what it prints.
func goOutput(root string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}
