package hashing_test

import (
	"strconv"
	"testing"

	"seedbed/chapters/hashing"
)

var sink uint64

// BenchmarkSum64 covers a short key of a ring, a long key and a frame of bytes.
func BenchmarkSum64(b *testing.B) {
	for _, n := range []int{8, 16, 40, 1 << 20} {
		buf := sanityBuffer(n)
		text := string(buf)
		b.Run("bytes/"+strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				sink += hashing.Sum64(1, buf)
			}
		})
		b.Run("string/"+strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				sink += hashing.Sum64String(1, text)
			}
		})
	}
}

// BenchmarkDigestWriteUint64 is the fold over events: an op is one integer.
func BenchmarkDigestWriteUint64(b *testing.B) {
	var d hashing.Digest
	b.SetBytes(8)
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		d.WriteUint64(i)
		i++
	}
	sink += d.Sum64()
}

func BenchmarkMD5(b *testing.B) {
	buf := sanityBuffer(40)
	b.ReportAllocs()
	for b.Loop() {
		sum := hashing.MD5(buf)
		sink += uint64(sum[0])
	}
}
