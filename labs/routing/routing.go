// Package routing holds the labs about where a request goes and whether there is room for it. Each is one value;
// package catalog lists them.
//
//	littles-law     how many are inside on average, and how many places a promise needs
//	route-capacity  where a request may go, by health, by free places, and by who counts them
//	retry-storm     what retries do to a backend in trouble, and to what was to be done once
//	recovery        how a peer comes back without being lost again
//
// The last three compare ways to do it. The checks judge the one that the parameter use names, and the others see the very same
// requests beside it, each with peers of its own.
package routing
