package incidents_test

import (
	"testing"

	"seedbed/labs"
	"seedbed/labs/incidents"
	"seedbed/labs/labtest"
)

var layerings = []string{"all", "none", "cache", "flow", "heal", "cache-flow", "cache-heal", "flow-heal"}

// lost is how many orders each combination of layers loses, or does later than promised, with one seed.
func lost(t *testing.T, query string, seed uint64) map[string]int64 {
	t.Helper()
	spec := labtest.Spec(t, incidents.Avalanche, query)
	spec.Seed = seed
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int64{}
	for _, l := range layerings {
		of[l] = labtest.Metric(t, incidents.Avalanche, trace, "lost."+l) + labtest.Metric(t, incidents.Avalanche, trace, "late."+l)
	}
	return of
}

// The claim of the chapter: at the incident's load all three layers get every order done in the promised time, and each one of them, and
// each two, lose orders or are late.
func TestOnlyAllThreeLayersSaveTheOrders(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 10
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		for l, n := range lost(t, "", seed) {
			if (n == 0) != (l == "all") {
				t.Errorf("seed %d: with the layers %s %d orders are lost or late", seed, l, n)
			}
		}
	}
}

// The line before the pool is as long as its promise: nobody in it is late. One that is too long refuses nobody, and is late; where people
// wait for longer, cache and flow suffice with it.
func TestTheLineAndThePromise(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		for _, c := range []struct {
			query      string
			lost, late bool
		}{
			{"use=cache-flow", true, false},
			{"use=cache-flow&backlog=300", false, true},
			{"use=cache-flow&backlog=300&promise=15&length=40", false, false},
		} {
			spec := labtest.Spec(t, incidents.Avalanche, c.query)
			spec.Seed = seed
			trace, err := labs.Run(spec, labs.Options{})
			if err != nil {
				t.Fatal(err)
			}
			of := func(name string) int64 { return labtest.Metric(t, incidents.Avalanche, trace, name) }
			if lost, late := of("lost.cache-flow"), of("late.cache-flow"); (lost > 0) != c.lost || (late > 0) != c.late {
				t.Errorf("%s: %d orders are lost and %d late, want lost %v and late %v", spec.Text(), lost, late, c.lost, c.late)
			}
			if placed, ended := of("orders"), of("done")+of("lost-waiting")+of("lost-refused")+of("open"); placed != ended {
				t.Errorf("%s: %d orders were placed, and %d done, lost or open", spec.Text(), placed, ended)
			}
			// An order that was acknowledged is not dropped, so that what is open is what waits or is worked on.
			line := trace.Column("backlog").Values
			if open, most := of("open"), line[len(line)-1]+6*4; open > most {
				t.Errorf("%s: %d orders are open, at most %d wait or are worked on", spec.Text(), open, most)
			}
		}
	}
}

// Up to which load two layers suffice, each two of them, and one, and none: on the grid of the chapter's table, for all of these seeds.
func TestTheLoadThatTwoLayersBear(t *testing.T) {
	const seeds = 15
	grid := []string{"load=1", "load=1.5", "load=2", "load=3", "load=4", "load=5.5", "load=8"}
	want := map[string]int{"none": 0, "cache": 1, "flow": 1, "heal": 2, "cache-flow": 3, "cache-heal": 2, "flow-heal": 3, "all": 5}
	got := map[string]int{}
	for _, l := range layerings {
		got[l] = len(grid) - 1
	}
	for i, query := range grid {
		last := uint64(seeds)
		if i == len(grid)-1 {
			last = 1 // nothing bears that, as one run shows
		}
		for seed := uint64(1); seed <= last; seed++ {
			for l, n := range lost(t, query, seed) {
				if n > 0 {
					got[l] = min(got[l], i-1)
				}
			}
		}
	}
	for _, l := range layerings {
		if got[l] != want[l] {
			t.Errorf("%s bears up to number %d of %v, want number %d", l, got[l], grid, want[l])
		}
	}
}

