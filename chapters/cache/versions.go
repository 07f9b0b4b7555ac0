package cache

// VersionsConfig describes Versions.
type VersionsConfig[K comparable] struct {
	Keys int     // most keys remembered, 1..MaxCapacity
	Hash Hash[K] // of keys; nil means ours, for strings and integers
	Seed uint64  // of hashes
}

// Versions guards a cache against what is older than what it has seen: a fill that was read before a write, two writers that
// overtake each other, a change that is delivered late or twice. Versions are numbers that the store gives its writes, such as
// positions in its log: of two writes of a key the later one has the higher.
//
// Deletions count as well: the version of a write that deleted a key is remembered like any other, else a late fill would bring the
// key back. Memory is bounded all the same. When a key is forgotten, the least recently seen first, its version becomes the least
// that an unknown key must have. That may refuse what would have been right, which costs a miss; it never lets an old value in.
//
// One goroutine's; flat. O(1) each. The zero value admits nothing.
type Versions[K comparable] struct {
	dict[K, uint64]
	most  int
	floor uint64 // of unknown keys
}

// NewVersions returns a *RangeError for a field out of range, and a *HashError when keys need a Hash.
func NewVersions[K comparable](cfg VersionsConfig[K]) (Versions[K], error) {
	hash, noHash := hashOf(cfg.Hash)
	if err := firstOf(within("keys", int64(cfg.Keys), 1, MaxCapacity, ""), noHash); err != nil {
		return Versions[K]{}, err
	}
	return Versions[K]{dict: dict[K, uint64]{hash: hash, seed: cfg.Seed}, most: cfg.Keys}, nil
}

// Admit reports whether a value of a key is at least as new as what was seen of it, and remembers that. Only what is admitted may
// be set, in the same critical section. The same version is admitted again: to set it twice is to set it once.
func (v *Versions[K]) Admit(key K, version uint64) bool {
	if v.most == 0 {
		return false
	}
	h := v.hash(v.seed, key)
	i := v.find(h, key)
	switch {
	case i != 0 && version < v.nodes[i].value, i == 0 && version < v.floor:
		return false
	case i != 0:
		v.nodes[i].value = version
		lru{}.hit(v.links, 0, i)
		return true
	}
	if v.len() == v.most {
		out := back(v.links, 0)
		if version <= v.nodes[out].value {
			// Whoever is forgotten raises the floor to its version. The newcomer raises it less: forget that one at once.
			v.floor = version
			return true
		}
		v.floor = max(v.floor, v.nodes[out].value)
		unlink(v.links, out)
		v.take(out)
	}
	front(v.links, 0, v.put(h, key, version))
	return true
}

// Floor is the least version that is admitted for a key of which nothing is remembered.
func (v *Versions[K]) Floor() uint64 { return v.floor }

// Len is how many keys are remembered, 0..Keys.
func (v *Versions[K]) Len() int { return v.len() }

// Clone returns an independent copy.
func (v *Versions[K]) Clone() Versions[K] {
	c := *v
	c.dict = v.clone()
	return c
}

// Size is how many bytes of state there are now beside keys.
func (v *Versions[K]) Size() int { return v.size() + 8*len(v.nodes) }
