package text_test

import (
	"testing"

	"seedbed/web/text"
)

// TestFaultsOfTexts spoils good texts in one place and expects one fault that names file and line, from Load or from Prove.
func TestFaultsOfTexts(t *testing.T) {
	const en, zh, ui = "en/labs/toy.yaml", "zh/labs/toy.yaml", "en/ui.yaml"
	for name, row := range map[string]struct{ file, old, new, want string }{
		"unknown key":              {en, "about:", "abuot: x\nabout:", "en/labs/toy.yaml:3: abuot is not known; it is one of about, actions, checks, columns, entities, events, metrics, panels, params, plots, presets, question, title, words"},
		"unknown field":            {en, "limit: {label: limit}", "limit: {lable: limit}", "en/labs/toy.yaml:6: params.limit.lable is not known; it is one of choices, help, label"},
		"key twice":                {en, "title: A gate", "title: A gate\ntitle: Again", "en/labs/toy.yaml:2: title is here twice, first at line 1"},
		"empty text":               {en, "{label: limit}", "{label: ''}", "en/labs/toy.yaml:6: params.limit.label is empty"},
		"null text":                {en, "{label: limit}", "{label: ~}", "en/labs/toy.yaml:6: params.limit.label is empty"},
		"text is a list":           {en, "{label: limit}", "{label: [a]}", "en/labs/toy.yaml:6: params.limit.label wants a text"},
		"texts are a text":         {en, "columns: {admitted: admitted, held.node: \"held by node {n}\", depth: depth}", "columns: many", "en/labs/toy.yaml:25: columns wants a mapping of keys to texts"},
		"file is a text":           {ui, "lab.count: \"{n} {n|lab|labs}\"\nverdict.holds: holds", "just words", "en/ui.yaml:1: the file wants a mapping of keys to texts"},
		"not YAML":                 {en, "title: A gate", "title: A gate: shut", "en/labs/toy.yaml:1: is not YAML: mapping values are not allowed in this context"},
		"alias":                    {en, "title: A gate", "title: &t A gate\nquestion: *t\nevents: {<<: *t}", "en/labs/toy.yaml:2: question wants a text"},
		"brace not closed":         {en, "{target} goes", "{target goes", "en/labs/toy.yaml:11: actions.kill.done: a brace is not closed; a brace itself is written {{"},
		"forms missing":            {ui, "{n|lab|labs}", "{n|lab}", "en/ui.yaml:1: lab.count: {n|lab} wants two forms: {n|one|other}"},
		"name in braces is none":   {ui, "{n} ", "{Some N} ", "en/ui.yaml:1: lab.count: {Some N} names no value; a name is lower-case letters, digits and hyphens"},
		"only English has it":      {ui, "verdict.holds", "verdict.broken: broken\nverdict.holds", "zh/ui.yaml: verdict.broken is missing; en/ui.yaml:2 has it"},
		"only Chinese has it":      {"zh/ui.yaml", "verdict.holds", "verdict.broken: 坏\nverdict.holds", "en/ui.yaml: verdict.broken is missing; zh/ui.yaml:4 has it"},
		"keys out of order":        {ui, "lab.count:", "zoo: last\nlab.count:", "en/ui.yaml:2: lab.count stands after zoo; keys are sorted"},
		"error of English":         {ui, "lab.count:", "lab-error.twice: twice\nlab.count:", "en/ui.yaml:1: lab-error.twice has no use: the English of an error is its own text"},
		"help in one language":     {zh, ", help: 通过的请求数。", "", "zh/labs/toy.yaml: metrics.admitted.help is missing; en/labs/toy.yaml:19 has it"},
		"parameter without text":   {en, "  limit: {label: limit}\n", "", "en/labs/toy.yaml: params.limit is missing; zh/labs/toy.yaml:6 has it"},
		"unknown value":            {en, "{entity} is down", "{node} is down", "en/labs/toy.yaml:23: events.down: {node} is not known; it is one of entity, at, use, limit, span, nodes"},
		"fact misspelt":            {en, "within {width}", "within {widht}", "en/labs/toy.yaml:17: checks.never-over.broken: {widht} is not known; it is one of at, request, count, admitted, width, use, limit, span, nodes"},
		"value in a plain label":   {en, "label: send a burst", "label: \"send {value}\"", "en/labs/toy.yaml:10: actions.burst.label: {value} is not known; this text names no values"},
		"target where none is":     {en, "a burst of {value} ", "a burst of {target} ", "en/labs/toy.yaml:10: actions.burst.done: {target} is not known; it is one of at, value, use, limit, span, nodes"},
		"value's label where none": {en, "kill: {label: kill", "kill: {value: n, label: kill", "en/labs/toy.yaml:11: actions.kill.value labels nothing; the action takes no value"},
	} {
		t.Run(name, func(t *testing.T) {
			files := toyFiles(t)
			spoil(t, files, row.file, row.old, row.new)
			texts, err := text.Load(files)
			found := text.Problems(err)
			found = append(found, text.Problems(texts.Prove(toy))...)
			for _, p := range found {
				if p.Error() == row.want {
					return
				}
			}
			t.Errorf("got %v, want %s", found, row.want)
		})
	}
}

