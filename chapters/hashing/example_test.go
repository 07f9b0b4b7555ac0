package hashing_test

import (
	"fmt"

	"seedbed/chapters/hashing"
)

func ExampleDigest() {
	var d hashing.Digest
	d.Reset(7)
	d.WriteString("token ")
	checkpoint := d // a copy is a fork
	d.WriteString("bucket")
	checkpoint.WriteString("ring")

	fmt.Println(d.Sum64() == hashing.Sum64String(7, "token bucket"))
	fmt.Println(checkpoint.Sum64() == hashing.Sum64String(7, "token ring"))
	// Output:
	// true
	// true
}
