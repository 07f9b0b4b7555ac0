// Package e2e runs the real binary in a real Chromium: one scenario a file, each what a reader, a writer or a script would do. It is a
// module of its own, so that a browser driver stays out of the site's.
//
//	go test ./...                        builds assets and binary, then runs every scenario
//	SEEDBED=/path/to/seedbed go test ./... -run Timing -v
//	                                     a binary that is there already; the timing report
//
// A scenario waits for what a reader would see (data-state="done", a sentence, a picture) and never for time to pass. Every tab fails
// its test when a script throws, when something is written to the console as an error, or when the Content-Security-Policy forbids
// something.
//
// Chromium is taken from the PATH (chromium, chromium-browser, google-chrome). Where there is none the tests are skipped and say so, but
// not in CI.
package e2e
