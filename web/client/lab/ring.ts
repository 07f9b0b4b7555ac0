// A ring from inside (labs.Ring's shape): who owns which stretch of the circle, and keys with what became of them. Pure: numbers in,
// numbers out. Places on the circle are shares of a turn, from 0 at the top, clockwise.
import type { Layout, Shape, Trace } from "./trace";

/** The kinds of a ring's marks, as in labs/layout.go. */
export const ARC_START = 0;
export const KEY_STAYS = 1;
export const KEY_MOVED = 2;
export const KEY_MISLED = 3;

export interface Arc {
  from: number;
  to: number; // above from; the last one may end above 1
  owner: number; // index of the entity, −1 for nobody
}

export interface Key {
  place: number;
  owner: number;
  what: number;
  /** Whose it was in the circle before; its owner where there was none. */
  was: number;
}

/** A ring between two changes. */
export interface Circle {
  at: number;
  arcs: Arc[];
  keys: Key[];
  /** The share of the circle by owner: of arcs where there are some, else of keys. */
  share: Map<number, number>;
  /** Who has a part in it, by index of the entity. */
  members: Set<number>;
  moved: number;
  misled: number;
}

const TURN = 2 ** 32;

export function circleOf(shape: Shape): Circle {
  const arcs: Arc[] = [];
  const keys: Key[] = [];
  for (let i = 0; i + 2 < shape.values.length; i += 3) {
    const place = shape.values[i]! / TURN;
    const owner = shape.values[i + 1]!;
    const what = shape.values[i + 2]!;
    if (what === ARC_START) arcs.push({ from: place, to: place, owner });
    else keys.push({ place, owner, what, was: owner });
  }
  arcs.sort((a, b) => a.from - b.from); // the arc over the top is told first
  arcs.forEach((arc, i) => (arc.to = arcs[i + 1]?.from ?? arcs[0]!.from + 1));
  const share = new Map<number, number>();
  for (const arc of arcs) share.set(arc.owner, (share.get(arc.owner) ?? 0) + arc.to - arc.from);
  const members = new Set<number>(share.keys());
  for (const key of keys) {
    members.add(key.owner);
    if (arcs.length === 0) share.set(key.owner, (share.get(key.owner) ?? 0) + 1 / keys.length);
  }
  members.delete(-1);
  const count = (what: number) => keys.filter((k) => k.what === what).length;
  return { at: shape.at, arcs, keys, share, members, moved: count(KEY_MOVED) + count(KEY_MISLED), misled: count(KEY_MISLED) };
}

/**
 * Brings arcs down to what can be seen: the circle is cut into cells, each goes to who owns its middle, and neighbours of one owner are
 * one. So shares stay about right however many arcs there are, and never more than `cells` come back. No arc becomes longer by this
 * than the cells that it touches.
 */
export function seen(arcs: Arc[], cells: number): Arc[] {
  if (arcs.length * 2 <= cells) return arcs;
  const out: Arc[] = [];
  let i = 0;
  for (let c = 0; c < cells; c++) {
    let middle = (c + 0.5) / cells;
    if (middle < arcs[0]!.from) middle += 1; // it lies in the arc over the top
    if (middle >= 1) i = arcs.length - 1;
    else while (i + 1 < arcs.length && arcs[i + 1]!.from <= middle) i++;
    const owner = arcs[i]!.owner;
    const last = out[out.length - 1];
    if (last?.owner === owner) last.to = (c + 1) / cells;
    else out.push({ from: c / cells, to: (c + 1) / cells, owner });
    if (middle >= 1) i = 0;
  }
  return out;
}

/** The ring of a layout with the nodes around it, as indices of entities; undefined when there is none to draw as one. */
export function ringOf(layout: Layout): { ring: number; nodes: number[] } | undefined {
  const ring = layout.entities.findIndex((e) => e.kind === "ring");
  if (ring < 0) return undefined;
  const on = new Set(layout.links.filter((l) => l.from === layout.entities[ring]!.name).map((l) => l.to));
  const nodes = layout.entities.flatMap((e, i) => (e.kind === "node" && on.has(e.name) ? [i] : []));
  return nodes.length > 0 ? { ring, nodes } : undefined;
}

/** How a node stands to the ring: in it, gone from it, or not come yet. */
export type Membership = "in" | "gone" | "to come";

/** The circles of a run, with who is in each. */
export class Circles {
  private readonly circles: Circle[];
  private readonly in: Set<number>[] = [];

  constructor(trace: Trace, ring: number, nodes: number[]) {
    this.circles = trace.shapesOf(ring).map(circleOf);
    this.circles.forEach((circle, i) => {
      const before = new Map(this.circles[i - 1]?.keys.map((k) => [k.place, k.owner]));
      for (const k of circle.keys) k.was = before.get(k.place) ?? k.owner;
    });
    // A node that owns none of the keys that are drawn may still hold others: its level tells.
    this.circles.forEach((circle, i) => {
      const from = trace.row(circle.at);
      const end = this.circles[i + 1]?.at;
      const to = end === undefined ? trace.row(trace.horizon) : trace.row(end) - 1;
      const held = nodes.filter((n) => {
        const rows = trace.column(trace.layout.entities[n]!.level);
        for (let r = from; r <= to; r++) if (rows[r]! > 0) return true;
        return false;
      });
      this.in.push(circle.arcs.length > 0 ? circle.members : new Set([...circle.members, ...held]));
    });
  }

  get count(): number {
    return this.circles.length;
  }

  /** The index of the circle at an instant, −1 before the first. `told` is false while what happens at the instant is yet to be told. */
  index(t: number, told: boolean): number {
    let i = this.circles.length - 1;
    while (i > 0 && (this.circles[i]!.at > t || (this.circles[i]!.at === t && !told))) i--;
    return i;
  }

  circle(i: number): Circle | undefined {
    return this.circles[i];
  }

  /** How a node stands to a circle. Without circles everybody is in. */
  membership(i: number, node: number): Membership {
    if (i < 0 || this.in[i]!.has(node)) return "in";
    for (let k = 0; k < i; k++) if (this.in[k]!.has(node)) return "gone";
    return "to come";
  }
}
