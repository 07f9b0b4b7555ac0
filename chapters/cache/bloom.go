package cache

import (
	"math/bits"
	"slices"
	"strconv"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// BloomConfig describes a Bloom filter by what it is for.
type BloomConfig struct {
	Keys  int64  // how many it shall hold, 1..MaxBloomKeys
	Error int64  // how many absent keys in a million may pass when it does, 1..500,000
	Seed  uint64 // of the hash; a secret where strangers choose the keys, else they find those that pass
}

// MaxBloomKeys bounds a filter: 2^30 keys with an error of one in a million take 3.6 GiB.
const MaxBloomKeys = 1 << 30

// Bloom says of a key "surely never added" or "perhaps added", in about 10 bits a key for an error of 1 %. It stands before a store
// that is asked for keys that do not exist. No key that was added is ever denied; none can be taken out.
//
// Sources: Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors" (CACM 13(7), 1970); two hashes serve as all k,
// Kirsch and Mitzenmacher, "Less Hashing, Same Performance: Building a Better Bloom Filter" (2006).
//
// One goroutine's, or any number of them that only ask; flat. Add and Has take O(k), no allocation. The zero value has no room: all
// keys are perhaps in it, since denying one that was added would be worse.
type Bloom struct {
	words []uint64
	bits  uint64
	k     int
	seed  uint64
	ones  int64 // bits that are set
	added int64 // keys that set at least one
}

// NewBloom sizes a filter: −n·ln p ÷ ln²2 bits, and the number of hashes nearest to bits ÷ n·ln 2. It returns a *RangeError for a
// field out of range.
func NewBloom(cfg BloomConfig) (Bloom, error) {
	err := firstOf(
		within("keys", cfg.Keys, 1, MaxBloomKeys, ""),
		within("error", cfg.Error, 1, million/2, "ppm"),
	)
	if err != nil {
		return Bloom{}, err
	}
	ln2, n := pmath.Log(2), float64(cfg.Keys)
	m := -pmath.Floor64(float64(n * pmath.Log(float64(cfg.Error)/million) / ln2 / ln2)) // −⌊−x⌋ = ⌈x⌉
	k := max(1, pmath.Round64(float64(float64(m)/n*ln2)))
	return Bloom{words: make([]uint64, (m+63)/64), bits: uint64(m), k: int(k), seed: cfg.Seed}, nil
}

// Add puts a key in, and reports whether it was surely new.
func (b *Bloom) Add(key string) bool { return b.AddHash(hashing.Sum64String(b.seed, key)) }

// Has reports whether a key is perhaps in.
func (b *Bloom) Has(key string) bool { return b.HasHash(hashing.Sum64String(b.seed, key)) }

// AddHash is Add for keys that are 64 uniform bits already. Do not mix the two.
func (b *Bloom) AddHash(h uint64) bool {
	if b.bits == 0 {
		return false
	}
	isNew := false
	step := stepOf(h)
	for range b.k {
		at, _ := bits.Mul64(h, b.bits)
		if w := &b.words[at>>6]; *w>>(at&63)&1 == 0 {
			*w |= 1 << (at & 63)
			b.ones++
			isNew = true
		}
		h += step
	}
	if isNew {
		b.added++
	}
	return isNew
}

// HasHash is Has for keys that are 64 uniform bits already.
func (b *Bloom) HasHash(h uint64) bool {
	if b.bits == 0 {
		return true
	}
	step := stepOf(h)
	for range b.k {
		at, _ := bits.Mul64(h, b.bits)
		if b.words[at>>6]>>(at&63)&1 == 0 {
			return false
		}
		h += step
	}
	return true
}

// stepOf is the second hash: how far it is from one of a key's places to the next, on a circle of 2^64.
func stepOf(h uint64) uint64 { return hashing.Mix64(h + 0x9e3779b97f4a7c15) }

// Error is how many of 10^9 keys that were never added pass now: (bits set ÷ bits)^k, what the filter really does, not what it was
// made for. Beyond the keys that it was made for it goes on to rise, up to 10^9.
func (b *Bloom) Error() int64 {
	if b.bits == 0 {
		return billion
	}
	return pmath.Round64(float64(billion * pmath.Pow(float64(b.ones)/float64(b.bits), float64(b.k))))
}

const billion = 1_000_000_000

// ErrorWith is what Error will be on average with n keys: (1 − e^(−kn/bits))^k.
func (b *Bloom) ErrorWith(n int64) int64 {
	if b.bits == 0 {
		return billion
	}
	set := -pmath.Expm1(-float64(float64(b.k) * float64(max(0, n)) / float64(b.bits)))
	return pmath.Round64(float64(billion * pmath.Pow(set, float64(b.k))))
}

// Added is how many keys were surely new when they were added: at most the number of distinct ones, and short of it by those that
// passed already.
func (b *Bloom) Added() int64 { return b.added }

// Bits and Hashes are the filter's dimensions.
func (b *Bloom) Bits() int64 { return int64(b.bits) }
func (b *Bloom) Hashes() int { return b.k }

// Union adds all that another filter holds. Both must have been made of the same configuration, else it returns an *UnlikeError and
// changes nothing. Added becomes the sum of both, as if they had no key in common.
func (b *Bloom) Union(other *Bloom) error {
	if b.bits != other.bits || b.k != other.k || b.seed != other.seed {
		return &UnlikeError{}
	}
	b.ones = 0
	for i, w := range other.words {
		b.words[i] |= w
		b.ones += int64(bits.OnesCount64(b.words[i]))
	}
	b.added += other.added
	return nil
}

// UnlikeError says that two filters cannot be united.
type UnlikeError struct{}

// Error says it in one line.
func (*UnlikeError) Error() string {
	return "bloom: union of filters with other bits, hashes or seeds; want both of one configuration"
}

// bloomMark begins each serialised filter, with its version.
const bloomMark = 0x31_4d4f4f4c42 // "BLOOM1"

// bloomHead is how many words come before the bits.
const bloomHead = 5

// AppendTo appends the filter to dst: 64-bit words, little-endian, closed by their xxHash64. A damaged filter would deny keys that
// were added, and ReadBloom refuses it.
func (b *Bloom) AppendTo(dst []byte) []byte {
	begin := len(dst)
	dst = slices.Grow(dst, 8*(bloomHead+len(b.words)+1))
	for _, w := range [bloomHead]uint64{bloomMark, b.bits, uint64(b.k), b.seed, uint64(b.added)} {
		dst = append64(dst, w)
	}
	for _, w := range b.words {
		dst = append64(dst, w)
	}
	return append64(dst, hashing.Sum64(0, dst[begin:]))
}

func append64(dst []byte, w uint64) []byte {
	return append(dst, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
}

func load64(src []byte) uint64 {
	_ = src[7]
	return uint64(src[0]) | uint64(src[1])<<8 | uint64(src[2])<<16 | uint64(src[3])<<24 |
		uint64(src[4])<<32 | uint64(src[5])<<40 | uint64(src[6])<<48 | uint64(src[7])<<56
}

// ReadBloom returns the filter that AppendTo wrote, or a *DamageError.
func ReadBloom(src []byte) (Bloom, error) {
	if len(src) < 8*(bloomHead+1) || len(src)%8 != 0 || load64(src) != bloomMark {
		return Bloom{}, &DamageError{len(src)}
	}
	body := src[:len(src)-8]
	b := Bloom{bits: load64(src[8:]), k: int(load64(src[16:]) & 0xff), seed: load64(src[24:]), added: int64(load64(src[32:]))}
	words := uint64(len(body)/8 - bloomHead)
	if load64(src[len(body):]) != hashing.Sum64(0, body) || b.bits > 64*words || b.bits+63 < 64*words {
		return Bloom{}, &DamageError{len(src)}
	}
	b.words = make([]uint64, words)
	for i := range b.words {
		b.words[i] = load64(body[8*(bloomHead+i):])
		b.ones += int64(bits.OnesCount64(b.words[i]))
	}
	return b, nil
}

// DamageError says that bytes are no filter, or not the one that was written.
type DamageError struct{ Bytes int }

// Error says it in one line.
func (e *DamageError) Error() string {
	return "bloom: " + strconv.Itoa(e.Bytes) + " bytes are no filter as it was written: cut off, changed, or something else"
}

// Clone returns an independent copy.
func (b *Bloom) Clone() Bloom { c := *b; c.words = slices.Clone(b.words); return c }

// Size is the bytes of the bits and 48 more.
func (b *Bloom) Size() int { return 8*len(b.words) + 48 }
