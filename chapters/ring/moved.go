package ring

import "seedbed/chapters/pmath"

// Moves counts what a change of members does to keys.
type Moves struct {
	Keys     int // hashes looked at
	Moved    int // whose owner is another one after the change
	Needless int // of these, moved for no reason: see Moved
}

// Moved compares the owners of hashes in two snapshots, which need not be of one algorithm. A move has a reason when its old owner
// left or lost weight, or its new one joined or gained weight; any other is needless.
//
// Hashes may come in any order. On circles (Ring, Ketama) ascending ones are quickest, for then both snapshots are read from end to
// end, as a merge reads: a million keys on 1000 members of 160 points take some 10 ms, and in no order five times that. If moved is
// not nil it is called for each key that moves, with its place in hashes and the indexes of its owners, each in its own snapshot and
// -1 for none. No allocation for each key.
func Moved(before, after Snapshot, hashes []uint64, moved func(i, from, to int)) Moves {
	was, is := match(before, after)
	m := Moves{Keys: len(hashes)}
	b, a := ownersOf(before), ownersOf(after)
	for i, h := range hashes {
		from, to := b.owner(h), a.owner(h)
		if m.count(was, is, from, to) && moved != nil {
			moved(i, from, to)
		}
	}
	return m
}

// MovedOwners is Moved for keys whose owners are known: was and is are what AppendOwners gave for the same hashes in the two snapshots.
// Of a row of changes each snapshot is so asked once for each key, and not twice.
func MovedOwners(before, after Snapshot, was, is []int32, moved func(i, from, to int)) Moves {
	left, came := match(before, after)
	m := Moves{Keys: len(is)}
	for i, to := range is {
		if m.count(left, came, int(was[i]), int(to)) && moved != nil {
			moved(i, int(was[i]), int(to))
		}
	}
	return m
}

// count counts one key by its owners before and after, and says whether it moved.
func (m *Moves) count(was, is fates, from, to int) bool {
	if is.of(to).same == from {
		return false
	}
	m.Moved++
	if !was.of(from).yields && !is.of(to).yields {
		m.Needless++
	}
	return true
}

// AppendOwners appends the owner of each hash, -1 for none. Quickest for ascending hashes, as Moved is.
func AppendOwners(s Snapshot, hashes []uint64, dst []int32) []int32 {
	l := ownersOf(s)
	for _, h := range hashes {
		dst = append(dst, int32(l.owner(h)))
	}
	return dst
}

// fate is what a change does to a member.
type fate struct {
	same   int  // its index in the other snapshot, absent when it is not there
	yields bool // keys have a reason to leave it (before), or to come to it (after)
}

// absent is the index of a member that the other snapshot does not know; -1 means no owner, which two empty snapshots share.
const absent = -2

// fates are those of a snapshot's members.
type fates []fate

// of is the fate of a member; nobody's, which is -1, is to be nobody again.
func (f fates) of(i int) fate {
	if i < 0 {
		return fate{same: -1, yields: true}
	}
	return f[i]
}

// match finds each member in the other snapshot. Both are in order of name.
func match(before, after Snapshot) (was, is fates) {
	was, is = make(fates, before.Len()), make(fates, after.Len())
	for i := range was {
		was[i] = fate{absent, true}
	}
	for i := range is {
		is[i] = fate{absent, true}
	}
	for i, j := 0, 0; i < len(was) && j < len(is); {
		x, y := before.Member(i), after.Member(j)
		switch {
		case x.Name < y.Name:
			i++
		case x.Name > y.Name:
			j++
		default:
			was[i] = fate{j, y.Weight < x.Weight}
			is[j] = fate{i, y.Weight > x.Weight}
			i++
			j++
		}
	}
	return was, is
}

// ownersOf is the shortest way to a snapshot's owners: many look-ups in a row spare a call of an interface each.
func ownersOf(s Snapshot) lookup {
	if c, ok := s.(interface{ onCircle() *circle }); ok {
		return lookup{circle: c.onCircle()}
	}
	return lookup{snapshot: s}
}

// lookup is a circle, or any snapshot.
type lookup struct {
	circle   *circle
	snapshot Snapshot
}

func (l *lookup) owner(h uint64) int {
	if l.circle != nil {
		return l.circle.owner(h)
	}
	return l.snapshot.OwnerOfHash(h)
}

// CountOwned appends how many of the hashes each member owns, in order of name. Quickest for ascending hashes, as Moved is.
func CountOwned(s Snapshot, hashes []uint64, dst []int64) []int64 {
	begin := len(dst)
	for range s.Len() {
		dst = append(dst, 0)
	}
	l := ownersOf(s)
	for _, h := range hashes {
		if o := l.owner(h); o >= 0 {
			dst[begin+o]++
		}
	}
	return dst
}

// Spread says how even a distribution is, in parts per million of the mean.
type Spread struct {
	CV  int64 // coefficient of variation: standard deviation over mean; 0 is perfectly even
	Max int64 // the heaviest member's load over the mean; 1,000,000 is perfectly even
	Min int64 // the lightest's
}

// SpreadOf measures loads against weights: a load counts as twice too much on half the weight. With nil weights all are equal. Loads
// are ≥ 0; the zero Spread is that of no loads at all.
func SpreadOf(loads []int64, weights []int64) Spread {
	total, share := 0.0, 0.0
	for i, l := range loads {
		total += float64(l)
		share += weightAt(weights, i)
	}
	if total == 0 {
		return Spread{}
	}
	var squares float64
	lo, hi := -1.0, 0.0
	for i, l := range loads {
		// Relative to what the weight entitles to, so that 1 is the mean.
		x := float64(l) / (float64(total*weightAt(weights, i)) / share)
		squares += float64((x - 1) * (x - 1))
		hi = max(hi, x)
		if lo < 0 || x < lo {
			lo = x
		}
	}
	ppm := func(x float64) int64 { return pmath.Round64(float64(x * 1e6)) }
	return Spread{CV: ppm(pmath.Sqrt(squares / float64(len(loads)))), Max: ppm(hi), Min: ppm(lo)}
}

func weightAt(weights []int64, i int) float64 {
	if weights == nil {
		return 1
	}
	return float64(weights[i])
}
