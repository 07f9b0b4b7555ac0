import assert from "node:assert/strict";
import test from "node:test";
import { Beats, Pace } from "./beats";
import { data, toyTrace } from "./fixture";
import { momentOf } from "./moment";

test("a burst at two limiters is told one request at a time", () => {
  const beats = new Beats(toyTrace().log);
  assert.equal(beats.count, 10);
  for (let i = 0; i < beats.count; i++) {
    const requests = [...beats.of(i)].map((e) => beats.events.a[e]);
    assert.deepEqual(requests, [i + 1, i + 1], `beat ${i}`);
  }
  assert.deepEqual([...beats.at].slice(4, 7), [3e6, 3e6, 5e6]);
  assert.equal(beats.told(0), 0);
  assert.equal(beats.told(99), 20, "never more than there are");
});

test("playing goes forward only, from the start to the end, and knows the way back", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  let last = { t: 0, beats: 0 };
  for (let x = 0; x <= pace.length; x += pace.length / 500) {
    const p = pace.place(x);
    assert(p.t >= last.t && p.beats >= last.beats, `at ${x} it went back`);
    // Between two beats of one instant there is no other place: the way back leads to the beat before.
    const back = pace.time(p);
    assert(back <= x + 1e-9 && x - back < pace.length / beats.count, `time(place(${x})) is ${back}`);
    last = p;
  }
  assert.deepEqual(pace.place(0), { t: 0, beats: 0 });
  assert.deepEqual(pace.place(pace.length), { t: trace.horizon, beats: 10 });
});

test("a burst takes time to see although it takes none in the run", () => {
  const trace = toyTrace();
  const pace = new Pace(trace, new Beats(trace.log));
  assert(pace.beatAt(5) - pace.beatAt(0) > 1, "six requests at one instant play for more than a second");
  assert.equal(pace.place(pace.beatAt(3)).t, 3e6);
});

test("a moment is the same whichever way one came", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  const forward = Array.from({ length: 11 }, (_, i) => momentOf(data, trace, beats, pace.step(i)));
  for (let i = 10; i >= 0; i--) assert.deepEqual(momentOf(data, trace, beats, pace.step(i)), forward[i], `step ${i}`);
});

test("counts follow the requests, and the level moves with them", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  const at = (beat: number) => momentOf(data, trace, beats, pace.step(beat)).entities;
  assert.deepEqual([0, 1, 5, 6, 7, 10].map((b) => at(b)[1]!.passed), [0, 1, 5, 6, 7, 10]);
  assert.deepEqual([0, 1, 5, 6, 7, 10].map((b) => at(b)[2]!.refused), [0, 1, 5, 6, 7, 10]);
  assert.deepEqual([1, 3, 6, 8, 10].map((b) => at(b)[1]!.level), [1, 3, 6, 8, 10]);
  assert.deepEqual([0, 3, 6].map((b) => at(b)[1]!.exact), [true, false, true]);
});

test("between bursts and at the end the rows speak", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  const at = (t: number) => momentOf(data, trace, beats, pace.after(t)).entities[1]!;
  assert.equal(at(4.5e6).passed, 6);
  assert.equal(at(4.5e6).level, 6);
  assert.equal(at(9.5e6).level, 4);
  assert.equal(momentOf(data, trace, beats, pace.place(Infinity)).entities[1]!.passed, 10);
});

test("a check is broken from its violation on, and not before", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  assert.deepEqual([0, 6, 10].map((b) => momentOf(data, trace, beats, pace.step(b)).broken.size), [0, 0, 1]);
});

test("what broke a promise is found at its own request, not at the end of its instant", () => {
  const trace = toyTrace();
  const beats = new Beats(trace.log);
  const pace = new Pace(trace, beats);
  const verdict = { check: 0, ok: false, at: 3e6, n: beats.events.n[beats.order[beats.told(2)]!]!, request: 3, facts: [], count: 1 };
  assert.deepEqual(pace.broken(verdict), { t: 3e6, beats: 3 });
  assert.deepEqual(pace.broken({ ...verdict, request: -1 }), pace.after(3e6), "no request: all of the instant");
  assert.deepEqual(pace.broken({ ...verdict, at: 4e6 }), pace.after(4e6), "where the log tells nothing");
});
