package cache

// LogCounter counts uses of a key as Redis does for its LFU policies: 8 bits that grow with the logarithm of the uses and fall
// while nobody comes, and 24 bits for when somebody last did. The zero value is a counter that stood at 0 in the epoch;
// Logarithm.StartAt makes those of new keys.
type LogCounter uint32

// Bounds of a LogCounter.
const (
	LogStart = 5   // of a new key, so that it is not the first to leave
	LogMost  = 255 // where it saturates
)

const (
	logUnits = 1 << 24 // units that a counter can tell apart before its clock wraps
	logPast  = 1 << 23 // a last use that seems further away than this is one in the future: the clock was set back
)

// Logarithm is how LogCounters count. The zero value counts each use up to LogMost, and does not decay.
//
// A counter at c goes up with the probability 1 ÷ (max(c−5, 0)·Factor + 1): from 5 to c it takes Σ (k·Factor + 1), k = 0 … c−6,
// uses on average. And it goes down by 1 for each Decay units in which the key was idle; a remainder is forgiven by the next use.
// Older texts say that Redis halves it. It subtracts.
//
// Source: redis/redis, src/evict.c: LFULogIncr, LFUDecrAndReturn and updateLFU, and redis.conf. There, the 16 bits of a minute wrap
// after 45 days, one minute is lost when they do, and an idle time beyond counts as short. Here 24 bits wrap after 31 years, and
// what seems to lie more than 15 years back counts as not idle.
type Logarithm struct {
	Factor int64 // 0..MaxFactor; Redis has 10
	Decay  int64 // units of idleness for which 1 is taken off, 0..MaxDecay; 0 means never; Redis has 1
	Unit   int64 // ns, 1..MaxDuration; 0 means a minute, as in Redis
}

// Bounds of a Logarithm.
const (
	MaxFactor = 1_000_000
	MaxDecay  = 1_000_000
)

// check names the field that is out of range.
func (g Logarithm) check() error {
	return firstOf(
		within("log factor", g.Factor, 0, MaxFactor, ""),
		within("decay", g.Decay, 0, MaxDecay, "units"),
		within("unit", g.Unit, 0, MaxDuration, "ns"),
	)
}

// unitAt is the number of the unit in which an instant lies, as far as a counter keeps it.
func (g Logarithm) unitAt(now int64) uint32 {
	unit := g.Unit
	if unit < 1 {
		unit = minute
	}
	return uint32(floorDiv(now, unit)) & (logUnits - 1)
}

// StartAt is the counter of a new key.
func (g Logarithm) StartAt(now int64) LogCounter { return LogCounter(g.unitAt(now)<<8 | LogStart) }

// CountAt is where a counter stands, 0..LogMost. Asking changes nothing, however often.
func (g Logarithm) CountAt(now int64, c LogCounter) uint8 {
	count := uint32(c) & 0xff
	if g.Decay < 1 {
		return uint8(count)
	}
	idle := (g.unitAt(now) - uint32(c)>>8) & (logUnits - 1)
	if idle > logPast {
		return uint8(count)
	}
	return uint8(count - min(count, uint32(int64(idle)/g.Decay)))
}

// UseAt is the counter after one more use. It draws once, unless the counter is full.
func (g Logarithm) UseAt(now int64, c LogCounter, r Source) LogCounter {
	count := g.CountAt(now, c)
	if count < LogMost && r.Below(max(0, int64(count)-LogStart)*max(0, g.Factor)+1) == 0 {
		count++
	}
	return LogCounter(g.unitAt(now)<<8 | uint32(count))
}
