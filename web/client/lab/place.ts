// Where the entities of a layout stand on a stage of some width: pure geometry. A wide stage lays ranks from left to right; a narrow
// one is laid out anew, ranks from top to bottom, and nothing shrinks below what can be read.
import type { Layout } from "./trace";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A way of requests: a cubic curve from x0,y0 to x3,y3. */
export interface Way {
  from: number; // index of the entity
  to: number;
  points: readonly [number, number, number, number, number, number, number, number];
}

export interface Placement {
  width: number;
  height: number;
  narrow: boolean;
  boxes: Box[];
  ways: Way[];
}

const PAD = 4;
const HIGH = 58; // an entity with counts or a level
const LOW = 40;
const LEAST = 96; // the least width of a box in which a name of two words can be read
const BROKEN = 78; // and of one in which it may break into two lines
const MOST = 172;
const GAP_X = 44; // a way needs so much to be seen
const GAP_Y = 12;
const BAND = 34; // between two ranks of a narrow stage

export function placed(layout: Layout, width: number): Placement {
  const ranks = byRank(layout);
  const wide = PAD * 2 + ranks.length * LEAST + (ranks.length - 1) * GAP_X <= width && width >= 480;
  const boxes: Box[] = new Array<Box>(layout.entities.length);
  const height = wide ? across(layout, ranks, width, boxes) : down(layout, ranks, width, boxes);
  const index = new Map(layout.entities.map((e, i) => [e.name, i]));
  const ways: Way[] = [];
  for (const link of layout.links) {
    const from = index.get(link.from);
    const to = index.get(link.to);
    if (from !== undefined && to !== undefined) ways.push({ from, to, points: way(boxes[from]!, boxes[to]!, wide) });
  }
  return { width, height, narrow: !wide, boxes, ways };
}

/** The entities of each rank, by row. */
function byRank(layout: Layout): number[][] {
  const ranks = new Map<number, number[]>();
  layout.entities.forEach((e, i) => {
    const rank = e.rank ?? 0;
    ranks.set(rank, [...(ranks.get(rank) ?? []), i]);
  });
  const row = (i: number) => layout.entities[i]!.row ?? 0;
  return [...ranks.keys()].sort((a, b) => a - b).map((r) => ranks.get(r)!.sort((a, b) => row(a) - row(b)));
}

function high(layout: Layout, i: number): number {
  const e = layout.entities[i]!;
  return e.level || e.passed || e.refused ? HIGH : LOW;
}

function across(layout: Layout, ranks: number[][], width: number, boxes: Box[]): number {
  const w = Math.min(MOST, (width - 2 * PAD - (ranks.length - 1) * GAP_X) / ranks.length);
  const columns = ranks.map((rank) => rank.reduce((sum, i) => sum + high(layout, i) + GAP_Y, -GAP_Y));
  const height = 2 * PAD + Math.max(...columns);
  ranks.forEach((rank, r) => {
    const x = ranks.length === 1 ? (width - w) / 2 : PAD + (r * (width - 2 * PAD - w)) / (ranks.length - 1);
    let y = (height - columns[r]!) / 2;
    for (const i of rank) {
      boxes[i] = { x, y, w, h: high(layout, i) };
      y += high(layout, i) + GAP_Y;
    }
  });
  return height;
}

function down(layout: Layout, ranks: number[][], width: number, boxes: Box[]): number {
  const room = width - 2 * PAD;
  const gap = 8;
  let y = PAD;
  for (const rank of ranks) {
    const perLine = Math.max(1, Math.min(rank.length, Math.floor((room + gap) / (BROKEN + gap))));
    const lines = Math.ceil(rank.length / perLine);
    const each = Math.ceil(rank.length / lines); // even lines: 3 + 3 rather than 4 + 2
    const share = (room - (each - 1) * gap) / each; // the less width, the more lines of text
    const h = Math.max(...rank.map((i) => high(layout, i))) * (share < 120 ? 1.5 : share < MOST ? 1.25 : 1);
    rank.forEach((i, at) => {
      const line = Math.floor(at / each);
      const here = Math.min(each, rank.length - line * each);
      const w = Math.min(MOST, (room - (each - 1) * gap) / each);
      const left = PAD + (room - here * w - (here - 1) * gap) / 2;
      boxes[i] = { x: left + (at % each) * (w + gap), y: y + line * (h + gap), w, h };
    });
    y += lines * h + (lines - 1) * gap + BAND;
  }
  return y - BAND + PAD;
}

/** The curve between two boxes: out of the side that looks at the other one. */
function way(a: Box, b: Box, wide: boolean): Way["points"] {
  if (wide) {
    const forward = a.x <= b.x;
    const x0 = forward ? a.x + a.w : a.x;
    const x3 = forward ? b.x : b.x + b.w;
    const y0 = a.y + a.h / 2;
    const y3 = b.y + b.h / 2;
    const bend = (x3 - x0) / 2;
    return [x0, y0, x0 + bend, y0, x3 - bend, y3, x3, y3];
  }
  const forward = a.y <= b.y;
  const y0 = forward ? a.y + a.h : a.y;
  const y3 = forward ? b.y : b.y + b.h;
  const x0 = a.x + a.w / 2;
  const x3 = b.x + b.w / 2;
  const bend = (y3 - y0) / 2;
  return [x0, y0, x0, y0 + bend, x3, y3 - bend, x3, y3];
}

/** The point at a share of a way, from 0 to 1. */
export function along(w: Way, p: number): [number, number] {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = w.points;
  const q = 1 - p;
  const a = q * q * q;
  const b = 3 * q * q * p;
  const c = 3 * q * p * p;
  const d = p * p * p;
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
}
