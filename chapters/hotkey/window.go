package hotkey

// WindowConfig describes a Window.
type WindowConfig struct {
	Window  int64 // ns, Buckets..MaxDuration, a multiple of Buckets
	Buckets int   // how many parts a window is cut into, 1..MaxBuckets
	MaxKeys int   // most keys that are counted at a time, 1..MaxKeys
}

// Window counts each key exactly, in the last Window and up to one part of it more: the present part, and Buckets before it. So a key that
// was asked for within a window is never missed, and leaves as a whole part leaves.
//
// Its memory is that of the keys, which is what the sketches are for: 52 bytes each at least, and 4 a part. When MaxKeys keys are
// counted further ones are not, and Missed tells how many requests those were. AddAt is O(1) and, when a part is over, O(keys);
// TopAt is about O(keys).
type Window struct {
	cfg    WindowConfig
	begun  bool
	head   int64 // number of the newest part; part j lies at j mod (Buckets+1)
	keys   []Count
	parts  []uint32 // for each key its count in each part, side by side
	index  index
	missed int64
}

// NewWindow returns a *RangeError for a field out of range.
func NewWindow(cfg WindowConfig) (Window, error) {
	err := firstOf(
		within("buckets", int64(cfg.Buckets), 1, MaxBuckets, "a window"),
		within("window", cfg.Window, int64(cfg.Buckets), MaxDuration, "ns"),
		within("keys", int64(cfg.MaxKeys), 1, MaxKeys, ""))
	if err == nil {
		err = within("rest of the window by buckets", cfg.Window%int64(cfg.Buckets), 0, 0, "ns")
	}
	if err != nil {
		return Window{}, err
	}
	return Window{cfg: cfg, index: newIndex(cfg.MaxKeys)}, nil
}

// AddAt counts one request; it is true for every key that is counted.
func (w *Window) AddAt(now int64, id uint64) bool {
	if w.cfg.MaxKeys == 0 {
		return false
	}
	w.advance(now)
	i, ok := w.index.find(id)
	if !ok {
		if len(w.keys) == w.cfg.MaxKeys {
			w.missed++
			return false
		}
		i = len(w.keys)
		w.keys = append(w.keys, Count{ID: id})
		w.parts = append(w.parts, make([]uint32, w.kept())...)
		w.index.put(id, i)
	}
	if p := &w.part(i)[w.slot(w.head)]; *p < 1<<32-1 {
		*p++
		w.keys[i].N++
	}
	return true
}

func (w *Window) kept() int           { return w.cfg.Buckets + 1 }
func (w *Window) part(i int) []uint32 { return w.parts[i*w.kept() : (i+1)*w.kept()] }
func (w *Window) slot(j int64) int    { k := int64(w.kept()); return int(j - floorDiv(j, k)*k) }

// advance forgets the parts that are over, and the keys of which nothing is left.
func (w *Window) advance(now int64) {
	j := floorDiv(now, w.cfg.Window/int64(w.cfg.Buckets))
	if !w.begun {
		w.begun, w.head = true, j
	}
	steps := min(since(w.head, j), int64(w.kept()))
	if steps == 0 {
		return
	}
	for i := len(w.keys) - 1; i >= 0; i-- {
		parts := w.part(i)
		for s := range steps {
			p := &parts[w.slot(j-s)]
			w.keys[i].N -= int64(*p)
			*p = 0
		}
		if w.keys[i].N == 0 {
			w.drop(i)
		}
	}
	w.head = j
}

// drop puts the last key in the place of another.
func (w *Window) drop(i int) {
	last := len(w.keys) - 1
	w.index.drop(w.keys[i].ID)
	if i < last {
		w.keys[i] = w.keys[last]
		copy(w.part(i), w.part(last))
		w.index.put(w.keys[i].ID, i)
	}
	w.keys = w.keys[:last]
	w.parts = w.parts[:last*w.kept()]
}

// CountAt is how often a key was asked for.
func (w *Window) CountAt(now int64, id uint64) int64 {
	if w.cfg.MaxKeys == 0 {
		return 0
	}
	w.advance(now)
	if i, ok := w.index.find(id); ok {
		return w.keys[i].N
	}
	return 0
}

// TopAt is the k keys that were asked for most.
func (w *Window) TopAt(now int64, k int) []Count {
	if w.cfg.MaxKeys == 0 {
		return nil
	}
	w.advance(now)
	return sorted(append([]Count(nil), w.keys...), k)
}

// Missed is how many requests were not counted for want of room.
func (w *Window) Missed() int64 { return w.missed }

// Clone returns an independent copy.
func (w *Window) Clone() Window {
	c := *w
	c.keys = append([]Count(nil), w.keys...)
	c.parts = append([]uint32(nil), w.parts...)
	c.index = w.index.clone()
	return c
}

// Copy is Clone behind the interface.
func (w *Window) Copy() Detector { c := w.Clone(); return &c }

// Size is 24 bytes a key and 4 for each of its parts, 16 for each slot of the index, and 24 for where it stands.
func (w *Window) Size() int { return countBytes*len(w.keys) + 4*len(w.parts) + w.index.size() + 24 }
