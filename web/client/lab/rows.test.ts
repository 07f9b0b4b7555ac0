import assert from "node:assert/strict";
import test from "node:test";
import { keptOf, lineOf, matches, telling, telltale } from "./rows";

const span = (id: number, parent: number, word: number, took: number, outcome = -1) => [id, parent, 2, word, 0, took, 0, outcome];
const shape = (...spans: number[][]) => ({ at: 5, values: Float64Array.from([7, 700007, 1042, 3, ...spans.flat()]) });

test("a trace's spans know how deep they are and whether anything is below them", () => {
  const kept = keptOf(shape(span(1, 0, 0, 1000), span(2, 1, 0, 900), span(3, 2, 1, 800)));
  assert.deepEqual([kept.trace, kept.business, kept.about, kept.size], [7, 700007, 1042, 3]);
  assert.deepEqual(kept.spans.map((s) => [s.depth, s.leaf]), [[0, false], [1, false], [2, true]]);
});

test("brief steps that ended well are left out, and calls never are", () => {
  const { spans } = keptOf(shape(span(1, 0, 0, 1000), span(2, 1, 0, 1), span(3, 2, 1, 19), span(4, 2, 1, 20), span(5, 2, 1, 1, 6)));
  assert.deepEqual(telling(spans).map((s) => s.id), [1, 2, 4, 5]);
});

test("lines are found by the numbers of a trace or an order and by parts of words", () => {
  const line = lineOf({ name: "lines", kind: "lines", words: ["WARN", "SLOW_DB"] }, { at: 1, values: Float64Array.from([0, 1, 2, 31, 4, 700031, 9]) });
  assert.deepEqual([line.level, line.code, line.trace, line.span], ["WARN", "SLOW_DB", 31, 4]);
  for (const asked of ["", " ", "31", "700031", "slow", "stock", "warn"]) assert(matches(line, "stock", asked), asked);
  for (const asked of ["3", "error", "7000"]) assert(!matches(line, "stock", asked), asked);
});

test("the trace to show first is the slowest, of those that failed where most did", () => {
  const trace = (took: number, outcome = -1) => keptOf(shape(span(1, 0, 0, took, outcome)));
  assert.equal(telltale([]), undefined);
  assert.equal(telltale([trace(5), trace(9), trace(3, 6)])?.spans[0]?.took, 9);
  assert.equal(telltale([trace(4, 6), trace(9), trace(3, 6)])?.spans[0]?.took, 4);
});
