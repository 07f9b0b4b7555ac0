package ring

import (
	"strconv"
	"testing"
)

func benchKeys() []string {
	keys := make([]string, 1<<14)
	for i := range keys {
		keys[i] = "key-" + strconv.Itoa(i)
	}
	return keys
}
func benchMembers(n int) []Member {
	m := make([]Member, n)
	for i := range m {
		m[i] = Member{"node-" + strconv.Itoa(i), 1}
	}
	return m
}

var sink int

func BenchmarkOwner(b *testing.B) {
	r, _ := New(Config{}, benchMembers(100))
	b.Log(r.Size())
	keys := benchKeys()
	i := 0
	for b.Loop() {
		name, _ := r.Owner(keys[i&(1<<14-1)])
		sink += len(name)
		i++
	}
}
func BenchmarkHash(b *testing.B) {
	r, _ := New(Config{}, benchMembers(100))
	keys := benchKeys()
	i := 0
	for b.Loop() {
		sink += int(r.HashOf(keys[i&(1<<14-1)]))
		i++
	}
}
func BenchmarkOwnerOfHash(b *testing.B) {
	r, _ := New(Config{}, benchMembers(100))
	keys := benchKeys()
	hs := make([]uint64, len(keys))
	for i := range hs {
		hs[i] = r.HashOf(keys[i])
	}
	i := 0
	for b.Loop() {
		sink += r.OwnerOfHash(hs[i&(1<<14-1)])
		i++
	}
}
func BenchmarkOwners3(b *testing.B) {
	r, _ := New(Config{}, benchMembers(100))
	keys := benchKeys()
	i := 0
	var dst []string
	for b.Loop() {
		dst = r.Owners(keys[i&(1<<14-1)], 3, dst[:0])
		i++
	}
}
func BenchmarkNew(b *testing.B) {
	m := benchMembers(100)
	for b.Loop() {
		New(Config{}, m)
	}
}
func BenchmarkNew1000(b *testing.B) {
	m := benchMembers(1000)
	for b.Loop() {
		New(Config{}, m)
	}
}
