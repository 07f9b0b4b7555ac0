package main

import (
	"strconv"
	"strings"
	"testing"
)

// lines makes a fixture of one function body: each statement has its line,
// from the fifth on, so that a want can name it.
func lines(header string, statements ...string) string {
	return "package p\n" + header + "\n\nfunc f(x, y, z float64, i int, m map[string]int) {\n" + strings.Join(statements, "\n") + "\n}\n"
}

// everyLine wants the same breach on n lines of a fixture made by lines.
func everyLine(path string, n int, say string) []breach {
	var out []breach
	for i := range n {
		out = append(out, breach{path + ":" + strconv.Itoa(5+i), say})
	}
	return out
}

func TestFusedMultiplyAdd(t *testing.T) {
	fused := []string{
		"_ = x*y + z",
		"_ = z - (x*y)",
		"_ = z + -(x*y)",
		"_ = x + float64(y*z)*y",
		"z += x * y",
		"z *= x",
		"a := x * y",
		"f(x*y, a, z, i, m)",
		"_ = []float64{x * y}",
		"_ = max(x*y, z)",
		"_ = func() float64 { return x * y }",
		"_ = float32(x)*float32(y) + float32(z)",
		"_ = x*2 + z",
	}
	free := []string{
		"_ = float64(x*y) + z",
		"z += float64(x * y)",
		"_ = float64(x*y*z) - z",
		"_ = x*y/z + z",
		"_ = x*y < z",
		"_ = int64(x * y)",
		"_ = math.Floor(x*y) + z",
		"_ = i*i + i",
		"const a = 1.5 * 2.5",
		"_ = a*2 + 1 + z",
		"type dB float64",
		"_ = dB(x*y) + 1",
	}
	const header = "import \"math\""
	tryRule(t, checkFusing, []ruleCase{
		{"free", tree{
			"labs/a.go":      lines(header, free...),
			"labs/a_test.go": lines("", "_ = x*y + z"),
			"web/a.go":       lines("", "_ = x*y + z"),
		}, nil},
		{"fused", tree{"labs/a.go": lines("", fused...)}, everyLine("labs/a.go", len(fused), "write float64(x*y)")},
		{"pmath too", tree{"chapters/pmath/a.go": lines("", "_ = x*y + z")}, everyLine("chapters/pmath/a.go", 1, "float64(x*y)")},
		{"type parameter", tree{
			"labs/a.go": "package p\n\ntype number interface{ ~int | float }\ntype float interface{ ~float32 | ~float64 }\n\nfunc dot[T number](a, b, c T) T {\n\treturn a*b + c\n}\n",
		}, []breach{{"labs/a.go:7", "float64(x*y)"}}},
	})
}

func TestFloatToInteger(t *testing.T) {
	open := []string{"_ = int64(x)", "_ = int(x * 2)", "_ = uint8(float32(x))", "type n uint32", "_ = n(x)"}
	want := everyLine("labs/a.go", 5, "use pmath.Round64")
	want = append(want[:3], want[4])
	tryRule(t, checkFloatToInt, []ruleCase{
		{"in range by definition", tree{
			"labs/a.go":           lines("", "_ = int64(2.0)", "_ = float64(i)", "_ = int64(i)", "_ = float32(x)"),
			"chapters/pmath/a.go": lines("", "_ = int64(x)"),
			"labs/a_test.go":      lines("", "_ = int64(x)"),
		}, nil},
		{"any float", tree{"labs/a.go": lines("", open...)}, want},
		{"type parameter", tree{
			"labs/a.go": "package p\n\nfunc f[T ~int | ~float64, U ~int64](v T) U { return U(v) }\n",
		}, []breach{{"labs/a.go:3", "pmath.Round64"}}},
	})
}

func TestMapOrder(t *testing.T) {
	const header = "import \"maps\"; import \"slices\"; import \"sync\""
	tryRule(t, checkMapOrder, []ruleCase{
		{"excused, sorted or no map", tree{
			"labs/a.go": lines(header,
				"for range m { // order: they are only counted",
				"}",
				"for range slices.Sorted(maps.Keys(m)) {}",
				"for range maps.Values(m) {} // order: they are added up",
				"for range []int{1} {}",
				"for range 3 {}",
				"_ = maps.Clone(m)",
				"var s sync.Map; s.Store(1, 2)",
			),
			"labs/a_test.go": lines("", "for range m {}"),
			"web/a.go":       lines("", "for range m {}"),
		}, nil},
		{"in the map's order", tree{
			"labs/a.go": lines(header,
				"for range m {}",
				"for range m {} // order:",
				"for k := range m { // in any order\n_ = k }",
				"for range maps.All(m) {}",
				"_ = slices.Collect(maps.Keys(m))",
				"var s sync.Map; s.Range(func(k, v any) bool { return true })",
				"maps.DeleteFunc(m, func(string, int) bool { return true })",
			),
		}, []breach{
			{"labs/a.go:5", "range over a map"},
			{"labs/a.go:6", "range over a map"},
			{"labs/a.go:7", "range over a map"},
			{"labs/a.go:9", "maps.All"},
			{"labs/a.go:10", "maps.Keys"},
			{"labs/a.go:11", "(*sync.Map).Range"},
			{"labs/a.go:12", "maps.DeleteFunc"},
		}},
		{"type parameter", tree{
			"labs/a.go": "package p\n\nfunc f[M ~map[string]int](m M) {\n\tfor range m {\n\t}\n}\n",
		}, []breach{{"labs/a.go:4", "range over a map"}}},
	})
}

func TestWhatHasNoTypesIsABreach(t *testing.T) {
	tryRule(t, checkTyped, []ruleCase{
		{"typed", tree{"labs/a.go": "package labs\n\nvar A = 1\n"}, nil},
		{"left out by the build", tree{"labs/a_js.go": "package labs\n\nvar a = 1\n"}, []breach{{"labs/a_js.go:1", "the build leaves this file out"}}},
		{"broken", tree{"labs/a.go": "package labs\n\nvar a int = \"\"\n"}, []breach{{"labs/a.go:3", "does not compile"}}},
	})
}
