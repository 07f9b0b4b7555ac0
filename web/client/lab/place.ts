// Where the entities of a layout stand on a stage of some width: pure geometry. A wide stage lays ranks from left to right; a narrow
// one is laid out anew, ranks from top to bottom, and nothing shrinks below what can be read.
import { alone, type Box, MOST_BOXES, orbit, type Orbit } from "./orbit";
import { ringOf } from "./ring";
import type { Layout } from "./trace";

/** A way of requests: a cubic curve from x0,y0 to x3,y3. */
export interface Way {
  from: number; // index of the entity
  to: number;
  within: boolean; // it is one of those to and from a ring's nodes, where dots move and no line is drawn
  points: readonly [number, number, number, number, number, number, number, number];
}

export interface Placement {
  width: number;
  height: number;
  narrow: boolean;
  boxes: Box[];
  ways: Way[];
  /** The ring of the layout and its nodes, where it has one that is drawn as a ring. Its own box is the square about the circle. */
  ring: (Orbit & { entity: number; nodes: number[] }) | undefined;
}

const PAD = 4;
const HIGH = 58; // an entity with counts or a level
const TELLING = 100; // one that tells what it looks like inside
const CROWDED = 72; // one whose counts, state and level may take a second line
const LOW = 40;
const LINE = 16; // what one more line of text takes
const TIGHT = 128; // in less width counts and level take a line each
const BESIDE = 38; // of a box's width its sign and its margins take so much
const LEAST = 96; // the least width of a box in which a name of two words can be read
const BROKEN = 78; // and of one in which it may break into two lines
const MOST = 172;
const GAP_X = 44; // a way needs so much to be seen
const GAP_Y = 12;
const BAND = 34; // between two ranks of a narrow stage
const NODE = 54; // the height of a ring's node, whose name is short
const RING_LEAST = 400; // the least width of a ring with boxes around it
const RING_LOW = 260; // and the least height

/**
 * Places a layout on a stage of a width. A ring takes the height that is asked for, if any: all else is as high as its text, of which
 * tellers have more. `names` says how wide each name is in one line, where that is known: on a wide stage one that breaks takes another.
 */
export function placed(layout: Layout, width: number, tall = 0, tellers: Set<number> = new Set(), names: number[] = []): Placement {
  const found = ringOf(layout);
  const ranks = byRank(layout, new Set(found?.nodes));
  const others = ranks.length - (found ? 1 : 0);
  const wide = PAD * 2 + others * LEAST + (found ? RING_LEAST : 0) + (ranks.length - 1) * GAP_X <= width && width >= 480;
  const boxes: Box[] = new Array<Box>(layout.entities.length);
  const below = found && !wide && found.nodes.length <= MOST_BOXES ? found.nodes : [];
  const field = found && { entity: found.ring, h: ringHeight(found.nodes.length, width, ranks.length, wide, tall), below };
  const high = (i: number): number => {
    const e = layout.entities[i]!;
    if (tellers.has(i)) return TELLING;
    if (e.level && e.passed && (e.refused || e.down)) return CROWDED;
    return e.level || e.passed || e.refused ? HIGH : LOW;
  };
  /** How much higher it is in a box of a width, where its words do break. */
  const higher = (i: number, w: number): number => {
    const name = (names[i] ?? 0) > w - BESIDE ? LINE : 0;
    return high(i) === CROWDED && w < TIGHT ? name + LINE : name;
  };
  const height = wide ? across(high, higher, ranks, width, boxes, field) : down(high, ranks, width, boxes, field);
  const ring = found && { ...(below.length > 0 ? alone(boxes[found.ring]!) : orbit(found.nodes.length, boxes[found.ring]!)), entity: found.ring, nodes: found.nodes };
  if (ring) {
    boxes[ring.entity] = { x: ring.x - ring.r, y: ring.y - ring.r, w: 2 * ring.r, h: 2 * ring.r };
    ring.boxes.forEach((box, i) => (boxes[ring.nodes[i]!] = box));
  }
  const index = new Map(layout.entities.map((e, i) => [e.name, i]));
  const ways: Way[] = [];
  const behind = new Set<number>(); // what the nodes of the ring lead to: one line from the ring stands for theirs
  for (const link of layout.links) {
    const from = index.get(link.from);
    const to = index.get(link.to);
    if (from === undefined || to === undefined) continue;
    const into = ring?.entity === from && ring.nodes.includes(to);
    const out = ring?.nodes.includes(from) === true && to !== ring.entity;
    if (out) behind.add(to);
    ways.push({ from, to, within: into || out, points: into ? through(boxes[from]!, boxes[to]!, wide) : way(boxes[from]!, boxes[to]!, wide) });
  }
  for (const to of behind) ways.push({ from: ring!.entity, to, within: false, points: way(boxes[ring!.entity]!, boxes[to]!, wide) });
  return { width, height, narrow: !wide, boxes, ways, ring };
}

/** How wide each rank beside a ring is. */
function besideRing(width: number, ranks: number): number {
  return Math.min(MOST, Math.max(LEAST, (width - 2 * PAD - (ranks - 1) * GAP_X - RING_LEAST) / Math.max(1, ranks - 1)));
}

/**
 * How high the field of a ring is: by how many stand around it, unless a height is asked for, and no higher than boxes at its sides let
 * its circle be.
 */
