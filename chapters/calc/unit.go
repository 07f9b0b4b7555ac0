package calc

import (
	"strconv"
	"strings"
)

// dimension is what a quantity is of: a power for each base.
type dimension [6]int8

const (
	bytes = iota
	seconds
	dollars
	euros
	yuan
	units // of whatever money the reader thinks in
)

var baseNames = [6]string{"B", "s", "$", "€", "¥", "unit"}

// maxPower bounds the powers of a dimension.
const maxPower = 8

// times is the dimension of a product (sign 1) or a quotient (sign −1), and false when it is beyond the bound.
func (d dimension) times(e dimension, sign int8) (dimension, bool) {
	ok := true
	for i := range d {
		d[i] += sign * e[i]
		ok = ok && d[i] <= maxPower && d[i] >= -maxPower
	}
	return d, ok
}

func (d dimension) none() bool { return d == dimension{} }

// Unit is a unit as an author wrote it, such as req/s, M req/day, MiB/s or $/(GB·month). Its zero value is that of plain numbers.
type Unit struct {
	text          string // as it is written after a number
	before, after string // around a number, where it is shown
	scale         ratio  // base units in one; the zero value is 1
	dim           dimension
	binary        bool // counts bytes by 1024
}

// String is the unit as it may be written after a number: "$/(GB·month)". It is empty for the unit of plain numbers.
func (u Unit) String() string { return u.text }

func (u Unit) factor() ratio {
	if u.scale.zero() {
		return ratioOf(1)
	}
	return u.scale
}

// word is one word of a unit.
type word struct {
	text   string
	scale  ratio
	dim    dimension
	binary bool
	noun   bool // counts something: has no dimension, and may be a name too
}

// prefixes of bytes and bits, by 1000 and by 1024.
var prefixes = [...]struct {
	text string
	log2 uint // of a binary one
	log  int  // of a decimal one
}{
	{"Ki", 10, 0}, {"Mi", 20, 0}, {"Gi", 30, 0}, {"Ti", 40, 0}, {"Pi", 50, 0},
	{"k", 0, 3}, {"M", 0, 6}, {"G", 0, 9}, {"T", 0, 12}, {"P", 0, 15}, {"", 0, 0},
}

// timeWords are the words for time, in nanoseconds. A year has 365 days; a month is a twelfth of it, 730 hours, as clouds bill it.
var timeWords = [...]struct {
	words string
	nanos uint64
}{
	{" ns 纳秒 ", 1}, {" us µs μs 微秒 ", 1e3}, {" ms 毫秒 ", 1e6}, {" s sec second seconds 秒 ", 1e9},
	{" min minute minutes 分钟 ", 60e9}, {" h hour hours 小时 ", 3600e9}, {" d day days 天 日 ", 86400e9},
	{" week weeks 周 ", 7 * 86400e9}, {" month months 月 个月 ", 730 * 3600e9}, {" year years 年 ", 365 * 86400e9},
}

// moneyWords are the words for money, by base.
var moneyWords = [...]string{dollars: " $ ", euros: " € ", yuan: " ¥ 元 ", units: " unit units 单位 "}

// nouns are the things that are counted. They tell a reader what a number is of; to compute, they are all 1.
const nouns = " req reqs request requests read reads write writes op ops call calls query queries hit hits conn conns connection connections" +
	" user users person people row rows item items event events msg msgs message messages job jobs task tasks key keys node nodes" +
	" server servers host hosts machine machines instance instances shard shards replica replicas copy copies slot slots worker" +
	" workers thread threads core cores record records file files page pages order orders session sessions token tokens entry" +
	" entries try tries attempt attempts share shares" +
	" 次 个 人 行 条 份 台 件 页 倍 请求 读 写 读取 写入 连接 用户 节点 分片 副本 消息 订单 记录 会话 名额 "

// multipliers may stand before a unit, or alone.
var multipliers = [...]struct {
	words string
	log   int
}{{" k thousand ", 3}, {" 万 ", 4}, {" M million ", 6}, {" 亿 ", 8}, {" billion ", 9}}

func among(words, w string) bool { return w != "" && strings.Contains(words, " "+w+" ") }

// multiplierOf is the power of ten that a word means.
func multiplierOf(w string) (log int, ok bool) {
	for _, m := range multipliers {
		if among(m.words, w) {
			return m.log, true
		}
	}
	return 0, false
}

