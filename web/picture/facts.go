package picture

import (
	"seedbed/labs"
	"seedbed/web/text"
)

// shapeOfEntity is the newest shape that an entity has told up to an instant; nil when there is none.
func (s *scene) shapeOfEntity(entity int, at int64) []int64 {
	var newest []int64
	for i := range s.Trace.Shapes {
		if h := &s.Trace.Shapes[i]; h.Entity == entity && h.At <= at {
			newest = h.Values
		}
	}
	return newest
}

// facts are what a shard or a log looks like inside at the telling instant, in words: who owns, under which epoch, what is obeyed, and
// how far the log has come. web/client/lab/facts.ts says the same of any instant.
func (s *scene) facts(e *labs.Entity) []string {
	h := s.shapeOfEntity(s.Layout.Entity(e.Name), s.telling)
	n := func(v int64) string { return text.Number(s.Lang, labs.Count, v) }
	switch {
	case e.Kind == labs.Shard && len(h) == labs.ShardShape:
		who, gate := "client.shard-other", s.UI.Get("client.shard-gate-"+n(h[labs.ShardGate]))
		if h[labs.ShardOwner] == 1 {
			who = "client.shard-owner"
		}
		lines := []string{s.UI.Get(who), gate}
		if h[labs.ShardGate] > 0 { // the epoch of a shard that serves nobody is a thing of the past
			lines[0] = s.UI.Get("client.shard-epoch", "owner", lines[0], "n", n(h[labs.ShardEpoch]))
		}
		if h[labs.ShardFence] > 0 {
			lines[1] = s.UI.Get("client.shard-fence", "gate", gate, "n", n(h[labs.ShardFence]))
		}
		return lines
	case e.Kind == labs.EventLog && len(h) == labs.LogShape:
		head := n(s.row(s.values(e.Level), s.telling))
		lines := []string{s.UI.Get("client.log-at", "n", head)}
		if carried := h[labs.LogCarried]; carried >= 0 {
			lines[0] = s.UI.Get("client.log-carried", "n", n(carried), "head", head)
		}
		if fence := h[labs.LogFence]; fence >= 0 {
			lines = append(lines, s.UI.Get("client.log-fence", "n", n(fence)))
		}
		return lines
	}
	return nil
}

// slots draws the places of a pool below its name, where there are few enough to show each: taken ones filled, and what is taken beyond
// them hatched.
func (d *drawing) slots(e *labs.Entity, x, y, room float64) {
	taken, places := d.s.row(d.s.values(e.Level), d.s.telling), e.Full
	shown := max(places, min(taken, places+mostExtra, int64(room/slotPitch)))
	x -= float64(shown) * slotPitch / 2
	free, over := &path{}, skyline{}
	full := &path{}
	for i := range shown {
		at := x + float64(i)*slotPitch
		switch {
		case i >= places:
			over = append(over, column{at, at + slotSize, y, y + slotSize})
		case i < taken:
			full.rect(at, y, slotSize, slotSize)
		default:
			free.rect(at+0.5, y+0.5, slotSize-1, slotSize-1)
		}
	}
	d.fill(admit, full)
	d.stroke(edge, free, 1)
	d.stroke(refuse, over.hatch(hatchGap), 1)
	d.stroke(refuse, over.inset(0.5).area(), 1)
}

const (
	slotSize  = 10
	slotPitch = 13
	mostSlots = 8 // of more places than this the sign's filling tells how many are taken
	mostExtra = 4
)

// slotted is true for what has few enough places to show each in a room.
func slotted(e *labs.Entity, room float64) bool {
	return e.Kind == labs.Pool && e.Level != "" && e.Full > 0 && e.Full <= mostSlots && float64(e.Full)*slotPitch <= room
}
