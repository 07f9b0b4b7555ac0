package picture

import (
	"math"
	"strconv"

	"seedbed/labs"
)

const (
	ringBand   = 18  // how thick the band of arcs is
	ringWide   = 112 // the band's outer radius on a wide picture
	ringCells  = 0.5 // no arc is drawn shorter than this
	ringBoxes  = 12  // of more nodes only the numbers stand around it
	ringLabelW = 92
	ringLabelH = 36
)

// ringSpot is where a ring stands.
type ringSpot struct {
	x, y, r float64
	labels  []spot  // of its nodes: the middle of the top of each label; nil when there is no room for labels
	numbers bool    // the labels are numbers
	top, h  float64 // of the whole
}

// move shifts the whole down.
func (at *ringSpot) move(by float64) {
	at.y += by
	at.top += by
	for k := range at.labels {
		at.labels[k].y += by
	}
}

// right is where a ring ends at its middle's height, with a label that stands there.
func (at *ringSpot) right() float64 {
	end := at.x + at.r
	for _, l := range at.labels {
		if l.x > at.x && l.y < at.y+10 && l.bottom() > at.y-10 {
			end = max(end, l.x+l.room/2)
		}
	}
	return end
}

// placeRing finds room for the ring and its nodes between two sides; y from 0.
func (d *drawing) placeRing(x0, x1 float64) ringSpot {
	n := len(d.s.ring.nodes)
	at := ringSpot{x: (x0 + x1) / 2, r: ringWide}
	switch {
	case n <= ringBoxes && d.downward():
		at.y = at.r + 2
		at.h = 2*at.r + 16
		each := min(n, 3)
		pitch := (x1 - x0) / float64(each)
		for i := range n {
			at.labels = append(at.labels, spot{x: x0 + pitch*(float64(i%each)+0.5), y: at.h + float64(i/each)*(ringLabelH+8), room: pitch - 8, h: ringLabelH})
		}
		at.h += float64((n+each-1)/each)*(ringLabelH+8) - 8
	case n <= ringBoxes:
		a, b := min(at.r+28+ringLabelW/2, (x1-x0-ringLabelW)/2), at.r+18+ringLabelH/2.0
		at.y = b + ringLabelH/2
		at.h = 2 * at.y
		for i := range n {
			ux, uy := ringDirection(i, n)
			at.labels = append(at.labels, spot{x: at.x + ux*a, y: at.y + uy*b - ringLabelH/2, room: ringLabelW, h: ringLabelH})
		}
	default:
		d.numberRing(&at, x0, x1)
	}
	return at
}

// numberRing places numbers on one line around the ring, or on two, where neighbours are on different ones; or leaves them out.
func (d *drawing) numberRing(at *ringSpot, x0, x1 float64) {
	n, size := len(d.s.ring.nodes), 22.0
	if n > 100 {
		size = 27 // neighbours have three digits
	}
	for lines := 1; lines <= 2; lines++ {
		slots := (n + lines - 1) / lines * lines
		first := max(at.r+14, float64(slots)*size/(2*math.Pi*float64(lines)))
		outer := first + float64(lines-1)*size + size/2
		if 2*outer > x1-x0 || lines == 1 && first > at.r+30 {
			continue
		}
		at.r, at.y, at.h, at.numbers = first-14, outer, 2*outer, true
		for i := range n {
			ux, uy := ringDirection(i, slots)
			r := first + float64(i%lines)*size
			at.labels = append(at.labels, spot{x: at.x + ux*r, y: at.y + uy*r - 6, room: size, h: 12})
		}
		return
	}
	at.r = min((x1-x0)/2-4, ringWide+20)
	at.y, at.h = at.r+2, 2*at.r+4
}

// ringDirection is the direction of the i-th of n: clockwise, so that the left, where requests come in, lies between two.
func ringDirection(i, n int) (x, y float64) {
	step := 2 / float64(n)
	a := math.Pi * (float64(i)*step + math.Mod(1.5-step/2, step))
	return math.Sin(a), -math.Cos(a)
}

// point is a place on the circle at a radius.
func (at *ringSpot) point(place, r float64) (x, y float64) {
	a := 2 * math.Pi * place
	return at.x + r*math.Sin(a), at.y - r*math.Cos(a)
}

// circle is a circle that begins at the top, so that dashes along it are arcs.
func (at *ringSpot) circle(r float64) *path {
	p := (&path{}).move(at.x, at.y-r)
	p.to('A', r, r, 0, 0, 1, at.x, at.y+r)
	return p.to('A', r, r, 0, 0, 1, at.x, at.y-r)
}

