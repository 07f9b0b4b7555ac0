package main

import (
	"slices"

	authzed "github.com/authzed/consistent/hashring"
	buraksezer "github.com/buraksezer/consistent"
	jump "github.com/dgryski/go-jump"
	rendezvous "github.com/dgryski/go-rendezvous"
	"github.com/golang/groupcache/consistenthash"
	"github.com/kkdai/maglev"
	serialx "github.com/serialx/hashring"
	stathat "stathat.com/c/consistent"

	"seedbed/chapters/hashing"
	"seedbed/chapters/ring"
)

// member is a name as the peers want one.
type member string

func (m member) String() string { return string(m) }
func (m member) Key() string    { return string(m) }

// hasher is theHash as buraksezer/consistent wants it.
type hasher struct{}

func (hasher) Sum64(b []byte) uint64 { return theHash(b) }

// key64 is theHash as serialx/hashring wants it.
type key64 uint64

func (k key64) Less(other serialx.HashKey) bool { return k < other.(key64) }

func newBuraksezer(names []string) *buraksezer.Consistent {
	members := make([]buraksezer.Member, len(names))
	for i, name := range names {
		members[i] = member(name)
	}
	return buraksezer.New(members, buraksezer.Config{Hasher: hasher{}, ReplicationFactor: ringPoints})
}

func newGroupcache(names []string) *consistenthash.Map {
	m := consistenthash.New(ringPoints, func(b []byte) uint32 { return uint32(theHash(b)) })
	m.Add(names...)
	return m
}

func newAuthzed(names []string) *authzed.Ring {
	r := authzed.MustNew(theHash, ringPoints)
	for _, name := range names {
		if err := r.Add(member(name)); err != nil {
			panic(err)
		}
	}
	return r
}

func newStathat(names []string) *stathat.Consistent {
	r := stathat.New()
	r.NumberOfReplicas = ringPoints
	r.Set(names)
	return r
}

func newSerialx(names []string) *serialx.HashRing {
	weights := make(map[string]int, len(names))
	for _, name := range names {
		weights[name] = ringPoints
	}
	return serialx.NewWithHashAndWeights(weights, func(b []byte) serialx.HashKey { return key64(theHash(b)) })
}

func newMaglev(names []string) *maglev.Maglev {
	return must(maglev.NewMaglev(names, ring.DefaultSlots))
}

// located is a ring of any make: how to ask it and change it. A nil field is what it cannot do.
type located struct {
	owner  func(key string) (string, bool)
	owners func(key string, n int) []string
	add    func(name string) error
	remove func(name string)
	names  []string
}

// set changes a ring to other members, one by one, in place.
func (l *located) set(members []ring.Member) (*located, error) {
	var wanted []string
	for _, m := range members {
		wanted = append(wanted, m.Name)
	}
	for _, name := range slices.Clone(l.names) {
		if !slices.Contains(wanted, name) {
			l.remove(name)
			l.names = slices.DeleteFunc(l.names, func(n string) bool { return n == name })
		}
	}
	for i, name := range wanted {
		// A name that is there is not added again, unless the list itself has it twice.
		if !slices.Contains(l.names, name) || slices.Contains(wanted[:i], name) {
			if err := l.add(name); err != nil {
				return l, err
			}
			l.names = append(l.names, name)
		}
	}
	return l, nil
}

// ours are the rings of this project.
var ours = []struct {
	name      string
	algorithm ring.Algorithm
}{
	{"Ring", ring.AlgorithmRing},
	{"Ketama", ring.AlgorithmKetama},
	{"Rendezvous", ring.AlgorithmRendezvous},
	{"Maglev, 65,537 slots", ring.AlgorithmMaglev},
	{"Anchor, capacity 1024", ring.AlgorithmAnchor},
	{"MultiProbe, 21 probes", ring.AlgorithmMultiProbe},
	{"Jump, where anyone may leave", ring.AlgorithmJump},
	{"Modulo", ring.AlgorithmModulo},
}

