package sim

import (
	"math/bits"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// Stream is a stream of random numbers: xoshiro256** (Blackman and Vigna, 2018, https://prng.di.unimi.it/), its state filled by
// SplitMix64 as its authors advise. It is a value of 32 bytes: a copy continues on its own from the same place. The zero value is
// not usable (it would give zeros for ever); use NewStream.
type Stream struct{ s [4]uint64 }

// NewStream returns the stream of one actor. Each actor draws from a stream of its own name, so that a new actor, or one that
// draws more often, never shifts the numbers of another.
func NewStream(seed uint64, name string) Stream {
	x := hashing.Sum64(seed, []byte(name))
	var r Stream
	for i := range r.s {
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		r.s[i] = z ^ z>>31
	}
	return r
}

// Uint64 returns 64 random bits.
func (r *Stream) Uint64() uint64 {
	out := bits.RotateLeft64(r.s[1]*5, 7) * 9
	t := r.s[1] << 17
	r.s[2] ^= r.s[0]
	r.s[3] ^= r.s[1]
	r.s[1] ^= r.s[2]
	r.s[0] ^= r.s[3]
	r.s[2] ^= t
	r.s[3] = bits.RotateLeft64(r.s[3], 45)
	return out
}

// Below returns a number in [0, n), each equally likely (Lemire, "Fast random integer generation in an interval", 2019). It
// returns 0 for n < 1 without drawing.
func (r *Stream) Below(n int64) int64 {
	if n < 1 {
		return 0
	}
	limit := uint64(n)
	hi, lo := bits.Mul64(r.Uint64(), limit)
	if lo < limit {
		for threshold := -limit % limit; lo < threshold; {
			hi, lo = bits.Mul64(r.Uint64(), limit)
		}
	}
	return int64(hi)
}

// Chance is true with a probability of ppm parts in a million.
func (r *Stream) Chance(ppm int64) bool { return r.Below(1_000_000) < ppm }

// Float returns a number in (0, 1): never 0, so that its logarithm is finite.
func (r *Stream) Float() float64 {
	return (float64(r.Uint64()>>12) + 0.5) / (1 << 52)
}

// Exp returns an exponentially distributed number of nanoseconds with the given mean, at least 0.
func (r *Stream) Exp(mean int64) int64 {
	return pmath.Round64(float64(-pmath.Log(r.Float()) * float64(mean)))
}

// Normal returns a normally distributed number with mean 0 and deviation 1, by Marsaglia's polar method (1964): it needs only a
// logarithm and a square root, which are the same everywhere. It draws a varying number of times, from its own stream alone.
func (r *Stream) Normal() float64 {
	for {
		u := float64(2*r.Float()) - 1
		v := float64(2*r.Float()) - 1
		s := float64(u*u) + float64(v*v)
		if s > 0 && s < 1 {
			return float64(u * pmath.Sqrt(float64(-2*pmath.Log(s))/s))
		}
	}
}