// drawRing draws the band, the keys, what stands in the middle, and the nodes.
func (d *drawing) drawRing(at *ringSpot) {
	r := d.s.ring
	d.stroke(wash, at.circle(at.r-ringBand/2), ringBand)
	arcs := r.seen(int(2 * math.Pi * at.r / ringCells))
	parts := make([][]arc, len(r.nodes))
	for _, a := range arcs {
		if k := r.place(a.owner); k >= 0 {
			parts[k] = append(parts[k], a)
		}
	}
	for k, list := range parts {
		d.ringArcs(at, k, list)
	}
	if len(r.arcs) > 0 && len(arcs) <= 120 {
		d.ringSeams(at, arcs)
	}
	d.ringKeys(at)
	token, weight := edge, 1.0
	if r.entity.Judged {
		token, weight = ink, 1.5
	}
	d.stroke(token, at.circle(at.r), weight)
	d.stroke(token, at.circle(at.r-ringBand), weight)
	d.ringMiddle(at)
	for k := range at.labels {
		d.ringNode(at, k)
	}
}

// ringMiddle writes what the ring is.
func (d *drawing) ringMiddle(at *ringSpot) {
	var lines []string
	names := 0 // lines of the ring's own name
	for i, l := range d.s.aboutRing() {
		lines = append(lines, face{12, i == 0}.wrap(l, 1.5*(at.r-ringBand-tickMisled), 2)...)
		if i == 0 {
			names = len(lines)
		}
	}
	base := at.y + 5 - float64(len(lines)-1)*8
	for i, l := range lines {
		h := hand{token: soft, size: 12, anchor: "middle"}
		if i < names {
			h.token, h.bold = ink, true
		}
		d.text(at.x, base, l, h)
		base += 16
	}
}

// ringParts is how much of the band the owners of each round fill, from its inner edge to its outer one: there are more owners than
// colours.
var ringParts = [4][2]float64{{0, 1}, {0.4, 1}, {0, 0.6}, {0.25, 0.75}}

// ringArcs draws what one owner has, as the dashes of one circle: thousands of arcs are a few bytes each.
func (d *drawing) ringArcs(at *ringSpot, k int, list []arc) {
	if len(list) == 0 {
		return
	}
	part := ringParts[k/owners%len(ringParts)]
	inner, outer := at.r-ringBand*(1-part[0]), at.r-ringBand*(1-part[1])
	r, _ := strconv.ParseFloat(tenth((inner+outer)/2), 64) // as it will be written
	length := 2 * math.Pi * r
	var dashes []byte
	last := 0.0
	number := func(v float64) {
		if len(dashes) > 0 {
			dashes = append(dashes, ' ')
		}
		dashes = appendTenth(dashes, v)
	}
	add := func(from, to float64) {
		from, to = math.Round(from*length*10)/10, math.Round(to*length*10)/10
		if to <= from || from < last {
			return
		}
		if len(dashes) == 0 && from == 0 {
			number(to)
		} else {
			if len(dashes) == 0 {
				number(0)
			}
			number(from - last)
			number(to - from)
		}
		last = to
	}
	if over := list[len(list)-1]; over.to > 1 {
		add(0, over.to-1)
	}
	for _, a := range list {
		add(max(a.from, 0), min(a.to, 1))
	}
	if len(dashes) == 0 {
		return
	}
	number(length) // no dash begins again
	d.stroke(owner(k), at.circle(r), outer-inner, attr{"stroke-dasharray", string(dashes)})
}

// ringSeams parts neighbours, and writes the owner's number where there is room.
func (d *drawing) ringSeams(at *ringSpot, arcs []arc) {
	seams := &path{}
	for _, a := range arcs {
		x0, y0 := at.point(a.from, at.r-ringBand)
		x1, y1 := at.point(a.from, at.r)
		seams.move(x0, y0).line(x1, y1)
	}
	d.stroke(raised, seams, 1.5)
	for _, a := range arcs {
		k := d.s.ring.place(a.owner)
		if k < 0 {
			continue
		}
		label := d.nodeNumber(k)
		if (a.to-a.from)*2*math.Pi*(at.r-ringBand) < bold(12).width(label)+10 {
			continue
		}
		h := hand{token: on, size: 12, bold: true, anchor: "middle"}
		if k/owners%len(ringParts) > 0 {
			h.token = ink
		}
		x, y := at.point((a.from+a.to)/2, at.r-ringBand/2)
		d.text(x, y+4.3, label, h)
	}
}

