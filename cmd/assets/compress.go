package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// packed is an asset with its compressed forms.
type packed struct {
	asset
	brotli []byte
	gzip   []byte
}

// file is the name under which the asset is served.
func (p packed) file() string {
	if p.stable {
		return p.name
	}
	return hashedName(p.name, p.data)
}

// levels of the two compressions. Brotli 11 takes several seconds for a module,
// 5 a tenth of one; the reader's wait is worth the former, the developer's is not.
const (
	brotliBest, brotliFast = 11, 5
	gzipBest, gzipFast     = 9, 5
)

// cache keeps compressed bytes by the hash of the plain ones, so that level 11
// is paid for once for each content.
type cache struct {
	dir  string
	fast bool
}

const cachePrefix = "packed-"

// pack compresses an asset, or finds it compressed. A fast build takes the best
// compression when it has it already.
func (c cache) pack(a asset) (packed, error) {
	p := packed{asset: a}
	var err error
	if p.brotli, err = c.get(a.data, "br", brotliFast, brotliBest, brotliBytes); err != nil {
		return p, fmt.Errorf("%s: %w", a.name, err)
	}
	if p.gzip, err = c.get(a.data, "gz", gzipFast, gzipBest, gzipBytes); err != nil {
		return p, fmt.Errorf("%s: %w", a.name, err)
	}
	return p, nil
}

func (c cache) get(plain []byte, form string, fast, best int, compress func([]byte, int) ([]byte, error)) ([]byte, error) {
	if data, err := os.ReadFile(c.path(plain, form, best)); err == nil {
		return data, nil
	}
	level := best
	if c.fast {
		level = fast
		if data, err := os.ReadFile(c.path(plain, form, level)); err == nil {
			return data, nil
		}
	}
	data, err := compress(plain, level)
	if err != nil {
		return nil, err
	}
	return data, writeFile(c.path(plain, form, level), data)
}

func (c cache) path(plain []byte, form string, level int) string {
	return filepath.Join(c.dir, fmt.Sprintf("%s%s.%s%d", cachePrefix, digest(plain), form, level))
}

// prune removes what is kept for contents that this build does not have.
func (c cache) prune(used []packed) error {
	keep := make(map[string]bool, len(used))
	for _, p := range used {
		keep[digest(p.data)] = true
	}
	all, err := filepath.Glob(filepath.Join(c.dir, cachePrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range all {
		sum, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), cachePrefix), ".")
		if keep[sum] {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

func brotliBytes(plain []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	w := brotli.NewWriterLevel(&buf, level)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// gzipBytes leaves name and time out of the header, so that equal input gives equal output.
func gzipBytes(plain []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
