package ring

import (
	"slices"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

// Rendezvous is highest random weight hashing: each member has a score for each key, and the best score owns the key. After Thaler
// and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates" (1998), with weights by Schindelhauer and Schomaker's logarithmic
// method (2005): the score is −w/ln(u) for a u in 0..1 drawn from the hashes of key and member, so that shares are exactly in
// proportion to weights, and a raised weight moves keys only to the member that has it.
//
// Among members of one weight the order of scores is that of the hashes, so logarithms are taken only once for each weight that
// occurs; with equal weights there are none.
//
// Look-up: O(Len), no allocation. 10 bytes a member. The zero value is empty.
type Rendezvous struct {
	Set
	hashes []uint64 // of names, in order of (weight, name)
	owners []uint16 // the member of each
	cfg    HashConfig
}

var _ Snapshot = (*Rendezvous)(nil)

// NewRendezvous builds it. Errors are *RangeError and *NameError.
func NewRendezvous(cfg HashConfig, members []Member) (*Rendezvous, error) {
	return newRendezvous(cfg, members, 1)
}

func newRendezvous(cfg HashConfig, members []Member, least int) (*Rendezvous, error) {
	set, err := newSet(members, least)
	if err != nil {
		return nil, err
	}
	r := &Rendezvous{Set: set, cfg: cfg, hashes: make([]uint64, set.Len()), owners: make([]uint16, set.Len())}
	for i := range r.owners {
		r.owners[i] = uint16(i)
	}
	slices.SortStableFunc(r.owners, func(a, b uint16) int {
		return int(set.members[a].Weight - set.members[b].Weight)
	})
	for i, o := range r.owners {
		r.hashes[i] = nameHash(cfg.Seed, set.members[o].Name)
	}
	return r, nil
}

// draw is the hash of a key and a member together.
func draw(key, member uint64) uint64 { return hashing.Mix64(key ^ member) }

// candidate is a member with what it is judged by.
type candidate struct {
	score float64 // −w/ln(u); 0 when only draws are compared
	draw  uint64
	owner int
}

// beats reports whether a comes before b: by score, then by draw, then by name.
func (a *candidate) beats(b *candidate) bool {
	switch {
	case a.score != b.score:
		return a.score > b.score
	case a.draw != b.draw:
		return a.draw > b.draw
	}
	return a.owner < b.owner
}

// score is −w/ln(u). u is the middle of one of 2^53 equal steps, so it is neither 0 nor 1.
func score(weight int64, draw uint64) float64 {
	u := (float64(draw>>11) + 0.5) / (1 << 53)
	return float64(weight) / -pmath.Log(u)
}

// Owner returns the name of the key's owner.
func (r *Rendezvous) Owner(key string) (string, bool) { return r.nameOf(r.OwnerOfHash(r.HashOf(key))) }

// Owners appends up to n distinct owners, best score first.
func (r *Rendezvous) Owners(key string, n int, dst []string) []string {
	var few aFew
	return r.appendNames(dst, r.OwnersOfHash(r.HashOf(key), n, few[:0]))
}

// HashOf is the xxHash64 of the key.
func (r *Rendezvous) HashOf(key string) uint64 { return hashing.Sum64String(r.cfg.Seed, key) }

// OwnerOfHash returns the index of the owner.
func (r *Rendezvous) OwnerOfHash(h uint64) int {
	best := candidate{owner: -1}
	for from := 0; from < len(r.hashes); {
		weight, to := r.class(from)
		c := r.bestOf(h, from, to)
		if from > 0 || to < len(r.hashes) {
			c.score = score(weight, c.draw)
		}
		if best.owner < 0 || c.beats(&best) {
			best = c
		}
		from = to
	}
	return best.owner
}

// class returns the weight of the from-th entry, and the end of those that have it.
func (r *Rendezvous) class(from int) (weight int64, to int) {
	weight = r.members[r.owners[from]].Weight
	if last := len(r.owners) - 1; r.members[r.owners[last]].Weight == weight {
		return weight, last + 1
	}
	for to = from + 1; r.members[r.owners[to]].Weight == weight; to++ {
	}
	return weight, to
}

// bestOf returns the member with the highest draw among entries of one weight; the first name of equal ones.
func (r *Rendezvous) bestOf(h uint64, from, to int) candidate {
	at, most := from, draw(h, r.hashes[from])
	for i := from + 1; i < to; i++ {
		if d := draw(h, r.hashes[i]); d > most {
			at, most = i, d
		}
	}
	return candidate{draw: most, owner: int(r.owners[at])}
}

// OwnersOfHash appends the indexes of up to n distinct owners, best score first. The second one is the heir. O(Len·n).
func (r *Rendezvous) OwnersOfHash(h uint64, n int, dst []int) []int {
	n = min(n, r.Len())
	if n < 1 {
		return dst
	}
	var few [fewOwners]candidate
	best := few[:0]
	for from := 0; from < len(r.hashes); {
		weight, to := r.class(from)
		scored := from > 0 || to < len(r.hashes)
		for i := from; i < to; i++ {
			c := candidate{draw: draw(h, r.hashes[i]), owner: int(r.owners[i])}
			switch {
			case scored:
				c.score = score(weight, c.draw)
			case len(best) == n && c.draw <= best[n-1].draw:
				continue // the usual case, told without more: names come in order, so an equal draw is beaten too
			}
			best = keepBest(best, c, n)
		}
		from = to
	}
	for _, c := range best {
		dst = append(dst, c.owner)
	}
	return dst
}

// keepBest puts c at its place among the n best so far, if it is one.
func keepBest(best []candidate, c candidate, n int) []candidate {
	if len(best) == n {
		if !c.beats(&best[n-1]) {
			return best
		}
		best = best[:n-1]
	}
	best = append(best, c)
	for i := len(best) - 1; i > 0 && best[i].beats(&best[i-1]); i-- {
		best[i], best[i-1] = best[i-1], best[i]
	}
	return best
}

// With returns the same for other members.
func (r *Rendezvous) With(members []Member) (Snapshot, error) {
	return opened(newRendezvous(r.cfg, members, 0))
}

// Size is 10 bytes a member.
func (r *Rendezvous) Size() int { return 10 * len(r.hashes) }
