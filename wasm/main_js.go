// Command wasm is the labs as one WebAssembly module for browsers. It hangs the calls of package bridge on one global, `seedbed`,
// and holds no logic of its own; web/client/worker/protocol.d.ts is the contract of that global.
//
// It is built once for each part of the catalog, by a build tag of the part's name: each file labs_PART_js.go names the labs that are
// here then. Without a tag it holds them all but Raft's, for tests.
package main

import (
	"syscall/js"

	"seedbed/labs"
	"seedbed/wasm/border"
	"seedbed/wasm/bridge"
)

func main() {
	b := bridge.New(labs.Among(here))
	border.Offer(map[string]any{
		// describe(spec, into)
		"describe": js.FuncOf(func(_ js.Value, a []js.Value) any { return border.Give(a[1], b.Describe(border.Take(a[0]))) }),
		// begin(spec, input, seek, into)
		"begin": js.FuncOf(func(_ js.Value, a []js.Value) any {
			return border.Give(a[3], b.Begin(border.Take(a[0]), border.Take(a[1]), a[2].Bool()))
		}),
		// step(handle, events, into)
		"step": js.FuncOf(func(_ js.Value, a []js.Value) any { return border.Give(a[2], b.Step(a[0].Int(), a[1].Int())) }),
		// part(handle, n, into)
		"part": js.FuncOf(func(_ js.Value, a []js.Value) any { return border.Give(a[2], b.Part(a[0].Int(), a[1].Int())) }),
		// replay(handle, at, before, after, into)
		"replay": js.FuncOf(func(_ js.Value, a []js.Value) any {
			return border.Give(a[4], b.Replay(a[0].Int(), int64(a[1].Float()), a[2].Int(), a[3].Int()))
		}),
		// end(handle)
		"end": js.FuncOf(func(_ js.Value, a []js.Value) any {
			b.End(a[0].Int())
			return nil
		}),
	})
}
