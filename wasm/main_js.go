// Command wasm is the labs as one WebAssembly module for browsers. It hangs the calls of package bridge on one global, `seedbed`,
// and holds no logic of its own; web/client/worker/protocol.d.ts is the contract of that global.
//
// It is built once for each part of the catalog, by a build tag of the part's name: each file labs_PART_js.go names the labs that are
// here then. Without a tag it holds them all, for tests.
//
// Each call that replies takes a Uint8Array from the caller, copies the reply into it and returns the reply's length; a reply that
// does not fit is not copied and its length comes back negative. So neither side allocates for a reply. The functions live as long
// as the instance, by design: nothing releases them.
package main

import (
	"syscall/js"

	"seedbed/labs"
	"seedbed/wasm/bridge"
)

func main() {
	b := bridge.New(labs.Among(here))
	calls := map[string]any{
		// describe(spec, into)
		"describe": js.FuncOf(func(_ js.Value, a []js.Value) any { return give(a[1], b.Describe(take(a[0]))) }),
		// begin(spec, input, seek, into)
		"begin": js.FuncOf(func(_ js.Value, a []js.Value) any {
			return give(a[3], b.Begin(take(a[0]), take(a[1]), a[2].Bool()))
		}),
		// step(handle, events, into)
		"step": js.FuncOf(func(_ js.Value, a []js.Value) any { return give(a[2], b.Step(a[0].Int(), a[1].Int())) }),
		// part(handle, n, into)
		"part": js.FuncOf(func(_ js.Value, a []js.Value) any { return give(a[2], b.Part(a[0].Int(), a[1].Int())) }),
		// replay(handle, at, before, after, into)
		"replay": js.FuncOf(func(_ js.Value, a []js.Value) any {
			return give(a[4], b.Replay(a[0].Int(), int64(a[1].Float()), a[2].Int(), a[3].Int()))
		}),
		// end(handle)
		"end": js.FuncOf(func(_ js.Value, a []js.Value) any {
			b.End(a[0].Int())
			return nil
		}),
	}
	addCalc(calls, b)
	js.Global().Set("seedbed", js.ValueOf(calls))
	<-make(chan struct{})
}

// take copies a Uint8Array from JavaScript.
func take(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// give copies a reply to JavaScript and returns its length, negative when it does not fit.
func give(into js.Value, reply []byte) int {
	if into.Length() < len(reply) {
		return -len(reply)
	}
	return js.CopyBytesToJS(into, reply)
}
