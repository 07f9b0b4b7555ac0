//go:build !core && !gateway && !owners

package main

import "seedbed/labs/catalog"

var here = catalog.All()
