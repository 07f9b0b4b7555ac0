package quota

// The kinds of entries in the log.
const (
	entryTerm  = iota // a leader's term begins; want is the term
	entryGrant        // a service asks for units
)

// entry is what the replicas agree on.
type entry struct {
	kind   int64
	stamp  int64 // by the leader's clock
	want   int64
	origin int   // replica that was asked, which answers if it is still the same life of it
	life   int64 // of it
	asked
}

const entryWords = 9

// encode writes an entry as little-endian words.
func encode(e entry) []byte {
	b := make([]byte, 0, 8*entryWords)
	for _, w := range [entryWords]int64{
		e.kind, e.stamp, e.want, int64(e.origin), e.life, int64(e.slot)<<8 | int64(e.from), e.number, e.sent, e.asked.want,
	} {
		for k := range 8 {
			b = append(b, byte(uint64(w)>>(8*k)))
		}
	}
	return b
}

// decode reads what encode wrote.
func decode(b []byte) entry {
	var w [entryWords]int64
	for i := range w {
		for k := range 8 {
			w[i] |= int64(b[8*i+k]) << (8 * k)
		}
	}
	return entry{kind: w[0], stamp: w[1], want: w[2], origin: int(w[3]), life: w[4], asked: asked{
		slot: int32(w[5] >> 8), from: int(w[5] & 0xff), number: w[6], sent: w[7], want: w[8],
	}}
}