// More limiter is no remedy: whatever the limit, a limiter alone loses orders, by the storm or by its own hand.
func TestNoLimitSavesTheOrders(t *testing.T) {
	const alone = "use=flow&breaker=off&bulkhead=off&degrade=off&queue=off"
	trace := labtest.Run(t, incidents.Avalanche, alone+"&limit=10000")
	free := labtest.Metric(t, incidents.Avalanche, trace, "lost.none")
	for _, limit := range []string{"1", "2", "5", "10", "15", "20", "30", "40", "60", "80", "120", "240", "10000"} {
		trace := labtest.Run(t, incidents.Avalanche, alone+"&limit="+limit)
		if n := labtest.Metric(t, incidents.Avalanche, trace, "lost.flow"); n < free/3 {
			t.Errorf("with %s pages a second an instance %d orders are lost, without a limit %d; want at least a third", limit, n, free)
		}
	}
}

// switches are the switches in their order.
var switches = []string{"jitter", "single", "stale", "local", "limiter", "breaker", "bulkhead", "degrade", "queue", "alerts", "scale", "warm"}

// No single defence saves the orders, nor any two of them.
func TestNoTwoSwitchesSaveTheOrders(t *testing.T) {
	for i := range switches {
		for j := i; j < len(switches); j++ {
			query := "length=11"
			for k, name := range switches {
				if k != i && k != j {
					query += "&" + name + "=off"
				}
			}
			trace := labtest.Run(t, incidents.Avalanche, query)
			if labtest.Metric(t, incidents.Avalanche, trace, "lost.all") == 0 {
				t.Errorf("%s and %s alone lose no order", switches[i], switches[j])
			}
		}
	}
}

// Which switch may be missing while the others are there, as the chapter's table has it. Accepting first is needed as soon as machines take
// longer to boot.
func TestWhatMayBeMissing(t *testing.T) {
	needed := map[string]bool{"degrade": true, "alerts": true, "scale": true}
	for seed := uint64(1); seed <= 3; seed++ {
		for _, name := range switches {
			if of := lost(t, name+"=off", seed); name != "queue" && (of["all"] > 0) != needed[name] {
				t.Errorf("seed %d: without %s %d orders are lost", seed, name, of["all"])
			}
		}
		if with, without := lost(t, "boot=5", seed)["all"], lost(t, "boot=5&queue=off", seed)["all"]; without <= with {
			t.Errorf("seed %d: with slow machines %d orders are lost without the queue, %d with it", seed, without, with)
		}
	}
}

// The third layer saves only when it acts in time.
func TestHelpThatComesTooLate(t *testing.T) {
	for _, query := range []string{"alerts=off", "scale=off", "boot=20", "notice=20"} {
		if of := lost(t, query, 1); of["all"] == 0 {
			t.Errorf("%s: no order is lost", query)
		}
	}
}

// A tier that may go: with copies in the processes a dead Redis costs fewer orders than without.
func TestCopiesOutliveRedis(t *testing.T) {
	with, without := lost(t, "do=12s:kill:redis", 1)["all"], lost(t, "local=off&do=12s:kill:redis", 1)["all"]
	if 3*with >= without {
		t.Errorf("when Redis dies %d orders are lost with copies in the processes, %d without; want less than a third", with, without)
	}
}

// Actions are heard once.
func TestTheActionsOfAvalanche(t *testing.T) {
	trace := labtest.Run(t, incidents.Avalanche, "load=1&end=12&do=2s:kill:redis&do=3s:kill:redis&do=6s:revive:redis&do=8s:expire:redis&do=9s:slow:database:500&do=9s:surge::300")
	count := map[string]int{}
	for _, m := range trace.Marks {
		if m.Kind < labs.MarkAction {
			count[incidents.Avalanche.Events[m.Kind].Name]++
		}
	}
	for name, want := range map[string]int{"die": 1, "back": 1, "end": 2, "slow": 1} {
		if count[name] != want {
			t.Errorf("%s is marked %d times, want %d", name, count[name], want)
		}
	}
	if down := trace.Column("down").Values; down[4*second/trace.Grain] != 1 || down[7*second/trace.Grain] != 0 {
		t.Error("the column down does not tell")
	}
}

func TestAvalancheRefusesWhatCannotBe(t *testing.T) {
	_, err := labs.ParseQuery(incidents.Avalanche, "connections=2")
	if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != "reserved" {
		t.Errorf("got %v, want a conflict of reserved", err)
	}
}
