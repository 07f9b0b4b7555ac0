// Package routing holds the labs about where a request goes and whether there is room for it. Each is one file and one value;
// package catalog lists them.
//
//	littles-law     how many are inside on average, and how many places a promise needs
package routing
