package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// document is bytes that are served as they are, in up to three encodings. It is never written after it is made; a form that is not
// there yet is compressed when it is first asked for, once. The header fields of a form are made once as well, so that serving one
// allocates next to nothing.
type document struct {
	forms [3]form // by encoding
	vary  bool    // there are others than the plain one
}

// form is one encoding of a document.
type form struct {
	there  bool          // the document has this form
	make   func() []byte // gives the body when first asked; nil when the body is there already
	once   sync.Once
	body   []byte   // after ready
	length []string // Content-Length of the body, after ready
	etag   string
	fields http.Header // all that is known without the body; not written after the document is made
}

// encoding is how a body is compressed.
type encoding uint8

const (
	identity encoding = iota
	gzipped
	brotlied
)

var encodingNames = [3]string{"", "gzip", "br"}

// effort is how hard to compress: pages that are kept are worth the time, pages made for one reader are not.
type effort struct{ brotli, gzip int }

var (
	keptEffort = effort{brotli: 9, gzip: 9}
	onceEffort = effort{brotli: 4, gzip: 5}
)

// leastCompressed is the size from which compressing pays: below it the header fields are most of the answer.
const leastCompressed = 512

// newDocument makes a document of a body, which it will compress with the given effort.
func newDocument(contentType, cache string, body []byte, e effort) *document {
	d := &document{}
	d.forms[identity].there, d.forms[identity].body = true, body
	if len(body) >= leastCompressed {
		d.forms[gzipped].there, d.forms[gzipped].make = true, func() []byte { return gzipOf(body, e.gzip) }
		d.forms[brotlied].there, d.forms[brotlied].make = true, func() []byte { return brotliOf(body, e.brotli) }
	}
	d.label(contentType, cache)
	return d
}

// builtDocumentOf takes bodies that are compressed already. One that is missing, or no smaller than the plain one, is left out.
func builtDocumentOf(contentType, cache string, bodies [3][]byte) *document {
	d := &document{}
	for i, body := range bodies {
		if i == int(identity) || body != nil && len(body) < len(bodies[identity]) {
			d.forms[i].there, d.forms[i].body = true, body
		}
	}
	d.label(contentType, cache)
	return d
}

// label makes the header fields of all forms.
func (d *document) label(contentType, cache string) {
	sum := sha256.Sum256(d.forms[identity].body)
	tag := hex.EncodeToString(sum[:8])
	for i := range d.forms {
		if encoding(i) != identity && d.forms[i].there {
			d.vary = true
		}
	}
	for i := range d.forms {
		f := &d.forms[i]
		f.etag = `"` + tag + `"`
		f.fields = http.Header{}
		if e := encodingNames[i]; e != "" {
			f.etag = `"` + tag + "-" + e + `"`
			f.fields.Set("Content-Encoding", e)
		}
		f.fields.Set("Content-Type", contentType)
		f.fields.Set("Cache-Control", cache)
		f.fields.Set("ETag", f.etag)
		if d.vary {
			f.fields.Set("Vary", "Accept-Encoding")
		}
	}
}

// ready makes the form's body, once.
func (f *form) ready() *form {
	f.once.Do(func() {
		if f.make != nil {
			f.body = f.make()
		}
		f.length = []string{strconv.Itoa(len(f.body))}
	})
	return f
}

// serve answers a GET or HEAD with the document, with 304 when the client has it. Header fields that are set already stay.
func (d *document) serve(w http.ResponseWriter, r *http.Request, status int) error {
	f := d.choose(r.Header["Accept-Encoding"])
	h := w.Header()
	if status == http.StatusOK && matches(r.Header["If-None-Match"], f.etag) {
		for _, key := range unchangedFields {
			if values := f.fields[key]; values != nil {
				h[key] = values
			}
		}
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	for key, values := range f.fields { // order cannot matter: each key is another
		h[key] = values
	}
	h["Content-Length"] = f.ready().length
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(f.body)
	return err
}

// unchangedFields are those of the document that an answer has which says that the client has it already.
var unchangedFields = []string{"Cache-Control", "Etag", "Vary"}

// choose picks the smallest form that the client takes.
func (d *document) choose(accept []string) *form {
	if !d.vary {
		return &d.forms[identity]
	}
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
	case br && d.forms[brotlied].there:
		return &d.forms[brotlied]
	case gz && d.forms[gzipped].there:
		return &d.forms[gzipped]
	}
	return &d.forms[identity]
}

// weight is the q of a list's member, in thousandths; 1000 when none is given, 0 when it cannot be read.
func weight(parameters string) int {
	if parameters == "" {
		return 1000
	}
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

func gzipOf(body []byte, level int) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		panic("web: " + err.Error()) // the levels are constants
	}
	z.Write(body)
	z.Close() // a bytes.Buffer takes all
	return b.Bytes()
}

func brotliOf(body []byte, level int) []byte {
	var b bytes.Buffer
	z := brotli.NewWriterLevel(&b, level)
	z.Write(body)
	z.Close()
	return b.Bytes()
}
