// Paints a ring's circle: the band of arcs in their owners' colours, and keys as ticks within it. On a canvas, since a ring may have
// more arcs than a page should have elements; it is painted when something changes and not frame by frame.
//
// Nothing is told by colour alone: arcs that have room bear their owner's number, owners of one colour differ in how much of the band
// they fill, the chosen node's arcs stand out, keys that moved have a head, and those that moved without need a cross.
import { BAND } from "./orbit";
import { type Arc, type Circle, KEY_MISLED, KEY_STAYS, seen } from "./ring";

export const OWNERS = 8; // colours; more owners take turns, and each round fills another part of the band

/** From the band's inner edge to its outer one, as shares. */
const PARTS = [[0, 1], [0.4, 1], [0, 0.6], [0.25, 0.75]] as const;

export interface Inks {
  owners: string[];
  ground: string;
  ink: string;
  soft: string;
  edge: string;
  wash: string;
  refuse: string;
  on: string;
}

export interface Ring {
  x: number;
  y: number;
  r: number;
  circle: Circle | undefined;
  /** By index of the entity: its place among the ring's nodes, from 0. */
  place: Map<number, number>;
  /** What an arc of a node says, by its place. */
  label(place: number): string;
  /** The node whose part stands out, by index of the entity. */
  chosen: number | undefined;
  /** The part of the circle from the top that is shown elsewhere, as one in so many; 0 for none. */
  enlarged: number;
  judged: boolean;
  broken: boolean;
}

/** The colour of an owner. */
export function inksOf(ring: Ring, inks: Inks, owner: number): string {
  const place = ring.place.get(owner);
  return place === undefined ? inks.ink : inks.owners[place % OWNERS]!;
}

/** The owner of each arc or key that is painted in one go. */
type Parts = Map<number, Arc[]>;

export function paintRing(ctx: CanvasRenderingContext2D, ring: Ring, inks: Inks, font: string): void {
  const { circle, x, y, r } = ring;
  const middle = r - BAND / 2;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = inks.ground; // ways go behind it
  ctx.fill();
  ctx.lineWidth = BAND;
  ctx.strokeStyle = inks.wash;
  ctx.beginPath();
  ctx.arc(x, y, middle, 0, 7);
  ctx.stroke();
  if (circle) {
    const arcs = circle.arcs.length > 0 ? seen(circle.arcs, Math.round(2 * Math.PI * r * 2)) : cells(circle);
    const parts: Parts = new Map();
    for (const arc of arcs) {
      const list = parts.get(arc.owner);
      if (list) list.push(arc);
      else parts.set(arc.owner, [arc]);
    }
    const chosen = ring.chosen === undefined ? undefined : parts.get(ring.chosen);
    ctx.globalAlpha = chosen ? 0.25 : 1;
    for (const [owner, list] of parts) if (list !== chosen) paintArcs(ctx, ring, inks, owner, list, 0);
    ctx.globalAlpha = 1;
    if (chosen) paintArcs(ctx, ring, inks, ring.chosen!, chosen, 4);
    if (circle.arcs.length > 0 && arcs.length <= 120) paintSeams(ctx, ring, inks, arcs, font, chosen);
    paintKeys(ctx, ring, inks, circle);
  }
  if (ring.enlarged > 0) {
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = inks.ink;
    ctx.beginPath();
    ctx.arc(x, y, r + 4, angle(0), angle(1 / ring.enlarged));
    ctx.stroke();
  }
  ctx.lineWidth = ring.judged ? 1.5 : 1;
  ctx.strokeStyle = ring.broken ? inks.refuse : ring.judged ? inks.ink : inks.edge;
  for (const edge of [r, r - BAND]) {
    ctx.beginPath();
    ctx.arc(x, y, edge, 0, 7);
    ctx.stroke();
  }
}

/** Without arcs each key that is drawn stands for its surroundings. */
function cells(circle: Circle): Arc[] {
  const half = 0.35 / Math.max(1, circle.keys.length);
  return circle.keys.map((k) => ({ from: k.place - half, to: k.place + half, owner: k.owner }));
}

const angle = (place: number): number => (2 * place - 0.5) * Math.PI;

