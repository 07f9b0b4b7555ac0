package ringtest_test

import (
	"fmt"
	"hash/crc32"
	"sort"
	"strings"
	"testing"

	"seedbed/chapters/ring"
	"seedbed/chapters/ring/ringtest"
)

// recorder is a TB that keeps what it is told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// right is a ring that keeps every claim.
func right() ringtest.Target[ring.Snapshot] {
	target := ringtest.Of(func(m []ring.Member) (ring.Snapshot, error) { return ring.New(ring.Config{}, m) }, ringtest.Full)
	target.Spread = 80_000
	return target
}

func TestARightRingPasses(t *testing.T) {
	var r recorder
	ringtest.Check(&r, right())
	if len(r.said) > 0 {
		t.Errorf("a right ring was found wrong:\n%s", strings.Join(r.said, "\n"))
	}
}

// bent is a right ring with one thing wrong.
func bent(bend func(*ringtest.Target[ring.Snapshot])) func(ringtest.TB, ringtest.Claim) {
	return func(tb ringtest.TB, claims ringtest.Claim) {
		target := right()
		target.Claims = claims
		bend(&target)
		ringtest.Check(tb, target)
	}
}

func build(m []ring.Member) (ring.Snapshot, error) { return ring.New(ring.Config{}, m) }

// Each fault must be found by the claim that is named for it, in words that show it.
var faults = []struct {
	claim ringtest.Claim
	fault string
	try   func(ringtest.TB, ringtest.Claim)
	says  string
}{
	{ringtest.Total, "some keys belong to a stranger", bent(func(g *ringtest.Target[ring.Snapshot]) {
		owner := g.Owner
		g.Owner = func(s ring.Snapshot, key string) (string, bool) {
			if strings.HasSuffix(key, "77") {
				return "stranger", true
			}
			return owner(s, key)
		}
	}), `belongs to "stranger"`},
	{ringtest.Repeats, "each ring draws its own seed", bent(func(g *ringtest.Target[ring.Snapshot]) {
		seed := uint64(0)
		g.New = func(m []ring.Member) (ring.Snapshot, error) {
			seed++
			return ring.New(ring.Config{Seed: seed}, m)
		}
	}), "a second ring of"},
	{ringtest.Unordered, "the first named member is favoured", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) {
			m = append([]ring.Member(nil), m...)
			m[0].Weight = 3
			return build(m)
		}
	}), "named in the order"},
	{ringtest.Historyless, "points that collide belong to who came last, and names run together", func(tb ringtest.TB, claims ringtest.Claim) {
		g := crcRing()
		g.Claims |= claims
		ringtest.Check(tb, g)
	}, "after changes, against one built anew"},
	{ringtest.Minimal, "modulo", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) { return ring.NewModulo(ring.HashConfig{}, m) }
	}), "moved without a reason; such as key-"},
	{ringtest.Minimal, "a Maglev that promises less than it needs", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) {
			return ring.NewMaglev(ring.MaglevConfig{Slots: 251}, m)
		}
		g.Needless = 100
	}), "at most 100 in a million may"},
	{ringtest.Even, "one point a member", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) { return ring.New(ring.Config{Points: 1}, m) }
	}), "vary by"},
	{ringtest.Weighted, "weights are ignored", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) {
			m = append([]ring.Member(nil), m...)
			for i := range m {
				m[i].Weight = min(m[i].Weight, 1)
			}
			return build(m)
		}
	}), "of the keys with weight 1"},
	{ringtest.Distinct, "an owner comes twice", bent(func(g *ringtest.Target[ring.Snapshot]) {
		owners := g.Owners
		g.Owners = func(s ring.Snapshot, key string, n int) []string {
			all := owners(s, key, n)
			if len(all) > 2 {
				all[2] = all[0]
			}
			return all
		}
	}), "are not distinct members"},
	{ringtest.Distinct, "the order depends on how many are asked for", bent(func(g *ringtest.Target[ring.Snapshot]) {
		owners := g.Owners
		g.Owners = func(s ring.Snapshot, key string, n int) []string {
			all := owners(s, key, n)
			if len(all) == 3 {
				all[1], all[2] = all[2], all[1]
			}
			return all
		}
	}), "they begin otherwise"},
	{ringtest.Heirs, "replicas are not where the keys will go", bent(func(g *ringtest.Target[ring.Snapshot]) {
		g.New = func(m []ring.Member) (ring.Snapshot, error) { return ring.NewMaglev(ring.MaglevConfig{}, m) }
	}), "its owners were"},
	{ringtest.Empty, "no member, no ring", bent(func(g *ringtest.Target[ring.Snapshot]) {
		owner := g.Owner
		g.Owner = func(s ring.Snapshot, key string) (string, bool) {
			name, _ := owner(s, key)
			return s.Member(0).Name, name != ""
		}
	}), "panicked: runtime error: index out of range"},
	{ringtest.Once, "a name given twice counts twice", bent(func(g *ringtest.Target[ring.Snapshot]) {
		doubled := func(m []ring.Member) (out []ring.Member) {
			for _, x := range m {
				if n := len(out); n > 0 && out[n-1].Name == x.Name {
					out[n-1].Weight += x.Weight
				} else {
					out = append(out, x)
				}
			}
			return out
		}
		sorted := func(m []ring.Member) []ring.Member {
			m = append([]ring.Member(nil), m...)
			sort.SliceStable(m, func(i, j int) bool { return m[i].Name < m[j].Name })
			return doubled(m)
		}
		g.New = func(m []ring.Member) (ring.Snapshot, error) { return build(sorted(m)) }
		g.With = func(s ring.Snapshot, m []ring.Member) (ring.Snapshot, error) { return s.With(sorted(m)) }
	}), "with a name given twice"},
	{ringtest.Copies, "the caller's slice is kept", func(tb ringtest.TB, claims ringtest.Claim) {
		ringtest.Check(tb, ringtest.Target[[]ring.Member]{
			New: func(m []ring.Member) ([]ring.Member, error) { return m, nil },
			Owner: func(m []ring.Member, key string) (string, bool) {
				return m[int(crc32.ChecksumIEEE([]byte(key)))%len(m)].Name, true
			},
			Claims: ringtest.Total | ringtest.Repeats | claims,
		})
	}, "after the caller's slice was written over"},
	{ringtest.Immutable, "a change is made in place", func(tb ringtest.TB, claims ringtest.Claim) {
		ringtest.Check(tb, ringtest.Target[*ring.Atomic]{
			New: func(m []ring.Member) (*ring.Atomic, error) {
				var a ring.Atomic
				s, err := build(m)
				a.Store(s)
				return &a, err
			},
			Owner:  (*ring.Atomic).Owner,
			With:   func(a *ring.Atomic, m []ring.Member) (*ring.Atomic, error) { return a, a.SetMembers(m) },
			Claims: claims,
		})
	}, "other rings were made of it"},
}

