package labs_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
)

func TestPerMillion(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{
		{1, 2, 500_000}, {2, 3, 666_666}, {0, 5, 0}, {5, 0, 0}, {0, 0, 0}, {3, 1, 3_000_000}, {3_600_000_000_000_000, 7_200_000_000_000_000, 500_000},
	} {
		if got := labs.PerMillion(c.a, c.b); got != c.want {
			t.Errorf("%d of %d is %d parts per million, want %d", c.a, c.b, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.Int64Range(1, 1<<62).Draw(t, "b")
		a := rapid.Int64Range(0, b).Draw(t, "a")
		want := new(big.Int).Mul(big.NewInt(a), big.NewInt(1_000_000))
		want.Quo(want, big.NewInt(b))
		if got := labs.PerMillion(a, b); got != want.Int64() {
			t.Fatalf("%d of %d is %d, want %s", a, b, got, want)
		}
	})
}
