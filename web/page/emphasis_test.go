package page

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
)

// bold parses one paragraph and returns its HTML.
func bold(t *testing.T, src string) string {
	t.Helper()
	p, _ := Parse([]byte("---\ntitle: T\n---\n"+src), Options{File: "zh/chapters/00-x.md"})
	got, _ := p.HTML(toyRenderer("zh"))
	return strings.TrimSpace(got)
}

func TestEmphasisBesideChinesePunctuation(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"**限流（x）**来", "<strong>限流（x）</strong>来"},
		{"使用**“背压”**机制", "使用<strong>“背压”</strong>机制"},
		{"他说**「限流」**就够", "他说<strong>「限流」</strong>就够"},
		{"**注意：**先看", "<strong>注意：</strong>先看"},
		{"先看**《论文》**。再写", "先看<strong>《论文》</strong>。再写"},
		{"限制是**100%**的请求", "限制是<strong>100%</strong>的请求"},
		{"**(x)**来", "<strong>(x)</strong>来"},
		{"用**`code`**表示", "用<strong><code>code</code></strong>表示"},
		{"这是*“强调”*的词", "这是<em>“强调”</em>的词"},
		{"**令牌桶。**漏桶", "<strong>令牌桶。</strong>漏桶"},
		{"**甲**、**乙**和**丙**", "<strong>甲</strong>、<strong>乙</strong>和<strong>丙</strong>"},
		{"***“甲”***乙", "<em><strong>“甲”</strong></em>乙"},
		{"カナ**「限流」**です", "カナ<strong>「限流」</strong>です"},
		{"snake_case_name", "snake_case_name"},
		{"2 ** 3 ** 4", "2 ** 3 ** 4"},
		{"Go**(x)**go", "Go**(x)**go"},
	} {
		if got, want := bold(t, c.src), "<p>"+c.want+"</p>"; got != want {
			t.Errorf("%s: got %s, want %s", c.src, got, want)
		}
	}
}

// Without Chinese the rule is CommonMark's own: goldmark's default parser is the twin.
func FuzzEmphasisWithoutChineseIsCommonMark(f *testing.F) {
	for _, s := range []string{"**a** b", "a**\"b\"**c", "*a*b_c_", "***a** b*", "a * b", "**a*b**c*", "_*a*_", "“**a**”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range s {
			if r != '*' && r != '_' && r != ' ' && r != '"' && r != '.' && r != '“' && (r < 'a' || r > 'z') {
				t.Skip("only letters, stars and a little punctuation")
			}
		}
		s = "x " + s + " x" // so that no list, rule or heading begins
		var want strings.Builder
		if err := goldmark.New().Convert([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		if got := bold(t, s); got != strings.TrimSpace(want.String()) {
			t.Errorf("%q: got %s, want %s", s, got, want.String())
		}
	})
}

func TestEmphasisLeftOpenIsAProblem(t *testing.T) {
	src := "---\ntitle: T\n---\n\n好 **限流 x\n\n`a ** b` 和 \\*\\* 无事\n"
	_, problems := Parse([]byte(src), Options{File: "zh/chapters/00-x.md"})
	if len(problems) != 1 || problems[0].Line != 5 || !strings.Contains(problems[0].Message, "** stays visible") {
		t.Errorf("got %v, want one problem, in line 5, about ** that stays visible", problems)
	}
}

func TestSoftBreaks(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"限流\n来了", "限流来了"},
		{"限流\nGo 语言", "限流Go 语言"},
		{"Go\n语言", "Go语言"},
		{"two\nwords", "two\nwords"},
		{"**限流**\n来了", "<strong>限流</strong>来了"},
		{"限流\n**来了**", "限流<strong>来了</strong>"},
		{"限流，\n`code` 好", "限流，<code>code</code> 好"},
		{"see **two**\nwords", "see <strong>two</strong>\nwords"},
		{"限流  \n来了", "限流<br>\n来了"},
		{"第\n{=toy#rate}", "第{=toy#rate}"},
	} {
		if got, want := bold(t, c.src), "<p>"+c.want+"</p>"; got != want {
			t.Errorf("%q: got %q, want %q", c.src, got, want)
		}
	}
}
