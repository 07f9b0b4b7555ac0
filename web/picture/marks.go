package picture

import "seedbed/labs"

// note is a mark of the run: an action, a violation, a change of state.
type note struct {
	at   int64
	kind noteKind
	text string
}

type noteKind uint8

const (
	acted noteKind = iota
	violated
	changed
)

// mostNotes is how many marks are told in words; all are drawn.
const mostNotes = 5

// addNotes gathers the marks: every action and change, and each check's first violation.
func (s *scene) addNotes() {
	told := map[uint16]bool{}
	for _, m := range s.Trace.Marks {
		n := note{at: m.At, kind: changed}
		switch m.Kind {
		case labs.MarkAction:
			n.kind = acted
		case labs.MarkViolation:
			if told[m.Entity] {
				continue
			}
			told[m.Entity] = true
			n.kind = violated
		}
		n.text = s.Words.Phrase(s.Spec, s.Layout, m)
		s.notes = append(s.notes, n)
	}
}

// noteSign draws a mark's sign about a centre.
func (d *drawing) noteSign(k noteKind, x, y float64) {
	switch k {
	case acted:
		d.fill(ink, (&path{}).move(x-5, y+4).line(x, y-5).line(x+5, y+4).close())
	case violated:
		d.stroke(refuse, cross(&path{}, x, y, 4), 2)
	default:
		d.stroke(ink, (&path{}).move(x, y-5).line(x+4, y).line(x, y+5).line(x-4, y).close(), 1.2)
	}
}

// noteLines tells marks in words: the instant, the sign, the phrase.
func (d *drawing) noteLines() {
	if len(d.s.notes) == 0 {
		return
	}
	f, told := &d.f, 0
	left := 0
	for _, n := range d.s.notes {
		if n.kind == violated {
			continue // the verdict tells it
		}
		if told == mostNotes {
			left++
			continue
		}
		told++
		d.y += 18
		d.noteSign(n.kind, f.margin+7, d.y-4.5)
		at := about(n.at, d.s.Trace.Horizon)
		d.text(f.margin+20, d.y, at, hand{token: soft})
		x := f.margin + 20 + max(regular(f.size).width(at)+10, 62)
		for i, l := range regular(f.size).wrap(n.text, f.width-f.margin-x, 3) {
			if i > 0 {
				d.y += 16
			}
			d.text(x, d.y, l, hand{token: ink})
		}
	}
	if left > 0 {
		d.y += 18
		d.text(f.margin+20, d.y, d.s.UI.Get("picture.more", "n", d.number(labs.Count, int64(left))), hand{token: soft})
	}
	d.y += 4
}
