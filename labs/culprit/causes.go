package culprit

import "seedbed/labs/sim"

// cause is what is wrong, in the order of the choices of the accusation; the first accuses of nothing yet.
type cause uint8

const (
	causeOpen      cause = iota
	slowQuery            // an index is missing after a release: every query reads the table
	cacheExpiry          // what is cached ends together, again and again
	hotKey               // one article is asked of one place of the cache
	bigBatch             // large baskets are asked for in one batch, which holds the cache up
	poolTooSmall         // a release left one worker
	threadLeak           // workers get lost one after another
	memoryLeak           // the collector takes more of the time, the longer it lasts
	retryStorm           // callers give up too early and come again at once
	slowThirdParty       // somebody else's API answers late
	networkLoss          // packets to the database are lost and sent again
	badInstance          // one of several instances is slow
	badFlag              // a switch sends some requests into code that throws
	fullDisk             // the disks of the instances fill up one after another
	expiredCert          // new connections are refused
	nCause
)

var causes = []string{
	"open", "slow-query", "cache-expiry", "hot-key", "big-batch", "pool-too-small", "thread-leak", "memory-leak", "retry-storm",
	"slow-third-party", "network-loss", "bad-instance", "bad-flag", "full-disk", "expired-certificate",
}

// incident is what goes wrong in a case: the answer that the reader looks for. It is drawn from the number of the case alone, so that the
// traffic may be another while the case is the same.
type incident struct {
	cause cause
	place int   // a service before nPlace
	onset int64 // ns
	ramp  int64 // ns from the onset until it is at its worst
	wave  int64 // ns from wave to wave; 0 for what stays
	crest int64 // ns that a wave lasts
	extra int64 // ns: what it adds to what it slows down, on average
	share int64 // of the calls that it meets at its worst, parts in a million
	hot   int64 // the article that everybody wants
}

func draw(number int64) incident {
	r := sim.NewStream(uint64(number), "incident")
	in := incident{cause: 1 + cause(r.Below(int64(nCause-1)))}
	in.place = placeOf(&r, in.cause == slowThirdParty)
	in.onset = 40*second + r.Below(40)*second
	in.ramp = r.Below(20) * second
	in.extra = 340*milli + r.Below(180)*milli
	in.share = million
	in.hot = firstArticle + r.Below(nArticle)
	switch in.cause {
	case cacheExpiry:
		in.wave, in.crest, in.ramp = 42*second+r.Below(16)*second, 12*second+r.Below(6)*second, 0
	case memoryLeak, fullDisk:
		in.ramp = 90*second + r.Below(50)*second
	case threadLeak:
		in.ramp = 50*second + r.Below(40)*second // only the last few that are lost are missed
	}
	switch in.cause {
	case hotKey, bigBatch, badInstance, networkLoss:
		in.share = 90_000 + r.Below(170_000)
	case badFlag, fullDisk, expiredCert:
		in.share = 150_000 + r.Below(450_000)
	}
	return in
}

// placeOf draws a service; only some of them call anybody outside.
func placeOf(r *sim.Stream, callsOutside bool) int {
	for {
		place := int(r.Below(nPlace))
		if !callsOutside || services[place].outside {
			return place
		}
	}
}

// severity is how bad it is at an instant, 0..1,000,000.
func (in *incident) severity(at int64) int64 {
	since := at - in.onset
	switch {
	case since < 0:
		return 0
	case in.wave > 0:
		if since%in.wave < in.crest {
			return million
		}
		return 0
	case since >= in.ramp:
		return million
	}
	return since / 1000 * million / (in.ramp / 1000)
}

// at is the severity of a cause at a place; 0 when the incident is another.
func (in *incident) at(c cause, place int, now int64) int64 {
	if in.cause != c || in.place != place {
		return 0
	}
	return in.severity(now)
}
