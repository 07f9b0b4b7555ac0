package picture

// title writes the lab's name and question above a standalone picture.
func (d *drawing) title() {
	f, s := &d.f, d.s
	room := f.width - 2*f.margin
	for _, l := range bold(f.size+5).balance(s.Words.Title, room, 2) {
		d.y += 22
		d.text(f.margin, d.y, l, hand{token: ink, size: f.size + 5, bold: true})
	}
	d.y += 4
	for _, l := range regular(f.size+1).balance(s.Words.Question, room, 3) {
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
		title := bold(f.size).balance(v.title, room, 2)
		for k, l := range title {
			d.text(x, base+float64(k)*18, l, hand{token: verdictToken(v.good), bold: true})
		}
		base += float64(len(title)-1) * 18
		token := ink
		if v.good {
			token = soft
		}
		// What fits beside the name stands beside it.
		if used := bold(f.size).width(title[len(title)-1]) + 12; len(title) == 1 && used+regular(f.size).width(v.sentence) <= room {
			d.text(x+used, base, v.sentence, hand{token: token})
		} else {
			for _, l := range regular(f.size).balance(v.sentence, room, 4) {
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
	room := f.width - 2*f.margin - regular(12).width(digest) - 16
	if f.stacked {
		for _, l := range regular(12).wrap(spec, f.width-2*f.margin, 3) {
			d.y += 17
			d.text(f.margin, d.y, l, hand{token: soft, size: 12})
		}
		d.y += 17
		d.text(f.margin, d.y, digest, hand{token: soft, size: 12})
		return
	}
	d.y += 17
	d.text(f.margin, d.y, regular(12).clip(spec, room), hand{token: soft, size: 12})
	d.text(f.width-f.margin, d.y, digest, hand{token: soft, size: 12, anchor: "end"})
}
