package rings

import (
	"strconv"

	"seedbed/chapters/ring"
	"seedbed/labs"
)

// HashRing asks how evenly a way of owning keys spreads them, and whether only the keys move that have to when a node comes or goes.
var HashRing = &labs.Lab{
	ID: "hash-ring", Version: 1, Family: "rings",
	Params: []labs.Param{
		{Name: "use", Choices: ways, Default: wayRing},
		{Name: "nodes", Min: 1, Max: maxNodes, Default: 8, Log: true},
		{Name: "points", Min: 1, Max: 1000, Default: 160, Log: true, Unused: "use=ring"},
		{Name: "keys", Min: 1, Max: 1_000_000, Default: 10_000, Log: true},
		{Name: "bound", Unit: labs.Percent, Min: 10_000, Max: 10_000_000, Default: 500_000, Log: true},
		{Name: "change", Choices: []string{"remove", "add", "none"}},
	},
	Actions: []labs.Action{
		{Verb: "remove", Targets: []string{"node"}},
		{Verb: "add"},
	},
	Checks: []labs.Check{
		{Name: "only-needed-keys-move", Facts: []labs.Quantity{{Name: "needless"}, {Name: "moved"}, {Name: "keys"}}},
		{Name: "bounded-load", Facts: []labs.Quantity{{Name: "load"}, {Name: "cap"}, {Name: "node"}}},
	},
	Metrics: hashMetrics(),
	Events: []labs.EventKind{
		{Name: "place", A: labs.Quantity{Name: "keys"}, B: labs.Quantity{Name: "fullest"}, Flow: labs.Wait},
		{Name: "remove", A: labs.Quantity{Name: "moved"}, B: labs.Quantity{Name: "needless"}, Mark: true},
		{Name: "add", A: labs.Quantity{Name: "moved"}, B: labs.Quantity{Name: "needless"}, Mark: true},
		{Name: "refuse-early", A: labs.Quantity{Name: "placed"}, B: labs.Quantity{Name: "keys"}, Mark: true},
		{Name: "refuse-last", Mark: true},
		{Name: "refuse-absent", Mark: true},
		{Name: "refuse-full", A: labs.Quantity{Name: "nodes"}, Mark: true},
	},
	Presets: []labs.Preset{
		{Name: "default"},
		{Name: "a-node-comes", Query: "change=add"},
		{Name: "rendezvous", Query: "use=rendezvous"},
		{Name: "maglev", Query: "use=maglev"},
		{Name: "anchor", Query: "use=anchor"},
		{Name: "multi-probe", Query: "use=multi-probe&bound=100"},
		{Name: "bounded", Query: "use=bounded&bound=25"},
		{Name: "jump-grows", Query: "use=jump&change=add"},
		{Name: "modulo", Query: "use=modulo", Breaks: "only-needed-keys-move"},
		{Name: "jump-shrinks", Query: "use=jump", Breaks: "only-needed-keys-move"},
		{Name: "one-point-a-node", Query: "points=1&bound=25", Breaks: "bounded-load"},
	},
	Valid: func(c labs.Config) error {
		if c.Int("nodes") == 1 && c.Choice("change") == "remove" {
			return &labs.Error{Code: "conflict", Field: "nodes", Got: "1", Want: "a node can go only where another stays"}
		}
		return nil
	},
	Horizon: func(labs.Config) int64 { return 3 * second },
	Layout:  hashLayout,
	Start:   startHashRing,
}

const (
	second   = 1_000_000_000
	maxNodes = 1000
	drawn    = 100 // nodes of which each has a column and a place of its own; more are only counted
)

// The ways to own keys, in the order of the choices of use. Bounded loads lie over the ring.
const (
	wayModulo = iota
	wayRing
	wayRendezvous
	wayJump
	wayMaglev
	wayBounded
	wayMultiProbe
	wayAnchor
	nWay
)

var ways = []string{"modulo", "ring", "rendezvous", "jump", "maglev", "bounded", "multi-probe", "anchor"}

