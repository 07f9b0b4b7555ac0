package hotkey

// LocalConfig describes a Local.
type LocalConfig struct {
	Keys int   // most values held, 1..MaxKeys; a few for each hot key are enough
	TTL  int64 // ns that a value is good for, 1..MaxDuration: nobody reads one that is older
}

// Local keeps values of hot keys in the process, for a moment: whatever comes for one of them, the owner sees one request from each
// process in a TTL. With 50 processes and 100 ms that is 500 a second, and no more at a million.
//
// The price is that a value may be TTL old, also after it was changed elsewhere. O(1), but for PutAt into a full one, which is O(Keys).
// The zero value holds nothing.
type Local[V any] struct {
	cfg    LocalConfig
	now    int64 // newest instant seen
	begun  bool
	values []local[V]
	index  index
}

type local[V any] struct {
	id    uint64
	born  int64
	value V
}

// NewLocal returns a *RangeError for a field out of range.
func NewLocal[V any](cfg LocalConfig) (Local[V], error) {
	err := firstOf(within("keys", int64(cfg.Keys), 1, MaxKeys, ""), within("TTL", cfg.TTL, 1, MaxDuration, "ns"))
	if err != nil {
		return Local[V]{}, err
	}
	return Local[V]{cfg: cfg, index: newIndex(cfg.Keys)}, nil
}

// GetAt is the value of a key, and false when there is none that is younger than TTL.
func (l *Local[V]) GetAt(now int64, id uint64) (V, bool) {
	l.tell(now)
	if i, ok := l.index.find(id); ok && since(l.values[i].born, l.now) < l.cfg.TTL {
		return l.values[i].value, true
	}
	var none V
	return none, false
}

// PutAt keeps a value. born is when it was asked for, not when it came: an answer that took long is old on arrival, and one older than
// what is there is not kept. In a full Local it takes the place of the oldest.
func (l *Local[V]) PutAt(now, born int64, id uint64, v V) {
	if l.cfg.Keys == 0 {
		return
	}
	l.tell(now)
	born = min(born, l.now)
	if i, ok := l.index.find(id); ok {
		if born >= l.values[i].born {
			l.values[i] = local[V]{id, born, v}
		}
		return
	}
	i := len(l.values)
	if i < l.cfg.Keys {
		l.values = append(l.values, local[V]{})
	} else {
		i = 0
		for j := range l.values {
			if l.values[j].born < l.values[i].born {
				i = j
			}
		}
		l.index.drop(l.values[i].id)
	}
	l.values[i] = local[V]{id, born, v}
	l.index.put(id, i)
}

// Drop forgets a key, when it is known that its value has changed. It reports whether there was one.
func (l *Local[V]) Drop(id uint64) bool {
	i, ok := l.index.find(id)
	if !ok {
		return false
	}
	last := len(l.values) - 1
	l.index.drop(id)
	if i < last {
		l.values[i] = l.values[last]
		l.index.put(l.values[i].id, i)
	}
	l.values[last] = local[V]{}
	l.values = l.values[:last]
	return true
}

func (l *Local[V]) tell(now int64) {
	if !l.begun || now > l.now {
		l.begun, l.now = true, now
	}
}

// Len is how many values are held, old ones too.
func (l *Local[V]) Len() int { return len(l.values) }

// Clone returns an independent copy; the values themselves are copied as an assignment does.
func (l *Local[V]) Clone() Local[V] {
	c := *l
	c.values = append([]local[V](nil), l.values...)
	c.index = l.index.clone()
	return c
}
