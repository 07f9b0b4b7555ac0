// Package fused holds a product and a sum that arm64 compiles into one
// instruction: proof that the test which looks for such instructions finds them.
package fused

// MulAdd is what package pmath must never write.
func MulAdd(x, y, z float64) float64 { return x*y + z }
