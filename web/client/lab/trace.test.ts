import assert from "node:assert/strict";
import test from "node:test";
import { Sections } from "../worker/sections";
import { data, encode, layout, toyTrace } from "./fixture";
import { above, Trace } from "./trace";

test("sections give back their numbers and texts, whatever their lengths", () => {
  const s = new Sections(encode([["a", "é"], ["numbers", [0, -1, 2 ** 53 - 1, -(2 ** 40)]], ["empty", []], ["eight888", "12345678"]]));
  assert.deepEqual(s.names(), ["a", "numbers", "empty", "eight888"]);
  assert.deepEqual([...s.numbers("numbers")], [0, -1, 2 ** 53 - 1, -(2 ** 40)]);
  assert.equal(s.text("eight888"), "12345678");
  assert.equal(s.numbers("none").length, 0);
  assert.equal(s.numbers("a").length, 0, "a text is no numbers");
});

test("sections that end too early are refused", () => {
  const whole = encode([["numbers", [1, 2, 3]]]);
  let error = "";
  try {
    new Sections(whole.subarray(0, whole.length - 8));
  } catch (e) {
    error = String(e);
  }
  assert.equal(error, "RangeError: section numbers ends after the bytes do");
});

test("a trace knows its columns, its verdicts and its metrics by name", () => {
  const t = toyTrace();
  assert.equal(t.horizon, 10e6);
  assert.deepEqual([...t.column("level")].slice(3, 6), [6, 6, 10]);
  assert.deepEqual(t.verdicts, [{ check: 0, ok: false, at: 5e6, n: 5, request: 7, facts: [7, 0, 0, 0], count: 4 }]);
  assert.equal(t.metric(data, "passed"), 10);
  assert.equal(t.metric(data, "other"), undefined);
  assert.equal(t.row(5e6), 5);
  assert.equal(t.row(10e6), 9, "the end is in the last row");
});

test("above finds the first larger value", () => {
  for (const [v, want] of [[0, 0], [1, 1], [2, 3], [3, 3], [9, 4]] as const) assert.equal(above([1, 2, 2, 9], v), want, `above ${v}`);
});

test("a trace knows whether anything is refused in it", () => {
  assert.equal(toyTrace().refuses, true, "the shut gate refuses");
  const { bytes, layout } = quiet();
  assert.equal(new Trace(bytes, layout).refuses, false, "nobody's column counts as none");
});

/** A run in which no entity names what it refuses. */
function quiet() {
  return { bytes: new Sections(encode([["meta", [10, 1, 0]], ["column:refused", [0, 3, 0]]])), layout: { ...layout, entities: layout.entities.map(({ refused: _, ...e }) => e) } };
}
