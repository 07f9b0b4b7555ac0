// The nodes of a ring stand around it: as boxes where there is room, as numbered coins where there is less, as dots where not even
// numbers fit. Pure geometry.

/** A place on a stage, px. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Tokens = "boxes" | "coins" | "dots";

export interface Orbit {
  /** The circle's middle and the outer edge of its band. */
  x: number;
  y: number;
  r: number;
  tokens: Tokens;
  boxes: Box[]; // of the nodes, in their order
}

export const BAND = 20; // px, how thick the band of arcs is
const BOX_W = 92;
const BOX_H = 46;
const BOX_GAP = 20; // from the circle
const COIN = 22;
const DOT = 9;
const GAP = 12; // from the circle to the nearest coin
const LEAST_R = 84;
export const MOST_BOXES = 12;

/** Places n nodes and their circle in a field. */
export function orbit(n: number, field: Box): Orbit {
  const x = field.x + field.w / 2;
  const y = field.y + field.h / 2;
  const r = Math.min(field.h / 2 - BOX_H - BOX_GAP, field.w / 2 - BOX_W - BOX_GAP);
  if (n <= MOST_BOXES && r >= LEAST_R) {
    const boxes = boxesAround(n, field, r);
    if (clear(boxes, x, y, r)) return { x, y, r, tokens: "boxes", boxes };
  }
  const half = Math.min(field.w, field.h) / 2;
  for (const [tokens, size, most] of [["coins", COIN, 2], ["dots", DOT, 3]] as const) {
    for (let lines = 1; lines <= most; lines++) {
      const inner = half - lines * (size + 2) - GAP;
      const first = inner + GAP + size / 2;
      const slots = Math.ceil(n / lines) * lines; // so that the last and the first are on different lines, too
      const enough = (2 * Math.PI * first * lines) / slots >= size + 1;
      if (enough || (tokens === "dots" && lines === most)) return { x, y, r: inner, tokens, boxes: coinsAround(n, slots, x, y, first, lines, size) };
    }
  }
  throw new RangeError("dots fit anywhere");
}

/** A circle whose nodes stand elsewhere. */
export function alone(field: Box): Orbit {
  const half = Math.min(field.w, field.h) / 2;
  return { x: field.x + field.w / 2, y: field.y + field.h / 2, r: half - 4, tokens: "boxes", boxes: [] };
}

/** The direction of the i-th of n: clockwise, so that the left, where requests come in, lies between two. */
function direction(i: number, n: number): [number, number] {
  const step = 2 / n;
  const turned = (1.5 - step / 2) % step;
  const a = Math.PI * (i * step + turned);
  return [Math.sin(a), -Math.cos(a)];
}

/** Boxes on an oval, a little wider than the circle where there is room. */
function boxesAround(n: number, field: Box, r: number): Box[] {
  const a = Math.min(r + 2 * BOX_GAP + BOX_W / 2, (field.w - BOX_W) / 2);
  const b = r + BOX_GAP + BOX_H / 2;
  return Array.from({ length: n }, (_, i) => {
    const [ux, uy] = direction(i, n);
    return { x: field.x + field.w / 2 + ux * a - BOX_W / 2, y: field.y + field.h / 2 + uy * b - BOX_H / 2, w: BOX_W, h: BOX_H };
  });
}

/** True when no box touches the circle or another. */
function clear(boxes: Box[], x: number, y: number, r: number): boolean {
  return boxes.every((a, i) => {
    const near = Math.hypot(Math.max(a.x, Math.min(x, a.x + a.w)) - x, Math.max(a.y, Math.min(y, a.y + a.h)) - y);
    return near > r + 4 && boxes.every((b, k) => k <= i || a.x + a.w + 2 <= b.x || b.x + b.w + 2 <= a.x || a.y + a.h + 2 <= b.y || b.y + b.h + 2 <= a.y);
  });
}

/** Neighbours stand on different lines, so that two lines hold twice as many. */
function coinsAround(n: number, slots: number, x: number, y: number, first: number, lines: number, size: number): Box[] {
  return Array.from({ length: n }, (_, i) => {
    const [ux, uy] = direction(i, slots);
    const at = first + (i % lines) * (size + 2);
    return { x: x + ux * at - size / 2, y: y + uy * at - size / 2, w: size, h: size };
  });
}
