package main

import (
	"strings"
	"testing"
)

func TestImportLaw(t *testing.T) {
	tryRule(t, checkImports, []ruleCase{
		{name: "what each wing may", files: tree{
			"chapters/ring/a.go":            "package ring\n\nimport (\n\t\"strconv\"\n\t\"seedbed/chapters/hashing\"\n)\n",
			"labs/rings/a.go":               "package rings\n\nimport (\n\t\"seedbed/chapters/ring\"\n\t\"seedbed/labs\"\n)\n",
			"labs/quota/a.go":               "package quota\n\nimport \"go.etcd.io/raft/v3\"\n",
			"labs/catalog/quota/a.go":       "package quota\n\nimport \"seedbed/labs/quota\"\n",
			"wasm/bridge/a.go":              "package bridge\n\nimport \"seedbed/labs/catalog/core\"\n",
			"content/a.go":                  "package content\n\nimport \"embed\"\n",
			"web/a.go":                      "package web\n\nimport (\n\t\"net/http\"\n\t\"seedbed/web/store\"\n\t\"github.com/labstack/echo/v4\"\n)\n",
			"web/view/a.go":                 "package view\n\nimport (\n\t\"seedbed/labs\"\n\t\"github.com/a-h/templ\"\n)\n",
			"cmd/seedbed/a.go":              "package main\n\nimport \"seedbed/web\"\n",
			"chapters/ring/a_test.go":       "package ring\n\nimport (\n\t\"seedbed/web\"\n\t\"seedbed/chapters/ring/ringtest\"\n)\n",
			"chapters/ring/ringtest/a.go":   "package ringtest\n\nimport (\n\t\"testing\"\n\t\"seedbed/chapters/ring\"\n)\n",
			"labs/_bench/go.mod":            "module seedbed/bench\n",
			"labs/_bench/bench.go":          "package bench\n\nimport \"golang.org/x/time/rate\"\n",
			"chapters/ring/testdata/bad.go": "this is no Go at all",
		}},
		{name: "chapters know no lab, no server, no other module", files: tree{
			"chapters/ring/a.go": "package ring\n\nimport (\n\t\"seedbed/labs\"\n\tw \"seedbed/web\"\n\t_ \"golang.org/x/time/rate\"\n)\n",
		}, want: []breach{
			{"chapters/ring/a.go:4", "chapters may not import seedbed/labs: an algorithm works in any Go server"},
			{"chapters/ring/a.go:5", "chapters may not import seedbed/web"},
			{"chapters/ring/a.go:6", "chapters may not import golang.org/x/time/rate"},
		}},
		{name: "leaves import no chapter", files: tree{
			"chapters/pmath/a.go": "package pmath\n\nimport \"seedbed/chapters/hashing\"\n",
		}, want: []breach{{"chapters/pmath/a.go:3", "it is a leaf"}}},
		{name: "the list of all labs stays out of modules", files: tree{
			"wasm/main_js.go": "package main\n\nimport \"seedbed/labs/catalog\"\n",
		}, want: []breach{{"wasm/main_js.go:3", "wasm may not import seedbed/labs/catalog: "}}},
		{name: "nothing imports cmd", files: tree{
			"web/a.go": "package web\n\nimport \"seedbed/cmd/seedbed\"\n",
		}, want: []breach{{"web/a.go:3", "web may not import seedbed/cmd/seedbed"}}},
		{name: "a view knows no store and no request", files: tree{
			"web/view/card/a.go": "package card\n\nimport (\n\t\"net/http\"\n\t\"seedbed/web/store\"\n)\n",
		}, want: []breach{
			{"web/view/card/a.go:4", "web/view may not import net/http"},
			{"web/view/card/a.go:5", "web/view may not import seedbed/web/store"},
		}},
		{name: "a room knows no SQL and no HTTP", files: tree{
			"web/workshop/a.go": "package workshop\n\nimport (\n\t\"database/sql\"\n\t\"net/http\"\n\t\"seedbed/web/store\"\n)\n",
		}, want: []breach{
			{"web/workshop/a.go:4", "database/sql"},
			{"web/workshop/a.go:5", "net/http"},
			{"web/workshop/a.go:6", "seedbed/web/store"},
		}},
		{name: "a dot import, a suite in code, a lab that waits, a folder without law", files: tree{
			"labs/limits/a.go":               "package limits\n\nimport . \"strings\"\nimport \"seedbed/chapters/limiter/limitertest\"\nimport \"seedbed/chapters/limiter/wait\"\n",
			"chapters/limiter/wait/block.go": "package wait\n",
			"tools/a.go":                     "package tools\n",
		}, want: []breach{
			{"labs/limits/a.go:3", "dot import of strings"},
			{"labs/limits/a.go:4", "only tests import it"},
			{"labs/limits/a.go:5", "a lab's time is virtual"},
			{"tools/a.go:1", "no row of the import law"},
		}},
	})
}