func TestEachClaimCanFail(t *testing.T) {
	var shown ringtest.Claim
	for _, f := range faults {
		shown |= f.claim
		t.Run(f.claim.String()+", "+f.fault, func(t *testing.T) {
			var r recorder
			f.try(&r, f.claim)
			if len(r.said) != 1 || !strings.HasPrefix(r.said[0], f.claim.String()+": ") || !strings.Contains(r.said[0], f.says) {
				t.Errorf("the suite says %q, want one failure of %s that says %q", r.said, f.claim, f.says)
			}
		})
	}
	if missing := ringtest.Full &^ shown; missing != 0 {
		t.Errorf("no fault shows that %s can fail", missing)
	}
}

func TestATargetWithoutSenseIsRefused(t *testing.T) {
	for what, bend := range map[string]func(*ringtest.Target[ring.Snapshot]){
		"no way to ask":         func(g *ringtest.Target[ring.Snapshot]) { g.Owner = nil },
		"owners, but no Owners": func(g *ringtest.Target[ring.Snapshot]) { g.Owners = nil },
		"changes, but no With":  func(g *ringtest.Target[ring.Snapshot]) { g.With = nil },
		"no claims":             func(g *ringtest.Target[ring.Snapshot]) { g.Claims = 0 },
		"even, but no bar":      func(g *ringtest.Target[ring.Snapshot]) { g.Spread = 0 },
	} {
		var r recorder
		bent(bend)(&r, ringtest.Full)
		if len(r.said) != 1 || !strings.HasPrefix(r.said[0], "target: ") {
			t.Errorf("%s: the suite says %q, want one line that says what is missing", what, r.said)
		}
	}
}

// crc is a ring as many have written it: CRC-32 of index and name run together, in a map.
type crc struct {
	owners map[uint32]string
	points []uint32
	names  map[string]bool
}

const replicas = 20

func point(i int, name string) uint32 { return crc32.ChecksumIEEE([]byte(fmt.Sprint(i) + name)) }

func (c *crc) set(members []ring.Member) {
	wanted := make(map[string]bool)
	for _, m := range members {
		wanted[m.Name] = true
	}
	for name := range c.names {
		if !wanted[name] {
			delete(c.names, name)
			for i := range replicas {
				delete(c.owners, point(i, name))
			}
		}
	}
	for _, m := range members {
		if !c.names[m.Name] {
			c.names[m.Name] = true
			for i := range replicas {
				c.owners[point(i, m.Name)] = m.Name
			}
		}
	}
	c.points = c.points[:0]
	for p := range c.owners {
		c.points = append(c.points, p)
	}
	sort.Slice(c.points, func(i, j int) bool { return c.points[i] < c.points[j] })
}

func (c *crc) owner(key string) (string, bool) {
	if len(c.points) == 0 {
		return "", false
	}
	h := crc32.ChecksumIEEE([]byte(key))
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i] >= h })
	return c.owners[c.points[i%len(c.points)]], true
}

func crcRing() ringtest.Target[*crc] {
	return ringtest.Target[*crc]{
		New: func(m []ring.Member) (*crc, error) {
			c := &crc{owners: map[uint32]string{}, names: map[string]bool{}}
			c.set(m)
			return c, nil
		},
		Owner: (*crc).owner,
		With: func(c *crc, m []ring.Member) (*crc, error) {
			c.set(m)
			return c, nil
		},
		Claims: ringtest.Total | ringtest.Repeats | ringtest.Empty,
	}
}
