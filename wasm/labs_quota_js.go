//go:build quota

package main

import "seedbed/labs/catalog/quota"

var here = quota.Labs
