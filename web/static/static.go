// Package static embeds what the site serves as it is: the built scripts, styles and WebAssembly modules in gen (see cmd/assets), and
// the few files that are small enough to be written as they are served.
//
//	gen/           built; ignored by git but for a placeholder, so the site also builds and serves without
//	theme.js       sets the colour scheme before the first paint; loaded by every page, blocking
//	favicon.svg    the site's mark
//	dev.js         reloads a page when its source has changed; served only while developing
package static

import "embed"

// FS holds the files. In gen, FILE.br and FILE.gz are FILE compressed.
//
//go:embed all:gen theme.js favicon.svg dev.js
var FS embed.FS
