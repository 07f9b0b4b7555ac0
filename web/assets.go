package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"mime"
	"path"
	"strings"

	"seedbed/web/text"
	"seedbed/web/view"
)

// Cache-Control of what is served: what carries a hash in its name may be kept for ever, what keeps its name is asked for again.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
	halfHour   = "public, max-age=1800"

	htmlType = "text/html; charset=utf-8"
)

const genPath = "/static/gen/"

// manifest is what cmd/assets leaves beside what it builds.
type manifest struct {
	Build  string `json:"build"`
	Assets map[string]struct {
		File string `json:"file"`
	} `json:"assets"`
}

// url is the address of a built asset, "" when it was not built.
func (m *manifest) url(name string) string {
	if a, ok := m.Assets[name]; ok {
		return genPath + a.File
	}
	return ""
}

// unbuilt is the build's name when no assets were built: pages then have no style, and labs are their pictures.
const unbuilt = "unbuilt"

// loadAssets reads all static files into documents by path.
func (s *site) loadAssets(static fs.FS) error {
	s.manifest = manifest{Build: unbuilt}
	text, err := fs.ReadFile(static, "gen/manifest.json")
	if err == nil {
		if err := json.Unmarshal(text, &s.manifest); err != nil {
			return &fs.PathError{Op: "read", Path: "static/gen/manifest.json", Err: err}
		}
	}
	for name := range s.manifest.Assets { // order cannot matter: each is another path
		file := s.manifest.Assets[name].File
		d, err := builtDocument(static, file, immutable)
		if err != nil {
			return err
		}
		s.documents[genPath+file] = d
	}
	if a, ok := s.manifest.Assets["embed.js"]; ok { // for other sites, which know it by this name
		if s.documents["/embed.js"], err = builtDocument(static, a.File, halfHour); err != nil {
			return err
		}
	}
	for _, name := range []string{"theme.js", "dev.js", "favicon.svg"} {
		body, err := fs.ReadFile(static, name)
		if err != nil {
			return err
		}
		at, cache := "/"+name, revalidate
		if strings.HasSuffix(name, ".js") {
			at, cache = "/static/"+hashed(name, body), immutable
			s.scripts[name] = at
		}
		s.documents[at] = newDocument(typeOf(name), cache, body, keptEffort)
	}
	s.documents["/robots.txt"] = newDocument("text/plain; charset=utf-8", halfHour, []byte("User-agent: *\nDisallow: /embed/\nDisallow: /api/\n"), keptEffort)
	return nil
}

// builtDocument reads a file of gen with its compressed forms.
func builtDocument(static fs.FS, file, cache string) (*document, error) {
	var bodies [3][]byte
	for i, suffix := range [3]string{"", ".gz", ".br"} {
		body, err := fs.ReadFile(static, path.Join("gen", file+suffix))
		if err != nil && i == 0 {
			return nil, err
		}
		bodies[i] = body
	}
	return builtDocumentOf(typeOf(file), cache, bodies), nil
}

// hashed puts a hash of the content into a file's name.
func hashed(name string, body []byte) string {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
}

// typeOf is a file's type by its name. The ones that matter are given here: the system's table may say something else.
func typeOf(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png", ".webp", ".jpg":
		return mime.TypeByExtension(ext)
	}
	return "application/octet-stream"
}

// assets are the addresses that pages load.
func (s *site) assets() view.Assets {
	a := view.Assets{
		CSS: s.manifest.url("site.css"), Theme: s.scripts["theme.js"], Site: s.manifest.url("site.js"), Lab: s.manifest.url("lab.js"),
		Frame: s.manifest.url("frame.js"), Build: s.manifest.Build,
	}
	if s.server.config.Dev {
		a.Dev = s.scripts["dev.js"]
	}
	return a
}

// frame is what every page of a language shares. path is its address without the language.
func (s *site) frame(lang text.Lang, title, path string) *view.Frame {
	return &view.Frame{
		Lang: lang, Words: s.texts.UI(lang), Title: title, Path: path, Base: s.server.config.Base,
		Assets: s.assets(), Report: view.Report{To: s.server.config.ReportTo},
	}
}
