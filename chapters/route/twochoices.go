package route

// twoChoices draws two different candidates and takes the less loaded one, a coin deciding between equals (Mitzenmacher, "The Power
// of Two Choices in Randomized Load Balancing", 2001). With one candidate it takes that, with two it compares these.
func (p *Pool) twoChoices(from set, r Source) int {
	n := int64(from.len())
	if n == 1 {
		return from.from(0)
	}
	a := r.Below(n)
	b := r.Below(n - 1)
	if b >= a {
		b++
	}
	i, j := from.nth(int(a)), from.nth(int(b))
	var c int
	if p.cfg.Policy == PeakEWMA {
		c = p.compareCost(i, j)
	} else {
		ni, wi := p.load(i, 1)
		nj, wj := p.load(j, 1)
		c = compareRatios(ni, wi, nj, wj)
	}
	if c < 0 || c == 0 && r.Below(2) == 0 {
		return i
	}
	return j
}
