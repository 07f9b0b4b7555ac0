package page

import (
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"seedbed/chapters/calc"
	"seedbed/labs"
)

// Number is a metric of a run, shown in the text: {=window-edge?use=fixed#admitted}.
type Number struct {
	Spec   labs.Spec
	Metric int       // index into the lab's metrics
	Unit   labs.Unit // in which it is shown
	Fixed  bool      // the author named the unit; otherwise the one that reads best is taken
	Line   int
}

var kindNumber = ast.NewNodeKind("SeedbedNumber")

type numberNode struct {
	ast.BaseInline
	raw    string // what stands between the braces
	number *Number
	sum    *Sum // instead of a number of a run
	sheet  *calc.Sheet
}

func (n *numberNode) Kind() ast.NodeKind { return kindNumber }

func (n *numberNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// numberParser reads {=…} up to the closing brace on the same line.
type numberParser struct{}

func (numberParser) Trigger() []byte { return []byte{'{'} }

func (numberParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	end := strings.IndexByte(string(line), '}')
	if len(line) < 2 || line[1] != '=' || end < 0 {
		return nil
	}
	n := &numberNode{raw: string(line[2:end])}
	block.Advance(end + 1)
	return n
}

var numberForm = regexp.MustCompile(`^([^#\s]+)#([A-Za-z0-9._-]+)(?:\s+in\s+(\S+))?$`)

// number resolves a number; one that cannot be resolved shows as it was written.
func (c *collector) number(n *numberNode) {
	if !strings.Contains(n.raw, "#") {
		c.sum(n)
		return
	}
	line := c.place(n)
	m := numberForm.FindStringSubmatch(strings.TrimSpace(n.raw))
	if m == nil {
		c.problem(line, "{="+n.raw+"} is not a number of a run; write {=SPEC#metric} or {=SPEC#metric in UNIT}")
		return
	}
	spec, ok := c.spec(m[1], line)
	if !ok {
		return
	}
	metric, ok := c.metric(spec.Lab, m[2], line)
	if !ok {
		return
	}
	q := spec.Lab.Metrics[metric]
	number := &Number{Spec: spec, Metric: metric, Unit: q.Unit, Line: line}
	if m[3] != "" {
		unit, known := unitByCode(m[3])
		if !known || family(unit) != family(q.Unit) {
			c.problem(line, "{="+n.raw+"}: "+q.Name+" cannot be told in "+m[3]+"; "+inWhich(q.Unit))
			return
		}
		number.Unit, number.Fixed = unit, true
	}
	n.number = number
	c.page.Numbers = append(c.page.Numbers, number)
}

// units are all units there are: Code answers for each up to the last.
var units = []labs.Unit{
	labs.Count, labs.Nanos, labs.Micros, labs.Millis, labs.Seconds,
	labs.PerSecond, labs.Bytes, labs.KiB, labs.MiB, labs.Percent, labs.Ratio,
}

func unitByCode(code string) (labs.Unit, bool) {
	for _, u := range units {
		if u.Code() == code && code != "" {
			return u, true
		}
	}
	return 0, false
}

// family is the first unit of those that share a base.
func family(u labs.Unit) labs.Unit {
	switch u {
	case labs.Nanos, labs.Micros, labs.Millis, labs.Seconds:
		return labs.Nanos
	case labs.Bytes, labs.KiB, labs.MiB:
		return labs.Bytes
	case labs.Percent, labs.Ratio:
		return labs.Percent
	}
	return u
}

// inWhich says which units may be named for a quantity.
func inWhich(of labs.Unit) string {
	var codes []string
	for _, u := range units {
		if family(u) == family(of) && u.Code() != "" {
			codes = append(codes, u.Code())
		}
	}
	if codes == nil {
		return "it is a plain count, without a unit"
	}
	return "use one of " + strings.Join(codes, ", ")
}

// inUnit writes a number of base units in a unit that the author named, with at most two decimals, rounded half up: 24,000,000 bytes
// in MiB are "22.89 MiB". Grouping and minus are as in text.Number.
func inUnit(u labs.Unit, v int64) string {
	sign, mag := "", uint64(v)
	if v < 0 {
		sign, mag = "−", -mag
	}
	scale := uint64(u.Scale())
	hi, lo := bits.Mul64(mag, 100)
	lo, carry := bits.Add64(lo, scale/2, 0)
	hi += carry
	// mag < 2^63 and scale ≥ 1: the quotient fits unless scale ≤ hi, which needs mag·100 ≥ scale·2^64; then the decimals do not matter.
	if hi >= scale {
		return sign + grouped(strconv.FormatUint(mag/scale, 10)) + unitSuffix(u)
	}
	hundredths, _ := bits.Div64(hi, lo, scale)
	s := grouped(strconv.FormatUint(hundredths/100, 10))
	if rest := hundredths % 100; rest != 0 {
		s += strings.TrimRight("."+strconv.FormatUint(100+rest, 10)[1:], "0")
	}
	return sign + s + unitSuffix(u)
}

func unitSuffix(u labs.Unit) string {
	switch u {
	case labs.Percent:
		return "%"
	case labs.Ratio, labs.Count:
		return ""
	case labs.Micros:
		return " µs"
	}
	return " " + u.Code()
}

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
