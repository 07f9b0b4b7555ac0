package hotkey

import (
	"slices"

	"seedbed/chapters/hashing"
)

// HeavyKeeperConfig describes a HeavyKeeper.
type HeavyKeeperConfig struct {
	Width int    // places in a row, 1..MaxWidth
	Depth int    // rows, 1..MaxDepth; the paper has 2
	Top   int    // keys on its list, 1..MaxKeys
	Base  int64  // thousandths, 1001..2000: a stranger takes one off a count of c with the probability Base^−c; the paper has 1080
	Halve int64  // ns after which all counts are halved, 0..MaxDuration; 0: never
	Seed  uint64 // of the hashes and of chance
}

// HeavyKeeper has in each place of its rows one key's fingerprint and a count. Its own key adds one; another takes one off, by a chance that
// falls with the count, and moves in when nothing is left. So the many keys that come once do not pile up, as they do in a
// count-min sketch, but wear each other off.
//
// An estimate, the highest of a key's places, is never above the true count, unless two keys share a fingerprint of 32 bits and a
// place. A key that is not on the list does not add to a place that says more than the list's lowest (that must be another's with
// the same fingerprint), and comes onto a full list only with that one and one more: both guards are the paper's.
//
// A high count is nearly never worn off by strangers, 1.08^−1000 being 10^−34: without Halve an old hot key keeps its place.
//
// Source: Gong et al., "HeavyKeeper: An Accurate Algorithm for Finding Top-k Elephant Flows" (USENIX ATC 2018), and the
// authors' papergitkeeper/heavy-keeper-project, heavykeeper.h.
// O(Depth + log Top) an AddAt; 8 bytes a place.
type HeavyKeeper struct {
	cfg     HeavyKeeperConfig
	halving halving
	random  stream
	wear    []uint64 // 2^63 × Base^−c
	places  []keeper
	top     list
}

type keeper struct {
	print, count uint32
}

// NewHeavyKeeper returns a *RangeError for a field out of range.
func NewHeavyKeeper(cfg HeavyKeeperConfig) (HeavyKeeper, error) {
	err := firstOf(
		within("width", int64(cfg.Width), 1, MaxWidth, "places"),
		within("depth", int64(cfg.Depth), 1, MaxDepth, "rows"),
		within("top", int64(cfg.Top), 1, MaxKeys, "keys"),
		within("base", cfg.Base, 1001, 2000, "thousandths"),
		within("halve", cfg.Halve, 0, MaxDuration, "ns"))
	if err != nil {
		return HeavyKeeper{}, err
	}
	return HeavyKeeper{cfg: cfg, halving: halving{every: cfg.Halve}, random: stream(cfg.Seed), wear: wearOf(cfg.Base),
		places: make([]keeper, cfg.Width*cfg.Depth), top: newList(cfg.Top)}, nil
}

// wearOf are the chances for each count, until they are below 2^−43, which is where strangers wear off nothing any more.
func wearOf(base int64) []uint64 {
	var out []uint64
	for p := uint64(1 << 63); p > 1<<20; p = p / uint64(base) * 1000 {
		out = append(out, p)
	}
	return out
}

// AddAt counts one request and reports whether the key is on the list.
func (h *HeavyKeeper) AddAt(now int64, id uint64) bool {
	if h.cfg.Depth == 0 {
		return false
	}
	h.age(now)
	at, listed := h.top.find(id)
	least := int64(0)
	if h.top.full() {
		least = h.top.least().N
	}
	print := printOf(h.cfg.Seed, id)
	estimate := int64(0)
	for row := range h.cfg.Depth {
		p := h.place(row, id)
		switch {
		case p.count == 0:
			*p = keeper{print, 1}
		case p.print == print:
			if (listed || !h.top.full() || int64(p.count) <= least) && p.count < 1<<32-1 {
				p.count++
			}
		case int(p.count) < len(h.wear) && h.random.next()>>1 < h.wear[p.count]:
			if p.count--; p.count == 0 {
				*p = keeper{print, 1}
			}
		}
		if p.print == print {
			estimate = max(estimate, int64(p.count))
		}
	}
	switch {
	case listed:
		h.top.set(at, max(h.top.heap[at].N, estimate))
	case !h.top.full():
		if estimate > 0 {
			h.top.add(Count{ID: id, N: estimate})
			return true
		}
	case estimate == least+1:
		h.top.replaceLeast(Count{ID: id, N: estimate})
		return true
	}
	return listed
}

func (h *HeavyKeeper) place(row int, id uint64) *keeper {
	return &h.places[row*h.cfg.Width+place(h.cfg.Seed, row, id, h.cfg.Width)]
}

// printOf is a key's fingerprint, independent of its places.
func printOf(seed, id uint64) uint32 { return uint32(hashing.Mix64(hashing.Mix64(id^seed) ^ golden)) }

// CountAt is at most how often the key was asked for, but for shared fingerprints; 0 when it holds no place.
func (h *HeavyKeeper) CountAt(now int64, id uint64) int64 {
	if h.cfg.Depth == 0 {
		return 0
	}
	h.age(now)
	print, n := printOf(h.cfg.Seed, id), int64(0)
	for row := range h.cfg.Depth {
		if p := h.place(row, id); p.print == print {
			n = max(n, int64(p.count))
		}
	}
	return n
}

// TopAt is the k highest of the list.
func (h *HeavyKeeper) TopAt(now int64, k int) []Count {
	h.age(now)
	return h.top.top(k)
}

// age rounds down, so that what is never above the true count stays so. Who has nothing left leaves.
func (h *HeavyKeeper) age(now int64) {
	k := h.halving.due(now)
	if k == 0 {
		return
	}
	for i := range h.places {
		h.places[i].count >>= min(k, 31)
	}
	old := h.top.heap
	h.top = newList(h.cfg.Top)
	for _, c := range old {
		if c.N >>= k; c.N > 0 {
			h.top.add(c)
		}
	}
}

// Clone returns an independent copy.
func (h *HeavyKeeper) Clone() HeavyKeeper {
	c := *h
	c.wear = slices.Clone(h.wear)
	c.places = slices.Clone(h.places)
	c.top = h.top.clone()
	return c
}

// Copy is Clone behind the interface.
func (h *HeavyKeeper) Copy() Detector { c := h.Clone(); return &c }

// Size is 8 bytes a place, 24 a key of the list, 16 a slot of its index, and 24 for the halving and chance.
func (h *HeavyKeeper) Size() int { return 8*len(h.places) + h.top.size() + 24 }
