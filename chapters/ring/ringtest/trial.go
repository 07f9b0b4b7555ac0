package ringtest

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"seedbed/chapters/ring"
)

// trial is what one seed makes: a random stream, names, and where moves are added up.
type trial struct {
	random stream
	first  int // number of the first name, so that each seed has names of its own
	most   int
	moves  *moves
}

func newTrial(most, seed int, sum *moves) *trial {
	return &trial{random: stream(seed), first: 8 * seed, most: most, moves: sum}
}

// stream is a small random stream (SplitMix64, Steele, Lea and Flood 2014), so that trials are the same everywhere.
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is uniform enough in 0..n-1, for n ≥ 1.
func (s *stream) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// shuffle puts members in random order.
func (s *stream) shuffle(members []ring.Member) []ring.Member {
	out := append([]ring.Member(nil), members...)
	for i := len(out) - 1; i > 0; i-- {
		j := s.below(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// style is a way to name members.
type style func(i int) string

// styles are as names are in the field. Those of the last run together when an index is written before or behind them without a mark.
var styles = []style{
	func(i int) string { return fmt.Sprintf("node-%d", i) },
	func(i int) string { return fmt.Sprintf("10.0.%d.%d:11211", i/250, i%250+1) },
	runTogether,
}

// runTogether names are a, 1a, 11a, 2a, then b, b1, b11, b2, and so on: "1" with "1a" reads like "11" with "a", and "b1" with "1" like "b"
// with "11".
func runTogether(i int) string {
	digits, letter := [...]string{"", "1", "11", "2"}[i%4], string(rune('a'+i/4%26))
	letters := strings.Repeat(letter, 1+i/4/26)
	if i/4%2 == 0 {
		return digits + letters
	}
	return letters + digits
}

// members are n members of weight 1, numbered on from the trial's first.
func (t *trial) members(n int, name style) []ring.Member {
	out := make([]ring.Member, n)
	for i := range out {
		out[i] = ring.Member{Name: name(t.first + i), Weight: 1}
	}
	return out
}

// size is a number of members, at least least.
func (t *trial) size(least int) int { return least + t.random.below(max(1, t.most-least+1)) }

// keys is how many keys a trial looks at.
const keys = 2000

// key is the i-th of them.
func key(i int) string {
	if known := keyTable(); i < len(known) {
		return known[i]
	}
	return "key-" + strconv.Itoa(i)
}

// keyTable spares making the same strings again for each ring.
var keyTable = sync.OnceValue(func() []string {
	table := make([]string, 1<<16)
	for i := range table {
		table[i] = "key-" + strconv.Itoa(i)
	}
	return table
})

// build is New, which must not fail here.
func (g *Target[R]) build(members []ring.Member) R {
	r, err := g.New(members)
	if err != nil {
		fail("New(%s): %v, want a ring", show(members), err)
	}
	return r
}

// change is With, which must not fail here.
func (g *Target[R]) change(r R, members []ring.Member) R {
	next, err := g.With(r, members)
	if err != nil {
		fail("With(%s): %v, want a ring", show(members), err)
	}
	return next
}

// owners asks for each of the first n keys.
func (g *Target[R]) owners(r R, n int) []string {
	out := make([]string, n)
	for i := range out {
		name, ok := g.Owner(r, key(i))
		if !ok {
			fail("%s has no owner", key(i))
		}
		out[i] = name
	}
	return out
}

// same fails unless two rings answered alike.
func same(got, want []string, what string) {
	differ, first := 0, 0
	for i := range got {
		if got[i] != want[i] {
			if differ == 0 {
				first = i
			}
			differ++
		}
	}
	if differ > 0 {
		fail("%s: %d of %d keys have another owner; such as %s, %s instead of %s", what, differ, len(got), key(first), got[first], want[first])
	}
}

// show lists members, at most eight of them.
func show(members []ring.Member) string {
	var b strings.Builder
	for i, m := range members {
		if i == 8 {
			fmt.Fprintf(&b, " … %d more", len(members)-i)
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.Name)
		if m.Weight != 1 {
			fmt.Fprintf(&b, "×%d", m.Weight)
		}
	}
	return b.String()
}
