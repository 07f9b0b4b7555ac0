//go:build core

package catalog

import "seedbed/labs"

// The small module holds the core alone.
var others []*labs.Lab
