package bridge

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"seedbed/labs"
)

// sections is the other side's reader, written from the description in the package comment.
type sections struct {
	t       *testing.T
	text    map[string]string
	numbers map[string][]int64
}

func read(t *testing.T, b []byte) sections {
	t.Helper()
	s := sections{t: t, text: map[string]string{}, numbers: map[string][]int64{}}
	for len(b) > 0 {
		named, kind, count := int(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint32(b[4:]), int(binary.LittleEndian.Uint64(b[8:]))
		name := string(b[16 : 16+named])
		b = b[16+(named+7)/8*8:]
		if kind == 1 {
			s.text[name] = string(b[:count])
			b = b[(count+7)/8*8:]
			continue
		}
		s.numbers[name] = []int64{}
		for i := range count {
			s.numbers[name] = append(s.numbers[name], int64(binary.LittleEndian.Uint64(b[8*i:])))
		}
		b = b[8*count:]
	}
	return s
}

// fault is the reply's error; a reply without one fails the test.
func (s sections) fault() (f struct {
	Code, Field, Got, Want, Text string
	At                           int64
}) {
	s.t.Helper()
	if s.text["error"] == "" {
		s.t.Fatal("the call succeeded; it should have failed")
	}
	if err := json.Unmarshal([]byte(s.text["error"]), &f); err != nil {
		s.t.Fatalf("error is not JSON: %v: %s", err, s.text["error"])
	}
	return f
}

func (s sections) number(name string, i int) int64 {
	s.t.Helper()
	if s.text["error"] != "" {
		s.t.Fatalf("the call failed: %s", s.text["error"])
	}
	if i >= len(s.numbers[name]) {
		s.t.Fatalf("the reply has no %s[%d]: %v", name, i, s.numbers)
	}
	return s.numbers[name][i]
}

func begin(t *testing.T, b *Bridge, spec string) int {
	t.Helper()
	return int(read(t, b.Begin([]byte(spec), nil, true)).number("run", 0))
}

// finish steps a run to its end and takes its trace.
func finish(t *testing.T, b *Bridge, handle, slice int) (digest string, trace []byte) {
	t.Helper()
	for {
		reply := read(t, b.Step(handle, slice))
		if reply.number("progress", 0) == 0 {
			continue
		}
		digest = reply.text["digest"]
		size, parts := reply.number("trace", 0), reply.number("trace", 1)
		for i := range parts {
			trace = append(trace, b.Part(handle, int(i))...)
		}
		if int64(len(trace)) != size {
			t.Fatalf("the parts are %d bytes; the reply said %d", len(trace), size)
		}
		return digest, trace
	}
}

func native(t *testing.T, text string) *labs.Trace {
	t.Helper()
	spec, err := labs.Parse(text, findToy)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := labs.Run(spec, labs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestSlicesOfAnySizeLeaveTheTraceOfOneRun(t *testing.T) {
	const text = "toy?v=1&requests=2500"
	want := native(t, text)
	for _, slice := range []int{1, 7, 1000, 1 << 20} {
		b := New(findToy)
		digest, trace := finish(t, b, begin(t, b, text), slice)
		if digest != want.Digest() {
			t.Errorf("slices of %d: digest %s, want %s", slice, digest, want.Digest())
		}
		if !bytes.Equal(trace, want.Append(nil)) {
			t.Errorf("slices of %d: the trace's bytes differ from the native run's", slice)
		}
	}
}

func TestTwoRunsDoNotDisturbEachOther(t *testing.T) {
	b := New(findToy)
	one, two := begin(t, b, "toy?requests=40"), begin(t, b, "toy?requests=60")
	b.Step(one, 20)
	b.Step(two, 30)
	digestTwo, _ := finish(t, b, two, 3)
	digestOne, _ := finish(t, b, one, 3)
	if want := native(t, "toy?requests=40").Digest(); digestOne != want {
		t.Errorf("first run: digest %s, want %s", digestOne, want)
	}
	if want := native(t, "toy?requests=60").Digest(); digestTwo != want {
		t.Errorf("second run: digest %s, want %s", digestTwo, want)
	}
}

func TestBeginTellsSpecAndLayout(t *testing.T) {
	reply := read(t, New(findToy).Begin([]byte("toy?requests=10"), nil, false))
	if got, want := reply.text["spec"], "toy?v=1"; got != want {
		t.Errorf("spec %q, want the canonical %q", got, want)
	}
	if got := reply.number("run", 1); got != 1e9 {
		t.Errorf("horizon %d, want 1e9", got)
	}
	const want = `{"columns":[{"name":"passed"},{"name":"refused"}],` +
		`"entities":[{"name":"client","kind":"client"},` +
		`{"name":"gate","label":"the \"gate\"","n":1,"kind":"limiter","rank":1,"judged":1,"full":7,"passed":"passed","refused":"refused"}],` +
		`"links":[{"from":"client","to":"gate"}],"plots":[{"name":"rates","columns":["passed","refused"],"bound":5}]}`
	if got := reply.text["layout"]; got != want {
		t.Errorf("layout\n got %s\nwant %s", got, want)
	}
	if got := read(t, New(findToy).Describe([]byte("toy"))).text["layout"]; got != want {
		t.Errorf("Describe's layout\n got %s\nwant %s", got, want)
	}
}

func TestBadSpecIsToldAsItsError(t *testing.T) {
	b := New(findToy)
	f := read(t, b.Begin([]byte("toy?requests=0"), nil, false)).fault()
	if f.Code != "out-of-range" || f.Field != "requests" || f.Text != "requests: 0 is outside 1..1000000" {
		t.Errorf("got %+v", f)
	}
	f = read(t, b.Describe([]byte("toy?\x01\"\xff=1"))).fault()
	if f.Code != "unknown-parameter" || f.Got != "\x01\"\uFFFD" {
		t.Errorf("a Spec with odd bytes: got %+v", f)
	}
	if f = read(t, b.Begin([]byte("other"), nil, false)).fault(); f.Code != "unknown-lab" {
		t.Errorf("an unknown lab: got %+v", f)
	}
}

func TestInputDrivesTheRun(t *testing.T) {
	log := make([]byte, 0, 24)
	for _, at := range []uint64{0, 5e8, 5e8 + 1} {
		log = binary.LittleEndian.AppendUint64(log, at)
	}
	const text = "toy?input=0123456789abcdef0123456789abcdef"
	b := New(findToy)
	handle := int(read(t, b.Begin([]byte(text), log, true)).number("run", 0))
	_, trace := finish(t, b, handle, 100)
	got := read(t, trace)
	if at := got.numbers["log.at"]; len(at) != 3 || at[1] != 5e8 || at[2] != 5e8+1 {
		t.Errorf("the log's instants became events at %v", at)
	}
	if f := read(t, b.Begin([]byte(text), nil, false)).fault(); f.Code != "needs-input" {
		t.Errorf("without the log: got %+v", f)
	}
}

func TestReplayListsEventsAroundAnInstant(t *testing.T) {
	b := New(findToy)
	handle := begin(t, b, "toy?requests=100000")
	finish(t, b, handle, 1<<20)
	reply := read(t, b.Replay(handle, 900_000_000, 3, 2))
	at := reply.numbers["at"]
	if len(at) != 5 || at[3] != 900_000_000 || at[2] != 899_990_000 {
		t.Errorf("events at %v; want three before 0.9 s and two from it on", at)
	}
	if got := reply.number("split", 0); got != 3 {
		t.Errorf("split %d, want 3", got)
	}
	if got := reply.numbers["n"][3]; got != 90_001 {
		t.Errorf("the event at 0.9 s is number %d, want 90001", got)
	}
}

func TestHandlesAreBoundedAndNeverMeanAnotherRun(t *testing.T) {
	b := New(findToy)
	first := begin(t, b, "toy")
	for range MaxRuns - 1 {
		begin(t, b, "toy")
	}
	if f := read(t, b.Begin([]byte("toy"), nil, false)).fault(); f.Code != "too-many-runs" {
		t.Errorf("one run too many: got %+v", f)
	}
	b.End(first)
	if second := begin(t, b, "toy"); second == first {
		t.Error("a new run got the handle of an ended one")
	}
	for name, handle := range map[string]int{"ended": first, "negative": -1, "invented": 1 << 20} {
		if f := read(t, b.Step(handle, 1)).fault(); f.Code != "no-run" {
			t.Errorf("%s handle: got %+v", name, f)
		}
		if part := b.Part(handle, 0); part != nil {
			t.Errorf("%s handle: got a part of %d bytes", name, len(part))
		}
		b.End(handle)
	}
}

func TestPanicIsToldAndTheBridgeStaysShut(t *testing.T) {
	b := New(findToy)
	well, ill := begin(t, b, "toy"), begin(t, b, "toy?panic-at=5")
	f := read(t, b.Step(ill, 100)).fault()
	if f.Code != "crash" || !strings.Contains(f.Text, "the gate fell down") {
		t.Errorf("got %+v", f)
	}
	if f := read(t, b.Step(well, 1)).fault(); f.Code != "crash" {
		t.Errorf("after a panic the state is unknown, but another run went on: %+v", f)
	}
	if f := read(t, b.Begin([]byte("toy"), nil, false)).fault(); f.Code != "crash" {
		t.Errorf("after a panic a new run began: %+v", f)
	}
}

func TestLargeTraceComesInPartsOfAMebibyte(t *testing.T) {
	b := New(findToy)
	handle := begin(t, b, "toy")
	b.Step(handle, 1000)
	b.slots[handle%MaxRuns].trace = bytes.Repeat([]byte{1}, MaxPart+5)
	if got := len(b.Part(handle, 0)); got != MaxPart {
		t.Errorf("first part: %d bytes, want %d", got, MaxPart)
	}
	if got := len(b.Part(handle, 1)); got != 5 {
		t.Errorf("last part: %d bytes, want 5", got)
	}
	if got := len(b.Part(handle, 0)); got != 0 {
		t.Errorf("after the last part: %d bytes, want none", got)
	}
}

func TestSteppingAllocatesNothingPerEvent(t *testing.T) {
	b := New(findToy)
	handle := int(read(t, b.Begin([]byte("toy?requests=1000000"), nil, false)).number("run", 0)) // without checkpoints, which are copies
	b.Step(handle, 100_000)                                                                      // past the log's growth
	got := testing.AllocsPerRun(20, func() { b.Step(handle, 10_000) })
	if got > 2 {
		t.Errorf("a step of 10,000 events made %.0f allocations, want none but the reply's", got)
	}
}
