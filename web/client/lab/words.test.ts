import assert from "node:assert/strict";
import test from "node:test";
import { fromSlider, settings, toSlider } from "./controls";
import { data, layout, toyTrace } from "./fixture";
import { brief, number, outOf, plain } from "./number";
import table from "./testdata/numbers.json";
import { expand, pairs, Words } from "./words";

test("numbers are written as the server writes them", () => {
  assert(table.length > 100, "the table that web/view/lab writes is there");
  for (const row of table) {
    assert.equal(number("en", row.unit, row.value), row.en, `${row.value} ${row.unit}`);
    assert.equal(number("zh", row.unit, row.value), row.zh, `${row.value} ${row.unit}`);
    assert.equal(plain(row.value, row.scale), row.plain, `${row.value} ${row.unit} in a Spec`);
  }
});

test("where there is little room a rate has its unit once, as a sign", () => {
  assert.deepEqual([brief("en", "/s", 400_500), brief("zh", "/s", 400_500), brief("en", "ms", 2e6)], ["400.5/s", "每秒400.5", "2 ms"]);
  assert.deepEqual([outOf("en", "/s", 0, 400_000), outOf("zh", "/s", 12_000, 400_000)], ["0/400 per s", "12/400每秒"]);
  assert.deepEqual([outOf("en", "", 10, 99), outOf("en", "ms", 1e6, 2e9)], ["10/99", "1 ms/2 s"]);
});

test("where there is little room a share and a time have three figures, a count all of its own", () => {
  assert.deepEqual([brief("en", "%", 25_641), brief("en", "ms", 71_303_000), brief("en", "s", 6_805_800_000), brief("en", "", 12_345)], ["2.56%", "71.3 ms", "6.81 s", "12,345"]);
  assert.deepEqual([outOf("en", "%", 999_999, 500_000), outOf("zh", "%", 0, 1)], ["100%/50%", "0%/0.0001%"]);
});

test("sentences are filled", () => {
  const value = (name: string) => ({ n: "1", m: "2" })[name];
  assert.equal(expand("{n} {n|request|requests}, {m} {m|request|requests}", value), "1 request, 2 requests");
  assert.equal(expand("{{n} and {what}", value), "{n} and {what}");
});

test("events, actions and checks are told with the run's settings", () => {
  const words = new Words(data);
  const trace = toyTrace();
  assert.equal(words.phrase(trace.layout, trace.log, 0), "open gate admits 1");
  assert.equal(words.phrase(trace.layout, trace.log, 6), "shut gate refuses 1, often");
  assert.equal(words.phrase(trace.layout, trace.marks, 0), "✗ the bound");
  assert.equal(words.verdict(trace.verdicts[0]!), "7 at 5 ms by 7");
  words.about("toy?v=1&limit=7&use=shut&do=1.5s:burst&do=2s:burst::3");
  assert.equal(words.verdict({ ...trace.verdicts[0]!, ok: true }), "at most 7 per the shut one");
  assert.equal(words.done(trace.layout, "1.5s:burst"), "5 arrive at 1.5 s");
  assert.equal(words.done(trace.layout, "2s:burst::3"), "3 arrive at 2 s");
});

test("an action's choice is told by its label, and so is the one that is left out", () => {
  const value = { name: "cause", label: "of what", unit: "", scale: 1, min: 0, max: 1, default: 0, log: false, choices: [{ value: "open", label: "nothing yet" }, { value: "leak", label: "a leak" }] };
  const words = new Words({ ...data, actions: [{ verb: "accuse", label: "accuse", done: "{target}: {value}", targets: ["open"], value }] });
  assert.equal(words.done(layout, "2s:accuse:open:leak"), "open gate: a leak");
  assert.equal(words.done(layout, "2s:accuse:open"), "open gate: nothing yet");
});

test("a query is read with its escapes", () => {
  assert.deepEqual(pairs("toy?a=1&&b=%E2%9C%93&c"), [["a", "1"], ["b", "✓"], ["c", ""]]);
});

test("two queries of one setting are the same", () => {
  assert.equal(settings("v=1&limit=4&gap=2&use=open&seed=1", data), "");
  assert.equal(settings("use=shut&limit=5", data), settings("v=1&limit=5&gap=2&use=shut", data));
  assert.equal(settings("do=1s:burst&do=2s:burst", data), "do=1s:burst&do=2s:burst");
});

test("a slider reaches both ends, keeps to the range, and returns to where it stood", () => {
  for (const p of data.params.filter((param) => !param.choices)) {
    assert.equal(fromSlider(p, 0), p.min);
    assert.equal(fromSlider(p, 1000), p.max);
    let last = -1;
    for (let at = 0; at <= 1000; at++) {
      const v = fromSlider(p, at);
      assert(v >= p.min && v <= p.max && v >= last, `${p.name} at ${at} is ${v}`);
      last = v;
    }
    assert(Math.abs(toSlider(p, fromSlider(p, 500)) - 500) < 25, `${p.name} does not come back`);
    assert(toSlider(p, p.default) >= 0);
  }
});

test("a column of one of many entities has the words that all of them share", () => {
  const words = new Words({ ...data, columns: { level: "how full", "load.node": "keys of node {n}" }, spec: "toy?v=1" } as typeof data);
  const many = { ...layout, entities: [...layout.entities, { name: "node-0012", label: "node", n: 12, kind: "node" }] };
  assert.equal(words.column(many, "level"), "how full");
  assert.equal(words.column(many, "load.node-0012"), "keys of node 12");
  assert.equal(words.column(many, "load.node-0013"), "load.node-0013");
});

test("an action that was asked for is told in the reader's words, whatever its target's number", () => {
  const words = new Words({ ...data, entities: { ...data.entities, peer: "back end {n}" } });
  assert.deepEqual(words.asked("1.5s:burst:peer-3:7"), { when: "1.5 s burst", what: "back end 3 7" });
  assert.deepEqual(words.asked("2s:burst:service"), { when: "2 s burst", what: "service" });
  assert.deepEqual(words.asked("2s:nothing:nobody"), { when: "2 s nothing", what: "nobody" });
});
