//go:build caches

package main

import "seedbed/labs/catalog/caches"

var here = caches.Labs
