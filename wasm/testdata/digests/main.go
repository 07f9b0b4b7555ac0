// Command digests reads Specs from standard input, one a line, runs each natively, and prints for each the digest of its trace and the
// SHA-256 of the trace's canonical bytes, or what is wrong. Built for another processor, it tells whether a run is the same there.
package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"

	"seedbed/labs"
	"seedbed/labs/catalog"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fmt.Println(digest(lines.Text()))
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "digests:", err)
		os.Exit(1)
	}
}

func digest(text string) string {
	spec, err := labs.Parse(text, catalog.Find)
	if err != nil {
		return "error: " + err.Error()
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%s %x", trace.Digest(), sha256.Sum256(trace.Append(nil)))
}
