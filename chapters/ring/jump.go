package ring

import (
	"slices"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// MaxBuckets is how many buckets JumpBucket can tell apart: the algorithm draws 31 bits.
const MaxBuckets = 1<<31 - 1

// JumpBucket returns the bucket of a key among n, 0..n-1, by Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm"
// (2014): the same numbers as the paper's C++ and Guava's Hashing.consistentHash. From n to n+1 it moves 1/(n+1) of the keys, all of
// them to the new bucket. Only the last bucket can leave as cheaply.
//
// The error is a *RangeError for n outside 1..MaxBuckets. O(log n), no allocation.
func JumpBucket(key uint64, n int64) (int64, error) {
	if err := within("buckets", n, 1, MaxBuckets); err != nil {
		return 0, err
	}
	return jump(key, n), nil
}

// jump is JumpBucket for n in range. The key's stream is a linear congruential generator; each draw jumps to the next bucket count at
// which the key would move, and the last jump that does not reach n is where the key is.
func jump(key uint64, n int64) int64 {
	b, next := int64(-1), int64(0)
	for next < n {
		b = next
		key = key*2862933555777941757 + 1
		next = pmath.Floor64(float64(float64(b+1) * (float64(1<<31) / float64(key>>33+1))))
	}
	return b
}

// Jump is JumpBucket over named members. Buckets stand in order of the names' length, then of the names, so that node-2 comes before
// node-10 and a member numbered on comes last. A member that joins or leaves there moves only the keys that must move. One that
// joins or leaves elsewhere renumbers all that follow, and moves their keys: jump hash is for shards that are numbered and never
// leave from the middle. Weights must be equal.
//
// Look-up: O(log Len), no allocation. 2 bytes a member. The zero value is empty.
type Jump struct {
	Set
	buckets []uint16 // the member of each bucket
	cfg     HashConfig
}

var _ Snapshot = (*Jump)(nil)

// NewJump builds it. Errors are *RangeError and *NameError.
func NewJump(cfg HashConfig, members []Member) (*Jump, error) { return newJump(cfg, members, 1) }

func newJump(cfg HashConfig, members []Member, least int) (*Jump, error) {
	set, err := newUnweighted(members, least)
	if err != nil {
		return nil, err
	}
	j := &Jump{Set: set, cfg: cfg, buckets: make([]uint16, set.Len())}
	for i := range j.buckets {
		j.buckets[i] = uint16(i)
	}
	slices.SortStableFunc(j.buckets, func(a, b uint16) int {
		return len(set.members[a].Name) - len(set.members[b].Name)
	})
	return j, nil
}

// Owner returns the name of the key's owner.
func (j *Jump) Owner(key string) (string, bool) { return j.nameOf(j.OwnerOfHash(j.HashOf(key))) }

// Owners appends up to n distinct owners.
func (j *Jump) Owners(key string, n int, dst []string) []string {
	var few aFew
	return j.appendNames(dst, j.OwnersOfHash(j.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (j *Jump) HashOf(key string) uint64 { return hashing.Sum64String(j.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (j *Jump) OwnerOfHash(h uint64) int {
	if len(j.buckets) == 0 {
		return -1
	}
	return int(j.buckets[jump(h, int64(len(j.buckets)))])
}

// OwnersOfHash appends the indexes of up to n distinct owners: the buckets of a chain of hashes that starts with h. A bucket that
// joins takes its place in few of these chains, as it takes few keys.
func (j *Jump) OwnersOfHash(h uint64, n int, dst []int) []int {
	return rehash(j, h, n, dst)
}

// rehash appends distinct owners of the hashes h, mix(h+golden) … When most members are in, chance finds the last ones slowly: then
// they follow in order.
func rehash(s Snapshot, h uint64, n int, dst []int) []int {
	n = min(n, s.Len())
	begin := len(dst)
	for tries := 0; len(dst)-begin < n && tries < 4*s.Len(); tries++ {
		at := h
		if tries > 0 {
			at = hashing.Mix64(h + uint64(tries)*golden)
		}
		if o := s.OwnerOfHash(at); !contains(dst[begin:], o) {
			dst = append(dst, o)
		}
	}
	for o := 0; len(dst)-begin < n; o++ {
		if !contains(dst[begin:], o) {
			dst = append(dst, o)
		}
	}
	return dst
}

// With returns the same for other members.
func (j *Jump) With(members []Member) (Snapshot, error) {
	return opened(newJump(j.cfg, members, 0))
}

// Size is 2 bytes a member.
func (j *Jump) Size() int { return 2 * len(j.buckets) }
