//go:build !core

package main

import (
	"syscall/js"

	"seedbed/wasm/bridge"
)

// addCalc adds the computing of sheets, for pages with numbers that readers may change.
func addCalc(calls map[string]any, b *bridge.Bridge) {
	// calc(sheet, set, views, into)
	calls["calc"] = js.FuncOf(func(_ js.Value, a []js.Value) any {
		return give(a[3], b.Calc(take(a[0]), take(a[1]), take(a[2])))
	})
}
