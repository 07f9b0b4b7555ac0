package calc

import (
	"strconv"
	"strings"
)

// dimension is what a quantity is of: a power for each base. It has more places than bases, so that it is one machine word.
type dimension [8]int8

const (
	bytes = iota
	seconds
	dollars
	euros
	yuan
	units // of whatever money the reader thinks in
)

var baseNames = []string{"B", "s", "$", "€", "¥", "unit"}

// maxPower bounds the powers of a dimension.
const maxPower = 8

// times is the dimension of a product (sign 1) or a quotient (sign −1), and false when it is beyond the bound.
func (d dimension) times(e dimension, sign int) (dimension, bool) {
	ok := true
	for i := range d {
		p := int(d[i]) + sign*int(e[i])
		ok = ok && p <= maxPower && p >= -maxPower
		d[i] = int8(p)
	}
	return d, ok
}

func (d dimension) none() bool { return d == dimension{} }

// Unit is a unit as an author wrote it, such as req/s, M req/day, MiB/s or $/(GB·month). A nil *Unit is that of plain numbers. It is
// immutable.
type Unit struct {
	text          string // as it is written after a number
	before, after string // around a number, where it is shown
	scale         *ratio // base units in one
	dim           dimension
	binary        bool // counts bytes by 1024
}

// noUnit is the unit of plain numbers.
var noUnit = &Unit{scale: one}

// or is the unit itself, or that of plain numbers where there is none.
func (u *Unit) or() *Unit {
	if u == nil {
		return noUnit
	}
	return u
}

// String is the unit as it may be written after a number: "$/(GB·month)". It is empty for the unit of plain numbers.
func (u *Unit) String() string { return u.or().text }

// kind is how a message names a unit.
func (u *Unit) kind() string {
	if u.text == "" {
		return "a plain number"
	}
	return u.text
}

// word is one word of a unit.
type word struct {
	text   string
	scale  *ratio
	dim    dimension
	binary bool
	noun   bool // counts something: has no dimension, and may be a name too
}

// prefixes of bytes and bits, by 1000 and by 1024.
var prefixes = []struct {
	text string
	log2 uint // of a binary one
	log  int  // of a decimal one
}{
	{"Ki", 10, 0}, {"Mi", 20, 0}, {"Gi", 30, 0}, {"Ti", 40, 0}, {"Pi", 50, 0},
	{"k", 0, 3}, {"M", 0, 6}, {"G", 0, 9}, {"T", 0, 12}, {"P", 0, 15}, {"", 0, 0},
}

// timeWords are the words for time, in nanoseconds. A year has 365 days; a month is a twelfth of it, 730 hours, as clouds bill it.
var timeWords = []struct {
	words string
	nanos uint64
}{
	{" ns 纳秒 ", 1}, {" us µs μs 微秒 ", 1e3}, {" ms 毫秒 ", 1e6}, {" s sec second seconds 秒 ", 1e9},
	{" min minute minutes 分钟 ", 60e9}, {" h hour hours 小时 ", 3600e9}, {" d day days 天 日 ", 86400e9},
	{" week weeks 周 ", 7 * 86400e9}, {" month months 月 个月 ", 730 * 3600e9}, {" year years 年 ", 365 * 86400e9},
}

// moneyWords are the words for money, by base.
var moneyWords = []string{dollars: " $ ", euros: " € ", yuan: " ¥ 元 ", units: " unit units 单位 "}

// nouns are the things that are counted. They tell a reader what a number is of; to compute, they are all 1.
const nouns = " req reqs request requests read reads write writes op ops call calls query queries hit hits conn conns connection connections" +
	" user users person people row rows item items event events msg msgs message messages job jobs task tasks key keys node nodes" +
	" server servers host hosts machine machines instance instances shard shards replica replicas copy copies slot slots worker" +
	" workers thread threads core cores record records file files page pages order orders session sessions token tokens entry" +
	" entries try tries attempt attempts share shares" +
	" 次 个 人 行 条 份 台 件 页 倍 请求 读 写 读取 写入 连接 用户 节点 分片 副本 消息 订单 记录 会话 名额 "

// multipliers may stand before a unit, or alone.
var multipliers = []struct {
	words string
	log   int
}{{" k thousand ", 3}, {" 万 ", 4}, {" M million ", 6}, {" 亿 ", 8}, {" billion ", 9}}

func among(words, w string) bool { return w != "" && strings.Contains(words, " "+w+" ") }

// multiplierOf is the power of ten that a word means, 0 for any other word.
func multiplierOf(w string) int {
	for i := range multipliers {
		if among(multipliers[i].words, w) {
			return multipliers[i].log
		}
	}
	return 0
}

// wordOf looks up one word of a unit, without multiplier; nil when there is none.
func wordOf(w string) *word {
	if u := sizeOf(w); u != nil {
		return u
	}
	u := &word{text: w, scale: one}
	for i := range timeWords {
		if among(timeWords[i].words, w) {
			u.scale = ratioOf(timeWords[i].nanos, 1e9)
			u.dim[seconds] = 1
			return u
		}
	}
	for base, words := range moneyWords {
		if among(words, w) {
			u.dim[base] = 1
			return u
		}
	}
	switch {
	case w == "%":
		u.scale = ratioOf(1, 100)
	case w == "‰":
		u.scale = ratioOf(1, 1000)
	case among(nouns, w):
		u.noun = true
	default:
		return nil
	}
	return u
}

