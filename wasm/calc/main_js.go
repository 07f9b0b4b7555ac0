// Command calc is the sheets of package calc as a WebAssembly module of their own: most readers never change a number of the text, and
// those who do need no lab for it. It hangs one call of package bridge on the global.
package main

import (
	"syscall/js"

	"seedbed/wasm/border"
	"seedbed/wasm/bridge"
)

func main() {
	var sheets bridge.Sheets
	border.Offer(map[string]any{
		// calc(sheet, set, views, into)
		"calc": js.FuncOf(func(_ js.Value, a []js.Value) any {
			return border.Give(a[3], sheets.Calc(border.Take(a[0]), border.Take(a[1]), border.Take(a[2])))
		}),
	})
}
