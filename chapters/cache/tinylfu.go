package cache

// tinyLFU is W-TinyLFU. A newcomer goes into the window, an LRU list of about 1 % of the capacity. Whoever is pushed out of it must
// beat, in the sketch, the one that the main part would evict, or leave; the main part is a segmented LRU list: on probation until
// it is used again, then protected. A burst is served by the window, a key that is asked for steadily gets into the main part, and
// a scan, whose keys are asked for once, passes through the window and displaces nobody.
//
// Source: Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy" (ACM TOS 2017, arXiv 1512.00727),
// and for the segmented list Karedla, Love and Wherry (1994). Caffeine and its ports let the window grow and shrink with
// what it brings; this one is fixed.
//
// A stranger who finds keys that share their counters with a victim's could keep everybody else out. So a newcomer that is used
// often and still does not win gets in by chance once in 128 times, as in Caffeine.
type tinyLFU struct {
	sketch    Sketch
	random    stream
	window    int // most slots in the window, ≥ 1
	protected int // most slots in the protected segment
	sizes     [heads]int
}

// The segments, each the number of its head; the mark of a slot is its segment.
const (
	inWindow = iota
	onProbation
	isProtected
)

// warm is how often a newcomer must have been used to get in by chance.
const warm = 6

func (p *tinyLFU) hit(links []link, _ int64, i int32) {
	l := &links[i]
	p.sketch.Add(l.hash)
	head := int32(l.mark)
	if head == onProbation {
		p.move(links, i, isProtected)
		if p.sizes[isProtected] > p.protected {
			p.move(links, back(links, isProtected), onProbation)
		}
		return
	}
	if links[head].next != i {
		unlink(links, i)
		front(links, head, i)
	}
}

// move puts a slot first in another segment.
func (p *tinyLFU) move(links []link, i int32, to uint32) {
	p.sizes[links[i].mark]--
	p.sizes[to]++
	unlink(links, i)
	links[i].mark = to
	front(links, int32(to), i)
}

// room is asked when the window and the main part are both full.
func (p *tinyLFU) room(links []link, _ int64) int32 {
	candidate := back(links, inWindow)
	victim := back(links, onProbation)
	if victim == onProbation {
		victim = back(links, isProtected)
	}
	if victim == isProtected { // a capacity of 1 is all window
		return candidate
	}
	if !p.wins(links[candidate].hash, links[victim].hash) {
		return candidate
	}
	p.move(links, candidate, onProbation)
	return victim
}

func (p *tinyLFU) wins(candidate, victim uint64) bool {
	c, v := p.sketch.Estimate(candidate), p.sketch.Estimate(victim)
	return c > v || c >= warm && p.random.Below(128) == 0
}

func (p *tinyLFU) add(links []link, _ int64, i int32) {
	p.sketch.Add(links[i].hash)
	links[i].mark = inWindow
	p.sizes[inWindow]++
	front(links, inWindow, i)
	if p.sizes[inWindow] > p.window { // the main part has room, else somebody would have been asked to leave
		p.move(links, back(links, inWindow), onProbation)
	}
}

func (p *tinyLFU) drop(links []link, i int32) {
	p.sizes[links[i].mark]--
	unlink(links, i)
}

func (p *tinyLFU) frequency(links []link, _ int64, i int32) int64 {
	return int64(p.sketch.Estimate(links[i].hash))
}

func (p *tinyLFU) clone() policy {
	c := *p
	c.sketch = p.sketch.Clone()
	return &c
}

func (p *tinyLFU) size() int { return p.sketch.Size() + 48 }
