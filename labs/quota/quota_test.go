package quota

import (
	"slices"
	"testing"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"seedbed/labs"
	"seedbed/labs/labtest"
)

// Every preset keeps its word whatever the seed: nothing of what the texts claim is one run's luck.
func TestPresets(t *testing.T) {
	labtest.Presets(t, Coordinator, 200)
}

func TestTranscripts(t *testing.T) {
	labtest.Transcripts(t, Coordinator)
}

// Every run of a Spec is the same: nothing depends on crypto/rand, on the order of a map, or on what ran before.
func TestRunsAreTheSame(t *testing.T) {
	for _, p := range Coordinator.Presets {
		want := labtest.Run(t, Coordinator, p.Query).Digest()
		for range 10 {
			if got := labtest.Run(t, Coordinator, p.Query).Digest(); got != want {
				t.Errorf("%s: %s, and before %s", p.Name, got, want)
			}
		}
	}
}

// A run cannot be copied, so it keeps no checkpoints, and seeking replays it from the start: with the same events.
func TestSeekReplays(t *testing.T) {
	r, err := labs.Begin(labtest.Spec(t, Coordinator, Coordinator.Presets[0].Query), labs.Options{Seek: true})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Advance(1 << 13); err != nil {
			t.Fatal(err)
		}
	}
	log := r.Trace().Log
	for _, at := range []int64{0, 2_300_000_000, 2_920_000_000, 4_000_000_000} {
		k := slices.IndexFunc(log, func(e labs.Logged) bool { return e.At >= at })
		if got := r.Replay(at, 0, 50); !slices.Equal(got, log[k:k+50]) {
			t.Errorf("the replay from %d ns is not what the run did", at)
		}
	}
}

// The library draws election time-outs itself and has no setter. This fails when a release keeps them elsewhere, or reads them elsewhere
// than in Tick.
func TestElectionTicksAreOurs(t *testing.T) {
	if _, ok := timeoutOffset(); !ok {
		t.Fatal("raft.RawNode has no field raft.randomizedElectionTimeout of type int")
	}
	for _, patience := range []int{electionTick, 14, 2*electionTick - 1} {
		disk := raft.NewMemoryStorage()
		one := uint64(1)
		if err := disk.ApplySnapshot(&pb.Snapshot{Metadata: &pb.SnapshotMetadata{ConfState: &pb.ConfState{Voters: []uint64{1, 2, 3}}, Index: &one, Term: &one}}); err != nil {
			t.Fatal(err)
		}
		node, err := raft.NewRawNode(&raft.Config{
			ID: 1, ElectionTick: electionTick, HeartbeatTick: 1, Storage: disk, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 1, Logger: silent{},
		})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for node.BasicStatus().RaftState == raft.StateFollower && n < 100 {
			*electionTicks(node) = patience
			node.Tick()
			n++
		}
		if n != patience {
			t.Errorf("with a patience of %d ticks the node stood for election after %d", patience, n)
		}
	}
}

func TestEntriesSurviveTheLog(t *testing.T) {
	e := entry{kind: entryGrant, stamp: -5, want: 7, origin: 4, life: 3, asked: asked{slot: 1 << 20, number: 1 << 40, from: 2, sent: -1 << 50, want: 500}}
	if got := decode(encode(e)); got != e {
		t.Errorf("got %+v, want %+v", got, e)
	}
}

// The observer of logs, whom no run of ours gives anything to find: another entry at an index, or another term, is found; the same is not.
func TestLogsAreCompared(t *testing.T) {
	var j judge
	entry := func(index, term uint64, data string) *pb.Entry {
		return &pb.Entry{Index: &index, Term: &term, Data: []byte(data)}
	}
	for _, c := range []struct {
		e    *pb.Entry
		want bool
	}{
		{entry(2, 2, ""), true}, {entry(3, 2, "a"), true}, {entry(3, 2, "a"), true}, {entry(3, 2, "b"), false}, {entry(3, 3, "a"), false}, {entry(2, 2, ""), true},
	} {
		if got := j.agrees(c.e); got != c.want {
			t.Errorf("index %d, term %d, %q: agrees %v, want %v", c.e.GetIndex(), c.e.GetTerm(), c.e.GetData(), got, c.want)
		}
	}
}

// A follower that has forgotten what it answered stops when it hears more; the others go on without it.
func TestReplicaThatForgotStops(t *testing.T) {
	trace := labtest.Run(t, Coordinator, "keeps=nothing&down=0.1&do=1.4s:crash:r2")
	halted := slices.IndexFunc(trace.Log, func(e labs.Logged) bool { return e.Kind == eventHalt })
	if halted < 0 || trace.Log[halted].Entity != entityReplica+1 {
		t.Error("replica 2 came back with an empty log, and has not stopped")
	}
	if !trace.OK() {
		t.Errorf("a promise is broken, although two of three have kept everything: %+v", trace.Verdicts)
	}
}

// A decision by consensus costs a write and a way there and back more than one of a store: about the 5 to 8 ms of the notes.
func TestWhatADecisionCosts(t *testing.T) {
	mean := func(query string) int64 {
		return labtest.Metric(t, Coordinator, labtest.Run(t, Coordinator, query), "decision")
	}
	agreed, alone, batched := mean(""), mean("use=store"), mean("batch=20")
	if extra := agreed - alone; extra < 5_000_000 || extra > 8_000_000 {
		t.Errorf("agreed on in %d ns, alone in %d: the difference should be 5 to 8 ms", agreed, alone)
	}
	if batched > agreed/10 {
		t.Errorf("in batches of 20 a request still waits %d ns on average, and %d one by one", batched, agreed)
	}
}

// Two issuers give out twice the limit, three issuers three times.
func TestIssuers(t *testing.T) {
	for name, want := range map[string]int64{"split-brain": 200, "three-issuers": 300} { // order: each is a run of its own
		p, _ := Coordinator.Preset(name)
		if got := labtest.Metric(t, Coordinator, labtest.Run(t, Coordinator, p.Query), "peak"); got != want {
			t.Errorf("%s: at most %d units in a second, want %d", name, got, want)
		}
	}
}

// Nobody may ask for what cannot be promised.
func TestConflicts(t *testing.T) {
	for query, field := range map[string]string{"reserve=34": "reserve", "election=100&timeout=1001": "timeout"} { // order: each on its own
		_, err := labs.ParseQuery(Coordinator, query)
		if e, ok := err.(*labs.Error); !ok || e.Code != "conflict" || e.Field != field {
			t.Errorf("%s: %v, want a conflict of %s", query, err, field)
		}
	}
	labtest.Spec(t, Coordinator, "reserve=33")
	labtest.Spec(t, Coordinator, "local=none&reserve=34")
}
