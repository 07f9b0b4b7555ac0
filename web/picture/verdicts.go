package picture

import "seedbed/labs"

// title writes the lab's name and question above a standalone picture.
func (d *drawing) title() {
	f, s := &d.f, d.s
	room := f.width - 2*f.margin
	for _, l := range wrap(s.Words.Title, f.size*1.07+5, room, 2) {
		d.y += 22
		d.text(f.margin, d.y, l, hand{token: ink, size: f.size + 5, bold: true})
	}
	d.y += 4
	for _, l := range wrap(s.Words.Question, f.size+1, room, 3) {
		d.y += 18
		d.text(f.margin, d.y, l, hand{token: soft, size: f.size + 1})
	}
	d.y += 14
}

// verdicts writes a strip with how each check fared: a sign and its name, then what is true, or how it was broken.
func (d *drawing) verdicts() {
	f := &d.f
	for i := range d.s.verdicts {
		v := &d.s.verdicts[i]
		x, base := f.margin+20, d.y+14
		d.sign(v.good, f.margin+7, base-4.5, 5.5)
		room := f.width - f.margin - x
		title := wrap(v.title, f.size*1.07, room, 2)
		for k, l := range title {
			d.text(x, base+float64(k)*18, l, hand{token: verdictToken(v.good), bold: true})
		}
		base += float64(len(title)-1) * 18
		token := ink
		if v.good {
			token = soft
		}
		// What fits beside the name stands beside it.
		if used := boldWidth(title[len(title)-1], f.size) + 12; len(title) == 1 && used+width(v.sentence, f.size) <= room {
			d.text(x+used, base, v.sentence, hand{token: token})
		} else {
			for _, l := range wrap(v.sentence, f.size, room, 4) {
				base += 18
				d.text(x, base, l, hand{token: token})
			}
		}
		d.y = base + 6
	}
	if len(d.s.verdicts) > 0 {
		d.y += 12
	}
}

// foot names the run below a standalone picture: its Spec and its digest, by which anyone can run it again.
func (d *drawing) foot() {
	f := &d.f
	d.y += 8
	d.stroke(line, (&path{}).move(f.margin, d.y).across(f.width-f.margin), 1)
	digest := "Seedbed · " + d.s.Trace.Digest()[:12]
	spec := d.s.Trace.Spec
	room := f.width - 2*f.margin - width(digest, 12) - 16
	if f.stacked {
		for _, l := range wrap(spec, 12, f.width-2*f.margin, 3) {
			d.y += 17
			d.text(f.margin, d.y, l, hand{token: soft, size: 12})
		}
		d.y += 17
		d.text(f.margin, d.y, digest, hand{token: soft, size: 12})
		return
	}
	d.y += 17
	d.text(f.margin, d.y, clip(spec, 12, room), hand{token: soft, size: 12})
	d.text(f.width-f.margin, d.y, digest, hand{token: soft, size: 12, anchor: "end"})
}

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
		x := f.margin + 20 + max(width(at, f.size)+10, 62)
		d.text(x, d.y, clip(n.text, f.size, f.width-f.margin-x), hand{token: ink})
	}
	if left > 0 {
		d.y += 18
		d.text(f.margin+20, d.y, d.s.UI.Get("picture.more", "n", d.number(labs.Count, int64(left))), hand{token: soft})
	}
	d.y += 4
}
