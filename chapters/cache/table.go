package cache

import "math/bits"

// table finds the slot of a hash: open addressing with linear probing, at most half full, 8 bytes a place. A place holds the upper
// half of a hash beside the number of the slot, so that a look-up seldom leaves the table in vain, and since a key's home is told
// by the upper bits, places can be moved without looking at slots.
type table struct {
	places []uint64 // upper half of the hash, and the slot; slot 0 is no slot: an empty place
	shift  uint8    // 64 − log2 of the length
	used   int
}

const firstPlaces = 16

// home is where a hash's look-up begins.
func (t *table) home(place uint64) int { return int(place >> t.shift) }

// put adds a slot whose hash and key are not there.
func (t *table) put(h uint64, slot int32) {
	if 2*(t.used+1) > len(t.places) {
		t.grow()
	}
	t.used++
	t.place(h&^0xffffffff | uint64(uint32(slot)))
}

func (t *table) place(p uint64) {
	mask := len(t.places) - 1
	i := t.home(p)
	for t.places[i] != 0 {
		i = (i + 1) & mask
	}
	t.places[i] = p
}

func (t *table) grow() {
	old := t.places
	t.places = make([]uint64, max(firstPlaces, 2*len(old)))
	t.shift = uint8(64 - bits.TrailingZeros(uint(len(t.places))))
	for _, p := range old {
		if p != 0 {
			t.place(p)
		}
	}
}

// take removes a slot that is there, and closes the gap, so that every other is still found by walking from its home.
func (t *table) take(h uint64, slot int32) {
	mask := len(t.places) - 1
	gap := t.home(h)
	for uint32(t.places[gap]) != uint32(slot) {
		gap = (gap + 1) & mask
	}
	t.used--
	for i := (gap + 1) & mask; t.places[i] != 0; i = (i + 1) & mask {
		// A place may move back to the gap unless that lies before its home.
		if home := t.home(t.places[i]); (i-home)&mask >= (i-gap)&mask {
			t.places[gap] = t.places[i]
			gap = i
		}
	}
	t.places[gap] = 0
}
