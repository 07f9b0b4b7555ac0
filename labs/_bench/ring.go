package main

import (
	"fmt"
	"io"
	"testing"

	buraksezer "github.com/buraksezer/consistent"
	jump "github.com/dgryski/go-jump"
	rendezvous "github.com/dgryski/go-rendezvous"

	"seedbed/chapters/hashing"
	"seedbed/chapters/ring"
)

// All rings have 100 members of 160 points, look up the same 16,384 keys, and use the same xxHash64 where a hash can be chosen:
// stathat's cannot, and is CRC-32.
const (
	ringMembers = 100
	ringPoints  = 160
	ringKeys    = 1 << 14
)

// theHash is the one hash of all candidates.
func theHash(b []byte) uint64 { return hashing.Sum64(0, b) }

var (
	ringNames   = named("10.0.1.%d:11211", ringMembers)
	ringStrings = named("user:%d", ringKeys)
	ringBytes   = func() (b [][]byte) { // for peers whose keys are bytes, so that no row pays for a conversion
		for _, s := range ringStrings {
			b = append(b, []byte(s))
		}
		return b
	}()
)

func named(format string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

func newRing() *ring.Ring {
	return must(ring.New(ring.Config{Points: ringPoints}, ring.Equal(ringNames...)))
}

var found int // so that no look-up is optimised away

func rings(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\n## Rings: %d members of %d points, %d string keys, xxHash64\n", ringMembers, ringPoints, ringKeys)
	table(w, rounds, "Look-up on a ring", []candidate{
		{"Ring", lookRing, "owner's name"},
		{"buraksezer/consistent", lookBuraksezer, "271 partitions, so another structure"},
		{"groupcache/consistenthash", lookGroupcache, ""},
		{"authzed/consistent", lookAuthzed, ""},
		{"stathat/consistent", lookStathat, "CRC-32: its hash cannot be chosen"},
		{"serialx/hashring", lookSerialx, ""},
	}, bar{"groupcache/consistenthash", 0.3}, bar{"stathat/consistent", 0.3}, bar{"buraksezer/consistent", 1})
	few := min(rounds, 3) // where no bar hangs on a ratio
	table(w, few, "Three owners", []candidate{
		{"Ring", threeRing, ""},
		{"buraksezer/consistent", threeBuraksezer, ""},
		{"authzed/consistent", threeAuthzed, ""},
		{"stathat/consistent", threeStathat, "CRC-32"},
		{"serialx/hashring", threeSerialx, ""},
	})
	table(w, few, "One member more", []candidate{
		{"Ring, a new snapshot", addRing, "the old one stays as it is"},
		{"buraksezer/consistent", addBuraksezer, "and one less"},
		{"authzed/consistent", addAuthzed, "and one less"},
		{"stathat/consistent", addStathat, "and one less"},
	})
	table(w, few, "Maglev", []candidate{
		{"Maglev, 65,537 slots", lookSnapshot(ring.AlgorithmMaglev), ""},
		{"kkdai/maglev, 65,537 slots", lookMaglevPeer, "SipHash: its hash cannot be chosen"},
	})
	table(w, few, "Jump", []candidate{
		{"Jump", lookSnapshot(ring.AlgorithmJump), "name of the bucket"},
		{"dgryski/go-jump", lookJumpPeer, "name of the bucket, by a hash of ours"},
	})
	table(w, few, "Rendezvous", []candidate{
		{"Rendezvous", lookSnapshot(ring.AlgorithmRendezvous), ""},
		{"dgryski/go-rendezvous", lookRendezvousPeer, ""},
	})
	table(w, few, "Structures that no peer here has", []candidate{
		{"Anchor, capacity 1024", lookSnapshot(ring.AlgorithmAnchor), ""},
		{"MultiProbe, 21 probes", lookSnapshot(ring.AlgorithmMultiProbe), ""},
	})
	ringQuality(w)
	ringPromises(w)
}

// The loops below differ only in the call, which is written out so that no row pays for an indirection.

func lookRing(b *testing.B) {
	r, i := newRing(), 0
	b.ReportAllocs()
	for b.Loop() {
		name, _ := r.Owner(ringStrings[i%ringKeys])
		found += len(name)
		i++
	}
}

func lookSnapshot(a ring.Algorithm) func(b *testing.B) {
	return func(b *testing.B) {
		s, i := must(ring.Build(a, ring.BuildConfig{}, ring.Equal(ringNames...))), 0
		b.ReportAllocs()
		for b.Loop() {
			name, _ := s.Owner(ringStrings[i%ringKeys])
			found += len(name)
			i++
		}
	}
}

func lookMaglevPeer(b *testing.B) {
	r, i := newMaglev(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		name, _ := r.Get(ringStrings[i%ringKeys])
		found += len(name)
		i++
	}
}

func lookJumpPeer(b *testing.B) {
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		found += len(ringNames[jump.Hash(hashing.Sum64String(0, ringStrings[i%ringKeys]), ringMembers)])
		i++
	}
}

