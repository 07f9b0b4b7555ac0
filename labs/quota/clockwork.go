package quota

import (
	"reflect"
	"unsafe" // unsafe: one field of a RawNode, which has no setter, is overwritten before each tick

	"go.etcd.io/raft/v3"
)

// timeoutOffset is where a raft node keeps the ticks after which it stands for election; ok is false when this release of the library has
// no such field, which a test holds against.
func timeoutOffset() (offset uintptr, ok bool) {
	node, ok := reflect.TypeFor[raft.RawNode]().FieldByName("raft")
	if !ok || node.Type.Kind() != reflect.Pointer {
		return 0, false
	}
	field, ok := node.Type.Elem().FieldByName("randomizedElectionTimeout")
	if !ok || field.Type.Kind() != reflect.Int {
		return 0, false
	}
	return field.Offset, true
}

// electionTicks is the field itself. The library writes a number from crypto/rand into it whenever its node changes its role; whoever
// writes another before each Tick, the only place that reads it, has a node that does the same in every run.
func electionTicks(node *raft.RawNode) *int {
	offset, ok := timeoutOffset()
	if !ok {
		panic("quota: this release of go.etcd.io/raft/v3 keeps its election time-out elsewhere; see timeoutOffset")
	}
	inner := reflect.ValueOf(node).Elem().FieldByName("raft").UnsafePointer()
	return (*int)(unsafe.Add(inner, offset))
}

// broken is what the library panics with when it finds its own invariants broken, as with a log that its disk has lost. Then its replica
// stops for good, and only it: see run.halt.
type broken struct{}

// silent is a raft.Logger that says nothing.
type silent struct{}

func (silent) Debug(...any)            {}
func (silent) Debugf(string, ...any)   {}
func (silent) Info(...any)             {}
func (silent) Infof(string, ...any)    {}
func (silent) Warning(...any)          {}
func (silent) Warningf(string, ...any) {}
func (silent) Error(...any)            {}
func (silent) Errorf(string, ...any)   {}
func (silent) Fatal(...any)            { panic(broken{}) }
func (silent) Fatalf(string, ...any)   { panic(broken{}) }
func (silent) Panic(...any)            { panic(broken{}) }
func (silent) Panicf(string, ...any)   { panic(broken{}) }
