package labs

// Layout is what a run of a given configuration records and looks like. It is data: entities of a few shared kinds, places as ranks
// and rows, links, and which columns tell their state. Renderers turn it into a picture of any width.
type Layout struct {
	Columns  []Column
	Entities []Entity
	Links    []Link
	Plots    []Plot
	Panels   []Panel // their rows are shapes, numbered behind those of the entities
}

// Gather says how the values of one row of a column come together.
type Gather uint8

// The ways to gather.
const (
	Sum  Gather = iota // of what Env.Add gave within the row
	Last               // the value of Env.Set that held at the row's end
	Peak               // the largest value of Env.Set that held within the row
)

// Column is one recorded series: a value a row, where a row is Trace.Grain long.
type Column struct {
	Quantity
	Gather Gather
}

// Kind is what an entity is. A new one is added only when the field has a new thing.
type Kind uint8

// The kinds of entities that a stage can show.
const (
	Client Kind = iota
	Gateway
	Limiter
	Pool
	Queue
	Node
	Ring
	Shard
	EventLog
	Cache
	Database
	Breaker
	Coordinator
)

func (k Kind) String() string {
	return [...]string{"client", "gateway", "limiter", "pool", "queue", "node", "ring", "shard", "log", "cache", "database", "breaker", "coordinator"}[k]
}

// The numbers of a Ring's shape, three for each mark, ascending by place: the place on the circle in 1/2^32 of a turn, the entity
// that owns it (an index into Entities, -1 for nobody), and what it is.
const (
	ArcStart  = iota // an arc begins here, and reaches to the next start
	KeyStays         // a key that has its owner from before
	KeyMoved         // a key that has moved
	KeyMisled        // a key that moved without need
)

// The numbers of a Shard's shape, in their order.
const (
	ShardOwner = iota // 1 while the map names it the owner, else 0
	ShardEpoch        // the epoch for which it was opened last; 0 for none
	ShardFence        // the newest epoch that it has heard of: nothing older is obeyed; 0 for none
	ShardGate         // 0 serves nobody, 1 serves reads alone, 2 takes writes
	ShardShape        // how many there are
)

// The numbers of an EventLog's shape, in their order: positions in it.
const (
	LogCarried = iota // up to which it has been carried elsewhere; -1 while it is not
	LogFence          // behind which nothing is written; -1 while there is no fence
	LogShape          // how many there are
)

// Entity is one thing on the stage. Its place is a rank (0 where requests come from, growing the way they go) and a row within the
// rank; a wide stage lays ranks from left to right, a narrow one from top to bottom.
type Entity struct {
	Name      string // unique; the target of actions
	Label     string // key of its text; Name when empty
	N         int    // its number among entities of the same label, from 1; 0 when there is one
	Kind      Kind
	Rank, Row int
	Judged    bool   // the checks judge this one
	Level     string // column: how full it is now; empty when it has no level
	Full      int64  // level at which it is full; 0 when unbounded
	Passed    string // column (Sum): how many it let through
	Refused   string // column (Sum): how many it turned away
	Down      string // column (Last): not 0 while it is out of order
}

// Link is a way that requests go.
type Link struct{ From, To string }

// Plot is a chart under the timeline: columns on one axis, with an optional bound that must not be passed.
type Plot struct {
	Name    string
	Columns []string
	Bound   int64 // in the columns' base unit; 0 for none
}

// Record adds a column. It and its two siblings are out of line because every lab calls them a dozen times.
//
//go:noinline
func (l *Layout) Record(name string, unit Unit, gather Gather) {
	l.Columns = append(l.Columns, Column{Quantity: Quantity{Name: name, Unit: unit}, Gather: gather})
}

// Place adds an entity and ways to it from others, named.
//
//go:noinline
func (l *Layout) Place(e Entity, from ...string) {
	l.Entities = append(l.Entities, e)
	for _, f := range from {
		l.Links = append(l.Links, Link{From: f, To: e.Name})
	}
}

// Plot adds a chart of columns; bound 0 is none.
//
//go:noinline
func (l *Layout) Plot(name string, bound int64, columns ...string) {
	l.Plots = append(l.Plots, Plot{Name: name, Columns: columns, Bound: bound})
}

// targets resolves names and labels to the names of entities, in the layout's order.
func (l *Layout) targets(names []string) []string {
	var found []string
	for i := range l.Entities {
		e := &l.Entities[i]
		for _, n := range names {
			if n == e.Name || n == e.label() {
				found = append(found, e.Name)
				break
			}
		}
	}
	return found
}

// label is the key of the entity's text.
func (e *Entity) label() string {
	if e.Label != "" {
		return e.Label
	}
	return e.Name
}

// Entity returns the index of the entity of that name, or -1.
func (l *Layout) Entity(name string) int {
	for i := range l.Entities {
		if l.Entities[i].Name == name {
			return i
		}
	}
	return -1
}

// Column returns the index of the column of that name, or -1.
func (l *Layout) Column(name string) int {
	for i := range l.Columns {
		if l.Columns[i].Name == name {
			return i
		}
	}
	return -1
}