func TestPackagesWithOneHome(t *testing.T) {
	imports := func(pkgs ...string) string {
		return "package x\n\nimport (\n\t\"" + strings.Join(pkgs, "\"\n\t\"") + "\"\n)\n"
	}
	tryRule(t, checkOnly, []ruleCase{
		{name: "at home", files: tree{
			"wasm/main_js.go":         imports("syscall/js"),
			"wasm/calc/main_js.go":    imports("syscall/js"),
			"web/store/a.go":          imports("database/sql", "modernc.org/sqlite"),
			"web/store/pg/a.go":       imports("github.com/jackc/pgx/v5/stdlib"),
			"web/server.go":           imports("github.com/labstack/echo/v4/middleware"),
			"web/page/a.go":           imports("github.com/yuin/goldmark/ast"),
			"labs/quota/a.go":         imports("go.etcd.io/raft/v3/raftpb"),
			"labs/catalog/quota/a.go": imports("seedbed/labs/quota"),
			"labs/catalog/a.go":       imports("seedbed/labs/catalog/quota"),
			"wasm/labs_quota_js.go":   imports("seedbed/labs/catalog/quota"),
			"web/view/a_test.go":      imports("database/sql"),
		}},
		{name: "elsewhere", files: tree{
			"cmd/seedbed/a.go":       imports("database/sql", "database/sql/driver", "C"),
			"labs/a.go":              imports("go.etcd.io/raft/v3"),
			"labs/catalog/core/a.go": imports("seedbed/labs/quota"),
			"wasm/labs_core_js.go":   imports("seedbed/labs/catalog/quota"),
			"wasm/bridge/a.go":       imports("syscall/js"),
			"wasm/main.go":           imports("syscall/js"),
			"web/page/a.go":          imports("github.com/labstack/echo/v4"),
			"web/view/a.go":          imports("github.com/yuin/goldmark", "modernc.org/sqlite/lib", "github.com/jackc/pgx/v5"),
		}, want: []breach{
			{"cmd/seedbed/a.go:4", "database/sql belongs in web/store"},
			{"cmd/seedbed/a.go:5", "database/sql/driver belongs in web/store"},
			{"cmd/seedbed/a.go:6", "C belongs in no file"},
			{"labs/a.go:4", "belongs in labs/quota"},
			{"labs/catalog/core/a.go:4", "belongs in labs/catalog/quota"},
			{"wasm/bridge/a.go:4", "syscall/js belongs in files of wasm named *_js.go"},
			{"wasm/labs_core_js.go:4", "belongs in labs/catalog and wasm/labs_quota_js.go"},
			{"wasm/main.go:4", "syscall/js belongs in files of wasm named *_js.go"},
			{"web/page/a.go:4", "belongs in the top package of web"},
			{"web/view/a.go:4", "belongs in web/page"},
			{"web/view/a.go:5", "belongs in web/store"},
			{"web/view/a.go:6", "belongs in web/store"},
		}},
	})
}

func TestRowsGiveReasons(t *testing.T) {
	for _, row := range law {
		if row.why == "" {
			t.Errorf("law of %s: no reason", row.folder)
		}
	}
	for _, row := range only {
		if row.why == "" || row.say == "" {
			t.Errorf("home of %s: no reason or place", row.pkg)
		}
	}
	for _, row := range bans {
		if row.why == "" {
			t.Errorf("ban of %s: no reason", row.pkg)
		}
	}
}
