// Package quota lists the labs in which Raft decides. Their WebAssembly module is apart because it holds go.etcd.io/raft/v3, and so
// links packages that no other module may; the law in cmd/tidy says who may import this one.
package quota

import (
	"seedbed/labs"
	"seedbed/labs/quota"
)

// Labs are in the order in which people see them. The slice must not be written.
var Labs = []*labs.Lab{
	quota.Coordinator,
}
