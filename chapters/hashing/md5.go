package hashing

import "math/bits"

// MD5 returns the MD5 sum of b as RFC 1321 defines it. It is here for one use,
// the points of a ketama ring, where compatibility decides and safety does not;
// crypto/md5 would do, but would bring the crypto packages into the WebAssembly
// module. O(len(b)), no allocation, safe for concurrent use.
func MD5(b []byte) [16]byte { return md5(b) }

// MD5String returns MD5([]byte(s)) without the copy.
func MD5String(s string) [16]byte { return md5(s) }

func md5[T text](b T) [16]byte {
	h := [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	var block [16]uint32
	length := uint64(len(b)) * 8
	for ; len(b) >= 64; b = b[64:] {
		for i := range block {
			block[i] = load32(b[4*i : 4*i+4])
		}
		md5Block(&h, &block)
	}

	// The padding: a bit 1, zeros, and the length in bits in the last two words,
	// which opens one more block when fewer than nine bytes are free.
	block = [16]uint32{}
	for i := 0; i < len(b); i++ {
		block[i>>2] |= uint32(b[i]) << (i & 3 * 8)
	}
	block[len(b)>>2] |= 0x80 << (len(b) & 3 * 8)
	if len(b) >= 56 {
		md5Block(&h, &block)
		block = [16]uint32{}
	}
	block[14], block[15] = uint32(length), uint32(length>>32)
	md5Block(&h, &block)

	var sum [16]byte
	for i := range sum {
		sum[i] = byte(h[i>>2] >> (i & 3 * 8))
	}
	return sum
}

// md5Block folds one block of 64 bytes into h: four rounds of sixteen steps. The
// names f, k, s are those of RFC 1321, section 3.4.
func md5Block(h *[4]uint32, block *[16]uint32) {
	a, b, c, d := h[0], h[1], h[2], h[3]
	for i := range 16 {
		f := d ^ b&(c^d)
		a, b, c, d = d, b+bits.RotateLeft32(a+f+md5Sines[i]+block[i], md5Shifts[0][i&3]), b, c
	}
	for i := range 16 {
		f := c ^ d&(b^c)
		a, b, c, d = d, b+bits.RotateLeft32(a+f+md5Sines[16+i]+block[(5*i+1)&15], md5Shifts[1][i&3]), b, c
	}
	for i := range 16 {
		f := b ^ c ^ d
		a, b, c, d = d, b+bits.RotateLeft32(a+f+md5Sines[32+i]+block[(3*i+5)&15], md5Shifts[2][i&3]), b, c
	}
	for i := range 16 {
		f := c ^ (b | ^d)
		a, b, c, d = d, b+bits.RotateLeft32(a+f+md5Sines[48+i]+block[7*i&15], md5Shifts[3][i&3]), b, c
	}
	h[0] += a
	h[1] += b
	h[2] += c
	h[3] += d
}

// md5Shifts are the rotations of each round, which repeat every four steps.
var md5Shifts = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5Sines is ⌊2³²·|sin(i+1)|⌋ for i = 0..63, computed afresh by the tests.
var md5Sines = [64]uint32{
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
	0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
	0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
	0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
	0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
	0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039,
	0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
}
