package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// pageLimit is the bar on a chapter page without labs: HTML, styles and scripts.
const pageLimit = 60 * kib

// labScripts are what a page has for its labs alone; they have a budget of their own.
var labScripts = []string{"lab.js", "worker.js"}

var reference = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// measurePage adds up an HTML page and the styles and scripts that it names, but
// for those of its labs. A page that names no stylesheet of this build is of
// another one: an error, since its sum would look small.
func measurePage(m manifest, from string) (row, error) {
	html, err := fetch(from)
	if err != nil {
		return row{}, err
	}
	small, err := brotliBytes(html, brotliBest)
	if err != nil {
		return row{}, err
	}
	r := row{what: "chapter page without labs", of: path.Base(from), plain: len(html), brotli: len(small), limit: pageLimit}
	names := make(map[string]string, len(m.Assets)) // by file
	for name, rec := range m.Assets {               // order: fills a map
		names[rec.File] = name
	}
	seen := make(map[string]bool)
	styles := false
	for _, match := range reference.FindAllSubmatch(html, -1) {
		file, _, _ := strings.Cut(path.Base(string(match[1])), "?")
		ext := path.Ext(file)
		if ext != ".js" && ext != ".css" || seen[file] {
			continue
		}
		seen[file] = true
		name, ok := names[file]
		if !ok && ext == ".js" && !strings.Contains(string(match[1]), "/gen/") {
			small, err := beside(from, string(match[1])) // a small script that is served as it is
			if err != nil {
				return row{}, err
			}
			r.of, r.plain, r.brotli = r.of+" + "+file, r.plain+small.plain, r.brotli+small.brotli
			continue
		}
		if !ok {
			return row{}, fmt.Errorf("%s: names %s, which this build did not make: the page is of another one", from, file)
		}
		if slices.Contains(labScripts, name) {
			continue
		}
		styles = styles || ext == ".css"
		r.of += " + " + name
		r.plain += m.Assets[name].Size
		r.brotli += m.Assets[name].Brotli
	}
	if !styles {
		return row{}, fmt.Errorf("%s: names no stylesheet of this build", from)
	}
	return r, nil
}

// beside measures a file that a page of a server names.
func beside(page, address string) (row, error) {
	base, err := url.Parse(page)
	if err != nil || base.Host == "" {
		return row{}, fmt.Errorf("%s: names %s, which only a server can give", page, address)
	}
	target, err := base.Parse(address)
	if err != nil {
		return row{}, fmt.Errorf("%s: names %s: %w", page, address, err)
	}
	data, err := fetch(target.String())
	if err != nil {
		return row{}, err
	}
	small, err := brotliBytes(data, brotliBest)
	return row{plain: len(data), brotli: len(small)}, err
}

// patience is how long fetch waits for a server that was just started to listen.
const patience = 15 * time.Second

// fetch reads a file, or a page from a server.
func fetch(from string) ([]byte, error) {
	if !strings.HasPrefix(from, "http://") && !strings.HasPrefix(from, "https://") {
		return os.ReadFile(from)
	}
	client := &http.Client{Timeout: patience}
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		resp, err := client.Get(from)
		if errors.Is(err, syscall.ECONNREFUSED) && time.Since(start) < patience {
			continue
		}
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: status %s", from, resp.Status)
		}
		return io.ReadAll(resp.Body)
	}
}
