package pmath_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"seedbed/chapters/hashing"
	"seedbed/chapters/pmath"
)

var update = flag.Bool("update", false, "rewrite testdata from what the functions return here")

// The functions by the names of the golden file. Those of one argument ignore y.
var byName = []struct {
	name string
	f    func(x, y float64) float64
}{
	{"exp", func(x, _ float64) float64 { return pmath.Exp(x) }},
	{"expm1", func(x, _ float64) float64 { return pmath.Expm1(x) }},
	{"log", func(x, _ float64) float64 { return pmath.Log(x) }},
	{"log1p", func(x, _ float64) float64 { return pmath.Log1p(x) }},
	{"log2", func(x, _ float64) float64 { return pmath.Log2(x) }},
	{"sqrt", func(x, _ float64) float64 { return pmath.Sqrt(x) }},
	{"pow", pmath.Pow},
	{"round64", func(x, _ float64) float64 { return math.Float64frombits(uint64(pmath.Round64(x))) }},
	{"floor64", func(x, _ float64) float64 { return math.Float64frombits(uint64(pmath.Floor64(x))) }},
}

// millionHashes are xxHash64 over the result bits of a million inputs for each
// function, half of them everyday numbers and half any bit pattern. Changing one
// means that links to old runs may show other results: bump the labs' versions.
var millionHashes = map[string]uint64{
	"exp":     0x8f38ac7fe232a11f,
	"expm1":   0xbd1e77518ea95f5d,
	"log":     0xdae85aebac093954,
	"log1p":   0x663f54035a4d0734,
	"log2":    0x3f84031d8422aec3,
	"sqrt":    0xcda1cfb17f1a53fc,
	"pow":     0x4cc0079e599c7968,
	"round64": 0x2171e8f0c4f68485,
	"floor64": 0xbdba433794a91b3e,
}

// TestBitsOfAMillion also runs under Node and qemu: see elsewhere_test.go.
func TestBitsOfAMillion(t *testing.T) {
	for i, fn := range byName {
		d := draw(7000 + i)
		var h hashing.Digest
		for n := range 1_000_000 {
			x, y := d.between(-20, 20), d.between(-9, 9)
			if n&1 == 1 {
				x, y = math.Float64frombits(d.bits()), math.Float64frombits(d.bits())
			} else if n&2 == 2 || fn.name == "pow" {
				x = math.Abs(x)
			}
			h.WriteUint64(math.Float64bits(fn.f(x, y)))
		}
		if got, want := h.Sum64(), millionHashes[fn.name]; got != want {
			t.Errorf("%q: %#016x, want %#016x", fn.name, got, want)
		}
	}
}

const goldenFile = "testdata/bits.txt"

// TestGoldenBits also runs under Node and qemu. The file says which input broke,
// where the hash above says only that one did.
func TestGoldenBits(t *testing.T) {
	if *update {
		if err := os.WriteFile(goldenFile, []byte(goldenText()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(goldenText(), "\n")
	lines := strings.Split(string(want), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines, %s has %d", len(got), goldenFile, len(lines))
	}
	for i := range got {
		if got[i] != lines[i] {
			t.Errorf("%s:%d:\n got %s\nwant %s", goldenFile, i+1, got[i], lines[i])
		}
	}
}

// goldenText is one line a value: function, input bits, result bits, and both as
// a person reads them.
func goldenText() string {
	inputs := []float64{0, 1, -1, 0.5, -0.5, 2, math.E, math.Pi, 10, 100, 0.1, 1e-9, -1e-9, 1e-300, 1e300, 5e-324, 0.6931471805599453, 0.34657359027997264, 709.5, -744.5, 1.0000000000000002, 0.9999999999999999, 3.5, -3.5, math.Inf(1), math.Inf(-1), math.NaN()}
	powers := []float64{0.5, -1, 3, 1.25, -7.5}
	var b strings.Builder
	line := func(name string, x, y, r float64) {
		integer := strings.HasSuffix(name, "64")
		reads := strconv.FormatFloat(r, 'g', -1, 64)
		if integer {
			reads = strconv.FormatInt(int64(math.Float64bits(r)), 10)
		}
		args := strconv.FormatFloat(x, 'g', -1, 64)
		if name == "pow" {
			args += ", " + strconv.FormatFloat(y, 'g', -1, 64)
		}
		fmt.Fprintf(&b, "%-7s %016x %016x  # %s(%s) = %s\n", name, math.Float64bits(x), math.Float64bits(r), name, args, reads)
	}
	for _, fn := range byName {
		for i, x := range inputs {
			y := powers[i%len(powers)]
			line(fn.name, x, y, fn.f(x, y))
		}
	}
	return b.String()
}
