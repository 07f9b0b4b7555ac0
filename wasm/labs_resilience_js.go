//go:build resilience

package main

import "seedbed/labs/catalog/resilience"

var here = resilience.Labs
