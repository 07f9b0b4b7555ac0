package picture

// frame is where things stand: across, in columns that every part keeps to, and how high a lane's tracks are. There is one for a
// wide picture, one for a narrow one, one for a card.
//
//	│ way │ label │ panel (whole run) │ gap │ panel (focus) │ result │ way │
//
// A narrow picture stacks: label and result stand above the panels, which take the whole width.
type frame struct {
	width, margin float64
	size          float64 // of text
	stacked       bool
	card          bool // the bare minimum, large
	way           float64
	label, result extent
	panels        []panel
	counts, level float64 // heights of a lane's tracks
	alone         float64 // height of a track that is a lane's only one
	pause         float64 // between two lanes
	chart         float64 // height of a chart
}

// extent is a stretch across.
type extent struct{ x0, x1 float64 }

func (e extent) width() float64 { return e.x1 - e.x0 }

// inner is the part of the width between the margins and the ways.
func (f *frame) inner() extent {
	return extent{x0: f.margin + f.way, x1: f.width - f.margin - f.way}
}

// frame chooses and fills the frame of the picture.
func (s *scene) frame() frame {
	if s.Narrow {
		return s.narrow()
	}
	return s.wide()
}

func (s *scene) wide() frame {
	f := frame{width: 687, margin: 16, size: 13, counts: 28, level: 40, alone: 46, pause: 14, chart: 84}
	if s.shape == bus {
		f.way = 26
	}
	in := f.inner()
	f.label = extent{x0: in.x0, x1: in.x0 + 136}
	f.result = extent{x0: in.x1 - 100, x1: in.x1 - 4}
	s.addPanels(&f, f.label.x1+10, f.result.x0-10, 20)
	return f
}

func (s *scene) narrow() frame {
	f := frame{width: 344, margin: 12, size: 13, stacked: true, counts: 26, level: 36, alone: 40, pause: 12, chart: 84}
	if s.shape == bus {
		f.way = 18
	}
	in := f.inner()
	f.label, f.result = in, in
	s.addPanels(&f, in.x0, in.x1, 14)
	return f
}

// addPanels divides the room between the whole run and the focus.
func (s *scene) addPanels(f *frame, x0, x1, gap float64) {
	whole := panel{span: span{0, s.Trace.Horizon}, x: x0, w: x1 - x0}
	if s.focus.length() == 0 {
		f.panels = []panel{whole}
		return
	}
	whole.w = float64(int((x1 - x0 - gap) * 0.3))
	x := whole.right() + gap
	f.panels = []panel{whole, {span: s.focus, x: x, w: x1 - x, focus: true}}
}
