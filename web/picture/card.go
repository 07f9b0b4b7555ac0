package picture

import "slices"

// The size of a social card.
const (
	CardWidth  = 1200
	CardHeight = 630
)

const (
	cardMargin = 64
	cardScale  = 1.75 // of what a picture draws, so that its text of 13 is 23
	cardFoot   = 40
	cardLanes  = 4
	// In scaled units: the key above the lanes, the lowest track, what is between two.
	cardKey   = 27
	cardTrack = 22
	cardPause = 7
)

// Card draws the run as a social card of CardWidth by CardHeight: title, question, how the checks fared, and the lanes where it was
// decided, large enough to be read in a feed. It always stands alone and is always light, for it is shown on other people's pages.
func Card(in Picture) []byte {
	in.Standalone, in.Narrow = true, false
	s := newScene(in)
	d := &drawing{f: frame{width: CardWidth, margin: cardMargin, size: 26, card: true}, s: s, y: 52}
	d.cardHead()
	top := d.y
	height := (CardHeight - cardFoot - top) / cardScale
	s.forCard(min(cardLanes, int((height-cardKey-tickHeight)/(cardTrack+cardPause))))

	d.w.begin("g", attr{"transform", "translate(0 " + tenth(top) + ") scale(" + tenth2(cardScale) + ")"}, num("font-size", 13))
	d.f = s.card(height)
	d.y = 0
	d.lanes()
	d.charts()
	d.axis()
	d.w.end()

	d.f = frame{width: CardWidth, margin: cardMargin, size: 26, card: true}
	d.cardFoot()
	return d.document(CardHeight)
}

// tenth2 writes a number with two decimals.
func tenth2(v float64) string {
	n := int(v*100 + 0.5)
	return tenth(float64(n/10)/10) + string(rune('0'+n%10))
}

// cardHead writes the title, the question and the checks.
func (d *drawing) cardHead() {
	s, room := d.s, float64(CardWidth-2*cardMargin)
	for _, l := range bold(52).wrap(s.Words.Title, room, 2) {
		d.y += 56
		d.text(cardMargin, d.y, l, hand{token: ink, size: 52, bold: true})
	}
	d.y += 10
	for _, l := range regular(28).wrap(s.Words.Question, room, 1) {
		d.y += 36
		d.text(cardMargin, d.y, l, hand{token: soft, size: 28})
	}
	d.y += 14
	// What was broken is said first; of more checks than two, the others are left to the page.
	told := 0
	for _, good := range [2]bool{false, true} {
		for _, v := range s.verdicts {
			if v.good != good || told == 2 {
				continue
			}
			told++
			d.y += 38
			d.sign(v.good, cardMargin+12, d.y-9, 10)
			d.text(cardMargin+38, d.y, bold(26).clip(v.title, room-38), hand{token: verdictToken(v.good), bold: true})
		}
	}
	d.y += 22
}

// forCard keeps what a card has room for: the judged lane and a few others, or else the first lines of the first chart.
func (s *scene) forCard(lanes int) {
	s.shape, s.notes = bare, nil
	for len(s.lanes) > lanes {
		last := len(s.lanes) - 1
		for last > 0 && s.lanes[last].entity.Judged {
			last--
		}
		s.lanes = append(s.lanes[:last], s.lanes[last+1:]...)
	}
	if len(s.lanes) > 0 || len(s.charts) == 0 {
		s.charts = nil
		return
	}
	c := &s.charts[0]
	slices.SortStableFunc(c.lines, func(a, b chartLine) int { return rank(a.judged) - rank(b.judged) })
	c.lines = c.lines[:min(len(c.lines), 2)]
	s.charts = s.charts[:1]
}

// card is the frame of a card's lanes, in its scaled units: only the telling part of the time, and one track a lane.
func (s *scene) card(height float64) frame {
	f := frame{width: CardWidth / cardScale, margin: cardMargin / cardScale, size: 13, card: true, pause: cardPause}
	in := f.inner()
	f.label = extent{x0: in.x0, x1: in.x0 + 138}
	f.result = extent{x0: in.x1 - 90, x1: in.x1}
	s.addPanels(&f, f.label.x1+10, f.result.x0-10, 20)
	if len(f.panels) > 1 {
		p := f.panels[1]
		p.w += p.x - f.panels[0].x
		p.x = f.panels[0].x
		f.panels = []panel{p}
	}
	n := float64(max(len(s.lanes), 1))
	f.alone = min((height-cardKey-tickHeight)/n-cardPause, 44)
	f.chart = height - tickHeight - 4
	return f
}

// cardFoot names the site and the run.
func (d *drawing) cardFoot() {
	base := float64(CardHeight - 26)
	d.text(CardWidth-cardMargin, base, "Seedbed", hand{token: ink, size: 26, bold: true, anchor: "end"})
	room := CardWidth - 2*cardMargin - bold(26).width("Seedbed") - 24
	d.text(cardMargin, base, regular(22).clip(d.s.Trace.Spec, room), hand{token: soft, size: 22})
}

// cardText writes a lane's name and result, each on the middle of the track.
func (d *drawing) cardText(r laneRow) {
	base := (r.top+r.bottom)/2 + 5
	name := face{14, r.entity.Judged}.clip(r.name, d.f.label.width())
	d.text(d.f.label.x0, base, name, hand{token: ink, size: 14, bold: r.entity.Judged})
	if _, shared := d.s.sharedBound(); shared && r.bound > 0 {
		d.peak(r.lane, d.f.result.x1, base+1, 18)
	} else if r.lane.counts() {
		room := d.f.result.width()
		d.countsText(d.f.result.x1-d.laneCountsWidth(r.lane, room), base, r.lane, room)
	} else {
		d.peak(r.lane, d.f.result.x1, base+1, 18)
	}
}

// cardBound writes above the results what they are measured by.
func (d *drawing) cardBound(base float64) {
	if bound, shared := d.s.sharedBound(); shared {
		label := d.s.UI.Get("picture.limit", "value", d.number(d.s.lanes[0].unit, bound))
		d.text(d.f.result.x1, base, regular(d.f.size).clip(label, d.f.result.width()), hand{token: soft, anchor: "end"})
	}
}
