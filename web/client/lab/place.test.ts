import assert from "node:assert/strict";
import test from "node:test";
import { binned, heights, steps, ticks } from "./curves";
import { layout } from "./fixture";
import { along, placed } from "./place";
import type { Layout } from "./trace";

function crowd(n: number): Layout {
  const entities = Array.from({ length: n }, (_, i) => ({ name: `n${i}`, kind: "node", rank: 1, row: i, passed: "x" }));
  return { columns: [], entities: [{ name: "client", kind: "client" }, ...entities], links: entities.map((e) => ({ from: "client", to: e.name })), plots: [] };
}

test("boxes stay on the stage and never overlap, at any width", () => {
  for (const l of [layout, crowd(1), crowd(5), crowd(12)]) {
    for (const width of [280, 344, 390, 479, 480, 720, 1100]) {
      const p = placed(l, width);
      p.boxes.forEach((a, i) => {
        assert(a.x >= 0 && a.x + a.w <= width + 0.01 && a.y >= 0 && a.y + a.h <= p.height + 0.01, `box ${i} leaves a stage of ${width}`);
        assert(a.w >= 72, `box ${i} is ${a.w} px wide at ${width}: no name fits`);
        p.boxes.forEach((b, k) => {
          const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
          assert(i === k || apart, `boxes ${i} and ${k} overlap at ${width}`);
        });
      });
    }
  }
});

/** A ring of n nodes, with a client before it and perhaps a store behind them. */
function ringed(n: number, store = false): Layout {
  const nodes = Array.from({ length: n }, (_, i) => ({ name: `n${i}`, kind: "node", rank: 2, row: i, level: "x" }));
  const entities = [{ name: "client", kind: "client" }, { name: "ring", kind: "ring", rank: 1 }, ...nodes];
  const links = [{ from: "client", to: "ring" }, ...nodes.map((e) => ({ from: "ring", to: e.name }))];
  if (store) {
    entities.push({ name: "store", kind: "database", rank: 3 } as (typeof entities)[number]);
    links.push({ from: "n0", to: "store" });
  }
  return { columns: [], entities, links, plots: [] };
}

test("what tells more has more room", () => {
  const p = placed(crowd(3), 720, 0, new Set([2]));
  assert(p.boxes[2]!.h > p.boxes[1]!.h && p.boxes[3]!.h === p.boxes[1]!.h);
});

test("the nodes of a ring stand around it, on the stage and apart, at any width and height", () => {
  for (const n of [1, 2, 3, 8, 9, 12, 13, 24, 40, 41, 70, 100]) {
    for (const store of [false, true]) {
      for (const width of [280, 336, 390, 480, 600, 690, 760, 1100]) {
        for (const tall of [0, 160, 320, 640]) {
          const l = ringed(n, store);
          const p = placed(l, width, tall);
          const ring = p.ring!;
          const about = `${n} nodes at ${width}, ${tall} high`;
          assert(ring.r >= 40, `${about}: a circle of ${ring.r} px`);
          p.boxes.forEach((a, i) => {
            assert(a.x >= -0.01 && a.x + a.w <= width + 0.01 && a.y >= -0.01 && a.y + a.h <= p.height + 0.01, `${about}: box ${i} leaves the stage`);
            if (i === ring.entity) return;
            const near = Math.hypot(Math.max(a.x, Math.min(ring.x, a.x + a.w)) - ring.x, Math.max(a.y, Math.min(ring.y, a.y + a.h)) - ring.y);
            assert(near > ring.r, `${about}: box ${i} lies on the circle`);
            p.boxes.forEach((b, k) => {
              if (k === ring.entity || k === i) return;
              const apart = a.x + a.w <= b.x + 0.01 || b.x + b.w <= a.x + 0.01 || a.y + a.h <= b.y + 0.01 || b.y + b.h <= a.y + 0.01;
              const round = ring.tokens !== "boxes" && Math.hypot(a.x + a.w / 2 - b.x - b.w / 2, a.y + a.h / 2 - b.y - b.h / 2) >= Math.min(a.w, b.w);
              assert(apart || round, `${about}: boxes ${i} and ${k} overlap`);
            });
          });
        }
      }
    }
  }
});

test("a hundred nodes bear their numbers on a wide stage", () => {
  assert.equal(placed(ringed(100), 690).ring!.tokens, "coins");
  assert.equal(placed(ringed(8), 690).ring!.tokens, "boxes");
  assert.equal(placed(ringed(100), 336).ring!.tokens, "dots");
});

test("ranks run from left to right on a wide stage, from top to bottom on a narrow one", () => {
  const wide = placed(layout, 720);
  const narrow = placed(layout, 344);
  assert.equal(wide.narrow, false);
  assert.equal(narrow.narrow, true);
  assert(wide.boxes[0]!.x < wide.boxes[1]!.x && wide.boxes[1]!.x < wide.boxes[3]!.x);
  assert(narrow.boxes[0]!.y < narrow.boxes[1]!.y && narrow.boxes[1]!.y < narrow.boxes[3]!.y);
});

test("a way begins at one box and ends at the other", () => {
  const p = placed(layout, 720);
  const [x0, y0] = along(p.ways[0]!, 0);
  const [x1, y1] = along(p.ways[0]!, 1);
  const [a, b] = [p.boxes[0]!, p.boxes[1]!];
  assert.deepEqual([x0, y0], [a.x + a.w, a.y + a.h / 2]);
  assert.deepEqual([x1, y1], [b.x, b.y + b.h / 2]);
});

test("a spike of one row is drawn at its full height", () => {
  const rows = new Float64Array(2000);
  rows[1000] = 50;
  const d = steps(rows, 1, { from: 0, to: 2000 }, 100, (v) => 60 - v);
  assert.equal(d, "M0 60H50V10V60H100");
});

test("a level that stays costs nothing", () => {
  assert.equal(steps(new Float64Array(2000).fill(7), 1, { from: 0, to: 2000 }, 100, (v) => v), "M0 7H100");
});

test("bins lose no count", () => {
  const rows = Float64Array.from({ length: 2000 }, (_, i) => i % 7);
  const bins = binned(rows, 1, { from: 0, to: 2000 }, 300, 3);
  assert.equal(bins.reduce((sum, b) => sum + b.n, 0), rows.reduce((sum, v) => sum + v, 0));
  assert(bins.every((b) => b.x1 - b.x0 >= 2.9), "each bin can be seen");
  assert.equal(heights(bins).size, bins.length);
});

test("ticks are round and not too close", () => {
  assert.deepEqual(ticks({ from: 0, to: 2e9 }, 400, 90), [0, 5e8, 1e9, 1.5e9, 2e9]);
  assert.deepEqual(ticks({ from: 0.9e9, to: 1.1e9 }, 200, 90), [0.9e9, 1e9, 1.1e9]);
});

test("a name that breaks, and figures in a narrow box, have the lines that they take", () => {
  const l = crowd(3);
  const plain = placed(l, 720).boxes.map((b) => b.h);
  const named = placed(l, 720, 0, new Set(), l.entities.map((_, i) => (i === 1 ? 400 : 20))).boxes.map((b) => b.h);
  assert(named[1]! > plain[1]!, `with a long name ${named[1]}, without ${plain[1]}`);
  assert.equal(named[0], plain[0]);
});