// TestFaultsOfCodes takes a code's text away in both languages, so that only the lab can miss it, or adds a text that no code has.
func TestFaultsOfCodes(t *testing.T) {
	for name, row := range map[string]struct{ oldEN, newEN, oldZH, newZH, want string }{
		"parameter": {"  limit: {label: limit}\n", "", "  limit: {label: 上限}\n", "", "en/labs/toy.yaml: params.limit.label is missing"},
		"choice":    {", shut: shut gate", "", ", shut: 关着的门", "", "zh/labs/toy.yaml:5: params.use.choices.shut is missing"},
		"metric":    {"wait: {label: mean wait}", "", "wait: {label: 平均等待}", "", "en/labs/toy.yaml: metrics.wait.label is missing"},
		"entity":    {"node: node, ", "", "node: 节点, ", "", "en/labs/toy.yaml: entities.node is missing"},
		"column":    {", depth: depth}", "}", ", depth: 深度}", "}", "zh/labs/toy.yaml: columns.depth is missing"},
		"column of many": {
			"held.node: \"held by node {n}\", ", "", "held.node: \"节点{n}里的\", ", "", "en/labs/toy.yaml: columns.held.node is missing",
		},
		"plot of one choice": {
			", level: depth behind the shut gate", "", ", level: 门后的深度", "", "en/labs/toy.yaml: plots.level is missing",
		},
		"choice of an action": {
			", red: bright red", "", ", red: 大红", "", "en/labs/toy.yaml:12: actions.paint.choices.red is missing",
		},
		"panel":         {"panels: {notes: notes}\n", "", "panels: {notes: 便条}\n", "", "en/labs/toy.yaml: panels.notes is missing"},
		"word of a row": {"words: {WARN: a warning}\n", "", "words: {WARN: 警告}\n", "", "zh/labs/toy.yaml: words.WARN is missing"},
		"preset":        {"  default: {title: as in the text}\n", "", "  default: {title: 同正文}\n", "", "en/labs/toy.yaml: presets.default.title is missing"},
		"question":      {"question: How many does the gate let through?\n", "", "question: 这道门放过多少请求？\n", "", "zh/labs/toy.yaml: question is missing"},
		"text of no code": {
			"  wait: {label: mean wait}", "  wait: {label: mean wait}\n  weight: {label: weight}", "  wait: {label: 平均等待}",
			"  wait: {label: 平均等待}\n  weight: {label: 重}", "en/labs/toy.yaml:21: metrics.weight belongs to nothing; the lab has admitted, wait",
		},
		"choices of a number": {
			"limit: {label: limit}", "limit: {label: limit, choices: {a: b}}", "limit: {label: 上限}", "limit: {label: 上限, choices: {a: b}}",
			"en/labs/toy.yaml:6: params.limit.choices.a belongs to nothing; the lab has no such code",
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := toyFiles(t)
			spoil(t, files, "en/labs/toy.yaml", row.oldEN, row.newEN)
			spoil(t, files, "zh/labs/toy.yaml", row.oldZH, row.newZH)
			texts, err := text.Load(files)
			if err != nil {
				t.Fatal(err)
			}
			found := text.Problems(texts.Prove(toy))
			if len(found) != 2 {
				t.Errorf("%d faults, want one a language", len(found))
			}
			for _, p := range found {
				if p.Error() == row.want {
					return
				}
			}
			t.Errorf("got %v, want %s", found, row.want)
		})
	}
}

func TestGoodTextsHaveNoFault(t *testing.T) {
	if err := loadToy(t).Prove(toy); err != nil {
		t.Error(err)
	}
}

func TestMissingFiles(t *testing.T) {
	files := toyFiles(t) // one cause, one fault: the words that en/ui.yaml would hold are not missed one by one
	delete(files, "zh/labs/toy.yaml")
	delete(files, "en/ui.yaml")
	texts, err := text.Load(files)
	want := "en/ui.yaml: cannot be read: file does not exist\n" +
		"zh/labs/toy.yaml: is missing; en/labs/toy.yaml is there"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	want = "zh/labs/toy.yaml: is missing; the lab toy has no texts in this language"
	if err := texts.Prove(toy); err == nil || err.Error() != want {
		t.Errorf("Prove: got %v, want %s", err, want)
	}
	if got := texts.Lab(text.EN, "toy"); got == nil || got.Title != "A gate" {
		t.Errorf("the texts that are there must be served all the same, got %+v", got)
	}
	if got := texts.Lab(text.ZH, "toy"); got != nil {
		t.Errorf("texts that are not there: got %+v, want nil", got)
	}
}
