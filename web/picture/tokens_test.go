package picture

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// The grounds that text stands on, and what is written on them.
var (
	grounds  = []string{paper, raised, wash, mark}
	writings = []string{ink, soft, admit, refuse, queue, dead, ok, link}
)

func TestTextIsReadableOnEveryGround(t *testing.T) {
	for name, scheme := range schemes() {
		for _, ground := range grounds {
			for _, text := range writings {
				if got := contrast(scheme[text], scheme[ground]); got < 4.5 {
					t.Errorf("%s: %s on %s is %.2f:1, below 4.5:1", name, text, ground, got)
				}
			}
			if got := contrast(scheme[edge], scheme[ground]); got < 3 {
				t.Errorf("%s: edge on %s is %.2f:1, below 3:1", name, ground, got)
			}
		}
		for _, filled := range []string{admit, refuse, queue, dead, ok} {
			if got := contrast(scheme[on], scheme[filled]); got < 4.5 {
				t.Errorf("%s: on over %s is %.2f:1, below 4.5:1", name, filled, got)
			}
		}
	}
}

// TestAccentsSurviveColourBlindness holds what must be told apart at a glance: admitted and refused, and a check that holds from one
// that does not. The distance is CIE76 after a simulation of full dichromacy; 20 is seen at once.
func TestAccentsSurviveColourBlindness(t *testing.T) {
	for name, scheme := range schemes() {
		for kind, m := range dichromacies {
			for _, pair := range [][2]string{{admit, refuse}, {ok, refuse}, {admit, queue}, {queue, ok}, {admit, dead}} {
				if got := distance(seen(scheme[pair[0]], m), seen(scheme[pair[1]], m)); got < 20 {
					t.Errorf("%s, %s: %s and %s are only %.0f apart", name, kind, pair[0], pair[1], got)
				}
			}
		}
	}
}

// TestOwnersAreToldApart: each owner's colour is seen on every ground and bears text; neighbours in number, which a small ring has side by
// side, differ under each dichromacy, and no two owners look the same to who sees all colours.
func TestOwnersAreToldApart(t *testing.T) {
	whole := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for name, scheme := range schemes() {
		for i := range owners {
			mine := scheme[owner(i)]
			for _, ground := range grounds {
				if got := contrast(mine, scheme[ground]); got < 3 {
					t.Errorf("%s: owner %d on %s is %.2f:1, below 3:1", name, i+1, ground, got)
				}
			}
			if got := contrast(scheme[on], mine); got < 4.5 {
				t.Errorf("%s: on over owner %d is %.2f:1, below 4.5:1", name, i+1, got)
			}
			for kind, m := range dichromacies {
				if got := distance(seen(mine, m), seen(scheme[owner(i+1)], m)); got < 20 {
					t.Errorf("%s, %s: owners %d and %d are only %.0f apart", name, kind, i+1, (i+1)%owners+1, got)
				}
			}
			for k := range i {
				if got := distance(seen(mine, whole), seen(scheme[owner(k)], whole)); got < 20 {
					t.Errorf("%s: owners %d and %d are only %.0f apart", name, k+1, i+1, got)
				}
			}
		}
	}
}

// TestSketchColoursWouldFail proves that the measure can fail: colours that were tried first are too weak on their ground.
func TestSketchColoursWouldFail(t *testing.T) {
	for _, tried := range []struct{ colour, ground string }{
		{"#c8501a", "#fbfaf6"}, {"#b87f00", "#ffffff"}, {"#8a8f98", "#ffffff"},
	} {
		if got := contrast(tried.colour, tried.ground); got >= 4.5 {
			t.Errorf("%s on %s measures %.2f:1; the measure lets everything pass", tried.colour, tried.ground, got)
		}
	}
	if got := contrast("#000000", "#ffffff"); math.Abs(got-21) > 0.001 {
		t.Errorf("black on white is %.3f:1, not 21:1", got)
	}
}

func TestTokensAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, token := range Tokens {
		if seen[token.Name] {
			t.Errorf("%s stands twice", token.Name)
		}
		seen[token.Name] = true
		for _, colour := range []string{token.Light, token.Dark} {
			if len(colour) != 7 || colour[0] != '#' || strings.Trim(colour[1:], "0123456789abcdef") != "" {
				t.Errorf("%s: %q is not #rrggbb", token.Name, colour)
			}
		}
		if token.Use == "" {
			t.Errorf("%s does not say what it is for", token.Name)
		}
	}
	for _, name := range append(append([]string{edge, line, on}, grounds...), writings...) {
		if !seen[name] {
			t.Errorf("%s is no token", name)
		}
	}
}

func TestStyleHoldsThePalette(t *testing.T) {
	both := style(true, true)
	for _, token := range Tokens {
		for _, rule := range []string{"." + token.Name + "{color:" + token.Light + "}", "." + token.Name + "{color:" + token.Dark + "}"} {
			if !strings.Contains(both, rule) {
				t.Errorf("the style lacks %s", rule)
			}
		}
	}
	if strings.Contains(style(true, false), owner(0)) {
		t.Error("a picture without owners carries their colours")
	}
	if strings.Contains(style(false, true), "prefers-color-scheme") {
		t.Error("a light style asks for the reader's scheme")
	}
}

// schemes are the colours by name, light and dark.
func schemes() map[string]map[string]string {
	light, dark := map[string]string{}, map[string]string{}
	for _, t := range Tokens {
		light[t.Name], dark[t.Name] = t.Light, t.Dark
	}
	return map[string]map[string]string{"light": light, "dark": dark}
}

// contrast is the ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(linear(a)), luminance(linear(b))
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

// linear is an sRGB colour in linear light.
func linear(colour string) (c [3]float64) {
	for i := range c {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		if s := float64(v) / 255; s <= 0.04045 {
			c[i] = s / 12.92
		} else {
			c[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return c
}

// dichromacies are the matrices of Machado, Oliveira and Fernandes (2009) at full severity, for linear light.
var dichromacies = map[string][3][3]float64{
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour as somebody with a dichromacy sees it, in CIE Lab.
func seen(colour string, m [3][3]float64) [3]float64 {
	c := linear(colour)
	var s [3]float64
	for i := range s {
		s[i] = min(max(m[i][0]*c[0]+m[i][1]*c[1]+m[i][2]*c[2], 0), 1)
	}
	return lab(s)
}

// lab is a colour of linear light in CIE Lab, D65.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047)
	y := f(luminance(c))
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
