package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// document is bytes that are served as they are, in up to three encodings, made once and never written. Its headers are made once as
// well: serving one allocates next to nothing.
type document struct {
	forms [3]form // by encoding
	vary  bool
}

// form is one encoding of a document.
type form struct {
	body     []byte
	etag     string
	fields   http.Header // all that is known beforehand
	encoding encoding
}

// encoding is how a body is compressed.
type encoding uint8

const (
	identity encoding = iota
	gzipped
	brotlied
)

var encodingNames = [3]string{"", "gzip", "br"}

// How hard to compress: pages that are kept are worth the time, pages made for one reader are not.
const (
	keptBrotli, keptGzip = 9, 9
	onceBrotli, onceGzip = 4, 5
)

// newDocument compresses a body.
func newDocument(contentType, cache string, body []byte, brotliLevel, gzipLevel int) *document {
	bodies := [3][]byte{identity: body}
	var b bytes.Buffer
	g, err := gzip.NewWriterLevel(&b, gzipLevel)
	if err == nil {
		g.Write(body)
		g.Close() // a bytes.Buffer takes all
		bodies[gzipped] = bytes.Clone(b.Bytes())
	}
	b.Reset()
	z := brotli.NewWriterLevel(&b, brotliLevel)
	z.Write(body)
	z.Close()
	bodies[brotlied] = b.Bytes()
	return documentOf(contentType, cache, bodies)
}

// documentOf takes bodies that are compressed already. One that is missing, or that is no smaller than the plain body, is left out.
func documentOf(contentType, cache string, bodies [3][]byte) *document {
	d := &document{}
	sum := sha256.Sum256(bodies[identity])
	tag := hex.EncodeToString(sum[:8])
	for i, body := range bodies {
		if body == nil || i > 0 && len(body) >= len(bodies[identity]) {
			continue
		}
		e := encoding(i)
		f := form{body: body, etag: `"` + tag + `"`, encoding: e, fields: http.Header{}}
		if e != identity {
			d.vary = true
			f.etag = `"` + tag + "-" + encodingNames[e] + `"`
			f.fields.Set("Content-Encoding", encodingNames[e])
		}
		f.fields.Set("Content-Type", contentType)
		f.fields.Set("Content-Length", strconv.Itoa(len(body)))
		f.fields.Set("Cache-Control", cache)
		f.fields.Set("ETag", f.etag)
		d.forms[i] = f
	}
	if d.vary {
		for i := range d.forms {
			if d.forms[i].body != nil {
				d.forms[i].fields.Set("Vary", "Accept-Encoding")
			}
		}
	}
	return d
}

// serve answers a GET or HEAD with the document, with 304 when the client has it. Header fields that are set already stay.
func (d *document) serve(w http.ResponseWriter, r *http.Request, status int) error {
	f := &d.forms[identity]
	if d.vary {
		f = d.choose(r.Header["Accept-Encoding"])
	}
	h := w.Header()
	for key, values := range f.fields { // order cannot matter: each key is another
		if key == "Vary" && len(h[key]) > 0 {
			h[key] = []string{h[key][0] + ", " + values[0]}
			continue
		}
		h[key] = values
	}
	if status == http.StatusOK && matches(r.Header["If-None-Match"], f.etag) {
		delete(h, "Content-Length")
		delete(h, "Content-Type")
		delete(h, "Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(f.body)
	return err
}

// choose picks the smallest form that the client takes.
func (d *document) choose(accept []string) *form {
	br, gz := false, false
	for _, field := range accept {
		for part := range strings.SplitSeq(field, ",") {
			name, parameters, _ := strings.Cut(part, ";")
			if weight(parameters) == 0 {
				continue
			}
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "br":
				br = true
			case "gzip", "x-gzip":
				gz = true
			}
		}
	}
	switch {
	case br && d.forms[brotlied].body != nil:
		return &d.forms[brotlied]
	case gz && d.forms[gzipped].body != nil:
		return &d.forms[gzipped]
	}
	return &d.forms[identity]
}

// weight is the q of a list's member, in thousandths; 1000 when none is given, 0 when it cannot be read.
func weight(parameters string) int {
	q, found := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q=")
	if !found {
		return 1000
	}
	v, err := strconv.ParseFloat(q, 64)
	if err != nil || !(v > 0) {
		return 0
	}
	return int(min(v, 1) * 1000)
}

// matches is true when If-None-Match names the tag.
func matches(fields []string, etag string) bool {
	for _, field := range fields {
		for tag := range strings.SplitSeq(field, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}
