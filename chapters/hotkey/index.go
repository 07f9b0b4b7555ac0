package hotkey

import "seedbed/chapters/hashing"

// index finds the place of a key: open addressing with linear probing, at most half full, of a capacity that is known.
type index struct {
	slots []indexSlot // a power of two of them
}

type indexSlot struct {
	id   uint64
	next int32 // the place + 1; 0: empty
}

const indexSlotBytes = 16

func newIndex(keys int) index {
	n := 2
	for n < 2*keys {
		n *= 2
	}
	return index{make([]indexSlot, n)}
}

func (x *index) home(id uint64) int { return int(hashing.Mix64(id+golden)) & (len(x.slots) - 1) }

// slot is where a key is, or where it would go.
func (x *index) slot(id uint64) int {
	i := x.home(id)
	for x.slots[i].next != 0 && x.slots[i].id != id {
		i = (i + 1) & (len(x.slots) - 1)
	}
	return i
}

func (x *index) find(id uint64) (place int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	s := x.slots[x.slot(id)]
	return int(s.next) - 1, s.next != 0
}

func (x *index) put(id uint64, place int) { x.slots[x.slot(id)] = indexSlot{id, int32(place + 1)} }

// drop closes the gap, so that no key behind it is lost.
func (x *index) drop(id uint64) {
	mask := len(x.slots) - 1
	gap := x.slot(id)
	for i := (gap + 1) & mask; x.slots[i].next != 0; i = (i + 1) & mask {
		if (i-x.home(x.slots[i].id))&mask >= (i-gap)&mask {
			x.slots[gap] = x.slots[i]
			gap = i
		}
	}
	x.slots[gap] = indexSlot{}
}

func (x *index) clone() index { return index{append([]indexSlot(nil), x.slots...)} }
func (x *index) size() int    { return indexSlotBytes * len(x.slots) }
