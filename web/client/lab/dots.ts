// The requests on their way: which dots there are at a display time, where, and how they are drawn. Which and where is a pure function
// of the trace and the time.
import { type Beats, type Pace } from "./beats";
import type { LabData } from "./data";
import { along, type Placement, type Way } from "./place";
import type { Trace } from "./trace";

/** labs.Flow */
const PASS = 1;
const BOUNCE = 2;
const WAIT = 3;
const LEAVE = 4;

/** Seconds on the screen from the way's start to the entity, and from there on, whatever the speed. */
const FLIGHT = 0.5;

export interface Dot {
  x: number;
  y: number;
  /** pass (filled), bounce (hollow, and crossed once it is turned away), wait (a square). */
  look: "pass" | "bounce" | "crossed" | "wait";
  /** From 1, and less as it fades. */
  alpha: number;
}

interface Ends {
  into: Way | undefined;
  out: Way | undefined;
}

/** For each entity, the way by which requests come and the one by which they go on. */
export function endsOf(placement: Placement): Ends[] {
  return placement.boxes.map((_, i) => ({
    into: placement.ways.find((w) => w.to === i),
    out: placement.ways.find((w) => w.from === i),
  }));
}

/** The dots at a display time, at some speed. At most `most` are returned, evenly left out where there are more. */
export function dotsAt(data: LabData, trace: Trace, beats: Beats, pace: Pace, ends: Ends[], x: number, speed: number, most = 400): Dot[] {
  if (x >= pace.length) return [];
  const span = FLIGHT * speed;
  if (trace.truncated && pace.place(x).t > (beats.at[beats.count - 1] ?? 0)) return manyDots(trace, pace, ends, x, span);
  let first = firstBeat(beats, pace, x - span);
  const last = firstBeat(beats, pace, x + span);
  const events = beats.told(last) - beats.told(first);
  const stride = Math.max(1, Math.ceil(events / most));
  const dots: Dot[] = [];
  for (; first < last; first++) {
    if (stride > 1 && first % stride !== 0) continue;
    const p = (x - pace.beatAt(first)) / span;
    for (const i of beats.of(first)) {
      const entity = beats.events.entity[i]!;
      const flow = data.events[beats.events.kind[i]!]?.flow ?? 0;
      const dot = ends[entity] && flowing(ends[entity], flow, p);
      if (dot) dots.push(dot);
    }
  }
  return dots;
}

/** The dots of one beat as it happens: what a step shows. */
export function dotsOf(data: LabData, beats: Beats, ends: Ends[], beat: number): Dot[] {
  const dots: Dot[] = [];
  for (const i of beats.of(beat)) {
    const entity = ends[beats.events.entity[i]!];
    const dot = entity && flowing(entity, data.events[beats.events.kind[i]!]?.flow ?? 0, 0.12);
    if (dot) dots.push(dot);
  }
  return dots;
}

function firstBeat(beats: Beats, pace: Pace, x: number): number {
  let lo = 0;
  let hi = beats.count;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (pace.beatAt(mid) < x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** One dot, p from −1 (at the way's start) over 0 (at the entity) to 1 (gone). */
function flowing(ends: Ends, flow: number, p: number): Dot | undefined {
  const { into, out } = ends;
  if (p < 0) {
    if (flow === LEAVE || flow === 0 || !into) return undefined;
    const [x, y] = along(into, 1 + p);
    return { x, y, look: flow === BOUNCE ? "bounce" : flow === WAIT ? "wait" : "pass", alpha: Math.min(1, 4 * (1 + p)) };
  }
  const fading = Math.min(1, 3 * (1 - p));
  if (flow === BOUNCE && into) {
    // Back the way it came, in an arc that leaves the way.
    const [x, y] = along(into, 1 - 0.55 * p);
    const [x0, y0, , , , , x3, y3] = into.points;
    const length = Math.hypot(x3 - x0, y3 - y0) || 1;
    const off = 26 * p * (1.6 - p);
    return { x: x + (-(y3 - y0) / length) * off, y: y + ((x3 - x0) / length) * off, look: "crossed", alpha: fading };
  }
  if (flow === WAIT && into) {
    const [x, y] = along(into, 1);
    return { x, y, look: "wait", alpha: fading };
  }
  if ((flow === PASS || flow === LEAVE) && out) {
    const [x, y] = along(out, p);
    return { x, y, look: "pass", alpha: fading };
  }
  if (flow === PASS && into) {
    const [x, y] = along(into, 1);
    return { x, y, look: "pass", alpha: 1 - p };
  }
  return undefined;
}

/** Seconds of display time that one dot stands for where single events are too many to show. */
const SLOT = 0.09;

/** Where the log has ended a dot stands for many requests: one a slot, for whatever the columns counted in it. */
function manyDots(trace: Trace, pace: Pace, ends: Ends[], x: number, span: number): Dot[] {
  const dots: Dot[] = [];
  for (let slot = Math.ceil((x - span) / SLOT); slot * SLOT < x + span; slot++) {
    const from = trace.row(pace.place(slot * SLOT).t);
    const to = trace.row(pace.place((slot + 1) * SLOT).t);
    const p = (x - (slot + 0.5) * SLOT) / span;
    if (p < -1 || p > 1) continue;
    trace.layout.entities.forEach((e, i) => {
      for (const [column, flow, shift] of [[e.passed, PASS, 0], [e.refused, BOUNCE, 0.5]] as const) {
        const rows = trace.column(column);
        let any = false;
        for (let r = from; r <= to && !any; r++) any = (rows[r] ?? 0) > 0;
        const dot = any && flowing(ends[i]!, flow, p + (shift * SLOT) / span);
        if (dot) dots.push(dot);
      }
    });
  }
  return dots;
}

/** Draws dots. What passes is filled, what is turned away is hollow and crossed: not by colour alone. */
export function drawDots(ctx: CanvasRenderingContext2D, dots: Dot[], colours: { admit: string; refuse: string; queue: string; ground: string }): void {
  ctx.lineWidth = 1.6;
  for (const dot of dots) {
    ctx.globalAlpha = dot.alpha;
    ctx.beginPath();
    if (dot.look === "wait") {
      ctx.fillStyle = colours.queue;
      ctx.fillRect(dot.x - 3.5, dot.y - 3.5, 7, 7);
      continue;
    }
    ctx.arc(dot.x, dot.y, 4, 0, 7);
    if (dot.look === "pass") {
      ctx.fillStyle = colours.admit;
      ctx.fill();
      continue;
    }
    ctx.fillStyle = colours.ground;
    ctx.fill();
    ctx.strokeStyle = colours.refuse;
    ctx.stroke();
    if (dot.look === "crossed") {
      ctx.beginPath();
      ctx.moveTo(dot.x - 2.2, dot.y - 2.2);
      ctx.lineTo(dot.x + 2.2, dot.y + 2.2);
      ctx.moveTo(dot.x + 2.2, dot.y - 2.2);
      ctx.lineTo(dot.x - 2.2, dot.y + 2.2);
      ctx.stroke();
    }
  }
  ctx.globalAlpha = 1;
}
