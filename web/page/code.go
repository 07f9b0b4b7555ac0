package page

import (
	"html"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
)

// plainCode are the words for a block that is no programming language.
var plainCode = map[string]bool{"text": true, "console": true}

// code checks the language of a block.
func (c *collector) code(n *ast.FencedCodeBlock, language string) {
	switch {
	case language == "":
		c.problem(c.place(n), "a block of code without a language; name it, or text")
	case !plainCode[language] && lexers.Get(language) == nil:
		c.problem(c.place(n), "the language "+strconv.Quote(language)+" is not known; name another, or text")
	}
}

// highlight writes code with a span and a class for each kind of token. Classes are chroma's short names, which the stylesheet
// colours; styles are not written, because the pages forbid them.
func highlight(b *strings.Builder, code, language string) {
	lexer := chroma.Lexer(nil)
	if language != "" && !plainCode[language] {
		lexer = lexers.Get(language)
	}
	if lexer == nil {
		b.WriteString(html.EscapeString(code))
		return
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		b.WriteString(html.EscapeString(code))
		return
	}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		class := tokenClass(t.Type)
		if class == "" {
			b.WriteString(html.EscapeString(t.Value))
			continue
		}
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(t.Value) + `</span>`)
	}
}

// tokenClass is one of the few classes that the stylesheet knows: keywords, names of functions and types, strings, numbers, comments.
// More colours would say more about the highlighter than about the code.
func tokenClass(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameTag, t == chroma.NameAttribute:
		return "n"
	}
	return ""
}
