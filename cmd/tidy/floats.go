package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// checkFusing finds products of floats that a compiler may fuse with an
// addition. The language allows x*y + z to be computed with one rounding, also
// across statements and inlined calls; arm64 does it and WebAssembly does not, so
// the same run would have other bits. A conversion, float64(x*y), forbids it.
// So each product is converted where it stands, unless what uses it is no
// addition: another product, a quotient, a comparison, a conversion, a function
// of math. An argument is not safe: pmath.Round64(x*y), inlined, subtracts from
// x*y with FNMSUBD in arm64's assembly. A quotient is: compilers make a product
// of it only for powers of two, where nothing is rounded.
func checkFusing(h *house) []problem {
	var out []problem
	for _, f := range h.code(typedFolders...) {
		if f.info == nil {
			continue
		}
		var parents []ast.Node
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if n == nil {
				parents = parents[:len(parents)-1]
				return true
			}
			if at, bad := fusible(f.info, n, parents); bad {
				out = append(out, h.at(at, "a product of floats may be fused with an addition, with other bits on arm64 than in WebAssembly: write float64(x*y)"))
			}
			parents = append(parents, n)
			return true
		})
	}
	return out
}

// fusible reports whether n is a product of floats that an addition could reach unrounded.
func fusible(info *types.Info, n ast.Node, parents []ast.Node) (token.Pos, bool) {
	switch n := n.(type) {
	case *ast.AssignStmt: // x *= y leaves the product in x
		return n.TokPos, n.Tok == token.MUL_ASSIGN && isFloat(info.TypeOf(n.Lhs[0]))
	case *ast.BinaryExpr:
		product := n.Op == token.MUL && info.Types[n].Value == nil && isFloat(info.TypeOf(n))
		return n.OpPos, product && !rounded(info, n, parents)
	}
	return token.NoPos, false
}

// rounded reports whether the nearest use of a product keeps it from an addition.
func rounded(info *types.Info, product ast.Expr, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.UnaryExpr: // -(x*y) + z may be fused too
			continue
		case *ast.BinaryExpr:
			return p.Op != token.ADD && p.Op != token.SUB
		case *ast.CallExpr:
			if info.Types[p.Fun].IsType() {
				return true
			}
			fn := callee(info, p)
			return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "math"
		default:
			return false
		}
	}
	return false
}

// checkFloatToInt finds conversions of floats to whole numbers outside
// chapters/pmath. Out of range the result differs: int32(3e9) is
// -2147483648 on amd64, -1294967296 in WebAssembly and 2147483647 on arm64.
func checkFloatToInt(h *house) []problem {
	var out []problem
	for _, f := range h.code(typedFolders...) {
		if f.info == nil || within(f.folder, "chapters/pmath") {
			continue
		}
		for n := range ast.Preorder(f.ast) {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !f.info.Types[call.Fun].IsType() {
				continue
			}
			arg := f.info.Types[call.Args[0]]
			if arg.Value == nil && isFloat(arg.Type) && anyTerm(f.info.TypeOf(call), isInteger) {
				out = append(out, h.at(call.Pos(), "float to integer out of range differs by platform: use pmath.Round64, which clamps"))
			}
		}
	}
	return out
}

// isFloat reports whether a type is a float, or a type parameter that may be one.
func isFloat(t types.Type) bool {
	return anyTerm(t, func(t types.Type) bool { return isBasic(t, types.IsFloat) })
}

func isInteger(t types.Type) bool { return isBasic(t, types.IsInteger) }

func isBasic(t types.Type, kind types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}
