package labs

// PanelKind is how a panel is read.
type PanelKind uint8

// The kinds of panels. What the numbers of their shapes are stands with the constants below.
const (
	Waterfall PanelKind = iota // each shape is a trace: its spans over its time
	LogLines                   // each shape is a line of a structured log
)

func (k PanelKind) String() string { return [...]string{"waterfall", "lines"}[k] }

// Panel is a list that a run writes and a reader goes through: it stands beside the stage and is no entity, for it takes no requests. Its
// rows are shapes, given to Env.Shape with Layout.PanelEntity. Numbers of a row that stand for words are indexes into Words, which are
// codes that have their texts in content; error codes are shown as they are as well.
type Panel struct {
	Name  string
	Kind  PanelKind
	Words []string
}

// The numbers of a Waterfall's shape: a head, then the spans, each behind its parent, the first the root.
const (
	TraceID       = iota // as the log's lines have it
	TraceBusiness        // the business's own number of the request, as the log's lines have it
	TraceAbout           // an attribute: what it was about
	TraceSize            // an attribute: how much of it
	TraceHead            // how many the head has
)

// The numbers of one span.
const (
	SpanID      = iota
	SpanParent  // its parent's SpanID; 0 for the root
	SpanEntity  // who worked: an index into Entities
	SpanWord    // at what
	SpanBegan   // ns since the trace began
	SpanTook    // ns
	SpanWaited  // ns of these until the work began
	SpanOutcome // index into Words of how it ended; -1 when all was well
	SpanNumbers // how many there are
)

// The numbers of a LogLines' shape.
const (
	LineLevel    = iota // index into Words
	LineCode            // index into Words
	LineEntity          // who wrote it: an index into Entities
	LineTrace           // the trace's id
	LineSpan            // the span's id in it
	LineBusiness        // the business's own number of the request
	LineTook            // ns
	LineNumbers         // how many there are
)

// Span is one piece of work in a row of a Waterfall.
type Span struct {
	ID, Parent, Entity, Word int
	Began, Took, Waited      int64 // ns
	Outcome                  int   // -1 when all was well
	Depth                    int   // 0 for the root
	Leaf                     bool  // it has no children
}

// Spans reads the spans of a row of a Waterfall. It is for renderers: no lab needs it.
func Spans(row []int64) []Span {
	var spans []Span
	for rest := row[min(TraceHead, len(row)):]; len(rest) >= SpanNumbers; rest = rest[SpanNumbers:] {
		s := Span{
			ID: int(rest[SpanID]), Parent: int(rest[SpanParent]), Entity: int(rest[SpanEntity]), Word: int(rest[SpanWord]),
			Began: rest[SpanBegan], Took: rest[SpanTook], Waited: rest[SpanWaited], Outcome: int(rest[SpanOutcome]), Leaf: true,
		}
		if s.Parent > 0 && s.Parent <= len(spans) {
			parent := &spans[s.Parent-1]
			parent.Leaf = false
			s.Depth = parent.Depth + 1
		}
		spans = append(spans, s)
	}
	return spans
}

// briefest is the share of a trace, as one in so many, below which a step that ended well is not worth a line.
const briefest = 50

// Telling are the spans of a trace that are worth a line each: all calls, and those steps below them that took long or did not end well.
func Telling(spans []Span) []Span {
	var told []Span
	for _, s := range spans {
		if s.Word == 0 || s.Outcome >= 0 || s.Took*briefest >= spans[0].Took {
			told = append(told, s)
		}
	}
	return told
}

// PanelEntity is the number under which the shapes of a panel are written: those of panels come after those of entities.
func (l *Layout) PanelEntity(panel int) int { return len(l.Entities) + panel }

// Rows are the rows of a panel, in the order in which they were written.
func (l *Layout) Rows(t *Trace, panel int) []*Shape {
	var rows []*Shape
	for i := range t.Shapes {
		if t.Shapes[i].Entity == l.PanelEntity(panel) {
			rows = append(rows, &t.Shapes[i])
		}
	}
	return rows
}
