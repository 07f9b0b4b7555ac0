package sharding_test

import (
	"slices"
	"testing"

	"seedbed/labs"
	"seedbed/labs/labtest"
	"seedbed/labs/sharding"
)

func TestMigratePresetsHoldOverSeeds(t *testing.T) { labtest.Claims(t, 200, sharding.ShardMigrate) }

func TestMigrateTranscripts(t *testing.T) { labtest.Transcripts(t, sharding.ShardMigrate) }

func TestAMigrationAllocatesNothingARequest(t *testing.T) {
	labtest.Allocations(t, sharding.ShardMigrate, "writes=1000&reads=1000&batch=200&length=60")
	labtest.Allocations(t, sharding.ShardMigrate, "old-route=forward&writes=500&reads=1000&stale=90&hold=60&batch=200&drain=1&length=80")
}

func migrate(t *testing.T, query string) (*labs.Trace, func(string) int64) {
	t.Helper()
	trace := labtest.Run(t, sharding.ShardMigrate, query)
	return trace, func(name string) int64 { return labtest.Metric(t, sharding.ShardMigrate, trace, name) }
}

// story is row 7 alone: copied as a draft in version 1, then written (ready, version 2) behind the snapshot, before the cut-over.
const story = "writes=0&reads=0&do=1.2s:write:client:7"

func TestTheDraftThatWasCopiedAndTheReadyRow(t *testing.T) {
	trace, metric := migrate(t, "use=strict-snapshot&"+story)
	v := trace.Verdicts[0]
	if v.OK || v.Count != 1 || v.Request != 1 || v.Facts != [labs.MaxFacts]int64{7, 2, 1} {
		t.Errorf("snapshot alone: got %+v, want request 1 lost: row 7, version 2, left in version 1", v)
	}
	if got := metric("lost"); got != 1 {
		t.Errorf("snapshot alone: %d rows lost, want 1", got)
	}
	trace, metric = migrate(t, story)
	if !trace.OK() || metric("lost") != 0 || metric("epoch") != 2 {
		t.Errorf("with the replay: %+v, lost %d, epoch %d; want all kept under epoch 2", trace.Verdicts, metric("lost"), metric("epoch"))
	}
	if got := metric("moved"); got != 100+1+100 {
		t.Errorf("with the replay %d rows were moved or compared, want 100 copied, 1 replayed, 100 compared", got)
	}
}

// The figures of the text, each from the run that it stands for.
func TestFiguresOfMigrations(t *testing.T) {
	for _, c := range []struct {
		name, query, metric string
		low, high           int64
	}{
		{"nothing is lost", "", "lost", 0, 0},
		{"one epoch more", "", "epoch", 2, 2},
		{"going back takes another", "do=4s:rollback", "epoch", 3, 3},
		{"so does calling it off before the cut-over", "do=1.3s:rollback", "epoch", 3, 3},
		{"a call in the midst of the fence too", "do=1.7s:rollback", "epoch", 3, 3},
		{"after the clean-up there is nothing to go back to", "do=8s:rollback", "epoch", 2, 2},
		{"writes wait while the copy is verified", "", "shut", 200_000_000, 700_000_000},
		{"a shard that is cut off is given up after the bound", "fence-max=500&do=1.6s:partition:new", "shut", 500_000_000, 700_000_000},
		{"and the old owner goes on under a new epoch", "fence-max=500&do=1.6s:partition:new", "epoch", 3, 3},
		{"without the bound it stays shut until the shard is back", "fence-max=0&do=1.6s:partition:new&do=6s:heal:new", "shut", 4_400_000_000, 5_500_000_000},
		{"forwarding spares the client nothing but the asking", "old-route=forward&stale=60&hold=10", "forwarded", 300, 1200},
		{"every request gets its answer", "old-route=forward&stale=60&hold=10", "given-up", 0, 0},
		{"a step by hand is a step", "pace=60000&do=1.1s:step&do=1.2s:step&do=1.3s:step", "moved", 40, 40},
		{"the snapshot alone keeps writes waiting least", "use=strict-snapshot", "shut", 50_000_000, 50_000_000},
		{"and loses what came behind it", "use=strict-snapshot", "lost", 1, 100},
		{"what the new owner took is lost by the route alone", "use=route-only-rollback&do=4s:rollback", "lost", 20, 100},
	} {
		_, metric := migrate(t, c.query)
		if got := metric(c.metric); got < c.low || got > c.high {
			t.Errorf("%s: ?%s: %s is %d, want %d to %d", c.name, c.query, c.metric, got, c.low, c.high)
		}
	}
}

