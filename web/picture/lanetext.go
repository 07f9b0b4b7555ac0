package picture

import "seedbed/labs"

// The words of lanes: what is above them all, and each one's name, counts and result.

// keyItem is one entry of the key above the lanes: a sample, and what it means.
type keyItem struct {
	draw func(x, y float64) // within 14 units, y is the text's base line
	text string
}

// key lists what the lanes of this picture show.
func (d *drawing) key() []keyItem {
	s := d.s
	var items []keyItem
	passed, refused := false, false
	for i := range s.lanes {
		passed, refused = passed || s.lanes[i].passed != nil, refused || s.lanes[i].refused != nil
	}
	if passed {
		items = append(items, keyItem{func(x, y float64) { d.filledBox(x, y-10, 11) }, s.passedWord()})
	}
	if refused && s.refuses {
		items = append(items, keyItem{func(x, y float64) { d.crossedBox(x, y-10, 11) }, s.UI.Get("client.key-refused")})
	}
	if p := s.levelPlot(); p != nil && !d.f.card {
		token := s.levelToken(p)
		items = append(items, keyItem{func(x, y float64) {
			area := skyline{{x, x + 5, y - 3, y + 1}, {x + 5, x + 14, y - 9, y + 1}}
			d.fill(token, area.area(), attr{"fill-opacity", "0.16"})
			d.stroke(token, (&path{}).move(x, y-3).across(x+5).down(y-9).across(x+14), 1.5)
		}, s.Words.Plots[p.Name]})
	}
	if bound, same := s.sharedBound(); same && !d.f.card {
		items = append(items, d.boundKey(s.lanes[0].unit, bound))
	}
	return items
}

// passedWord is the word for what is not refused: limiters and queues admit, shards acknowledge, others let pass. The stage in the
// browser says the same (web/client/lab/stage.ts).
func (s *scene) passedWord() string {
	key := "client.key-admitted"
	for i := range s.Layout.Entities {
		switch e := &s.Layout.Entities[i]; {
		case e.Passed == "" && e.Refused == "":
		case e.Kind == labs.Shard && e.Passed != "":
			return s.UI.Get("client.key-acknowledged")
		case e.Kind != labs.Limiter && e.Kind != labs.Queue:
			key = "client.key-passed"
		}
	}
	return s.UI.Get(key)
}

// boundKey is the entry for a bound.
func (d *drawing) boundKey(u labs.Unit, bound int64) keyItem {
	return keyItem{func(x, y float64) {
		d.stroke(ink, (&path{}).move(x, y-4.5).across(x+14), 1, dashed("4 3"))
	}, d.s.UI.Get("picture.limit", "value", d.number(u, bound))}
}

// flow sets entries of a key one after another, in as many lines as they take; one that is wider than a line is broken.
func (d *drawing) flow(items []keyItem, x0, x1 float64) {
	x, base := x0, d.y+13
	for _, item := range items {
		lines := regular(d.f.size).wrap(item.text, x1-x0-18, 4)
		w := 18 + regular(d.f.size).width(lines[0])
		if x > x0 && (x+w > x1 || len(lines) > 1) {
			x, base = x0, base+19
		}
		item.draw(x, base)
		for i, l := range lines {
			if i > 0 {
				base += 17
				w = x1 - x0
			}
			d.text(x+18, base, l, hand{token: soft})
		}
		x += w + 12
	}
	d.y = base + 10
}

// lanesHead draws what stands above the lanes: the source, the key, and the panels' titles. It returns where the panels begin.
func (d *drawing) lanesHead() float64 {
	f, s := &d.f, d.s
	x0, x1 := f.panels[0].x, f.width-f.margin
	if f.stacked {
		x0 = f.margin
	}
	top := d.y
	if f.stacked && s.shape == bus {
		d.source(top)
		d.y += 30
	}
	if f.card {
		d.cardBound(d.y + 13)
		x1 = f.result.x0
	}
	if !s.Glance {
		d.flow(d.key(), x0, x1)
	}
	if !f.stacked && s.shape == bus {
		d.source(top)
	}
	if (len(f.panels) > 1 || !f.stacked) && !f.card {
		d.panelTitles()
	}
	d.y += 6
	return d.y
}

