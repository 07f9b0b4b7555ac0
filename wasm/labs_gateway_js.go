//go:build gateway

package main

import "seedbed/labs/catalog/gateway"

var here = gateway.Labs
