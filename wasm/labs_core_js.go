//go:build core

package main

import "seedbed/labs/catalog/core"

var here = core.Labs
