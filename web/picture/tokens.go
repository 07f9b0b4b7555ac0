package picture

import "strings"

// Token is one colour of the site, in both schemes. Its name is the class of what wears it, in pictures and in the stylesheet, where
// it is also the custom property --NAME.
type Token struct {
	Name        string
	Light, Dark string // #rrggbb
	Use         string
}

// The names of the tokens.
const (
	paper  = "paper"
	raised = "raised"
	wash   = "wash"
	mark   = "mark"
	ink    = "ink"
	soft   = "soft"
	line   = "line"
	edge   = "edge"
	admit  = "admit"
	refuse = "refuse"
	queue  = "queue"
	dead   = "dead"
	ok     = "ok"
	link   = "link"
	on     = "on"
)

// Tokens is the palette: the one table from which a standalone picture's style is made and with which the site's stylesheet is
// compared. Every text colour reaches 4.5:1 on every ground, in both schemes, and an edge 3:1; the two accents, admit and refuse,
// stay apart under each kind of colour blindness. Both are measured by test. Nothing is told by colour alone: admitted is filled,
// refused is hollow with hatching and a cross, waiting is dotted, out of order is barred. It must not be written.
var Tokens = []Token{
	{paper, "#fbfaf6", "#14171c", "ground of the page"},
	{raised, "#ffffff", "#1b2027", "ground of a lab, a card, a picture"},
	{wash, "#f3f0e8", "#20262e", "quiet ground: bands, plates, tracks"},
	{mark, "#fff1c9", "#3d3416", "ground of a highlight"},
	{ink, "#1c222b", "#e7e4dc", "text"},
	{soft, "#56606d", "#a3abb6", "secondary text, axes"},
	{line, "#e3dfd5", "#2f3742", "hairlines and grids, which carry no meaning of their own"},
	{edge, "#87817a", "#7b8593", "outlines that carry meaning, borders of controls"},
	{admit, "#0b62a3", "#5bb0ee", "admitted"},
	{refuse, "#ad3512", "#ff8f5e", "refused, violated"},
	{queue, "#8e6700", "#e8b44a", "waiting"},
	{dead, "#666b75", "#98a0ab", "out of order"},
	{ok, "#0a7350", "#46c295", "a check that holds, healthy"},
	{link, "#0b5a94", "#7cc0f5", "links"},
	{on, "#ffffff", "#0d1a26", "text on admit, refuse, queue, dead, ok and the owners"},
	{"own1", "#2b77bf", "#6fb1ee", "first of eight owners, which take turns"},
	{"own2", "#8d7400", "#f2dc5e", "second of eight owners, which take turns"},
	{"own3", "#741c52", "#d06fae", "third of eight owners, which take turns"},
	{"own4", "#3c6416", "#8fc25a", "fourth of eight owners, which take turns"},
	{"own5", "#c0497d", "#f3a6cf", "fifth of eight owners, which take turns"},
	{"own6", "#2b3f7e", "#7f86e8", "sixth of eight owners, which take turns"},
	{"own7", "#0e8577", "#4fd6c4", "seventh of eight owners, which take turns"},
	{"own8", "#7a4b12", "#c98f4b", "last of eight owners, which take turns"},
}

// owners is how many tokens tell owners apart: those of a ring's arcs. More owners than that take turns, and labels tell them.
const owners = 8

// owner is the token of an owner, counted from 0.
func owner(i int) string { return "own" + string(rune('1'+i%owners)) }

// light is the token's colour on light ground: what a picture shows where no stylesheet reaches it.
func light(name string) string {
	for i := range Tokens {
		if Tokens[i].Name == name {
			return Tokens[i].Light
		}
	}
	panic("picture: no token " + name)
}

// fonts are the families of the site's interface, with a Chinese stack.
const fonts = `system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif`

// style is the stylesheet of a standalone picture: the palette, the owners in it only where something is owned, and the dark one where
// the reader asks for it.
func style(dark, owned bool) string {
	var b strings.Builder
	b.WriteString("svg{font-family:" + fonts + ";font-variant-numeric:tabular-nums}")
	palette := Tokens
	if !owned {
		palette = Tokens[:len(Tokens)-owners]
	}
	for _, t := range palette {
		b.WriteString("." + t.Name + "{color:" + t.Light + "}")
	}
	if dark {
		b.WriteString("@media (prefers-color-scheme:dark){")
		for _, t := range palette {
			b.WriteString("." + t.Name + "{color:" + t.Dark + "}")
		}
		b.WriteString("}")
	}
	return b.String()
}
