package hashing

import "math/bits"

// The primes of xxHash64, by the names of its specification.
const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

// stripe is the number of bytes that the four accumulators take in one step.
const stripe = 32

// Sum64 returns the xxHash64 of b under seed. O(len(b)), no allocation, safe for
// concurrent use; a nil slice is the empty input.
func Sum64(seed uint64, b []byte) uint64 { return sum64(seed, b) }

// Sum64String returns Sum64(seed, []byte(s)) without the copy.
func Sum64String(seed uint64, s string) uint64 { return sum64(seed, s) }

func sum64[T text](seed uint64, b T) uint64 {
	h, n := seed+prime5, uint64(len(b))
	if len(b) >= stripe {
		a0, a1, a2, a3 := start(seed)
		for len(b) >= stripe {
			a0 = round(a0, load64(b[0:8]))
			a1 = round(a1, load64(b[8:16]))
			a2 = round(a2, load64(b[16:24]))
			a3 = round(a3, load64(b[24:32]))
			b = b[stripe:]
		}
		h = converge(a0, a1, a2, a3)
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h = take8(h, load64(b))
	}
	if len(b) >= 4 {
		h = take4(h, load32(b))
		b = b[4:]
	}
	for i := 0; i < len(b); i++ {
		h = take1(h, b[i])
	}
	return avalanche(h)
}

// Digest is a running xxHash64: any split of the same bytes over Write and
// WriteUint64 gives the same Sum64, equal to the one-shot function.
//
// The zero value is an empty digest with seed 0. It holds no pointer, so a plain
// assignment forks it: checkpoints copy it and both copies go on alone. Do not
// compare two digests with ==, since bytes already consumed may remain in tail.
// It is not safe for concurrent use. 80 bytes.
type Digest struct {
	seed  uint64
	total uint64    // bytes written; its low five bits say how full tail is
	acc   [4]uint64 // valid once a full stripe was taken, else not yet set
	tail  [4]uint64 // bytes of the unfinished stripe, little-endian
}

// Reset empties the digest and sets its seed.
func (d *Digest) Reset(seed uint64) { *d = Digest{seed: seed} }

// Len returns the number of bytes written since the start or the last Reset.
func (d *Digest) Len() uint64 { return d.total }

// WriteUint64 adds the eight bytes of v, least significant first. It is the
// quick way in for columns of integers: while everything written so far is a
// multiple of eight bytes, it costs one store, and four rounds every fourth call.
func (d *Digest) WriteUint64(v uint64) {
	i, shift := d.total>>3&3, d.total&7*8
	d.total += 8
	if shift == 0 {
		d.tail[i] = v
		if i == 3 {
			d.takeTail()
		}
		return
	}
	d.tail[i] |= v << shift
	if i == 3 {
		d.takeTail()
	}
	d.tail[(i+1)&3] = v >> (64 - shift)
}

// Write adds p. It keeps nothing of p and cannot fail, so it returns nothing.
func (d *Digest) Write(p []byte) { write(d, p) }

// WriteString adds the bytes of s without a copy.
func (d *Digest) WriteString(s string) { write(d, s) }

func write[T text](d *Digest, p T) {
	if d.total%stripe != 0 {
		p = p[fill(d, p):]
	}
	if len(p) >= stripe {
		if d.total == 0 {
			d.acc[0], d.acc[1], d.acc[2], d.acc[3] = start(d.seed)
		}
		d.total += uint64(len(p)) &^ (stripe - 1)
		a0, a1, a2, a3 := d.acc[0], d.acc[1], d.acc[2], d.acc[3]
		for len(p) >= stripe {
			a0 = round(a0, load64(p[0:8]))
			a1 = round(a1, load64(p[8:16]))
			a2 = round(a2, load64(p[16:24]))
			a3 = round(a3, load64(p[24:32]))
			p = p[stripe:]
		}
		d.acc = [4]uint64{a0, a1, a2, a3}
	}
	fill(d, p)
}

// fill moves bytes of p into tail until a stripe ends or p does, and returns how
// many it moved. Eight at a time goes through WriteUint64, which knows how to
// straddle two words.
func fill[T text](d *Digest, p T) int {
	p = p[:min(len(p), stripe-int(d.total%stripe))]
	n := len(p)
	for ; len(p) >= 8; p = p[8:] {
		d.WriteUint64(load64(p))
	}
	for i := 0; i < len(p); i++ {
		w, shift := d.total>>3&3, d.total&7*8
		if shift == 0 {
			d.tail[w] = 0
		}
		d.tail[w] |= uint64(p[i]) << shift
		d.total++
		if d.total%stripe == 0 {
			d.takeTail()
		}
	}
	return n
}

// takeTail folds the four words of tail, now full, into the accumulators. They
// get their start values only here and in write, before the first stripe: so the
// zero value works and Reset is one assignment. A value that straddles two
// stripes has already been counted, hence "less than two" and not "one".
func (d *Digest) takeTail() {
	if d.total < 2*stripe {
		d.acc[0], d.acc[1], d.acc[2], d.acc[3] = start(d.seed)
	}
	d.acc[0] = round(d.acc[0], d.tail[0])
	d.acc[1] = round(d.acc[1], d.tail[1])
	d.acc[2] = round(d.acc[2], d.tail[2])
	d.acc[3] = round(d.acc[3], d.tail[3])
}

// Sum64 returns the hash of all bytes so far and changes nothing, so that more
// may be written after it.
func (d *Digest) Sum64() uint64 {
	h := d.seed + prime5
	if d.total >= stripe {
		h = converge(d.acc[0], d.acc[1], d.acc[2], d.acc[3])
	}
	h += d.total
	rest := d.total % stripe
	for i := range rest >> 3 {
		h = take8(h, d.tail[i])
	}
	last := d.tail[rest>>3&3]
	if rest&4 != 0 {
		h = take4(h, uint32(last))
		last >>= 32
	}
	for range rest & 3 {
		h = take1(h, byte(last))
		last >>= 8
	}
	return avalanche(h)
}

func start(seed uint64) (a0, a1, a2, a3 uint64) {
	return seed + prime1 + prime2, seed + prime2, seed, seed - prime1
}

func round(acc, lane uint64) uint64 {
	return bits.RotateLeft64(acc+lane*prime2, 31) * prime1
}

func converge(a0, a1, a2, a3 uint64) uint64 {
	h := bits.RotateLeft64(a0, 1) + bits.RotateLeft64(a1, 7) +
		bits.RotateLeft64(a2, 12) + bits.RotateLeft64(a3, 18)
	h = (h^round(0, a0))*prime1 + prime4
	h = (h^round(0, a1))*prime1 + prime4
	h = (h^round(0, a2))*prime1 + prime4
	return (h^round(0, a3))*prime1 + prime4
}

func take8(h, lane uint64) uint64 {
	return bits.RotateLeft64(h^round(0, lane), 27)*prime1 + prime4
}

func take4(h uint64, lane uint32) uint64 {
	return bits.RotateLeft64(h^uint64(lane)*prime1, 23)*prime2 + prime3
}

func take1(h uint64, b byte) uint64 {
	return bits.RotateLeft64(h^uint64(b)*prime5, 11) * prime1
}

func avalanche(h uint64) uint64 {
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