// sizes are the words for bytes and bits that take a prefix, with how many there are to a byte.
var sizeWords = []struct {
	text string
	per  uint64
}{{"bits", 8}, {"bit", 8}, {"bytes", 1}, {"byte", 1}, {"字节", 1}, {"B", 1}}

// sizeOf looks up bytes and bits.
func sizeOf(w string) *word {
	for i := range sizeWords {
		prefix, ok := strings.CutSuffix(w, sizeWords[i].text)
		if !ok {
			continue
		}
		for k := range prefixes {
			if p := &prefixes[k]; p.text == prefix {
				u := &word{text: w, scale: reduced(false, natOf(1<<p.log2).mul(pow10(p.log)), natOf(sizeWords[i].per)), binary: p.log2 > 0}
				u.dim[bytes] = 1
				return u
			}
		}
		return nil
	}
	return nil
}

// hints say what words that are no units may have been meant for.
const hints = `
KB	write kB for 1000 bytes or KiB for 1024
Kb	write kbit for bits, kB or KiB for bytes
kb	write kbit for bits, kB or KiB for bytes
mb	write Mbit for bits, MB or MiB for bytes
Mb	write Mbit for bits, MB or MiB for bytes
gb	write Gbit for bits, GB or GiB for bytes
Gb	write Gbit for bits, GB or GiB for bytes
b	write B for bytes or bit for bits
kbps	write kbit/s
Mbps	write Mbit/s
Gbps	write Gbit/s
qps	write req/s
QPS	write req/s
rps	write req/s
RPS	write req/s
m	write min for minutes
mins	write min for minutes
hr	write h for hours
hrs	write h for hours
K	write k for a thousand
G	write billion
bn	write billion
USD	write $
`

// hint says what a word that is no unit may have been meant for.
func hint(w string) string {
	if said := entry(hints, w); said != "" {
		return said
	}
	return "units are B, kB, KiB, Mbit …, ns, ms, s, min, h, day, month …, $, €, ¥, unit, %, and things that are counted such as req, user, row"
}

// entry looks up what stands behind a key and a tab in a table of lines; empty when there is none.
func entry(table, key string) string {
	_, said, _ := strings.Cut(table, "\n"+key+"\t")
	said, _, _ = strings.Cut(said, "\n")
	return said
}

// builder gathers the words of a unit.
type builder struct {
	multiplier string
	log        int
	above      string // words joined by ·
	below      string
	currency   string // the sign that is the first word above the line, if it is one
	rest       string // above without it
	many       bool   // several words stand below the line
	scale      *ratio // nil: nothing yet
	dim        dimension
	binary     bool
	high       bool // beyond what is kept
}

func (b *builder) multiply(word string, log int) { b.multiplier, b.log = word, log }

// add takes one word to a power, above the line (sign 1) or below it (−1).
func (b *builder) add(w *word, power, sign int) {
	text := w.text
	if power != 1 {
		text += "^" + strconv.Itoa(power)
	}
	if sign > 0 {
		if b.above == "" && isMoneySign(text) {
			b.currency = text
		} else {
			b.rest = dotted(b.rest, text)
		}
		b.above = dotted(b.above, text)
	} else {
		b.many = b.below != ""
		b.below = dotted(b.below, text)
	}
	b.binary = b.binary || w.binary
	if b.scale == nil {
		b.scale = one
	}
	scale := w.scale
	if sign < 0 {
		scale = scale.inverse()
	}
	for range power {
		next := b.scale.mul(scale)
		dim, ok := b.dim.times(w.dim, sign)
		if next == nil || !ok {
			b.high = true
			return
		}
		b.scale, b.dim = next, dim
	}
}

func isMoneySign(s string) bool { return s == "$" || s == "€" || s == "¥" }

func dotted(words, more string) string {
	if words == "" {
		return more
	}
	return words + "·" + more
}

// unit is what was gathered; nil for no unit at all.
func (b *builder) unit() *Unit {
	if b.scale == nil && b.multiplier == "" {
		return nil
	}
	if b.scale == nil {
		b.scale = one
	}
	u := &Unit{dim: b.dim, binary: b.binary, before: b.currency}
	u.scale = b.scale.mul(&ratio{num: pow10(b.log), below: natOne})
	if u.scale == nil {
		b.high = true
		return nil
	}
	below := b.below
	if b.many {
		below = "(" + below + ")"
	}
	if below != "" {
		below = "/" + below
	}
	u.text = spaced(b.multiplier, b.above) + below
	// A currency's sign stands before the number; all else behind it.
	u.after = spaced(b.multiplier, b.rest) + below
	if u.after != "" && u.after[0] != '/' && u.after[0] != '%' && !strings.HasPrefix(u.after, "‰") && !strings.HasPrefix(u.after, "×") {
		u.after = " " + u.after
	}
	return u
}

// spaced is a multiplier and what follows it: 万次, but M req.
func spaced(multiplier, above string) string {
	if multiplier == "" || above == "" || multiplier >= "\u2e80" {
		return multiplier + above
	}
	return multiplier + " " + above
}
