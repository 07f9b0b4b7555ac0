package main

import "math/rand/v2"

// libcDice is rand of the GNU C library, by which a Redis that is linked to it decides whether a counter goes up: an additive feedback
// generator over 31 words (its manual calls it TYPE_3). Who knows the seed and the number of draws knows the next one.
type libcDice struct {
	state [31]uint32
	at    int // of the oldest word
	drawn int
}

const (
	randMost = 1<<31 - 1 // RAND_MAX
	lag      = 3         // words between the two that are added
)

// newLibcDice is srand(seed).
func newLibcDice(seed uint32) *libcDice {
	d := &libcDice{}
	if seed == 0 {
		seed = 1
	}
	word := int32(seed)
	d.state[0] = seed
	for i := 1; i < len(d.state); i++ {
		// 16807·word modulo 2^31 − 1, without leaving 32 bits.
		const q, r = 127773, 2836
		if word = 16807*(word%q) - r*(word/q); word < 0 {
			word += randMost
		}
		d.state[i] = uint32(word)
	}
	d.at = lag
	for range 10 * len(d.state) {
		d.next()
	}
	d.drawn = 0
	return d
}

// next is rand().
func (d *libcDice) next() int32 {
	back := d.at - lag
	if back < 0 {
		back += len(d.state)
	}
	d.state[d.at] += d.state[back]
	v := d.state[d.at] >> 1
	if d.at++; d.at == len(d.state) {
		d.at = 0
	}
	d.drawn++
	return int32(v)
}

// Below makes the dice a cache.Source for a question of Redis's: 0 with a chance of one in n, as Redis computes it, else 1.
func (d *libcDice) Below(n int64) int64 {
	if float64(d.next())/randMost < 1/float64(n) {
		return 0
	}
	return 1
}

// findSeed returns the seed that explains the counters of a key after each of its uses, the first that were counted, and how many
// seeds do. Redis seeds with time ^ pid ^ µs of its start, so that all but the low 20 bits are known.
func findSeed(start, pid int64, factor int64, counts []int64) (seed uint32, explain int) {
	const low = 20
	high := uint32(start^pid) &^ (1<<low - 1)
	for c := range uint32(1 << low) {
		if newLibcDice(high|c).explains(factor, counts) {
			seed = high | c
			explain++
		}
	}
	return seed, explain
}

// explains says whether a counter that began at 5 would have gone just so.
func (d *libcDice) explains(factor int64, counts []int64) bool {
	const begin = 5
	count := int64(begin)
	for _, want := range counts {
		if d.Below(max(0, count-begin)*factor+1) == 0 {
			count++
		}
		if count != want {
			return false
		}
	}
	return true
}

// zipf draws keys 0..n−1 that are the less popular the higher, the same in each run.
func zipf(n int) func() int {
	z := rand.NewZipf(rand.New(rand.NewPCG(3, 8)), 1.05, 1, uint64(n-1))
	return func() int { return int(z.Uint64()) }
}
