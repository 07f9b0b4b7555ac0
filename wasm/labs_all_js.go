//go:build !core && !gateway && !owners && !caches

package main

import "seedbed/labs/catalog"

var here = catalog.All()
