//go:build owners

package main

import "seedbed/labs/catalog/owners"

var here = owners.Labs
