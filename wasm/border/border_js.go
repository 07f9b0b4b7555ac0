// Package border carries bytes over the border to JavaScript, for the commands under wasm.
//
// Each call that replies takes a Uint8Array from the caller, copies the reply into it and returns the reply's length; a reply that
// does not fit is not copied and its length comes back negative. So neither side allocates for a reply.
package border

import "syscall/js"

// Offer hangs calls on the one global, seedbed, and waits for ever: they live as long as the instance, by design, and nothing releases
// them.
func Offer(calls map[string]any) {
	js.Global().Set("seedbed", js.ValueOf(calls))
	<-make(chan struct{})
}

// Take copies a Uint8Array from JavaScript.
func Take(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// Give copies a reply to JavaScript and returns its length, negative when it does not fit.
func Give(into js.Value, reply []byte) int {
	if into.Length() < len(reply) {
		return -len(reply)
	}
	return js.CopyBytesToJS(into, reply)
}
