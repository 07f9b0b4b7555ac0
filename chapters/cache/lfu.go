package cache

import "slices"

// lfu counts uses exactly. All slots are in one list, the most used first and among equals the last used; each count that occurs is a
// group that knows its first slot. So a use moves a slot past the rest of its group and no further: O(1), which a heap would not be.
//
// Source of the idea: Shah, Mitra and Matani, "An O(1) algorithm for implementing the LFU cache eviction scheme" (2010, arXiv
// 2110.11602), who keep a list for each count.
type lfu struct {
	groups []group // 0 is no group
	free   int32   // first free group, chained by first
}

// group is all slots with one count of uses; the mark of a slot is the number of its group.
type group struct {
	uses  uint64
	first int32
	size  int32
}

func (p *lfu) hit(links []link, _ int64, i int32) {
	from := int32(links[i].mark)
	uses := p.groups[from].uses + 1
	// Whoever stands before the group has more uses: perhaps just those.
	up := p.groupAt(links, links[p.groups[from].first].prev)
	if up == 0 || p.groups[up].uses != uses {
		if p.groups[from].size == 1 { // alone: the group is used once more
			p.groups[from].uses = uses
			return
		}
		up = p.newGroup(uses)
	}
	at := p.groups[from].first // where those with more uses end
	if at == i {
		at = links[i].next
	}
	p.leave(links, i)
	if p.groups[up].size > 0 {
		at = p.groups[up].first
	}
	p.enter(links, up, at, i)
}

// groupAt is the group of a slot, 0 for the head of the list.
func (p *lfu) groupAt(links []link, i int32) int32 {
	if i == 0 {
		return 0
	}
	return int32(links[i].mark)
}

// newGroup returns an empty group.
func (p *lfu) newGroup(uses uint64) int32 {
	if g := p.free; g != 0 {
		p.free = p.groups[g].first
		p.groups[g] = group{uses: uses}
		return g
	}
	if len(p.groups) == 0 {
		p.groups = append(p.groups, group{})
	}
	p.groups = append(p.groups, group{uses: uses})
	return int32(len(p.groups) - 1)
}

// enter makes a slot the first of a group, before the given place.
func (p *lfu) enter(links []link, g, at, i int32) {
	before(links, at, i)
	links[i].mark = uint32(g)
	p.groups[g].first = i
	p.groups[g].size++
}

// leave takes a slot out of its group and of the list.
func (p *lfu) leave(links []link, i int32) {
	number := int32(links[i].mark)
	g := &p.groups[number]
	g.size--
	switch {
	case g.size == 0:
		*g = group{first: p.free}
		p.free = number
	case g.first == i:
		g.first = links[i].next
	}
	unlink(links, i)
}

func (p *lfu) room(links []link, _ int64) int32 { return back(links, 0) }

func (p *lfu) add(links []link, _ int64, i int32) {
	g, at := p.groupAt(links, back(links, 0)), int32(0)
	if g == 0 || p.groups[g].uses != 1 {
		g = p.newGroup(1)
	} else {
		at = p.groups[g].first
	}
	p.enter(links, g, at, i)
}

func (p *lfu) drop(links []link, i int32) { p.leave(links, i) }

func (p *lfu) frequency(links []link, _ int64, i int32) int64 {
	return int64(p.groups[links[i].mark].uses)
}

func (p *lfu) clone() policy { return &lfu{slices.Clone(p.groups), p.free} }

func (p *lfu) size() int { return 16 * len(p.groups) }
