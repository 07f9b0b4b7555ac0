package cache_test

import (
	"testing"

	"seedbed/chapters/cache"
	"seedbed/chapters/cache/cachetest"
)

// all are the policies.
var all = []cache.Policy{cache.LRU, cache.LFU, cache.RedisLFU, cache.WTinyLFU}

// plain is a target of a Cache.
func plain(policy cache.Policy) cachetest.Target[*cache.Cache[string, int]] {
	type store = *cache.Cache[string, int]
	return cachetest.Target[store]{
		New: func(capacity int) store {
			c := must(cache.New[string, int](cache.Config[string]{Capacity: capacity, Policy: policy, Seed: 7}))
			return &c
		},
		Get:    store.GetAt,
		Set:    func(c store, now int64, key string, value int, ttl int64) { c.SetAt(now, key, value, ttl) },
		Delete: func(c store, key string) { c.Delete(key) },
		Len:    store.Len,
		Claims: cachetest.Full,
		Seeds:  3,
	}
}

// locked is a target of a Locked.
func locked(policy cache.Policy, shards int) cachetest.Target[*cache.Locked[string, int]] {
	type store = *cache.Locked[string, int]
	return cachetest.Target[store]{
		New: func(capacity int) store {
			cfg := cache.Config[string]{Capacity: capacity, Policy: policy, Seed: 7}
			return must(cache.NewLocked[string, int](cache.LockedConfig[string]{Cache: cfg, Shards: shards}, nil))
		},
		Get:    store.GetAt,
		Set:    func(c store, now int64, key string, value int, ttl int64) { c.SetAt(now, key, value, ttl) },
		Delete: func(c store, key string) { c.Delete(key) },
		Len:    store.Len,
		Claims: cachetest.Full | cachetest.Concurrent,
		Seeds:  3,
	}
}

func TestEachPolicyKeepsItsClaims(t *testing.T) {
	for _, policy := range all {
		t.Run(policy.String(), func(t *testing.T) { cachetest.Run(t, plain(policy)) })
		t.Run(policy.String()+", locked", func(t *testing.T) { cachetest.Run(t, locked(policy, 1)) })
		t.Run(policy.String()+", 8 shards", func(t *testing.T) {
			// A shard that is full evicts while others have room.
			target := locked(policy, 8)
			target.Claims &^= cachetest.Roomy | cachetest.Deletes
			if policy == cache.LRU {
				target.Claims &^= cachetest.Scans // a little behind exact LRU, for the same reason
			}
			target.Capacities = []int{8, 30, 1000}
			cachetest.Run(t, target)
		})
	}
}
