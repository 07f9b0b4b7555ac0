package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"sort"
)

const manifestName = "manifest.json"

// manifest is what the server reads to name, serve and vouch for the assets.
// The package comment shows its JSON.
type manifest struct {
	Build  string            `json:"build"`
	Fast   bool              `json:"fast,omitempty"`
	Assets map[string]record `json:"assets"`
}

// record is one asset. Sizes are bytes.
type record struct {
	File      string `json:"file"`
	Size      int    `json:"size"`
	Brotli    int    `json:"brotli"`
	Gzip      int    `json:"gzip"`
	Integrity string `json:"integrity"` // of the plain bytes, as in an HTML integrity attribute
}

// manifestOf describes a build. The build id follows from names and plain
// bytes alone, so a fast build of the same sources has the same id.
func manifestOf(all []packed, fast bool) manifest {
	m := manifest{Fast: fast, Assets: make(map[string]record, len(all))}
	var names []string
	for _, p := range all {
		sum := sha512.Sum384(p.data)
		m.Assets[p.name] = record{
			File:      p.file(),
			Size:      len(p.data),
			Brotli:    len(p.brotli),
			Gzip:      len(p.gzip),
			Integrity: "sha384-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		names = append(names, p.name)
	}
	sort.Strings(names)
	var id []byte
	for _, name := range names {
		id = append(id, name+" "+m.Assets[name].Integrity+"\n"...)
	}
	m.Build = digest(id)[:16]
	return m
}

// encode is the text of manifest.json: keys sorted, so equal builds are equal files.
func (m manifest) encode() []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // strings, numbers and a bool: cannot fail
	}
	return append(text, '\n')
}
