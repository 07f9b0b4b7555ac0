package ring

import "sync/atomic"

// Atomic holds the snapshot that counts now, for a server whose members change while it looks up keys. Look-ups take no lock and
// never see half a change; changes are tried again until nobody else came between, so none is lost. The zero value is empty and
// becomes useful with Store. Must not be copied after first use.
type Atomic struct {
	now atomic.Pointer[Snapshot]
}

// Load returns the snapshot, nil when none was stored. Take it once for a piece of work that must see one set of members throughout.
func (a *Atomic) Load() Snapshot {
	if s := a.now.Load(); s != nil {
		return *s
	}
	return nil
}

// Store replaces the snapshot.
func (a *Atomic) Store(s Snapshot) { a.now.Store(&s) }

// Owner returns the name of the key's owner now.
func (a *Atomic) Owner(key string) (string, bool) {
	if s := a.now.Load(); s != nil {
		return (*s).Owner(key)
	}
	return "", false
}

// Update replaces the snapshot by what change makes of it, which may be called more than once and must not keep what it is given. A
// change that returns an error changes nothing. It returns the snapshot that counts afterwards.
func (a *Atomic) Update(change func(Snapshot) (Snapshot, error)) (Snapshot, error) {
	for {
		old := a.now.Load()
		if old == nil {
			return nil, ErrNoSnapshot
		}
		next, err := change(*old)
		if err != nil {
			return *old, err
		}
		if a.now.CompareAndSwap(old, &next) {
			return next, nil
		}
	}
}

// Add adds a member, or gives one another weight; false when it was there already as it is.
func (a *Atomic) Add(m Member) (changed bool, err error) {
	_, err = a.Update(func(s Snapshot) (next Snapshot, err error) {
		next, changed, err = Add(s, m)
		return next, err
	})
	return changed, err
}

// Remove removes a member; false when it was not there.
func (a *Atomic) Remove(name string) (changed bool, err error) {
	_, err = a.Update(func(s Snapshot) (next Snapshot, err error) {
		next, changed, err = Remove(s, name)
		return next, err
	})
	return changed, err
}

// SetMembers replaces the whole set, as a service discovery tells it.
func (a *Atomic) SetMembers(members []Member) error {
	_, err := a.Update(func(s Snapshot) (Snapshot, error) { return s.With(members) })
	return err
}

// ErrNoSnapshot says that an Atomic was to change before anything was stored in it.
var ErrNoSnapshot error = noSnapshot{}

type noSnapshot struct{}

func (noSnapshot) Error() string { return "ring: there is no snapshot to change; Store one first" }
