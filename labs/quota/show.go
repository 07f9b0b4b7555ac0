package quota

import (
	"strconv"

	"seedbed/labs"
)

// The events, in the order of the lab's table.
const (
	eventAdmit = iota
	eventOwn
	eventRefuse
	eventUnanswered
	eventGrant
	eventCrash
	eventBack
	eventPartition
	eventHeal
	eventSlow
	eventDrift
	eventLead
	eventFollow
	eventQuiet
	eventPromote
	eventTransfer
	eventAlarm
	eventCalm
	eventStart
	eventHalt
)

var events = []labs.EventKind{
	{Name: "admit", A: labs.Quantity{Name: "request"}, B: labs.Quantity{Name: "wait", Unit: labs.Millis}, Flow: labs.Pass},
	{Name: "own", A: labs.Quantity{Name: "request"}, Flow: labs.Pass},
	{Name: "refuse", A: labs.Quantity{Name: "request"}, Flow: labs.Bounce},
	{Name: "unanswered", A: labs.Quantity{Name: "request"}, Flow: labs.Bounce},
	{Name: "grant", A: labs.Quantity{Name: "units"}, B: labs.Quantity{Name: "service"}},
	{Name: "crash", Mark: true},
	{Name: "back", Mark: true},
	{Name: "partition", Mark: true},
	{Name: "heal", Mark: true},
	{Name: "slow", A: labs.Quantity{Name: "disk", Unit: labs.Millis}, Mark: true},
	{Name: "drift", A: labs.Quantity{Name: "rate", Unit: labs.Percent}, Mark: true},
	{Name: "lead", A: labs.Quantity{Name: "term"}, Mark: true},
	{Name: "follow", A: labs.Quantity{Name: "term"}, Mark: true},
	{Name: "quiet", A: labs.Quantity{Name: "term"}, Mark: true},
	{Name: "promote", A: labs.Quantity{Name: "term"}, Mark: true},
	{Name: "transfer", A: labs.Quantity{Name: "term"}, Mark: true},
	{Name: "alarm", A: labs.Quantity{Name: "silence", Unit: labs.Millis}, Mark: true},
	{Name: "calm", Mark: true},
	{Name: "start", Mark: true},
	{Name: "halt", Mark: true},
}

// The entities: the requests, then the services, then the replicas.
const (
	entityService = 1
	entityReplica = entityService + services
)

// The columns: those of the whole, then those of each service, then those of each replica.
const (
	columnSpent   = iota // in the second that runs
	columnLeaders        // that think they lead
	columnService
)

// What is recorded of each service.
const (
	ofAdmitted = iota
	ofRefused
	ofOwn
	ofWaiting
	ofAlone
	ofServiceDown
	nOfService
)

// What is recorded of each replica.
const (
	ofGranted = iota
	ofLeads
	ofTerm
	ofLog
	ofReplicaDown
	nOfReplica
)

const columnReplica = columnService + services*nOfService

func serviceName(i int) string { return "s" + strconv.Itoa(i+1) }
func replicaName(i int) string { return "r" + strconv.Itoa(i+1) }

// replicas is how many decide; with equal shares alone nobody asks those who are there.
func replicas(c labs.Config) int {
	if c.Int("use") == useLocal {
		return 0
	}
	return int(c.Int("nodes"))
}

func layout(c labs.Config) (l labs.Layout) {
	l.Record("spent", labs.Count, labs.Peak)
	l.Record("leaders", labs.Count, labs.Peak)
	l.Place(labs.Entity{Name: "clients", Kind: labs.Client, Row: 1})
	perService := [nOfService]string{"admitted.", "refused.", "own.", "waiting.", "alone.", "down."}
	var alone, own []string
	for i := range services {
		name := serviceName(i)
		for j, what := range perService {
			l.Record(what+name, labs.Count, [nOfService]labs.Gather{labs.Sum, labs.Sum, labs.Sum, labs.Peak, labs.Last, labs.Last}[j])
		}
		alone, own = append(alone, "alone."+name), append(own, "own."+name)
		l.Place(labs.Entity{
			Name: name, Label: "service", N: i + 1, Kind: labs.Gateway, Rank: 1, Row: i, Judged: true, Level: "waiting." + name,
			Passed: "admitted." + name, Refused: "refused." + name, Down: "down." + name,
		}, "clients")
	}
	var leads []string
	perReplica := [nOfReplica]string{"granted.", "leads.", "term.", "log.", "down."}
	for i := range int(c.Int("nodes")) {
		name := replicaName(i)
		for j, what := range perReplica {
			l.Record(what+name, labs.Count, [nOfReplica]labs.Gather{labs.Sum, labs.Last, labs.Last, labs.Last, labs.Last}[j])
		}
		leads = append(leads, "leads."+name)
		from := []string{}
		if i < services {
			from = append(from, serviceName(i))
		}
		l.Place(labs.Entity{
			Name: name, Label: "replica", N: i + 1, Kind: labs.Coordinator, Rank: 2, Row: i, Judged: true, Level: "leads." + name, Full: 1,
			Passed: "granted." + name, Down: "down." + name,
		}, from...)
	}
	l.Plot("spent", c.Int("limit"), "spent")
	l.Plot("leads", 0, leads...)
	l.Plot("own", 0, own...)
	l.Plot("alone", 0, alone...)
	return l
}
