package hotkey

// MaxParts bounds the parts that a number is split into.
const MaxParts = 1 << 12

// Sum is a number that many add to, split into parts so that they do not all write to one place. Each part has one writer and only grows,
// so of two views of it the greater is the newer, and merging views in any order, and any of them twice, comes to the same: a
// grow-only counter (Shapiro, Preguiça, Baquero and Zawirski, "Conflict-free Replicated Data Types", SSS 2011).
//
// A reader adds up what has reached it, so it reads too little for a while and never too much. O(1) an Add, O(parts) a Value.
type Sum struct{ parts []int64 }

// NewSum returns a *RangeError when parts is outside 1..MaxParts.
func NewSum(parts int) (Sum, error) {
	if err := within("parts", int64(parts), 1, MaxParts, ""); err != nil {
		return Sum{}, err
	}
	return Sum{make([]int64, parts)}, nil
}

// Add adds n ≥ 0 to a part, up to the greatest int64. It reports false and adds nothing for a part that is not there, or n < 0.
func (s *Sum) Add(part int, n int64) bool {
	if uint(part) >= uint(len(s.parts)) || n < 0 {
		return false
	}
	s.parts[part] = addUpTo(s.parts[part], n)
	return true
}

// addUpTo is a + b for both ≥ 0, at most the greatest int64.
func addUpTo(a, b int64) int64 {
	if s := a + b; s >= a {
		return s
	}
	return maxInt64
}

// Merge takes in another view of the same number. It reports false and takes nothing when that has another number of parts.
func (s *Sum) Merge(o *Sum) bool {
	if len(s.parts) != len(o.parts) {
		return false
	}
	for i, n := range o.parts {
		s.parts[i] = max(s.parts[i], n)
	}
	return true
}

// Value is the sum of the parts.
func (s *Sum) Value() int64 {
	sum := int64(0)
	for _, n := range s.parts {
		sum = addUpTo(sum, n)
	}
	return sum
}

// Clone returns an independent view.
func (s *Sum) Clone() Sum { return Sum{append([]int64(nil), s.parts...)} }

// Size is 8 bytes a part.
func (s *Sum) Size() int { return 8 * len(s.parts) }

// Stock is a number that many take from and that must not go below 0, split into parts: what a part has is its own, so a buyer asks one
// part, and others only when that has too little. At every instant what is left and what is sold are together what there was, so nothing
// is sold twice, which is what copies of the number do.
//
// O(1) a Take while its part has enough; O(parts) when it has not.
type Stock struct {
	left []int64
	sold int64
}

// NewStock splits total into parts as evenly as can be, the first ones getting one more. It returns a *RangeError when parts is outside
// 1..MaxParts or total below 0.
func NewStock(total int64, parts int) (Stock, error) {
	err := firstOf(within("parts", int64(parts), 1, MaxParts, ""), within("total", total, 0, maxInt64, ""))
	if err != nil {
		return Stock{}, err
	}
	s := Stock{left: make([]int64, parts)}
	each, rest := total/int64(parts), total%int64(parts)
	for i := range s.left {
		s.left[i] = each
		if int64(i) < rest {
			s.left[i]++
		}
	}
	return s, nil
}

// Take takes n ≥ 1, all or nothing: from the part, and what it lacks from the next ones in turn. It reports how many parts had to be
// asked, 0 for a part that is not there or n < 1. It fails only when less than n is left in all of them.
func (s *Stock) Take(part int, n int64) (ok bool, asked int) {
	if uint(part) >= uint(len(s.left)) || n < 1 {
		return false, 0
	}
	have := int64(0)
	for have < n && asked < len(s.left) {
		have += min(s.left[(part+asked)%len(s.left)], n-have)
		asked++
	}
	if have < n {
		return false, asked
	}
	for i := range asked {
		p := &s.left[(part+i)%len(s.left)]
		took := min(*p, n)
		*p -= took
		n -= took
	}
	s.sold += have
	return true, asked
}

// Left is what a part has, 0 for one that is not there.
func (s *Stock) Left(part int) int64 {
	if uint(part) >= uint(len(s.left)) {
		return 0
	}
	return s.left[part]
}

// Total is what is left in all parts. O(parts).
func (s *Stock) Total() int64 {
	sum := int64(0)
	for _, n := range s.left {
		sum += n
	}
	return sum
}

// Sold is what was taken.
func (s *Stock) Sold() int64 { return s.sold }

// Clone returns an independent copy.
func (s *Stock) Clone() Stock { return Stock{append([]int64(nil), s.left...), s.sold} }

// Size is 8 bytes a part and 8 for what is sold.
func (s *Stock) Size() int { return 8*len(s.left) + 8 }