// The coordinator dies after any number of operations, from the plan to the clean-up, with and without a roll back.
func TestTheCoordinatorMayDieAnywhere(t *testing.T) {
	runs, crashes := 0, 0
	for _, at := range []string{"0.9s", "1.2s", "1.42s", "1.52s", "1.58s", "1.7s", "1.81s", "1.9s", "4.8s"} {
		for operations := range 10 {
			for _, more := range []string{"", "&do=2.5s:rollback", "&do=4s:rollback"} {
				do := "&do=" + at + ":crash:coordinator:" + string(rune('0'+operations))
				query := "length=9&down=0.3" + do + more
				if at == "4.8s" && more != "" {
					query = "length=9&down=0.3" + more + do
				}
				trace, metric := migrate(t, query)
				runs++
				for _, m := range trace.Marks {
					if m.Kind < labs.MarkAction && sharding.ShardMigrate.Events[m.Kind].Name == "crash" {
						crashes++
					}
				}
				if !trace.OK() || metric("done") != 1 {
					t.Errorf("?%s: done %d, %+v", query, metric("done"), trace.Verdicts)
				}
			}
		}
	}
	if crashes < runs*9/10 {
		t.Errorf("%d crashes in %d runs, too few to say something", crashes, runs)
	}
}

// A replay from a checkpoint is the run itself: the copy of a run works on its own stores.
func TestAReplayIsTheRun(t *testing.T) {
	labtest.Copies(t, sharding.ShardMigrate, "do=1.81s:crash:coordinator:6&do=4s:rollback")
}

func TestALagAboveABatchIsRefused(t *testing.T) {
	_, err := labs.ParseQuery(sharding.ShardMigrate, "batch=3")
	if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != "lag" {
		t.Errorf("got %v, want a conflict of lag", err)
	}
}

// What the stage shows of ownership: who owns, under which epoch, what each shard obeys, and how far each log has come.
func TestMigrationsAreDrawn(t *testing.T) {
	const old, new, oldLog, newLog = 4, 5, 6, 7 // as the layout has them
	at := func(trace *labs.Trace, entity int, ms int64) []int64 {
		var is []int64
		for _, h := range trace.Shapes {
			if h.Entity == entity && h.At <= ms*1_000_000 {
				is = h.Values
			}
		}
		return is
	}
	for _, c := range []struct {
		name, query string
		entity      int
		ms          int64
		want        []int64
	}{
		{"at first the old shard owns", "", old, 0, []int64{1, 1, 1, 2}},
		{"and the new one has heard of nothing", "", new, 0, []int64{0, 0, 0, 0}},
		{"while rows are copied the new one obeys the next epoch alone", "", new, 1200, []int64{0, 0, 2, 0}},
		{"the old log is carried over from where the copy began", "", oldLog, 1200, []int64{154, -1}},
		{"behind the fence the old shard serves reads alone", "", old, 1700, []int64{1, 1, 2, 1}},
		{"and its log ends at the fence, carried to its end", "", oldLog, 1700, []int64{183, 183}},
		{"then the new one owns", "", new, 2000, []int64{1, 2, 2, 2}},
		{"and the old one serves nobody", "", old, 2000, []int64{0, 1, 2, 0}},
		{"while the old copy follows", "", newLog, 2000, []int64{23, -1}},
		{"until it is emptied", "", newLog, 5000, []int64{-1, -1}},
		{"without a fence both take writes", "use=no-fence", old, 2000, []int64{0, 1, 1, 2}},
		{"a roll back gives the old one an epoch of its own", "do=4s:rollback", old, 5000, []int64{1, 3, 3, 2}},
		{"and so does a move that was called off", "fence-max=500&do=1.6s:partition:new", old, 3000, []int64{1, 3, 3, 2}},
	} {
		trace, _ := migrate(t, c.query)
		if got := at(trace, c.entity, c.ms); !slices.Equal(got, c.want) {
			t.Errorf("%s: at %d ms got %v, want %v", c.name, c.ms, got, c.want)
		}
	}
}