// algorithm is the structure under each way.
var algorithm = [nWay]ring.Algorithm{
	ring.AlgorithmModulo, ring.AlgorithmRing, ring.AlgorithmRendezvous, ring.AlgorithmJump, ring.AlgorithmMaglev, ring.AlgorithmRing,
	ring.AlgorithmMultiProbe, ring.AlgorithmAnchor,
}

// The codes of the lab's tables, in their order.
const (
	hashPlace = iota
	hashRemove
	hashAdd
	hashRefuseEarly  // a change is judged by all keys, so it waits for them
	hashRefuseLast   // somebody must own the keys
	hashRefuseAbsent // the node has gone, or has not come yet
	hashRefuseFull   // no more nodes than the run has room for
)

const (
	checkNeeded = iota
	checkBounded
)

// The metrics: those of the judged way, then three a way.
const (
	hashKeys = iota
	hashNodes
	hashMoved
	hashNeedless
	hashNeeded
	hashFullest
	hashCV
	hashEach
)

func hashMetrics() []labs.Quantity {
	m := []labs.Quantity{
		{Name: "keys"}, {Name: "nodes"}, {Name: "moved"}, {Name: "needless"}, {Name: "share-of-one", Unit: labs.Percent},
		{Name: "fullest", Unit: labs.Ratio}, {Name: "cv", Unit: labs.Ratio},
	}
	for _, w := range ways {
		m = append(m, labs.Quantity{Name: "moved." + w, Unit: labs.Percent}, labs.Quantity{Name: "fullest." + w, Unit: labs.Ratio}, labs.Quantity{Name: "memory." + w, Unit: labs.Bytes})
	}
	return m
}

// The columns: three of all, then one a node.
const (
	hashColumnPlaced = iota
	hashColumnMoved
	hashColumnFullest
	hashColumnNode
)

// The entities: the client, the ring, then the nodes.
const (
	entityRing = 1
	entityNode = 2
)

func hashLayout(c labs.Config) (l labs.Layout) {
	l.Record("placed", labs.Count, labs.Sum)
	l.Record("moved", labs.Count, labs.Sum)
	l.Record("fullest", labs.Count, labs.Last)
	n := shownNodes(c)
	l.Place(labs.Entity{Name: "client", Kind: labs.Client})
	l.Place(labs.Entity{Name: "ring", Kind: labs.Ring, Rank: 1, Judged: true}, "client")
	most := capOf(c.Int("keys"), c.Int("nodes"), c.Int("bound"))
	for i := range n {
		name := nodeName(i)
		l.Record("load."+name, labs.Count, labs.Last)
		l.Place(labs.Entity{Name: name, Label: "node", N: i + 1, Kind: labs.Node, Rank: 2, Row: i, Level: "load." + name, Full: most}, "ring")
	}
	l.Plot("fullest", most, "fullest")
	l.Plot("moved", 0, "placed", "moved")
	return l
}

// shownNodes is how many nodes a run of the configuration can come to have, as far as they are drawn.
func shownNodes(c labs.Config) int {
	if n := c.Int("nodes"); n < drawn {
		return int(n) + 1 // one may come
	}
	return 0
}

// nodeName is the name of the i-th node, from 0, so that the names sort as the numbers do: a ring keeps its members by name.
func nodeName(i int) string {
	digits := strconv.Itoa(i + 1)
	return "node-" + "0000"[min(4, len(digits)):] + digits
}

// capOf is the most keys that a node may hold under a bound: ⌈(1 + bound) · keys / nodes⌉.
func capOf(keys, nodes, bound int64) int64 {
	n := nodes * 1_000_000
	return (keys*(1_000_000+bound) + n - 1) / n
}

// The kinds of simulated events.
const (
	hashBatch  = iota // a fiftieth of the keys is placed
	hashChange        // a node comes or goes
)

const (
	batches      = 50
	shadowedKeys = 20_000 // the shadows are asked about so many keys at most
	ticks        = 240    // keys that are drawn on the ring
)
