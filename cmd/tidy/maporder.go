package main

import (
	"go/ast"
	"go/types"
	"slices"
)

// checkMapOrder finds what visits a map in its order, which differs by run,
// without a comment // order: on that line that says why the order cannot matter.
func checkMapOrder(h *house) []problem {
	const say = "the order of a map differs by run: sort the keys, or say why it cannot matter in a comment // order: on this line"
	var out []problem
	for _, f := range h.code(typedFolders...) {
		if f.info == nil {
			continue
		}
		excused := h.saying(f, "order:")
		sorted := sortedCalls(f)
		for n := range ast.Preorder(f.ast) {
			what := ""
			switch n := n.(type) {
			case *ast.RangeStmt:
				if isMap(f.info.TypeOf(n.X)) {
					what = "range over a map"
				}
			case *ast.CallExpr:
				if !sorted[n] {
					what = visits(f.info, n)
				}
			}
			if what != "" && !excused[h.fset.Position(n.Pos()).Line] {
				out = append(out, h.at(n.Pos(), "%s: %s", what, say))
			}
		}
	}
	return out
}

// visits names the call when it walks a map in its order, else it is empty.
func visits(info *types.Info, call *ast.CallExpr) string {
	fn := callee(info, call)
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	switch name := fn.FullName(); name {
	case "maps.All", "maps.Keys", "maps.Values", "maps.DeleteFunc", "(*sync.Map).Range":
		return name
	}
	return ""
}

// sortedCalls are the calls whose result goes straight into slices.Sorted.
func sortedCalls(f *file) map[*ast.CallExpr]bool {
	out := make(map[*ast.CallExpr]bool)
	for n := range ast.Preorder(f.ast) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if fn := callee(f.info, call); fn == nil || fn.FullName() != "slices.Sorted" {
			continue
		}
		if arg, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
			out[arg] = true
		}
	}
	return out
}

// callee is the function or method that a call names, or nil.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // with type arguments written out
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// isMap reports whether a type is a map, or a type parameter that may be one.
func isMap(t types.Type) bool {
	return anyTerm(t, func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Map)
		return ok
	})
}

// anyTerm applies a test to a type or, where it is a type parameter, to each
// type that its constraint names.
func anyTerm(t types.Type, test func(types.Type) bool) bool {
	if t == nil {
		return false
	}
	if _, param := t.(*types.TypeParam); !param {
		return test(t)
	}
	return slices.ContainsFunc(terms(t.Underlying()), test)
}

// terms are the types that an interface's unions name, at any depth.
func terms(t types.Type) []types.Type {
	var out []types.Type
	switch t := t.(type) {
	case *types.Interface:
		for e := range t.EmbeddedTypes() {
			out = append(out, terms(e)...)
		}
	case *types.Union:
		for term := range t.Terms() {
			out = append(out, terms(term.Type())...)
		}
	default:
		if inner, ok := t.Underlying().(*types.Interface); ok {
			return terms(inner)
		}
		out = append(out, t)
	}
	return out
}
