//go:build consistency

package main

import "seedbed/labs/catalog/consistency"

var here = consistency.Labs
