package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"seedbed/web/check"
)

// builder makes one build of all assets.
type builder struct {
	root  string // of the module
	out   string // where the server reads
	cache string // ours alone: compressed bytes by content, the modules, the lock
	fast  bool
}

func newBuilder(root string, fast bool) *builder {
	return &builder{
		root:  root,
		out:   filepath.Join(root, "web", "static", "gen"),
		cache: filepath.Join(root, "bin", "assets"),
		fast:  fast,
	}
}

// build makes the folder hold exactly what the sources say, and returns its manifest.
func (b *builder) build() (manifest, error) {
	if err := missing(b.root); err != nil {
		return manifest{}, err
	}
	if p := check.Broken(os.DirFS(filepath.Join(b.root, "content"))); p != nil {
		return manifest{}, fmt.Errorf("content/%w", p) // the program would refuse to start
	}
	for _, dir := range []string{b.out, b.cache} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return manifest{}, err
		}
	}
	unlock, err := lock(filepath.Join(b.cache, "lock"))
	if err != nil {
		return manifest{}, err
	}
	defer unlock()

	assets, err := b.compile()
	if err != nil {
		return manifest{}, err
	}
	packed, err := b.packAll(assets)
	if err != nil {
		return manifest{}, err
	}
	m := manifestOf(packed, b.fast)
	return m, b.publish(m, packed)
}

// compile runs the two compilers side by side: they share nothing, and the
// go command is the slower when the module changed.
func (b *builder) compile() ([]asset, error) {
	var scripts []asset
	var scriptErr error
	var wg sync.WaitGroup
	wg.Go(func() { scripts, scriptErr = bundleEntries(b.root) })
	mods, err := buildModules(b.root, b.cache)
	wg.Wait()
	if err != nil {
		return nil, err
	}
	if scriptErr != nil {
		return nil, scriptErr
	}
	all := append(mods, scripts...)
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all, nil
}

// packAll compresses all assets at once, and drops what the cache no longer needs.
func (b *builder) packAll(assets []asset) ([]packed, error) {
	c := cache{dir: b.cache, fast: b.fast}
	out := make([]packed, len(assets))
	errs := make([]error, len(assets))
	var wg sync.WaitGroup
	for i, a := range assets {
		wg.Go(func() { out[i], errs[i] = c.pack(a) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, c.prune(out)
}

// publish writes what is new, then the manifest, then removes what it no longer names.
func (b *builder) publish(m manifest, all []packed) error {
	keep := map[string]bool{".keep": true, manifestName: true}
	for _, p := range all {
		for suffix, data := range map[string][]byte{"": p.data, ".br": p.brotli, ".gz": p.gzip} { // order: the three files are independent
			name := p.file() + suffix
			keep[name] = true
			if err := writeFile(filepath.Join(b.out, name), data); err != nil {
				return err
			}
		}
	}
	if err := writeFile(filepath.Join(b.out, manifestName), m.encode()); err != nil {
		return err
	}
	files, err := os.ReadDir(b.out)
	if err != nil {
		return err
	}
	for _, f := range files {
		if keep[f.Name()] {
			continue
		}
		if f.IsDir() {
			return fmt.Errorf("%s: a folder where only built files belong; move it away", filepath.Join(b.out, f.Name()))
		}
		if err := os.Remove(filepath.Join(b.out, f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// writeFile replaces a file in one step, and leaves it alone when it already has these bytes.
func writeFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
		return nil
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if e := tmp.Chmod(0o644); err == nil {
		err = e
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// digest is the full content hash in hex; names and the build id are cut from it.
func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashedName puts a piece of the content's hash before the extension.
// Ten hex digits are 40 bits: among the few dozen files of one build no two meet.
func hashedName(name string, data []byte) string {
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + digest(data)[:10] + ext
}
