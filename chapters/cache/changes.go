package cache

import "slices"

// ChangesConfig describes Changes.
type ChangesConfig struct {
	Retry int64 // ns without an acknowledgement after which a change is sent again, 1..MaxDuration
	Most  int   // most changes that are not acknowledged, 1..MaxChanges; then the log has to wait
}

// MaxChanges bounds the changes that are not acknowledged.
const MaxChanges = 1 << 20

// Changes takes the changes in a store's log to a cache, each until it is acknowledged: invalidation that does not depend on the
// writer, who may die between the store and the cache. The log is read by the caller, and so is the deletion sent.
//
// A change may be sent more than once and after a later one. To delete a key is all the same to that; to set it wants Versions.
// After a crash, go on reading the log behind Position.
//
// As long as each change is acknowledged after d ns at the most, and the log is read l ns behind, a cache is stale for d + l, not
// more.
//
// One goroutine's. O(1) each, amortised. The zero value takes nothing.
type Changes[K comparable] struct {
	retry   int64
	most    int
	time    flow
	all     []change[K] // ascending by position, from first on
	first   int
	unsent  int    // index in all
	sent    []sent // in order of sending, from sentHead on
	sentTop int
	waiting int
	done    uint64 // everything up to here is acknowledged
}

type change[K comparable] struct {
	position uint64
	key      K
	acked    bool
}

type sent struct {
	position uint64
	at       int64
}

// Change is one to be sent.
type Change[K comparable] struct {
	Position uint64
	Key      K
}

// NewChanges returns a *RangeError for a field out of range.
func NewChanges[K comparable](cfg ChangesConfig) (Changes[K], error) {
	err := firstOf(
		within("retry", cfg.Retry, 1, MaxDuration, "ns"),
		within("changes", int64(cfg.Most), 1, MaxChanges, ""),
	)
	if err != nil {
		return Changes[K]{}, err
	}
	return Changes[K]{retry: cfg.Retry, most: cfg.Most}, nil
}

// Append takes the next change of the log. It reports false when there are Most already, and when the position is not above the last
// one: that change has been read before, and is taken care of.
func (c *Changes[K]) Append(position uint64, key K) bool {
	last := c.done
	if len(c.all) > 0 {
		last = max(last, c.all[len(c.all)-1].position)
	}
	if c.waiting >= c.most || position <= last {
		return false
	}
	c.all = append(c.all, change[K]{position: position, key: key})
	c.waiting++
	return true
}

// NextAt returns a change that is to be sent now: one that never was, else one whose acknowledgement has been due for Retry.
func (c *Changes[K]) NextAt(now int64) (Change[K], bool) {
	now = c.time.clamp(now)
	if c.unsent < len(c.all) {
		ch := c.all[c.unsent]
		c.unsent++
		c.sent = append(c.sent, sent{ch.position, now})
		return Change[K]{ch.position, ch.key}, true
	}
	for c.sentTop < len(c.sent) {
		s := c.sent[c.sentTop]
		i, there := c.at(s.position)
		if there && !c.all[i].acked {
			if since(s.at, now) < c.retry {
				return Change[K]{}, false
			}
			c.popSent()
			c.sent = append(c.sent, sent{s.position, now})
			return Change[K]{s.position, c.all[i].key}, true
		}
		c.popSent()
	}
	return Change[K]{}, false
}

func (c *Changes[K]) popSent() {
	if c.sentTop++; 2*c.sentTop > len(c.sent) {
		c.sent = append(c.sent[:0], c.sent[c.sentTop:]...)
		c.sentTop = 0
	}
}

// at finds a change by its position.
func (c *Changes[K]) at(position uint64) (int, bool) {
	i, ok := slices.BinarySearchFunc(c.all[c.first:], position, func(ch change[K], p uint64) int {
		switch {
		case ch.position < p:
			return -1
		case ch.position > p:
			return 1
		}
		return 0
	})
	return c.first + i, ok
}

// Ack says that the cache has done what a change asks for. To say it again changes nothing, and is false.
func (c *Changes[K]) Ack(position uint64) bool {
	i, ok := c.at(position)
	if !ok || c.all[i].acked || i >= c.unsent {
		return false
	}
	c.all[i].acked = true
	c.waiting--
	for c.first < len(c.all) && c.all[c.first].acked {
		c.done = c.all[c.first].position
		c.all[c.first] = change[K]{position: c.done, acked: true} // lets go of the key
		c.first++
	}
	if 2*c.first > len(c.all) {
		c.unsent -= c.first
		c.all = append(c.all[:0], c.all[c.first:]...)
		c.first = 0
	}
	return true
}

// Position is that of the last change before which, and with which, all are acknowledged; 0 when there is none.
func (c *Changes[K]) Position() uint64 { return c.done }

// Len is how many changes are not acknowledged.
func (c *Changes[K]) Len() int { return c.waiting }

// Clone returns an independent copy.
func (c *Changes[K]) Clone() Changes[K] {
	out := *c
	out.all, out.sent = slices.Clone(c.all), slices.Clone(c.sent)
	return out
}
