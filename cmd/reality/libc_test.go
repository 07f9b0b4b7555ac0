package main

import (
	"slices"
	"testing"
)

// TestDiceAsRecorded: what rand of glibc 2.36 gave after srand.
func TestDiceAsRecorded(t *testing.T) {
	for _, c := range []struct {
		seed  uint32
		first []int32
		later int32 // the 400th
	}{
		{1, []int32{1804289383, 846930886, 1681692777}, 950390868},
		{42, []int32{71876166, 708592740, 1483128881}, 1766340821},
		{3_000_000_000, []int32{2058147116, 854483408, 922419988}, 493589071},
	} {
		d := newLibcDice(c.seed)
		var got []int32
		for range 400 {
			got = append(got, d.next())
		}
		if !slices.Equal(got[:3], c.first) || got[399] != c.later || d.drawn != 400 {
			t.Errorf("seed %d: %v … %d after %d draws; want %v … %d", c.seed, got[:3], got[399], d.drawn, c.first, c.later)
		}
	}
}
