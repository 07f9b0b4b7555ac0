//go:build !core && !gateway && !owners && !caches && !resilience && !consistency && !incidents

package main

import "seedbed/labs/catalog"

var here = catalog.All()
