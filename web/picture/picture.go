// Package picture draws a finished run as one SVG, on the server: the picture that every reader sees before any engine loads, that
// print, feeds and readers without script keep, that an embed falls back to, and that a social card shows.
//
// # Contract
//
// [Run] and [Card] are pure functions of a [Picture]: same input, same bytes. (Floats only place the ink: a machine that fuses
// products may move a line by a tenth of a unit.) They read no clock, no file and no font; widths of text are estimated on the wide
// side. They are safe for concurrent use as long as nobody writes what the Picture points to. The cost is linear in the trace's rows,
// and the result is some 20 to 60 KB, which compress to a tenth or so.
//
// # What is drawn
//
// From the top: how each check fared; the stage; for each entity that has counts or a level a lane, which shows over time what it
// let through (filled), what it turned away (hollow, hatched, crossed) and how full it was, with what went over its bound hatched;
// the layout's other plots; the time axis; actions (▲) and violations (✗). Where a source, lanes side by side and a sink are all
// there is, the ways of the requests run along the lanes; else a stage stands above them. A ring on it is drawn as a ring: arcs in the
// colours of their owners, keys as ticks, those that moved with a head and those that moved without need with a cross, and its nodes
// around it, by name up to a dozen and by number up to a hundred or as many as the width has room for. Shards and logs say what they look
// like inside, and pools of few places show each. When nearly everything happens
// in a small part of the run, that part is drawn enlarged beside the whole.
//
// No lab is known here. All comes from labs.Layout and labs.Trace, and all words from content, so a new lab needs no drawing code.
//
// # Colours and space
//
// Colour comes by class, one class a [Token]: the site's stylesheet gives `.picture .admit{color:var(--admit)}` and so on for each,
// and shapes fill and stroke themselves with currentColor. Each coloured element also carries the light colour in its `color`
// attribute, which any stylesheet overrides, so a picture keeps its colours where no stylesheet reaches. A picture has no id, no
// style attribute and no script, so any number of them share a page under a strict Content-Security-Policy; only a standalone one has
// a <style>.
//
// A wide picture is 687 units across, as a chapter has room for, and a narrow one 344, laid out anew, as a phone of 390 px has. Text is 13
// units and 12: shown smaller, it falls below 12 px. Both carry width and height; a stylesheet sets `max-width:100%;height:auto`.
//
// A glance leaves out the checks and what the signs mean: a list shows what a lab looks like, and its page tells the rest.
//
// What it does not do: animate, follow a pointer, or show an instant of the reader's choice beyond the Spec's own `at`.
package picture

import (
	"seedbed/labs"
	"seedbed/web/text"
)

// Picture is a finished run and how it is to be shown. Lab, Spec, Trace, Layout and Words must belong together and be set.
type Picture struct {
	Lab    *labs.Lab
	Spec   *labs.Spec
	Trace  *labs.Trace
	Layout *labs.Layout
	Words  *text.Lab
	UI     text.Words
	Lang   text.Lang

	Narrow     bool // laid out for a phone
	Standalone bool // a file of its own: carries its style, title and the Spec's text
	Glance     bool // for a list: what is drawn alone, not how each check fared and what the signs mean
}

// Run draws the run.
func Run(in Picture) []byte {
	s := newScene(in)
	return s.draw(s.frame())
}

// draw writes the document for a frame.
func (s *scene) draw(f frame) []byte {
	d := &drawing{f: f, s: s, y: f.margin}
	d.body()
	return d.document(d.y + f.margin)
}

// document puts what has been drawn into a document of a height.
func (d *drawing) document(height float64) []byte {
	body := d.w.b
	d.w = writer{}
	d.head(d.f.width, height)
	d.w.b = append(d.w.b, body...)
	d.w.end()
	return d.w.b
}

// body draws all parts, from the top down.
func (d *drawing) body() {
	if d.s.Standalone {
		d.title()
	}
	if !d.s.Glance {
		d.verdicts()
	}
	if d.s.shape == graph {
		d.stage()
	}
	d.lanes()
	d.charts()
	d.axis()
	d.noteLines()
	d.panels()
	if d.s.Standalone {
		d.foot()
	}
}

// head opens the document: its size, its style where it stands alone, its name and description, and its ground.
func (d *drawing) head(width, height float64) {
	s := d.s
	title := s.Words.Title
	attrs := []attr{
		{"xmlns", "http://www.w3.org/2000/svg"}, {"class", "picture"}, {"role", "img"}, {"lang", string(s.Lang)},
		{"viewBox", "0 0 " + tenth(width) + " " + tenth(height)}, num("width", width), num("height", height),
		num("font-size", d.f.size), {"font-family", fonts}, {"fill", "currentColor"},
	}
	d.w.begin("svg", attrs...)
	d.w.newline()
	if s.Standalone {
		d.w.element("style", style(!d.f.card, s.ring != nil && !d.f.card))
	}
	d.w.element("title", title)
	d.w.element("desc", s.describe())
	d.w.newline()
	d.plate(raised, 0, 0, width, height, 0)
}
