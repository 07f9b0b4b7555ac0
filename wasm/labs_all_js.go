//go:build !core && !gateway && !owners && !caches && !resilience

package main

import "seedbed/labs/catalog"

var here = catalog.All()