// wordOf looks up one word of a unit, without multiplier.
func wordOf(w string) (word, bool) {
	if u, ok := sizeOf(w); ok {
		return u, true
	}
	for _, t := range timeWords {
		if among(t.words, w) {
			scale, _ := reduced(false, natOf(t.nanos), natOf(1e9))
			u := word{text: w, scale: scale}
			u.dim[seconds] = 1
			return u, true
		}
	}
	for base, words := range moneyWords {
		if among(words, w) {
			u := word{text: w, scale: ratioOf(1)}
			u.dim[base] = 1
			return u, true
		}
	}
	one := word{text: w, scale: ratioOf(1)}
	switch {
	case w == "%":
		one.scale, _ = reduced(false, nat{1}, nat{100})
		return one, true
	case w == "‰":
		one.scale, _ = reduced(false, nat{1}, nat{1000})
		return one, true
	case among(nouns, w):
		one.noun = true
		return one, true
	}
	return word{}, false
}

// sizeOf looks up bytes and bits.
func sizeOf(w string) (word, bool) {
	base, per := "", uint64(1)
	for _, b := range [...]struct {
		text string
		per  uint64
	}{{"bits", 8}, {"bit", 8}, {"bytes", 1}, {"byte", 1}, {"字节", 1}, {"B", 1}} {
		if strings.HasSuffix(w, b.text) {
			base, per = b.text, b.per
			break
		}
	}
	if base == "" {
		return word{}, false
	}
	for _, p := range prefixes {
		if p.text+base == w {
			scale, _ := reduced(false, natOf(1<<p.log2).mul(pow10(p.log)), natOf(per))
			u := word{text: w, scale: scale, binary: p.log2 > 0}
			u.dim[bytes] = 1
			return u, true
		}
	}
	return word{}, false
}

// hint says what a word that is no unit may have been meant for.
func hint(w string) string {
	switch w {
	case "KB":
		return "write kB for 1000 bytes or KiB for 1024"
	case "mb", "Mb", "MBit":
		return "write Mbit for bits or MB for bytes"
	case "kb", "Kb", "gb", "Gb":
		return "write kbit or Gbit for bits, kB or GB for bytes"
	case "b":
		return "write B for bytes or bit for bits"
	case "kbps", "Mbps", "Gbps":
		return "write " + w[:1] + "bit/s"
	case "qps", "QPS", "rps", "RPS":
		return "write req/s"
	case "m", "mins":
		return "write min for minutes"
	case "hr", "hrs":
		return "write h for hours"
	case "K":
		return "write k for a thousand"
	case "G", "bn":
		return "write billion"
	case "USD":
		return "write $"
	}
	return "units are B, kB, KiB, Mbit …, ns, ms, s, min, h, day, month …, $, €, ¥, unit, %, and things that are counted such as req, user, row"
}

// builder gathers the words of a unit.
type builder struct {
	multiplier string
	log        int
	above      []string
	below      []string
	scale      ratio
	dim        dimension
	binary     bool
	high       bool // beyond what is kept
}

func (b *builder) multiply(word string, log int) { b.multiplier, b.log = word, log }

// add takes one word to a power, above the line (sign 1) or below it (−1).
func (b *builder) add(w word, power int, sign int8) {
	text := w.text
	if power != 1 {
		text += "^" + strconv.Itoa(power)
	}
	if sign > 0 {
		b.above = append(b.above, text)
	} else {
		b.below = append(b.below, text)
	}
	b.binary = b.binary || w.binary
	if b.scale.zero() {
		b.scale = ratioOf(1)
	}
	for range power {
		var ok1, ok2 bool
		if sign > 0 {
			b.scale, ok1 = b.scale.mul(w.scale)
		} else {
			b.scale, ok1 = b.scale.quo(w.scale)
		}
		b.dim, ok2 = b.dim.times(w.dim, sign)
		if !ok1 || !ok2 {
			b.high, b.scale = true, ratioOf(1)
			return
		}
	}
}

// unit is what was gathered.
func (b *builder) unit() Unit {
	u := Unit{scale: b.scale, dim: b.dim, binary: b.binary}
	scale, ok := u.factor().mul(ratio{num: pow10(b.log)})
	if !ok {
		b.high = true
		return Unit{}
	}
	u.scale = scale
	below := strings.Join(b.below, "·")
	if len(b.below) > 1 {
		below = "(" + below + ")"
	}
	if below != "" {
		below = "/" + below
	}
	above := strings.Join(b.above, "·")
	u.text = b.multiplier + gap(b.multiplier, above) + above + below
	// A currency's sign stands before the number; all else behind it.
	if len(b.above) > 0 && strings.Contains("$€¥", b.above[0]) {
		u.before, above = b.above[0], strings.Join(b.above[1:], "·")
	}
	u.after = b.multiplier + gap(b.multiplier, above) + above + below
	if u.after != "" && !strings.ContainsAny(u.after[:1], "/%") && !strings.HasPrefix(u.after, "‰") && !strings.HasPrefix(u.after, "×") {
		u.after = " " + u.after
	}
	return u
}

// gap is what stands between a multiplier and what follows it: 万次, but M req.
func gap(multiplier, above string) string {
	if multiplier == "" || above == "" || multiplier >= "\u2e80" {
		return ""
	}
	return " "
}
