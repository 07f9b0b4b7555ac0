package ring_test

import (
	"slices"
	"strconv"
	"testing"

	"seedbed/chapters/ring"
)

// Against peers see labs/_bench; here is what a change of the code does to it.

const benchKeys = 1 << 14 // more than a first-level cache holds, as in a server

func keys() []string {
	k := make([]string, benchKeys)
	for i := range k {
		k[i] = "key-" + strconv.Itoa(i)
	}
	return k
}

func BenchmarkOwner(b *testing.B) {
	for _, a := range algorithms {
		b.Run(a.name, func(b *testing.B) {
			s, k, i := must(a.build(ring.Equal(numbered(100)...))), keys(), 0
			b.ReportAllocs()
			for b.Loop() {
				s.Owner(k[i%benchKeys])
				i++
			}
		})
	}
}

func BenchmarkThreeOwners(b *testing.B) {
	for _, a := range algorithms {
		b.Run(a.name, func(b *testing.B) {
			s, k, i := must(a.build(ring.Equal(numbered(100)...))), keys(), 0
			dst := make([]string, 0, 3)
			b.ReportAllocs()
			for b.Loop() {
				dst = s.Owners(k[i%benchKeys], 3, dst[:0])
				i++
			}
		})
	}
}

func BenchmarkAddOneTo100(b *testing.B) {
	for _, a := range algorithms {
		b.Run(a.name, func(b *testing.B) {
			s := must(a.build(ring.Equal(numbered(100)...)))
			for b.Loop() {
				if _, _, err := ring.Add(s, ring.Member{Name: "node-100", Weight: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMovedOfAMillionOn1000(b *testing.B) {
	before := must(ring.New(ring.Config{}, ring.Equal(numbered(1000)...)))
	after, _, err := ring.Remove(before, "node-500")
	if err != nil {
		b.Fatal(err)
	}
	inOrder := hashes(1_000_000, 1)
	slices.Sort(inOrder)
	for name, h := range map[string][]uint64{"ascending": inOrder, "in no order": hashes(1_000_000, 1)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ring.Moved(before, after, h, nil)
			}
		})
	}
}
