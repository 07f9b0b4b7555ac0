package ring_test

import (
	"testing"

	"seedbed/chapters/ring"
)

// ketamaServers are the example of libketama: 1264 points, and not 1280, because each count is rounded down.
var ketamaServers = []ring.Member{
	{"10.0.1.1:11211", 600}, {"10.0.1.2:11211", 300}, {"10.0.1.3:11211", 200}, {"10.0.1.4:11211", 350},
	{"10.0.1.5:11211", 1000}, {"10.0.1.6:11211", 800}, {"10.0.1.7:11211", 950}, {"10.0.1.8:11211", 100},
}

func TestKetamaAgreesWithLibketama(t *testing.T) {
	k, err := ring.NewKetama(ketamaServers)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]int, k.Len())
	for i := range k.Points() {
		_, member := k.Point(i)
		points[member]++
	}
	for i, want := range []int{176, 88, 56, 104, 296, 236, 280, 28} {
		if points[i] != want {
			t.Errorf("points of %s: %d, want %d", k.Member(i).Name, points[i], want)
		}
	}
	if first, member := k.Point(0); first != 762113 || member != 4 {
		t.Errorf("first point: %d of member %d, want 762113 of member 4", first, member)
	}
	if last, _ := k.Point(k.Points() - 1); last != 4293620028 {
		t.Errorf("last point: %d, want 4293620028", last)
	}
	for _, v := range []struct {
		key         string
		hash, point uint32
		owner       string
	}{
		{"0", 2216742351, 2217271743, "10.0.1.1:11211"},
		{"1", 943901380, 949045552, "10.0.1.5:11211"},
		{"2", 2373066440, 2374693370, "10.0.1.6:11211"},
		{"3", 2127088620, 2130338203, "10.0.1.6:11211"},
		{"4", 2046197672, 2051996197, "10.0.1.7:11211"},
	} {
		h := uint32(k.HashOf(v.key) >> 32)
		i := 0
		for at, _ := k.Point(i); at < h; at, _ = k.Point(i) {
			i++
		}
		point, _ := k.Point(i)
		owner, _ := k.Owner(v.key)
		if h != v.hash || point != v.point || owner != v.owner {
			t.Errorf("key %q: hash %d, point %d, owner %s; want %d, %d, %s", v.key, h, point, owner, v.hash, v.point, v.owner)
		}
	}
}
