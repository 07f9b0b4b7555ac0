package text_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"seedbed/content"
	"seedbed/labs"
	"seedbed/labs/catalog"
	"seedbed/web/text"
)

// ours loads the texts that are served.
func ours(t *testing.T) *text.Texts {
	t.Helper()
	texts, err := text.Load(content.FS)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestErrorsOfASpec makes each fault in the way that a user does, and reads what each language says of it.
func TestErrorsOfASpec(t *testing.T) {
	texts := ours(t)
	find := func(id string) *labs.Lab {
		if id == toy.ID {
			return toy
		}
		return nil
	}
	for _, row := range []struct{ spec, en, zh string }{
		{"tyo", "lab: tyo is not known; it is one of the labs that `seedbed lab list` prints", "lab：没有 tyo 这个实验；`seedbed lab list` 列出全部实验"},
		{"", "lab is empty; it is one of the labs that `seedbed lab list` prints", "lab：不能为空；`seedbed lab list` 列出全部实验"},
		{"toy?lmit=1", "toy: the parameter lmit is not known; it is one of use, limit, span, nodes, seed, do, at, v, input", "toy：没有 lmit 这个参数；可用 use, limit, span, nodes, seed, do, at, v, input"},
		{"toy?use=ajar", "use: ajar is not known; it is one of open, shut", "use：没有 ajar 这个选项；可选 open, shut"},
		{"toy?limit=0", "limit: 0 is outside 1..100000", "limit：0 超出范围；范围是 1..100000"},
		{"toy?span=11s", "span: 11s is outside 0.000001..10000 ms", "span：11s 超出范围；范围是 0.000001..10000 ms"},
		{"toy?span=fast", "span: fast is not a number here; write it as 50 or 50ms", "span：fast 在这里不是数字；写作 50 或 50ms"},
		{"toy?limit=1e400", "limit: 1e400 is too large a number; write it as 50", "limit：1e400 太大；写作 50"},
		{"toy?limit=1.5", "limit: 1.5 is finer than the least step, 1", "limit：1.5 太细；最小的一步是 1"},
		{"toy?seed=-1", "seed: -1 does not fit; a seed is a whole number from 0 to 18446744073709551615", "seed：-1 不是种子；种子是 0 到 18446744073709551615 的整数"},
		{"toy?v=0", "v: 0 does not fit; a version is a whole number from 1", "v：0 不是版本号；版本号是从 1 开始的整数"},
		{"toy?v=2", "v: 2 is newer than this build knows, 1", "v：2 比本程序认识的版本新；本程序只到 1"},
		{"toy?seed=1&seed=2", "spec: seed is given twice; give it once", "spec：seed 给了两次；只能给一次"},
		{"toy?use=%zz", "spec: use=%zz does not fit; a % is followed by two hex digits", "spec：use=%zz 里的 % 没有接两位十六进制数字；每个 % 后面要有两位"},
		{"toy?do=burst", "do: burst does not fit; an action is AT:VERB[:TARGET[:VALUE]], such as 1.5s:burst", "do：burst 不是一个动作；动作写作 AT:VERB[:TARGET[:VALUE]]，例如 1.5s:burst"},
		{"toy?do=-1s:burst", "do: -1s does not fit; an instant is 0 or later", "do：-1s 不是可用的时刻；时刻从 0 开始"},
		{"toy?do=1s:brust", "do: the verb brust is not known; it is one of burst, kill, paint", "do：没有 brust 这个动作；可用 burst, kill, paint"},
		{"toy?do=10s:burst", "do: 10s:burst is outside 0..10 s, the run's length, its end left out", "do：10s:burst 在运行时长之外；时刻的范围是 0..10 s（不含终点）"},
		{"toy?do=1s:burst:gate", "do: gate does not fit; burst takes no target", "do：这个动作没有目标；请去掉 gate"},
		{"toy?do=1s:kill", "do: kill does not fit; kill wants a target: one of node-1", "do：kill 要有目标；可用 node-1"},
		{"toy?do=1s:kill:moon", "do: the target moon is not known; it is one of node-1", "do：没有 moon 这个目标；可用 node-1"},
		{"toy?do=1s:kill:node-1:3", "do: 1s:kill:node-1:3 does not fit; kill takes no value", "do：1s:kill:node-1:3 里的动作不带数值；请去掉数值"},
		{"toy?input=abc", "input: abc does not fit; it is the 32 hex digits that a log's digest has", "input：abc 不是日志的摘要；摘要是 32 位十六进制数字"},
		{"toy?" + strings.Repeat("x", 9000), "spec: 9004 bytes are more than the 8192 allowed", "spec：长 9004 字节，太长；最多 8192 字节"},
		{"toy?" + strings.Repeat("do=1s:burst&", 201), "do: 201 actions are more than the 200 allowed", "do：201 个动作太多；最多 200 个"},
	} {
		_, err := labs.Parse(row.spec, find)
		if err == nil {
			t.Errorf("%.40s: no error", row.spec)
			continue
		}
		if got := texts.Error(text.EN, err); got != row.en {
			t.Errorf("%.40s:\ngot  %s\nwant %s", row.spec, got, row.en)
		}
		if got := texts.Error(text.ZH, err); got != row.zh {
			t.Errorf("%.40s:\ngot  %s\nwant %s", row.spec, got, row.zh)
		}
	}
}

func TestErrorsOfARun(t *testing.T) {
	texts := ours(t)
	log := strings.Repeat("a", 32)
	for _, row := range []struct {
		err error
		zh  string
	}{
		{&labs.Bound{Code: "events", At: 2_500_000_000}, "运行：停在虚拟时间 2.5 s，事件超过一千万个；请降低速率或缩短时长"},
		{&labs.Bound{Code: "memory", At: 2e9}, "运行：停在虚拟时间 2 s，其中等待处理的内容超过 160 MiB；请降低速率或缩短等待时间"},
		{&labs.Bound{Code: "trace"}, "运行：停在虚拟时间 0 s，记录超过 64 MiB；请降低速率或缩短时长"},
		{&labs.Bound{Code: "cancelled", At: 1e9}, "运行：因超时或被取消，停在虚拟时间 1 s，未到终点"},
		{&labs.Error{Code: "out-of-range", Field: "rate", Got: "0", Want: "1..100000 per second"}, "rate：0 超出范围；范围是 每秒1..100000"},
		{&labs.Error{Code: "unknown-verb", Field: "do", Got: "kill", Want: "none: this lab has no actions"}, "do：没有 kill 这个动作；这个实验没有动作"},
		{&labs.Error{Code: "wrong-input", Field: "input", Got: log, Want: "the Spec names the log " + log}, "input：日志的摘要是 " + log + "；要的是 " + log},
		{fmt.Errorf("wrapped: %w", &labs.Error{Code: "twice", Field: "spec", Got: "v"}), "spec：v 给了两次；只能给一次"},
		{errors.New("anything else"), "anything else"},
		{&labs.Error{Code: "from-the-future", Field: "x", Got: "y", Want: "z"}, "x: y does not fit; z"},
	} {
		if got := texts.Error(text.ZH, row.err); got != row.zh {
			t.Errorf("%v:\ngot  %s\nwant %s", row.err, got, row.zh)
		}
		if got := texts.Error(text.EN, row.err); got != row.err.Error() {
			t.Errorf("in English: got %s, want it as it is: %s", got, row.err)
		}
	}
}

// TestEveryCodeOfAnErrorIsTranslated reads the codes where labs lists them.
func TestEveryCodeOfAnErrorIsTranslated(t *testing.T) {
	src, err := os.ReadFile("../../labs/error.go")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)Codes: (.*?)\.\n`).FindSubmatch(src)
	if list == nil {
		t.Fatal("labs/error.go no longer lists its codes after \"Codes:\"")
	}
	codes := regexp.MustCompile(`[a-z]+(-[a-z]+)+|twice`).FindAllString(string(list[1]), -1)
	if len(codes) < 24 {
		t.Fatalf("only %d codes found: %v", len(codes), codes)
	}
	texts := ours(t)
	for _, code := range codes {
		got := texts.Error(text.ZH, &labs.Error{Code: code, Field: "f", Got: "g", Want: "w"})
		if !strings.ContainsFunc(got, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s is not said in Chinese: %s", code, got)
		}
	}
}

// TestConflictsAreSaidInChinese draws settings at random, each in its range, until labs refuse their combination, and expects no
// English sentence in what is said of it. A conflict that shows one wants its own lab-error.conflict.FIELD.
func TestConflictsAreSaidInChinese(t *testing.T) {
	texts, english := ours(t), regexp.MustCompile(`[a-z]+ [a-z]+ [a-z]+`)
	random := rand.New(rand.NewPCG(1, 2))
	told := map[string]bool{}
	for _, lab := range catalog.All() {
		for range 5000 {
			spec := labs.New(lab)
			for i := range lab.Params {
				switch p := &lab.Params[i]; {
				case p.Choices != nil:
					spec.Values[i] = random.Int64N(int64(len(p.Choices)))
				default:
					spec.Values[i] = []int64{p.Min, p.Max, p.Default, p.Min + random.Int64N(p.Max-p.Min+1)}[random.IntN(4)]
				}
			}
			var fault *labs.Error
			if !errors.As(spec.Check(), &fault) || told[lab.ID+fault.Field] {
				continue
			}
			told[lab.ID+fault.Field] = true
			if got := texts.Error(text.ZH, fault); english.MatchString(got) {
				t.Errorf("%s: %s", lab.ID, got)
			}
		}
	}
	if len(told) < 2 {
		t.Errorf("only %d conflicts were found in all labs: %v", len(told), told)
	}
}