function paintArcs(ctx: CanvasRenderingContext2D, ring: Ring, inks: Inks, owner: number, arcs: Arc[], beyond: number): void {
  const place = ring.place.get(owner);
  if (place === undefined) return; // nobody's
  const [inner, outer] = PARTS[Math.floor(place / OWNERS) % PARTS.length]!;
  const from = ring.r - BAND * (1 - inner);
  const to = ring.r - BAND * (1 - outer) + beyond;
  const r = (from + to) / 2;
  ctx.strokeStyle = inks.owners[place % OWNERS]!;
  ctx.lineWidth = to - from;
  ctx.beginPath();
  for (const arc of arcs) {
    const a = angle(arc.from);
    ctx.moveTo(ring.x + r * Math.cos(a), ring.y + r * Math.sin(a));
    ctx.arc(ring.x, ring.y, r, a, angle(arc.to));
  }
  ctx.stroke();
}

/** Parts neighbours, and writes the owner's number where there is room. */
function paintSeams(ctx: CanvasRenderingContext2D, ring: Ring, inks: Inks, arcs: Arc[], font: string, chosen: Arc[] | undefined): void {
  const { x, y, r } = ring;
  ctx.strokeStyle = inks.ground;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (const arc of arcs) {
    const [c, s] = [Math.cos(angle(arc.from)), Math.sin(angle(arc.from))];
    ctx.moveTo(x + (r - BAND) * c, y + (r - BAND) * s);
    ctx.lineTo(x + r * c, y + r * s);
  }
  ctx.stroke();
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const arc of arcs) {
    const place = ring.place.get(arc.owner);
    if (place === undefined || (chosen && !chosen.includes(arc))) continue;
    const label = ring.label(place);
    if ((arc.to - arc.from) * 2 * Math.PI * (r - BAND) < ctx.measureText(label).width + 8) continue;
    const whole = Math.floor(place / OWNERS) % PARTS.length === 0;
    ctx.fillStyle = whole ? inks.on : inks.ink;
    const a = angle((arc.from + arc.to) / 2);
    ctx.fillText(label, x + (r - BAND / 2) * Math.cos(a), y + (r - BAND / 2) * Math.sin(a) + 0.5);
  }
}

const STAYS = 6; // px, how long ticks are
const MOVED = 12;
const MISLED = 18;

/** How far ticks and their heads reach in from the band, px. */
export const REACH = 3 + MISLED + 3;

function paintKeys(ctx: CanvasRenderingContext2D, ring: Ring, inks: Inks, circle: Circle): void {
  const from = ring.r - BAND - 3;
  const point = (place: number, depth: number): [number, number] => {
    const a = angle(place);
    return [ring.x + (from - depth) * Math.cos(a), ring.y + (from - depth) * Math.sin(a)];
  };
  const shown = circle.keys.filter((k) => ring.chosen === undefined || k.owner === ring.chosen || k.was === ring.chosen);
  for (const [stays, colour] of [[true, inks.soft], [false, inks.ink]] as const) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const k of shown) {
      if ((k.what === KEY_STAYS) !== stays) continue;
      ctx.moveTo(...point(k.place, 0));
      ctx.lineTo(...point(k.place, k.what === KEY_STAYS ? STAYS : k.what === KEY_MISLED ? MISLED - 3 : MOVED));
    }
    ctx.stroke();
  }
  for (const k of shown) {
    if (k.what === KEY_STAYS) continue;
    if (k.what === KEY_MISLED) {
      const [x, y] = point(k.place, MISLED);
      ctx.strokeStyle = inks.refuse;
      ctx.lineWidth = 1.6;
      ctx.beginPath();
      ctx.moveTo(x - 2.6, y - 2.6);
      ctx.lineTo(x + 2.6, y + 2.6);
      ctx.moveTo(x + 2.6, y - 2.6);
      ctx.lineTo(x - 2.6, y + 2.6);
      ctx.stroke();
      continue;
    }
    const [x, y] = point(k.place, MOVED);
    ctx.fillStyle = inksOf(ring, inks, k.was);
    ctx.strokeStyle = inks.ink;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.arc(x, y, 3, 0, 7);
    ctx.fill();
    ctx.stroke();
  }
}
