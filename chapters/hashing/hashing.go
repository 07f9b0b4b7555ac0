// Package hashing holds the two hash functions that the rings, sketches and
// digests of this project share, and one integer mixer.
//
//   - xxHash64, one-shot ([Sum64], [Sum64String]) and streaming ([Digest]): the
//     hash of rings and of run digests. It is fast where the code must run, in
//     WebAssembly too, and has a published specification with vectors:
//     github.com/Cyan4973/xxHash, doc/xxhash_spec.md.
//   - [MD5], RFC 1321: only for ketama, whose points are slices of MD5 sums, so
//     that our ring agrees with libketama and its many ports.
//   - [Mix64], the finaliser of SplitMix64: spreads an integer that is already
//     unique, such as a counter or an index, over 64 bits.
//
// All are pure functions of their input: the same bytes give the same value on
// every platform, in every run, with the seed as an argument (hash/maphash draws
// a seed for each process, so it cannot name a run). Nothing allocates.
//
// None is safe against an adversary. MD5 collisions cost seconds, xxHash64 was
// never meant to resist them, and a client that chooses keys can aim them at one
// node of a ring. Where that matters, draw the seed from a secret; where a
// signature is needed, this is the wrong package.
//
// There is no unsafe here. On amd64, arm64 and WebAssembly the compiler merges
// the shifts of [load64] into one load, which BenchmarkSum64 shows.
package hashing

// Mix64 is a bijection of 64 bits in which each input bit flips each output bit
// about half the time. Mix64(0) is 0: add an odd constant first where zero must
// not stand out, as SplitMix64 does with 0x9E3779B97F4A7C15.
//
// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
// Generators" (2014), with the constants of Stafford's variant 13.
func Mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// text is what can be hashed without a copy. One generic body for both spares
// the conversion of a string to bytes, which would allocate, and a second copy
// of the algorithm, which could drift.
type text interface{ string | []byte }

// load64 reads the first eight bytes, little-endian. The full expression is what
// the compiler recognises and turns into a single load, and callers that cut off
// what they have read (b = b[8:]) rather than count an index spare a bounds
// check: together twice as fast on long inputs.
func load64[T text](b T) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func load32[T text](b T) uint32 {
	_ = b[3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