function ringHeight(n: number, width: number, ranks: number, wide: boolean, tall: number): number {
  if (wide && n <= MOST_BOXES) {
    const room = width - 2 * PAD - (ranks - 1) * (GAP_X + besideRing(width, ranks));
    return Math.max(RING_LOW, Math.min(tall || 400, room - 92));
  }
  if (wide) return tall > 0 ? Math.max(tall, RING_LOW) : n <= 40 ? 430 : 480;
  const room = width - 2 * PAD;
  return n <= MOST_BOXES ? Math.min(room, tall || 300) : Math.min(room, 480);
}

/** The entities of each rank, by row, but for those that are left out. */
function byRank(layout: Layout, without: Set<number>): number[][] {
  const ranks = new Map<number, number[]>();
  layout.entities.forEach((e, i) => {
    if (without.has(i)) return;
    const rank = e.rank ?? 0;
    ranks.set(rank, [...(ranks.get(rank) ?? []), i]);
  });
  const row = (i: number) => layout.entities[i]!.row ?? 0;
  return [...ranks.keys()].sort((a, b) => a - b).map((r) => ranks.get(r)!.sort((a, b) => row(a) - row(b)));
}

/** How high an entity's box is where its words do not break. */
type High = (entity: number) => number;

/** The field that a ring takes, with all that stands around it. */
interface Field {
  entity: number;
  h: number;
  below: number[]; // nodes that stand in lines below it, where there is no room around it
}

function across(high: High, higher: (entity: number, w: number) => number, ranks: number[][], width: number, boxes: Box[], field: Field | undefined): number {
  const isRing = (rank: number[]) => field !== undefined && rank.includes(field.entity);
  const gaps = (ranks.length - 1) * GAP_X;
  const others = ranks.filter((rank) => !isRing(rank)).length;
  const w = field ? besideRing(width, ranks.length) : Math.min(MOST, (width - 2 * PAD - gaps) / ranks.length);
  const heightOf = (i: number) => (i === field?.entity ? field.h : high(i) + higher(i, w));
  const columns = ranks.map((rank) => rank.reduce((sum, i) => sum + heightOf(i) + GAP_Y, -GAP_Y));
  const height = 2 * PAD + Math.max(...columns);
  // A ring takes what the others leave, and a rank that tells more takes of those that tell less; without either they spread out.
  const telling = ranks.filter((rank) => rank.some((i) => high(i) === TELLING)).length;
  const given = telling > 0 && !field ? Math.min(8, w - LEAST) : 0;
  const got = (given * (ranks.length - telling)) / Math.max(1, telling);
  const widths = ranks.map((rank) => (isRing(rank) ? width - 2 * PAD - gaps - others * w : rank.some((i) => high(i) === TELLING) ? w + got : w - given));
  const spread = field || ranks.length === 1 ? GAP_X : (width - 2 * PAD - widths.reduce((sum, each) => sum + each, 0)) / (ranks.length - 1);
  let x = field || ranks.length > 1 ? PAD : (width - w) / 2;
  ranks.forEach((rank, r) => {
    let y = (height - columns[r]!) / 2;
    for (const i of rank) {
      boxes[i] = { x, y, w: widths[r]!, h: heightOf(i) };
      y += heightOf(i) + GAP_Y;
    }
    x += widths[r]! + spread;
  });
  return height;
}

function down(high: High, ranks: number[][], width: number, boxes: Box[], field: Field | undefined): number {
  let y = PAD;
  for (const rank of ranks) {
    const plain = rank.filter((i) => i !== field?.entity);
    if (field && plain.length < rank.length) {
      boxes[field.entity] = { x: PAD, y, w: width - 2 * PAD, h: field.h };
      y += field.h + 8;
      if (field.below.length > 0) y = rows(high, field.below, width, y, boxes, NODE) + 8;
      if (plain.length === 0) y -= 8;
    }
    if (plain.length > 0) y = rows(high, plain, width, y, boxes);
    y += BAND;
  }
  return y - BAND + PAD;
}

/** Sets entities in as few lines as have room for their words, from a height on; returns where they end. Their own height may be fixed. */
function rows(high: High, rank: number[], width: number, y: number, boxes: Box[], fixed = 0): number {
  const room = width - 2 * PAD;
  const gap = 8;
  const perLine = Math.max(1, Math.min(rank.length, Math.floor((room + gap) / (BROKEN + gap))));
  const lines = Math.ceil(rank.length / perLine);
  const each = Math.ceil(rank.length / lines); // even lines: 3 + 3 rather than 4 + 2
  const share = (room - (each - 1) * gap) / each; // the less width, the more lines of text
  const more = share < 120 ? 1.5 : share < MOST ? 1.25 : 1;
  const h = fixed || Math.max(...rank.map((i) => (high(i) === TELLING ? TELLING : high(i) * more)));
  rank.forEach((i, at) => {
    const line = Math.floor(at / each);
    const here = Math.min(each, rank.length - line * each);
    const w = Math.min(MOST, (room - (each - 1) * gap) / each);
    const left = PAD + (room - here * w - (here - 1) * gap) / 2;
    boxes[i] = { x: left + (at % each) * (w + gap), y: y + line * (h + gap), w, h };
  });
  return y + lines * h + (lines - 1) * gap;
}

/** The way of a request through a ring: in where requests come from, over the middle, to the node that has it. */
function through(ring: Box, node: Box, wide: boolean): Way["points"] {
  const x = ring.x + ring.w / 2;
  const y = ring.y + ring.h / 2;
  const [x0, y0] = wide ? [ring.x, y] : [x, ring.y];
  return [x0, y0, x, y, x, y, node.x + node.w / 2, node.y + node.h / 2];
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
