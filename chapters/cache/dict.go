package cache

import (
	"slices"

	"seedbed/chapters/hashing"
)

// Hash makes 64 uniform bits of a key, under a seed.
type Hash[K comparable] func(seed uint64, key K) uint64

// hashOf is the given hash, or ours for strings and integers.
func hashOf[K comparable](given Hash[K]) (Hash[K], error) {
	if given != nil {
		return given, nil
	}
	var ours any
	switch any(*new(K)).(type) {
	case string:
		ours = Hash[string](hashing.Sum64String)
	case uint64:
		ours = Hash[uint64](mix[uint64])
	case int64:
		ours = Hash[int64](mix[int64])
	case int:
		ours = Hash[int](mix[int])
	case uint32:
		ours = Hash[uint32](mix[uint32])
	case int32:
		ours = Hash[int32](mix[int32])
	}
	h, ok := ours.(Hash[K])
	if !ok {
		return nil, &HashError{}
	}
	return h, nil
}

// mix hashes an integer. The constant keeps 0 under the seed 0 from being 0.
func mix[K uint64 | int64 | int | uint32 | int32](seed uint64, key K) uint64 {
	return hashing.Mix64(uint64(key) ^ hashing.Mix64(seed+0x9e3779b97f4a7c15))
}

// dict maps keys to slots and slots to values. It is what all that remembers something about keys is made of. A plain map would do
// for finding, but its copies are dear, its bytes unknown, and its hash is not ours to feed a sketch with.
type dict[K comparable, V any] struct {
	hash  Hash[K]
	seed  uint64
	table table
	links []link       // of a slot, whatever the types of keys and values
	nodes []node[K, V] // of the same slot
	free  int32        // first free slot, chained by next; 0 when there is none
}

type node[K comparable, V any] struct {
	key   K
	value V
}

// link is what a slot has beside its key and value: 32 bytes.
type link struct {
	hash       uint64
	expires    int64 // instant, Forever for never
	prev, next int32 // in the list of a policy; next also in the chain of free slots
	mark       uint32
	used       bool
}

const linkBytes = 32

// heads is how many slots come before the first key's: the policies' lists begin and end in them.
const heads = 3

// find returns the slot of a key, 0 when it is not there.
func (d *dict[K, V]) find(h uint64, key K) int32 {
	t := &d.table
	if len(t.places) == 0 {
		return 0
	}
	mask := len(t.places) - 1
	for i := t.home(h) & mask; ; i = (i + 1) & mask {
		p := t.places[i]
		if p == 0 {
			return 0
		}
		if (p^h)>>32 == 0 {
			if slot := int32(uint32(p)); d.links[slot].hash == h && d.nodes[slot].key == key {
				return slot
			}
		}
	}
}

// put adds a key that is not there and returns its slot.
func (d *dict[K, V]) put(h uint64, key K, value V) int32 {
	if len(d.links) == 0 {
		d.links = make([]link, heads, firstPlaces)
		d.nodes = make([]node[K, V], heads, firstPlaces)
		for i := range d.links {
			d.links[i].prev, d.links[i].next = int32(i), int32(i)
		}
	}
	slot := d.free
	if slot != 0 {
		d.free = d.links[slot].next
		d.links[slot], d.nodes[slot] = link{hash: h, used: true}, node[K, V]{key, value}
	} else {
		slot = int32(len(d.links))
		d.links = append(d.links, link{hash: h, used: true})
		d.nodes = append(d.nodes, node[K, V]{key, value})
	}
	d.table.put(h, slot)
	return slot
}

// take removes a slot, and lets go of its key and value.
func (d *dict[K, V]) take(slot int32) {
	d.table.take(d.links[slot].hash, slot)
	d.links[slot] = link{next: d.free}
	d.nodes[slot] = node[K, V]{}
	d.free = slot
}

func (d *dict[K, V]) len() int { return d.table.used }

func (d *dict[K, V]) clone() dict[K, V] {
	c := *d
	c.table.places = slices.Clone(d.table.places)
	c.links = slices.Clone(d.links)
	c.nodes = slices.Clone(d.nodes)
	return c
}

// size is the bytes beside keys and values.
func (d *dict[K, V]) size() int { return 8*len(d.table.places) + linkBytes*len(d.links) }