func lookRendezvousPeer(b *testing.B) {
	r, i := rendezvous.New(ringNames, func(s string) uint64 { return hashing.Sum64String(0, s) }), 0
	b.ReportAllocs()
	for b.Loop() {
		found += len(r.Lookup(ringStrings[i%ringKeys]))
		i++
	}
}

func lookBuraksezer(b *testing.B) {
	r, i := newBuraksezer(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		found += len(r.LocateKey(ringBytes[i%ringKeys]).(member))
		i++
	}
}

func lookGroupcache(b *testing.B) {
	r, i := newGroupcache(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		found += len(r.Get(ringStrings[i%ringKeys]))
		i++
	}
}

func lookAuthzed(b *testing.B) {
	r, i := newAuthzed(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		m, _ := r.FindN(ringBytes[i%ringKeys], 1)
		found += len(m[0].(member))
		i++
	}
}

func lookStathat(b *testing.B) {
	r, i := newStathat(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		name, _ := r.Get(ringStrings[i%ringKeys])
		found += len(name)
		i++
	}
}

func lookSerialx(b *testing.B) {
	r, i := newSerialx(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		name, _ := r.GetNode(ringStrings[i%ringKeys])
		found += len(name)
		i++
	}
}

func threeRing(b *testing.B) {
	r, i, dst := newRing(), 0, make([]string, 0, 3)
	b.ReportAllocs()
	for b.Loop() {
		dst = r.Owners(ringStrings[i%ringKeys], 3, dst[:0])
		found += len(dst)
		i++
	}
}

func threeBuraksezer(b *testing.B) {
	r, i := newBuraksezer(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		m, _ := r.GetClosestN(ringBytes[i%ringKeys], 3)
		found += len(m)
		i++
	}
}

func threeAuthzed(b *testing.B) {
	r, i := newAuthzed(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		m, _ := r.FindN(ringBytes[i%ringKeys], 3)
		found += len(m)
		i++
	}
}

func threeStathat(b *testing.B) {
	r, i := newStathat(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		m, _ := r.GetN(ringStrings[i%ringKeys], 3)
		found += len(m)
		i++
	}
}

func threeSerialx(b *testing.B) {
	r, i := newSerialx(ringNames), 0
	b.ReportAllocs()
	for b.Loop() {
		m, _ := r.GetNodes(ringStrings[i%ringKeys], 3)
		found += len(m)
		i++
	}
}

const newcomer = "10.0.2.1:11211"

func addRing(b *testing.B) {
	r := newRing()
	b.ReportAllocs()
	for b.Loop() {
		s, _, err := ring.Add(r, ring.Member{Name: newcomer, Weight: 1})
		if err != nil {
			b.Fatal(err)
		}
		found += s.Len()
	}
}

func removeRing(b *testing.B) {
	r := newRing()
	b.ReportAllocs()
	for b.Loop() {
		s, _, err := ring.Remove(r, ringNames[ringMembers/2])
		if err != nil {
			b.Fatal(err)
		}
		found += s.Len()
	}
}

// The peers change in place, so they take the member out again: two changes a round.

func addBuraksezer(b *testing.B) {
	r := newBuraksezer(ringNames)
	b.ReportAllocs()
	for b.Loop() {
		r.Add(buraksezer.Member(member(newcomer)))
		r.Remove(newcomer)
	}
}

func addAuthzed(b *testing.B) {
	r := newAuthzed(ringNames)
	b.ReportAllocs()
	for b.Loop() {
		_ = r.Add(member(newcomer))
		_ = r.Remove(member(newcomer))
	}
}

func addStathat(b *testing.B) {
	r := newStathat(ringNames)
	b.ReportAllocs()
	for b.Loop() {
		r.Add(newcomer)
		r.Remove(newcomer)
	}
}
