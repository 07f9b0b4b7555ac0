import assert from "node:assert/strict";
import test from "node:test";
import { ARC_START, circleOf, Circles, KEY_MISLED, KEY_MOVED, KEY_STAYS, ringOf, seen, type Arc } from "./ring";
import { encode } from "./fixture";
import { enlarged } from "./lens";
import { Sections } from "../worker/sections";
import { Trace, type Layout } from "./trace";

const TURN = 2 ** 32;

/** A circle from shares of a turn. */
function shape(at: number, ...marks: [number, number, number][]) {
  return { at, values: Float64Array.from(marks.flatMap(([place, owner, what]) => [Math.round(place * TURN), owner, what])) };
}

test("arcs reach to the next start, and the one told first lies over the top", () => {
  const c = circleOf(shape(0, [0.75, 2, ARC_START], [0.25, 3, ARC_START], [0.5, 2, ARC_START], [0.1, 2, KEY_STAYS], [0.3, 3, KEY_MOVED], [0.6, 2, KEY_MISLED]));
  assert.deepEqual(c.arcs, [{ from: 0.25, to: 0.5, owner: 3 }, { from: 0.5, to: 0.75, owner: 2 }, { from: 0.75, to: 1.25, owner: 2 }]);
  assert.equal(c.share.get(2), 0.75);
  assert.equal(c.share.get(3), 0.25);
  assert.deepEqual([c.moved, c.misled, c.keys.length], [2, 1, 3]);
});

test("without arcs the keys tell the shares", () => {
  const c = circleOf(shape(0, [0.1, 2, KEY_STAYS], [0.2, 3, KEY_STAYS], [0.3, 3, KEY_STAYS], [0.4, -1, KEY_STAYS]));
  assert.equal(c.share.get(3), 0.5);
  assert.deepEqual([...c.members], [2, 3]);
});

test("however many arcs there are, no more come back than can be seen, and shares stay", () => {
  const many: Arc[] = Array.from({ length: 16_000 }, (_, i) => ({ from: i / 16_000 + 1e-5, to: (i + 1) / 16_000 + 1e-5, owner: (i * 7919) % 100 }));
  const drawn = seen(many, 1800);
  assert(drawn.length <= 1800);
  let end = 0;
  for (const arc of drawn) {
    assert.equal(arc.from, end, "there is a gap");
    end = arc.to;
  }
  assert.equal(end, 1);
  const few: Arc[] = [{ from: 0.3, to: 0.8, owner: 1 }, { from: 0.8, to: 1.3, owner: 2 }];
  assert.equal(seen(few, 1800), few, "few arcs are drawn as they are");
  const coarse = seen([...few, ...few].map((_, i) => ({ ...few[i % 2]!, owner: i })).slice(0, 2), 2);
  assert.deepEqual(coarse.map((a) => a.owner), [1, 0], "the middle of a cell says whose it is, also over the top");
});

test("a circle of few arcs is not enlarged, and of many the strip holds some two dozen", () => {
  const arcs = (n: number): Arc[] => Array.from({ length: n }, (_, i) => ({ from: i / n, to: (i + 1) / n, owner: 1 }));
  assert.equal(enlarged(arcs(8)), 0);
  for (const n of [160, 1000, 16_000]) assert(Math.abs(n / enlarged(arcs(n)) - 24) < 2, `${n} arcs`);
});

const layout: Layout = {
  columns: [{ name: "a", gather: 1 }, { name: "b", gather: 1 }, { name: "c", gather: 1 }],
  entities: [
    { name: "ring", kind: "ring" },
    { name: "a", kind: "node", level: "a" }, { name: "b", kind: "node", level: "b" }, { name: "c", kind: "node", level: "c" },
    { name: "store", kind: "database" },
  ],
  links: ["a", "b", "c", "store"].map((to) => ({ from: "ring", to })),
  plots: [],
};

/** a goes at 5 and c comes; b owns no key that is drawn. */
function trace(): Trace {
  const at5: [string, number[]] = ["shape", [5, 0, 0, 3, KEY_MOVED, TURN / 2, 3, KEY_MISLED]];
  return new Trace(new Sections(encode([
    ["meta", [10, 1, 0, 0]],
    ["column:a", [4, 4, 4, 4, 4, 0, 0, 0, 0, 0]], ["column:b", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]], ["column:c", [0, 0, 0, 0, 0, 4, 4, 4, 4, 4]],
    ["shape", [0, 0, 0, 1, KEY_STAYS]], at5,
  ])), layout);
}

test("the nodes of a ring are the nodes that it leads to", () => {
  assert.deepEqual(ringOf(layout), { ring: 0, nodes: [1, 2, 3] });
  assert.equal(ringOf({ ...layout, links: [] }), undefined);
});

test("a node is in, gone or to come; a change shows once it is told", () => {
  const circles = new Circles(trace(), 0, [1, 2, 3]);
  const stand = (t: number, told: boolean) => [1, 2, 3].map((n) => circles.membership(circles.index(t, told), n));
  assert.equal(circles.count, 2);
  assert.deepEqual(stand(0, true), ["in", "in", "to come"]);
  assert.deepEqual(stand(5, false), ["in", "in", "to come"]);
  assert.deepEqual(stand(5, true), ["gone", "in", "in"]);
  assert.deepEqual(stand(9, true), ["gone", "in", "in"]);
  assert.deepEqual(circles.circle(1)!.keys.map((k) => k.was), [1, 3], "a key that both circles have knows whose it was");
});
