//go:build incidents

package main

import "seedbed/labs/catalog/incidents"

var here = incidents.Labs
