package cache

// TwoLevelConfig describes a TwoLevel.
type TwoLevelConfig[K comparable] struct {
	Local ReadThroughConfig[K] // short times: a local copy is out of date until its end if the news of a write is lost

	RemoteTTL      int64 // ns that the remote cache keeps a value, 1..MaxDuration
	RemoteNegative int64 // ns that it keeps "not there", 0..MaxDuration; 0 is not at all
	RemoteJitter   int64 // parts in a million by which both are spread, 0..1,000,000
	PastRemote     bool  // ask the origin when the remote cache is down; it must be able to bear all of the load
}

// TwoLevel is a local cache before a remote one before the origin. The caller does the asking; one flight a key covers both
// questions.
//
//	a := c.AskAt(now, key, random)              // as with ReadThrough
//	if a.Load { … ask the remote cache … }
//	next := c.RemoteAt(now, a.Flight, reply, random)
//	if next == AskOrigin { … ask the origin …; put, kept := c.OriginAt(now, a.Flight, value, random); if kept { … put it there … } }
//
// A local copy never outlives the remote one that it was taken from, but for what Stale allows. So a reader sees a value at most
// Local.TTL (with Jitter) after the remote cache has lost it, even when the news of its invalidation does not come.
//
// To invalidate: write the store, delete the key from the remote cache, then Invalidate it in each local one. The other way round,
// a local one could take the old value from the remote one in between.
//
// One goroutine's. The zero value refuses everything.
type TwoLevel[K comparable, V any] struct {
	ReadThrough[K, V]
	ttl, negative, jitter int64
	past                  bool
}

// NewTwoLevel returns a *RangeError for a field out of range, and a *HashError when keys need a Hash.
func NewTwoLevel[K comparable, V any](cfg TwoLevelConfig[K]) (TwoLevel[K, V], error) {
	local, noLocal := NewReadThrough[K, V](cfg.Local)
	err := firstOf(
		noLocal,
		within("remote ttl", cfg.RemoteTTL, 1, MaxDuration, "ns"),
		within("remote negative", cfg.RemoteNegative, 0, MaxDuration, "ns"),
		within("remote jitter", cfg.RemoteJitter, 0, million, "ppm"),
	)
	if err != nil {
		return TwoLevel[K, V]{}, err
	}
	return TwoLevel[K, V]{local, cfg.RemoteTTL, cfg.RemoteNegative, cfg.RemoteJitter, cfg.PastRemote}, nil
}

// Reply is what the remote cache answered.
type Reply[V any] struct {
	Kind  ReplyKind
	Value V     // RemoteFound
	Left  int64 // RemoteFound and RemoteAbsent: ns until its copy is over; Forever if it has no end
}

// ReplyKind is the kind of a Reply.
type ReplyKind uint8

// The kinds.
const (
	RemoteMissing ReplyKind = iota // it does not know
	RemoteFound
	RemoteAbsent // it has "not there"
	RemoteFailed // no answer, or none in time
)

// Next is what the leader of a flight does after the remote cache has answered.
type Next uint8

// What to do.
const (
	AskOrigin Next = iota // then report to OriginAt, OriginAbsentAt or FailAt
	Landed                // nothing: the flight is over
)

// RemoteAt reports the answer of the remote cache. A copy there that is over, with Left below 1, is as good as none.
func (c *TwoLevel[K, V]) RemoteAt(now int64, f Flight[K], reply Reply[V], r Source) Next {
	switch {
	case reply.Kind == RemoteFound && reply.Left > 0:
		c.done(now, f, reply.Value, reply.Left, r)
	case reply.Kind == RemoteAbsent && reply.Left > 0:
		c.absent(now, f, reply.Left, r)
	case reply.Kind == RemoteFailed && !c.past:
		c.FailAt(now, f)
	default:
		return AskOrigin
	}
	return Landed
}

// Put is what goes to the remote cache.
type Put struct {
	Absent bool  // "not there" instead of a value
	TTL    int64 // ns; 0 is to delete what it has
}

// OriginAt ends a flight with the origin's value. When it still counts, the value is kept, and Put is what the remote cache gets;
// else the caller must not touch the remote cache, since the key may have been written meanwhile.
func (c *TwoLevel[K, V]) OriginAt(now int64, f Flight[K], value V, r Source) (Put, bool) {
	if !c.DoneAt(now, f, value, r) {
		return Put{}, false
	}
	return Put{TTL: Jitter(c.ttl, c.jitter, r)}, true
}

// OriginAbsentAt ends a flight with the origin's word that there is no such key.
func (c *TwoLevel[K, V]) OriginAbsentAt(now int64, f Flight[K], r Source) (Put, bool) {
	if !c.AbsentAt(now, f, r) {
		return Put{}, false
	}
	return Put{Absent: true, TTL: Jitter(c.negative, c.jitter, r)}, true
}

// Clone returns a copy that goes its own way.
func (c *TwoLevel[K, V]) Clone() TwoLevel[K, V] {
	out := *c
	out.ReadThrough = c.ReadThrough.Clone()
	return out
}
