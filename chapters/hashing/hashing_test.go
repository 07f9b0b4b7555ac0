package hashing_test

import (
	"crypto/md5"
	"encoding/hex"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/chapters/hashing"
)

// prime32 seeds half of the published vectors.
const prime32 = 2654435761

// sanityBuffer is the input of xxHash's own self-test, cli/xsum_sanity_check.c
// in github.com/Cyan4973/xxHash: the top bytes of a multiplicative generator.
func sanityBuffer(n int) []byte {
	b := make([]byte, n)
	g := uint64(prime32)
	for i := range b {
		b[i] = byte(g >> 56)
		g *= 11400714785074694797
	}
	return b
}

func TestSum64PublishedVectors(t *testing.T) {
	// XSUM_XXH64_testdata of the same file, at its commit b2e9dbb.
	for _, v := range []struct {
		n    int
		seed uint64
		want uint64
	}{
		{0, 0, 0xEF46DB3751D8E999},
		{0, prime32, 0xAC75FDA2929B17EF},
		{1, 0, 0xE934A84ADB052768},
		{1, prime32, 0x5014607643A9B4C3},
		{4, 0, 0x9136A0DCA57457EE},
		{14, 0, 0x8282DCC4994E35C8},
		{14, prime32, 0xC3BD6BF63DEB6DF0},
		{222, 0, 0xB641AE8CB691C174},
		{222, prime32, 0x20CB8AB7AE10C14A},
	} {
		checkAll(t, v.seed, string(sanityBuffer(v.n)), v.want)
	}
	// Seeds 1 and 2⁶⁴−1: tests/test.py of github.com/ifduyue/python-xxhash. The
	// lengths around 16 and 32: "verified against xxhsum -H64" in several ports.
	for _, v := range []struct {
		text string
		seed uint64
		want uint64
	}{
		{"a", 0, 15154266338359012955},
		{"a", 1, 16051599287423682246},
		{"a", 1<<64 - 1, 6972758980737027682},
		{"abcdefgh", 0, 0x3ad351775b4634b7},
		{"abcdefghijklmnop", 0, 0x71ce8137ca2dd53d},
		{"abcdefghijklmnopqrstuvwxyz01234", 0, 0x16058c7b947da137},
		{"abcdefghijklmnopqrstuvwxyz012345", 0, 0xbf2cd639b4143b80},
		{"abcdefghijklmnopqrstuvwxyz0123456789", 0, 0x64f23ecf1609b766},
	} {
		checkAll(t, v.seed, v.text, v.want)
	}
}

// checkAll holds every way into xxHash64 to the same value.
func checkAll(t *testing.T, seed uint64, text string, want uint64) {
	t.Helper()
	var d hashing.Digest
	d.Reset(seed)
	d.WriteString(text)
	for _, got := range []struct {
		way string
		sum uint64
	}{
		{"Sum64", hashing.Sum64(seed, []byte(text))},
		{"Sum64String", hashing.Sum64String(seed, text)},
		{"Digest", d.Sum64()},
	} {
		if got.sum != want {
			t.Errorf("%s(seed %d, %d bytes) = %016x, want %016x", got.way, seed, len(text), got.sum, want)
		}
	}
}

// TestSum64AgainstTheSpecification compares every length up to four stripes with
// a second reading of the specification, as plain as it can be written.
func TestSum64AgainstTheSpecification(t *testing.T) {
	buf := sanityBuffer(4*32 + 31)
	for n := range len(buf) + 1 {
		for _, seed := range []uint64{0, 1, prime32, 1<<64 - 1} {
			checkAll(t, seed, string(buf[:n]), plainXX(seed, buf[:n]))
		}
	}
}

// plainXX is the dumb twin: the text of doc/xxhash_spec.md, byte by byte.
func plainXX(seed uint64, b []byte) uint64 {
	const p1, p2, p3, p4, p5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
	read := func(n int) (v uint64) {
		for i := range n {
			v += uint64(b[i]) << (8 * i)
		}
		b = b[n:]
		return v
	}
	round := func(acc, lane uint64) uint64 { return bits.RotateLeft64(acc+lane*p2, 31) * p1 }
	length := uint64(len(b))
	acc := seed + p5
	if len(b) >= 32 {
		a := []uint64{seed, seed, seed, seed}
		a[0] += p1
		a[0] += p2
		a[1] += p2
		a[3] -= p1
		for len(b) >= 32 {
			for i := range a {
				a[i] = round(a[i], read(8))
			}
		}
		acc = 0
		for i, r := range []int{1, 7, 12, 18} {
			acc += bits.RotateLeft64(a[i], r)
		}
		for i := range a {
			acc = (acc^round(0, a[i]))*p1 + p4
		}
	}
	acc += length
	for len(b) >= 8 {
		acc = bits.RotateLeft64(acc^round(0, read(8)), 27)*p1 + p4
	}
	for len(b) >= 4 {
		acc = bits.RotateLeft64(acc^read(4)*p1, 23)*p2 + p3
	}
	for len(b) > 0 {
		acc = bits.RotateLeft64(acc^read(1)*p5, 11) * p1
	}
	acc = (acc ^ acc>>33) * p2
	acc = (acc ^ acc>>29) * p3
	return acc ^ acc>>32
}

func TestDigestIsTheSameForAnySplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		var d, forked hashing.Digest
		d.Reset(seed)
		var all, atFork []byte
		for range rapid.IntRange(0, 12).Draw(t, "writes") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				v := rapid.Uint64().Draw(t, "v")
				d.WriteUint64(v)
				for i := range 8 {
					all = append(all, byte(v>>(8*i)))
				}
			case 1:
				s := rapid.StringN(0, 20, 80).Draw(t, "s")
				d.WriteString(s)
				all = append(all, s...)
			case 2:
				p := rapid.SliceOfN(rapid.Byte(), 0, 120).Draw(t, "p")
				d.Write(p)
				all = append(all, p...)
			case 3:
				forked, atFork = d, append([]byte(nil), all...)
				if got, want := d.Sum64(), hashing.Sum64(seed, all); got != want {
					t.Fatalf("between writes, after %d bytes: %016x, want %016x", len(all), got, want)
				}
			}
		}
		if got, want := d.Sum64(), hashing.Sum64(seed, all); got != want {
			t.Fatalf("%d bytes in pieces: %016x, in one: %016x", len(all), got, want)
		}
		if got, want := d.Len(), uint64(len(all)); got != want {
			t.Fatalf("Len() = %d after %d bytes", got, want)
		}
		// The fork must not have seen what was written to the original since.
		if atFork != nil {
			forked.WriteString("x")
			if got, want := forked.Sum64(), hashing.Sum64(seed, append(atFork, 'x')); got != want {
				t.Fatalf("fork at %d bytes: %016x, want %016x", len(atFork), got, want)
			}
		}
	})
}

func TestDigestZeroValueAndReset(t *testing.T) {
	var d hashing.Digest
	if got, want := d.Sum64(), hashing.Sum64(0, nil); got != want {
		t.Errorf("zero value: %016x, want the empty input under seed 0, %016x", got, want)
	}
	long := strings.Repeat("seedbed", 20)
	d.WriteString(long)
	d.Reset(9)
	d.WriteString(long)
	if got, want := d.Sum64(), hashing.Sum64String(9, long); got != want {
		t.Errorf("after Reset(9): %016x, want %016x", got, want)
	}
}

func TestMD5PublishedVectors(t *testing.T) {
	// RFC 1321, appendix A.5.
	for text, want := range map[string]string{
		"":                           "d41d8cd98f00b204e9800998ecf8427e",
		"a":                          "0cc175b9c0f1b6a831c399e269772661",
		"abc":                        "900150983cd24fb0d6963f7d28e17f72",
		"message digest":             "f96b697d7cb7938d525a2f31aaf161d0",
		"abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789":                   "d174ab98d277d9f5a5611c2c9f419d9f",
		"12345678901234567890123456789012345678901234567890123456789012345678901234567890": "57edf4a22be3c955ac49da2e2107b67a",
	} {
		sum := hashing.MD5([]byte(text))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("MD5(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestMD5AgainstCryptoMD5(t *testing.T) {
	// Lengths around the block and the padding limit first, then any.
	buf := sanityBuffer(300)
	for n := range len(buf) + 1 {
		if got, want := hashing.MD5(buf[:n]), md5.Sum(buf[:n]); got != want {
			t.Fatalf("MD5 of %d bytes = %x, want %x", n, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if got, want := hashing.MD5String(s), md5.Sum([]byte(s)); got != want {
			t.Fatalf("MD5String(%q) = %x, want %x", s, got, want)
		}
	})
}

func TestMix64(t *testing.T) {
	// The first outputs of SplitMix64 from state 1234567, as Rosetta Code lists
	// them ("Pseudo-random numbers/Splitmix64").
	state := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		state += 0x9E3779B97F4A7C15
		if got := hashing.Mix64(state); got != want {
			t.Errorf("output %d: %d, want %d", i, got, want)
		}
	}
	// Avalanche: one flipped input bit flips each output bit in 50 % ± 4 % of
	// 4096 inputs (five standard deviations).
	const inputs = 4096
	for in := range 64 {
		var flips [64]int
		for x := range uint64(inputs) {
			d := hashing.Mix64(x*0x9E3779B97F4A7C15) ^ hashing.Mix64(x*0x9E3779B97F4A7C15^1<<in)
			for out := range flips {
				flips[out] += int(d >> out & 1)
			}
		}
		for out, n := range flips {
			if n < inputs*46/100 || n > inputs*54/100 {
				t.Errorf("input bit %d flips output bit %d in %d of %d inputs", in, out, n, inputs)
			}
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	text := strings.Repeat("seedbed", 20)
	b := []byte(text)
	var d hashing.Digest
	var sink uint64
	got := testing.AllocsPerRun(100, func() {
		sink += hashing.Sum64(1, b) + hashing.Sum64String(1, text)
		d.Write(b)
		d.WriteString(text)
		d.WriteUint64(sink)
		sink += d.Sum64()
		sum := hashing.MD5String(text)
		sink += uint64(sum[0])
	})
	if got != 0 {
		t.Errorf("%v allocations a round, want none", got)
	}
}
