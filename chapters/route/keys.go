package route

import "seedbed/chapters/hashing"

// MaxKeys bounds the keys of a Keys.
const MaxKeys = 1 << 20

// KeyState is what a Keys knows of a request.
type KeyState uint8

// The states.
const (
	// First: nobody has begun this; run it, and Finish or Abandon the Claim.
	First KeyState = iota
	// Running: another attempt is at it. Answer 409, or wait.
	Running
	// Finished: it is done. Answer with Result and run nothing.
	Finished
	// Mismatch: the key was used for something else. Answer 422: a caller's mistake.
	Mismatch
	// Crowded: no room to remember one more, so it must not run. Answer 503.
	Crowded
	// Unkeyed: an empty key is none. Nothing is remembered and nothing protects from a replay.
	Unkeyed
)

var keyStates = [...]string{"first", "running", "finished", "mismatch", "crowded", "unkeyed"}

// String is the state in words.
func (s KeyState) String() string { return nameOf(keyStates[:], uint8(s)) }

// Claim is the right to finish what a key stands for. The zero Claim is none.
type Claim struct {
	gen  uint64
	slot int32
}

// KeyDecision is the answer to one request with a key.
type KeyDecision[R any] struct {
	State KeyState
	// Again with First says that an earlier attempt began and never told how it ended, so it may have taken effect.
	Again      bool
	Claim      Claim // First only
	Result     R     // Finished only
	RetryAfter int64 // ns until another answer is certain; 0 for First and Finished, Never for Mismatch and Unkeyed
}

// KeysConfig describes a Keys.
type KeysConfig struct {
	MaxKeys int64  // 1..MaxKeys
	Lease   int64  // ns, 1..MaxDuration: an attempt that has not ended by then may be taken over
	TTL     int64  // ns, 1..MaxDuration: how long a result is kept; longer than any client retries
	Seed    uint64 // of the hash; a secret one where strangers choose the keys
}

// Keys makes a replayed POST return the first result (IETF draft-ietf-httpapi-idempotency-key-header). A key is what the client
// chose, after the client's name and the kind of request, delimited; print is a fingerprint of the request, to tell a replay from
// another request under the same key.
//
// An attempt that neither finishes nor gives up blocks its key for Lease; then the next attempt is First again, with Again set, and
// the Claim of the old one is void. So commit the effect together with Finish, where both succeed or neither does (one database
// transaction): then a void claim's effect does not happen, and there is one at most. A store that cannot do that has to ask, on
// Again, whether the effect is there already.
//
// Results are of type R, which should hold no pointer if copies are to be independent. Memory is bounded by MaxKeys: nothing that may
// still be replayed is forgotten to make room; a new key is Crowded out instead. O(1) a call, each of which also forgets up to a few
// keys that are over time. The zero value is Crowded.
type Keys[R any] struct {
	cfg     KeysConfig
	now     int64
	begun   bool
	heads   []int32 // of the chains of entries with the same hash bits; −1 when empty; a power of two
	entries []entry[R]
	free    int32 // linked by chain; −1 when none
	used    int
	running line // in the order in which they began
	done    line // in the order in which they finished
}

type entry[R any] struct {
	key    string
	hash   uint64
	print  uint64
	gen    uint64 // odd while claimed
	at     int64  // when it began, or finished
	done   bool
	chain  int32
	prev   int32
	next   int32
	result R
}

// line is a list of entries by age, the oldest first.
type line struct{ first, last int32 }

// forgetPerCall bounds the work of one call, and is more than the one entry that a call can add.
const forgetPerCall = 4

// NewKeys returns a *RangeError for a field out of range.
func NewKeys[R any](cfg KeysConfig) (Keys[R], error) {
	return Keys[R]{cfg: cfg, free: -1, running: line{-1, -1}, done: line{-1, -1}}, firstOf(
		within("keys", cfg.MaxKeys, 1, MaxKeys, ""),
		within("key lease", cfg.Lease, 1, MaxDuration/2, "ns"),
		within("key TTL", cfg.TTL, 1, MaxDuration/2, "ns"),
	)
}

// BeginAt asks what is known of a key.
func (k *Keys[R]) BeginAt(now int64, key string, print uint64) KeyDecision[R] {
	if key == "" {
		return KeyDecision[R]{State: Unkeyed, RetryAfter: Never}
	}
	if k.cfg.MaxKeys == 0 {
		return KeyDecision[R]{State: Crowded, RetryAfter: Never}
	}
	k.advance(now)
	hash := hashing.Sum64String(k.cfg.Seed, key)
	i := k.find(key, hash)
	if i >= 0 && k.overAt(i) <= k.now {
		k.forget(i)
		i = -1
	}
	if i < 0 {
		return k.begin(key, hash, print)
	}
	e := &k.entries[i]
	switch {
	case e.print != print:
		return KeyDecision[R]{State: Mismatch, RetryAfter: Never}
	case e.done:
		return KeyDecision[R]{State: Finished, Result: e.result}
	case k.now < later(e.at, k.cfg.Lease):
		return KeyDecision[R]{State: Running, RetryAfter: since(k.now, later(e.at, k.cfg.Lease))}
	}
	k.unlink(i)
	e.at = k.now
	e.gen += 2 // voids the old claim
	k.link(&k.running, i)
	return KeyDecision[R]{State: First, Again: true, Claim: Claim{gen: e.gen, slot: i}}
}

// begin remembers a new key, if there is room.
func (k *Keys[R]) begin(key string, hash, print uint64) KeyDecision[R] {
	if int64(k.used) == k.cfg.MaxKeys {
		return KeyDecision[R]{State: Crowded, RetryAfter: since(k.now, k.nextOver())}
	}
	i := k.vacant()
	e := &k.entries[i]
	*e = entry[R]{key: key, hash: hash, print: print, gen: e.gen + 1, at: k.now}
	h := &k.heads[hash&uint64(len(k.heads)-1)]
	e.chain, *h = *h, i
	k.used++
	k.link(&k.running, i)
	return KeyDecision[R]{State: First, Claim: Claim{gen: e.gen, slot: i}}
}

// FinishAt keeps the result of an attempt. It reports false when the claim is void: taken over, ended or forgotten. Then the result
// is not kept, and the effect must not be committed.
func (k *Keys[R]) FinishAt(now int64, c Claim, result R) bool {
	k.advance(now)
	i, ok := k.claimed(c)
	if !ok {
		return false
	}
	k.unlink(i)
	e := &k.entries[i]
	e.gen++
	e.done, e.at, e.result = true, k.now, result
	k.link(&k.done, i)
	return true
}

// AbandonAt gives an attempt up that certainly had no effect: the key is as if it had never been used. It reports false when the claim
// is void.
func (k *Keys[R]) AbandonAt(now int64, c Claim) bool {
	k.advance(now)
	i, ok := k.claimed(c)
	if ok {
		k.forget(i)
	}
	return ok
}

func (k *Keys[R]) claimed(c Claim) (int32, bool) {
	if c.gen&1 == 0 || uint32(c.slot) >= uint32(len(k.entries)) || k.entries[c.slot].gen != c.gen {
		return 0, false
	}
	return c.slot, true
}

// Len is how many keys are remembered, those included that are over time and not yet forgotten.
func (k *Keys[R]) Len() int { return k.used }