// panelTitles says what each panel shows, and what the results are.
func (d *drawing) panelTitles() {
	f, s := &d.f, d.s
	base := d.y + 13
	if len(f.panels) > 1 {
		whole, focus := f.panels[0], f.panels[1]
		d.text(whole.x, base, regular(f.size).clip(s.UI.Get("picture.whole"), whole.w), hand{token: soft})
		u := clockFor(focus.to)
		step := niceUp(focus.length() / 10)
		title := s.UI.Get("picture.focus", "from", u.number(focus.from, step), "to", u.instant(focus.to, step), "times", d.number(labs.Count, times(focus, whole)))
		title = regular(f.size).clip(title, focus.w-8)
		d.plate(mark, focus.x, base-13, regular(f.size).width(title)+8, 18, 2)
		d.text(focus.x+4, base, title, hand{token: ink})
	}
	if !f.stacked && d.anyLevel() {
		d.text(f.result.x1, base, regular(f.size).clip(s.UI.Get("picture.peak"), f.result.x1-f.result.x0), hand{token: soft, anchor: "end"})
	}
	d.y = base + 6
}

func (d *drawing) anyLevel() bool {
	for i := range d.s.lanes {
		if d.s.lanes[i].level != nil {
			return true
		}
	}
	return false
}

// levelToken is the colour in which the lanes draw a plot.
func (s *scene) levelToken(p *labs.Plot) string {
	for i := range s.lanes {
		if s.lanes[i].entity.Level == p.Columns[0] {
			return levelToken(s.lanes[i].entity.Kind)
		}
	}
	return admit
}

// laneText writes a lane's name, counts and result.
func (d *drawing) laneText(r laneRow) {
	if d.f.stacked {
		d.stackedText(r)
		return
	}
	if d.f.card {
		d.cardText(r)
		return
	}
	x, y := d.f.label.x0, r.top+2
	d.glyph(r.entity, x, y, 22)
	x += 29
	base := y + 11
	for _, l := range d.nameLines(r.lane) {
		d.text(x, base, l, hand{token: ink, bold: r.entity.Judged})
		base += lineHeight
	}
	if r.entity.Judged {
		d.text(x, base, d.s.UI.Get("picture.judged"), hand{token: soft, size: 12})
		base += lineHeight
	}
	if r.lane.counts() {
		d.countsText(x, base, r.lane, d.f.label.x1-x)
	}
	d.result(r, d.f.result.x1, r.top+(r.bottom-r.top)/2)
}

const lineHeight = 16 // of text beside a lane

// nameLines is a lane's name, in the room beside it.
func (d *drawing) nameLines(l *lane) []string {
	return face{d.f.size, l.entity.Judged}.wrap(l.name, d.f.label.width()-29, 2)
}

// textHeight is what the text beside a lane takes.
func (d *drawing) textHeight(l *lane) float64 {
	n := len(d.nameLines(l))
	if l.entity.Judged {
		n++
	}
	if l.counts() {
		n++
	}
	return float64(n)*lineHeight + 2
}

// countsText writes the totals with their signs, in full where that fits, and returns where it ended.
func (d *drawing) countsText(x, base float64, l *lane, room float64) float64 {
	passed, refused := d.counts(l, room)
	if passed != "" {
		d.filledBox(x, base-9.5, 10)
		d.text(x+14, base, passed, hand{token: ink, size: 12})
		x += 14 + regular(12).width(passed) + 9
	}
	if refused != "" {
		d.crossedBox(x, base-9.5, 10)
		d.text(x+14, base, refused, hand{token: ink, size: 12})
		x += 14 + regular(12).width(refused) + 9
	}
	return x - 9
}

// counts are a lane's totals as they are written within a room: in full, or in three digits with a letter.
func (d *drawing) counts(l *lane, room float64) (passed, refused string) {
	in := func(write func(int64) string) {
		if l.passed != nil {
			passed = write(l.nPassed)
		}
		if l.refused != nil && d.s.refuses {
			refused = write(l.nRefused)
		}
	}
	in(func(n int64) string { return d.number(labs.Count, n) })
	if countsWidth(passed, refused) > room {
		in(letters)
	}
	return passed, refused
}

// countsWidth is how wide totals are with their signs.
func countsWidth(passed, refused string) float64 {
	w := -9.0
	for _, n := range [2]string{passed, refused} {
		if n != "" {
			w += 14 + regular(12).width(n) + 9
		}
	}
	return max(w, 0)
}