// nodeNumber is the number by which a node is known among its like.
func (d *drawing) nodeNumber(k int) string {
	if n := d.s.Layout.Entities[d.s.ring.nodes[k]].N; n > 0 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(k + 1)
}

// The lengths of the ticks of keys that stay, that move, and that move without need.
const (
	tickStays  = 5
	tickMoved  = 11
	tickMisled = 16
)

// ringKeys draws keys as ticks within the band: one that moved has a head in the colour of its last owner, one that moved without need
// has a cross.
func (d *drawing) ringKeys(at *ringSpot) {
	from := at.r - ringBand - 2.5
	stays, moves, crosses, heads := &path{}, &path{}, &path{}, &path{}
	colours := make([]*path, owners)
	for _, k := range d.s.ring.keys {
		x0, y0 := at.point(k.place, from)
		switch k.what {
		case labs.KeyStays:
			x, y := at.point(k.place, from-tickStays)
			stays.move(x0, y0).line(x, y)
		case labs.KeyMisled:
			x, y := at.point(k.place, from-tickMisled+3)
			moves.move(x0, y0).line(x, y)
			x, y = at.point(k.place, from-tickMisled)
			cross(crosses, x, y, 2.3)
		default:
			x, y := at.point(k.place, from-tickMoved)
			moves.move(x0, y0).line(x, y)
			heads.circle(x, y, 2.6)
			if was := d.s.ring.place(k.was); was >= 0 {
				c := was % owners
				if colours[c] == nil {
					colours[c] = &path{}
				}
				colours[c].circle(x, y, 2.6)
			}
		}
	}
	d.stroke(soft, stays, 1)
	d.stroke(ink, moves, 1)
	d.fill(ink, heads)
	for c, p := range colours {
		if p != nil {
			d.fill(owner(c), p)
		}
	}
	d.stroke(ink, heads, 1)
	d.stroke(refuse, crosses, 1.4)
}

// ringNode labels a node: its number, or a sample of its colour with its name and, below, how much it has.
func (d *drawing) ringNode(at *ringSpot, k int) {
	place, entity := at.labels[k], d.s.ring.nodes[k]
	e := &d.s.Layout.Entities[entity]
	in, gone := d.s.inRing(entity)
	token := ink
	if !in || d.outOfOrder(e) {
		token = dead
	}
	if at.numbers {
		d.text(place.x, place.y+10.5, d.nodeNumber(k), hand{token: token, size: 12, anchor: "middle"})
		if !in {
			d.stroke(dead, (&path{}).move(place.x-8, place.y+12).line(place.x+8, place.y), 1.2)
		}
		return
	}
	name := face{13, e.Judged}.clip(d.s.Words.Entity(e), place.room-16)
	x := place.x - (face{13, e.Judged}.width(name)+16)/2
	part := ringParts[k/owners%len(ringParts)]
	sample := (&path{}).rect(x, place.y+13-11*part[1], 11, 11*(part[1]-part[0]))
	if in {
		d.fill(owner(k), sample)
	}
	d.stroke(owner(k), (&path{}).rect(x, place.y+2, 11, 11), 1)
	d.text(x+16, place.y+12, name, hand{token: token, bold: e.Judged})
	below := ""
	switch {
	case gone:
		below = d.s.UI.Get("client.gone")
	case !in:
		below = d.s.UI.Get("client.to-come")
	case e.Level != "":
		below = d.number(d.s.Trace.Column(e.Level).Unit, d.s.row(d.s.values(e.Level), d.s.telling))
	}
	d.text(place.x, place.y+29, regular(12).clip(below, place.room), hand{token: soft, size: 12, anchor: "middle"})
}

// ringSigns are the entries of the key for the keys that are drawn.
func (d *drawing) ringSigns() []keyItem {
	r, ui := d.s.ring, d.s.UI
	items := []keyItem{{func(x, y float64) { d.stroke(soft, (&path{}).move(x+7, y-9).down(y-2), 1.2) }, ui.Get("client.key-stays")}}
	if r.moved > r.misled {
		items = append(items, keyItem{func(x, y float64) { d.fill(ink, (&path{}).circle(x+7, y-5, 3.5)) }, ui.Get("client.key-moved")})
	}
	if r.misled > 0 {
		items = append(items, keyItem{func(x, y float64) { d.stroke(refuse, cross(&path{}, x+7, y-5, 3.5), 1.6) }, ui.Get("client.key-misled")})
	}
	return items
}
