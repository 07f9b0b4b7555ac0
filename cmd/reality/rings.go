package main

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
)

// point is where a server lies on a circle of 32 bits.
type point struct {
	at    uint32
	owner int
}

// crcRing is nginx's "hash … consistent" (src/http/modules/ngx_http_upstream_hash_module.c): 160 points for each unit of weight, each the
// CRC-32 of the host, a zero byte, the port and the point before. The format is that of Cache::Memcached::Fast. A key belongs to the
// first point at or after its own CRC-32. It is here to tell why nginx's owners are not those of libketama, whose points are MD5.
type crcRing []point

func newCRCRing(servers []string) crcRing {
	var ring crcRing
	for i, s := range servers {
		host, port, _ := strings.Cut(s, ":")
		base := crc32.ChecksumIEEE([]byte(host + "\x00" + port))
		before := make([]byte, 4)
		for range 160 {
			at := crc32.Update(base, crc32.IEEETable, before)
			binary.LittleEndian.PutUint32(before, at)
			ring = append(ring, point{at, i})
		}
	}
	slices.SortStableFunc(ring, byPlace)
	return slices.CompactFunc(ring, func(a, b point) bool { return a.at == b.at })
}

func byPlace(a, b point) int {
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
	}
	return 0
}

// after is the index of the first point at or after a place, 0 when there is none.
func after(ring []point, at uint32) int {
	i, _ := slices.BinarySearchFunc(ring, point{at: at}, byPlace)
	return i % len(ring)
}

func (r crcRing) owner(key string) int { return r[after(r, crc32.ChecksumIEEE([]byte(key)))].owner }

// jenkinsRing is HAProxy's "hash-type consistent" (src/lb_chash.c): 16 points for each unit of weight, each a hash of the server's
// number, not of its name, and of the point's. A key belongs to the point that is nearest on either side.
type jenkinsRing []point

func newJenkinsRing(ids []int, weight int) jenkinsRing {
	const scale = 16
	var ring jenkinsRing
	for i, id := range ids {
		for k := range scale * weight {
			ring = append(ring, point{avalanche(uint32(id)*256*scale + uint32(k)), i})
		}
	}
	slices.SortStableFunc(ring, byPlace)
	return ring
}

func (r jenkinsRing) owner(key string) int {
	h := avalanche(sdbm(key))
	next := after(r, h)
	prev := (next + len(r) - 1) % len(r)
	if h-r[prev].at <= r[next].at-h {
		return r[prev].owner
	}
	return r[next].owner
}

// sdbm is HAProxy's hash of a key when none is named.
func sdbm(key string) uint32 {
	h := uint32(0)
	for _, c := range []byte(key) {
		h = uint32(c) + h<<6 + h<<16 - h
	}
	return h
}

// avalanche is HAProxy's full_hash: one of Bob Jenkins's integer hashes, times a prime.
func avalanche(a uint32) uint32 {
	a = (a + 0x7ed55d16) + a<<12
	a = (a ^ 0xc761c23c) ^ a>>19
	a = (a + 0x165667b1) + a<<5
	a = (a + 0xd3a2646c) ^ a<<9
	a = (a + 0xfd7046c5) + a<<3
	a = (a ^ 0xb55a4f09) ^ a>>16
	return a * 3221225473
}