// peers are the others.
var peers = []struct {
	name  string
	build func(names []string) *located
}{
	{"groupcache/consistenthash", func(names []string) *located {
		r := newGroupcache(names)
		return &located{owner: func(key string) (string, bool) { name := r.Get(key); return name, name != "" }}
	}},
	{"stathat/consistent, CRC-32", func(names []string) *located {
		r := newStathat(names)
		return &located{
			names:  slices.Clone(names),
			owner:  func(key string) (string, bool) { name, err := r.Get(key); return name, err == nil },
			owners: func(key string, n int) []string { names, _ := r.GetN(key, n); return names },
			add:    func(name string) error { r.Add(name); return nil },
			remove: func(name string) { r.Remove(name) },
		}
	}},
	{"buraksezer/consistent", func(names []string) *located {
		r := newBuraksezer(names)
		return &located{
			names: slices.Clone(names),
			owner: func(key string) (string, bool) {
				m, _ := r.LocateKey([]byte(key)).(member)
				return string(m), m != ""
			},
			owners: func(key string, n int) (out []string) {
				found, _ := r.GetClosestN([]byte(key), n)
				for _, m := range found {
					out = append(out, m.String())
				}
				return out
			},
			add:    func(name string) error { r.Add(member(name)); return nil },
			remove: func(name string) { r.Remove(name) },
		}
	}},
	{"authzed/consistent", func(names []string) *located {
		r := newAuthzed(names)
		return &located{
			names: slices.Clone(names),
			owner: func(key string) (string, bool) {
				m, err := r.FindN([]byte(key), 1)
				if err != nil {
					return "", false
				}
				return m[0].Key(), true
			},
			owners: func(key string, n int) (out []string) {
				found, _ := r.FindN([]byte(key), uint8(n))
				for _, m := range found {
					out = append(out, m.Key())
				}
				return out
			},
			add:    func(name string) error { return r.Add(member(name)) },
			remove: func(name string) { _ = r.Remove(member(name)) },
		}
	}},
	{"serialx/hashring", func(names []string) *located {
		r := newSerialx(names)
		return &located{
			names:  slices.Clone(names),
			owner:  func(key string) (string, bool) { return r.GetNode(key) },
			owners: func(key string, n int) []string { names, _ := r.GetNodes(key, n); return names },
			add:    func(name string) error { r = r.AddWeightedNode(name, ringPoints); return nil },
			remove: func(name string) { r = r.RemoveNode(name) },
		}
	}},
	{"dgryski/go-jump, where anyone may leave", func(names []string) *located {
		names = slices.Clone(names)
		return &located{owner: func(key string) (string, bool) {
			return names[jump.Hash(hashing.Sum64String(0, key), len(names))], true
		}}
	}},
	{"kkdai/maglev, 65,537 slots, SipHash", func(names []string) *located {
		r := newMaglev(names)
		return &located{
			names:  slices.Clone(names),
			owner:  func(key string) (string, bool) { name, err := r.Get(key); return name, err == nil },
			add:    r.Add,
			remove: func(name string) { _ = r.Remove(name) },
		}
	}},
	{"dgryski/go-rendezvous", func(names []string) *located {
		r := rendezvous.New(slices.Clone(names), func(s string) uint64 { return hashing.Sum64String(0, s) })
		return &located{
			names:  slices.Clone(names),
			owner:  func(key string) (string, bool) { name := r.Lookup(key); return name, name != "" },
			add:    func(name string) error { r.Add(name); return nil },
			remove: func(name string) { r.Remove(name) },
		}
	}},
}

// snapshot is one of ours as a ring of any make.
func snapshot(a ring.Algorithm) func(names []string) *located {
	return func(names []string) *located {
		s := must(ring.Build(a, ring.BuildConfig{}, ring.Equal(names...)))
		return &located{
			owner:  func(key string) (string, bool) { return s.Owner(key) },
			remove: func(name string) { s, _, _ = ring.Remove(s, name) },
		}
	}
}
