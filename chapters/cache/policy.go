package cache

// Policy is who leaves a full Cache.
type Policy uint8

// The policies.
const (
	LRU      Policy = iota // used longest ago
	LFU                    // used least often since it came; of those, used longest ago
	RedisLFU               // lowest logarithmic counter of a few looked at by chance, with decay
	WTinyLFU               // an LRU window before a segmented LRU, with a sketch of frequencies between them
)

var policies = [...]string{"LRU", "LFU", "Redis LFU", "W-TinyLFU"}

// String is the policy's name.
func (p Policy) String() string { return nameOf(policies[:], uint8(p)) }

// policy keeps the order of a cache's slots. It knows links and no keys, so that one copy of its code serves all types.
type policy interface {
	// hit is told that a slot was used.
	hit(links []link, now int64, i int32)
	// room says who leaves a full cache; it is asked for each newcomer, and what it says is dropped at once.
	room(links []link, now int64) int32
	// add takes a slot in that has just been filled.
	add(links []link, now int64, i int32)
	// drop lets a slot go that is about to be emptied.
	drop(links []link, i int32)
	// frequency is how often it believes that a slot is used.
	frequency(links []link, now int64, i int32) int64
	clone() policy
	size() int
}

// Lists are circles through the links, each closed by a head that is no key's slot: no end needs a case of its own.

// unlink takes a slot out of its list.
func unlink(links []link, i int32) {
	l := &links[i]
	links[l.prev].next, links[l.next].prev = l.next, l.prev
}

// before puts a slot before another, or at the end when that is the head.
func before(links []link, at, i int32) {
	prev := links[at].prev
	links[i].prev, links[i].next = prev, at
	links[prev].next, links[at].prev = i, i
}

// front puts a slot first in the list of a head.
func front(links []link, head, i int32) { before(links, links[head].next, i) }

// back is the last of a list, or the head itself when it is empty.
func back(links []link, head int32) int32 { return links[head].prev }
