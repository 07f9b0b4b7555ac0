package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seedbed/labs"
	"seedbed/web/text"
)

// TestRingsOfAnySizeAreDrawnCleanly: from one node to as many as have a place of their own, and every way of owning keys.
func TestRingsOfAnySizeAreDrawnCleanly(t *testing.T) {
	for _, query := range []string{
		"nodes=1&change=add", "nodes=2", "nodes=3&points=1", "nodes=11", "nodes=12", "nodes=13", "nodes=24&points=3", "nodes=41&use=modulo", "nodes=70", "nodes=99", "nodes=99&use=maglev",
	} {
		for _, lang := range text.Langs {
			in := pictureOf(t, "hash-ring?"+query, lang)
			for name, drawn := range everyForm(in) {
				for _, fault := range readSheet(t, drawn, strings.HasPrefix(name, "alone")).faults() {
					t.Errorf("%s, %s, %s: %s", query, lang, name, fault)
				}
			}
		}
	}
}

// TestNodesBearTheirNumbers: a hundred nodes on a wide picture, of which the last is yet to come, and as many as there is room for on a
// narrow one.
func TestNodesBearTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		nodes  int
		narrow bool
		want   bool
	}{{99, false, true}, {60, true, true}, {99, true, false}} {
		in := pictureOf(t, fmt.Sprint("hash-ring?nodes=", c.nodes), text.EN)
		in.Narrow = c.narrow
		got := labelsOf(t, Run(in))
		labelled := 0
		for n := 1; n <= c.nodes+1; n++ {
			if slices.Contains(got, strconv.Itoa(n)) {
				labelled++
			}
		}
		// Where there are none, some number may still be what a lane or an axis says.
		if all := labelled == c.nodes+1; all != c.want || !all && labelled > 10 {
			t.Errorf("%d nodes, narrow %v: %d of %d are labelled", c.nodes, c.narrow, labelled, c.nodes+1)
		}
	}
}

// TestArcsAreDashes: what an owner has of the circle is as long, in dashes, as its share of the band; where thousands of arcs become fewer
// cells, as nearly as the cells' middles tell.
func TestArcsAreDashes(t *testing.T) {
	for _, spec := range []string{"hash-ring?points=1", "hash-ring", "hash-ring?nodes=7&points=1000"} {
		in := pictureOf(t, spec, text.EN)
		s := newScene(in)
		drawn := string(Run(in))
		sum, r := map[int]float64{}, 0.0
		for _, element := range strings.Split(drawn, "\n") {
			class, dashes := between(element, `class="own`, `"`), between(element, `stroke-dasharray="`, `"`)
			if class == "" || dashes == "" {
				continue
			}
			r = atof(t, between(element, "A", " "))
			for i, v := range strings.Fields(dashes) {
				if i%2 == 0 && i+1 < len(strings.Fields(dashes)) {
					sum[int(class[0]-'1')] += atof(t, v)
				}
			}
		}
		for k, entity := range s.ring.nodes {
			got, want := sum[k%owners]/(2*math.Pi*r), s.ring.share[entity]
			if k < owners && math.Abs(got-want) > 0.02 {
				t.Errorf("%s: the dashes of node %d are %.3f of the circle, its share is %.3f", spec, k+1, got, want)
			}
		}
	}
}

func between(s, from, to string) string {
	_, s, found := strings.Cut(s, from)
	if !found {
		return ""
	}
	s, _, _ = strings.Cut(s, to)
	return s
}

func atof(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRingTellsWhoMoved: the ring of a picture is the one after the change, or the one that broke a check; what moved has a head, what
// moved without need a cross, and the description says as much.
func TestRingTellsWhoMoved(t *testing.T) {
	for _, c := range []struct {
		spec          string
		moved, misled bool
		gone, come    int // places of nodes that went and came, -1 for none
	}{
		{"hash-ring", true, false, 4, -1},
		{"hash-ring?change=add", true, false, -1, 8},
		{"hash-ring?change=none", false, false, -1, -1},
		{"hash-ring?use=modulo", true, true, 4, -1},
	} {
		in := pictureOf(t, c.spec, text.EN)
		s := newScene(in)
		if (s.ring.moved > 0) != c.moved || (s.ring.misled > 0) != c.misled {
			t.Errorf("%s: %d keys moved, %d without need", c.spec, s.ring.moved, s.ring.misled)
		}
		for k, entity := range s.ring.nodes {
			in, gone := s.inRing(entity)
			if want := k != c.gone && (k < 8 || k == c.come); in != want || gone != (k == c.gone) {
				t.Errorf("%s: node %d is in: %v, gone: %v", c.spec, k+1, in, gone)
			}
		}
		for _, key := range s.ring.keys {
			if (key.what == labs.KeyStays) != (key.was == key.owner) {
				t.Fatalf("%s: a key of kind %d was %d's and is %d's", c.spec, key.what, key.was, key.owner)
			}
		}
		labels := labelsOf(t, Run(in))
		if got := slices.Contains(labels, "moved without need"); got != c.misled {
			t.Errorf("%s: the key explains crosses: %v", c.spec, got)
		}
		if got := s.describe(); !strings.Contains(got, fmt.Sprintf("%d moved, %d without need", s.ring.moved, s.ring.misled)) {
			t.Errorf("%s: described as %q", c.spec, got)
		}
	}
}

// TestAnyRingIsDrawnCleanly draws made-up rings: any names, arcs of any number of owners and of nobody, keys anywhere, ranks before and
// behind.
func TestAnyRingIsDrawnCleanly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyPicture(t)
		lang := in.Lang
		name := anyName(lang)
		n := rapid.IntRange(1, 110).Draw(t, "nodes")
		ring := labs.Entity{Name: "ring", Kind: labs.Ring, Rank: 1, Judged: rapid.Bool().Draw(t, "judged")}
		at := len(in.Layout.Entities)
		in.Words.Entities[ring.Name] = name.Draw(t, "ring")
		in.Layout.Entities = append(in.Layout.Entities, ring)
		for i := range n {
			e := labs.Entity{Name: fmt.Sprint("node", i), Kind: labs.Node, Rank: 2, Row: i}
			in.Words.Entities[e.Name] = name.Draw(t, "node")
			in.Layout.Entities = append(in.Layout.Entities, e)
			in.Layout.Links = append(in.Layout.Links, labs.Link{From: "ring", To: e.Name})
		}
		owner := rapid.IntRange(-1, n-1)
		for range rapid.IntRange(1, 3).Draw(t, "shapes") {
			h := labs.Shape{At: rapid.Int64Range(0, in.Trace.Horizon-1).Draw(t, "at"), Entity: at}
			for range rapid.IntRange(0, 60).Draw(t, "marks") {
				who := owner.Draw(t, "owner")
				if who >= 0 {
					who += at + 1
				}
				h.Values = append(h.Values, rapid.Int64Range(0, turn-1).Draw(t, "place"), int64(who), rapid.Int64Range(labs.ArcStart, labs.KeyMisled).Draw(t, "what"))
			}
			in.Trace.Shapes = append(in.Trace.Shapes, h)
		}
		for form, drawn := range everyForm(in) {
			for _, fault := range readSheetOf(t, drawn, strings.HasPrefix(form, "alone")) {
				t.Errorf("%s: %s", form, fault)
			}
		}
	})
}