// laneCountsWidth is how wide a lane's totals are within a room.
func (d *drawing) laneCountsWidth(l *lane, room float64) float64 {
	return countsWidth(d.counts(l, room))
}

// result writes a lane's highest level, large, with a sign where there is a bound, and a note below.
func (d *drawing) result(r laneRow, right, middle float64) {
	if r.level == nil {
		return
	}
	note := d.resultNote(r.lane)
	base := middle + 6
	if note != "" {
		base = middle - 1
		d.text(right, base+17, regular(12).clip(note, d.f.result.width()), hand{token: soft, size: 12, anchor: "end"})
	}
	d.peak(r.lane, right, base, d.f.size+5)
}

// peak writes a lane's highest level, ending at right, in the colour and with the sign of how it compares with the bound. It is set
// smaller where it would not fit.
func (d *drawing) peak(l *lane, right, base, size float64) {
	token, room := ink, d.f.result.width()
	if l.bound > 0 {
		token = verdictToken(!l.over())
		d.sign(!l.over(), right-7, base-size*0.33, size/3)
		right -= 20
		room -= 20
	}
	value := d.number(l.unit, l.peak)
	for size > 12 && bold(size).width(value) > room {
		size--
	}
	d.text(right, base, bold(size).clip(value, room), hand{token: token, size: size, bold: true, anchor: "end"})
}

// sharedBound is the bound that every lane has; same is false when they differ, or one has none.
func (s *scene) sharedBound() (bound int64, same bool) {
	for i := range s.lanes {
		if l := &s.lanes[i]; l.bound != s.lanes[0].bound || l.unit != s.lanes[0].unit {
			return 0, false
		}
		bound = s.lanes[0].bound
	}
	return bound, bound > 0
}

// resultNote says what a lane's highest level is to be compared with, unless the key does, or how short a time it took to go over.
func (d *drawing) resultNote(l *lane) string {
	if within, known := d.s.within(l); known {
		return d.s.UI.Get("picture.within", "span", exact(within))
	}
	if _, shared := d.s.sharedBound(); l.bound > 0 && !shared {
		return d.s.UI.Get("picture.limit", "value", d.number(l.unit, l.bound))
	}
	if l.bound == 0 && l.full > 0 {
		return d.s.UI.Get("picture.full", "value", d.number(l.unit, l.full))
	}
	return ""
}

// stackedTextHeight is what the text above a stacked lane takes.
func (d *drawing) stackedTextHeight(l *lane) float64 {
	if d.stackedTwice(l) {
		return 44
	}
	return 27
}

// stackedTwice is true when a lane's name, counts and result do not fit one line, or a note belongs below the result.
func (d *drawing) stackedTwice(l *lane) bool {
	used := 27 + face{d.f.size, l.entity.Judged}.width(l.name) + 14 + d.laneCountsWidth(l, d.f.label.width()) + 14 + d.stackedResultWidth(l)
	return used > d.f.label.width() || d.resultNote(l) != ""
}

// stackedResultWidth is how wide a lane's result is on its line.
func (d *drawing) stackedResultWidth(l *lane) float64 {
	if l.level == nil {
		return 0
	}
	w := bold(d.f.size + 3).width(d.number(l.unit, l.peak))
	if l.bound > 0 {
		w += 20
	}
	return w
}

// stackedText writes the text above a lane: name and result on one line, counts beside the name or below it.
func (d *drawing) stackedText(r laneRow) {
	f := &d.f
	base := r.textTop + 17
	d.glyph(r.entity, f.label.x0, r.textTop+2, 20)
	x := f.label.x0 + 27
	set := face{f.size, r.entity.Judged}
	name := set.clip(r.name, f.label.x1-x-14-d.stackedResultWidth(r.lane))
	d.text(x, base, name, hand{token: ink, bold: r.entity.Judged})
	if d.stackedTwice(r.lane) {
		end := d.countsText(x, base+18, r.lane, f.label.width()/2)
		note := regular(12).clip(d.resultNote(r.lane), f.label.x1-end-14)
		d.text(f.label.x1, base+18, note, hand{token: soft, size: 12, anchor: "end"})
	} else {
		d.countsText(x+set.width(name)+14, base, r.lane, f.label.width())
	}
	if r.level != nil {
		d.peak(r.lane, f.label.x1, base, f.size+3)
	}
}
