// What a run looks like at one place: a pure function of the trace and the place. Nothing is carried from one picture to the next, so
// stepping back shows what stepping forward showed.
import type { Beats, Place } from "./beats";
import type { LabData } from "./data";
import { MARK_VIOLATION, SUM, type Entity, type Trace } from "./trace";

/** How one entity stands. */
export interface Standing {
  passed: number;
  refused: number;
  /** How full it is, in the unit of its level. */
  level: number;
  /** False while the level is drawn between two rows: then it is a picture and no reading. */
  exact: boolean;
  down: boolean;
  /** What it looks like inside; absent for one that tells nothing. */
  shape?: Float64Array;
}

export interface Moment {
  t: number;
  entities: Standing[];
  /** Everything that happens at t has been told. */
  settled: boolean;
  /** The indices of checks that have been violated by now. */
  broken: Set<number>;
}

const PASS = 1;
const BOUNCE = 2;

export function momentOf(data: LabData, trace: Trace, beats: Beats, place: Place): Moment {
  const row = place.t >= trace.horizon ? Infinity : trace.row(place.t);
  const inRow = rowEvents(trace, beats, row, place);
  const broken = new Set<number>();
  const { marks } = trace;
  for (let i = 0; i < marks.at.length; i++) {
    const at = marks.at[i]!;
    if (at > place.t) break;
    if (marks.kind[i] !== MARK_VIOLATION || broken.has(marks.entity[i]!)) continue;
    if (happened(beats, place, at) || told(beats, place, at, marks.n[i]!, marks.a[i]!)) broken.add(marks.entity[i]!);
  }
  const settled = happened(beats, place, place.t);
  const entities = trace.layout.entities.map((e, i) => standing(data, trace, beats, e, i, row, inRow, place, settled));
  return { t: place.t, broken, settled, entities };
}

/** A violation shows once its request is told. */
function told(beats: Beats, place: Place, at: number, n: number, request: number): boolean {
  const until = beats.until(at, n, request);
  return until !== undefined && place.beats >= until;
}

/** All of an instant is over once its beats are told: with it a violation of which the log does not tell. */
function happened(beats: Beats, place: Place, at: number): boolean {
  return place.beats >= beats.count || beats.at[place.beats]! > at;
}

interface RowEvents {
  from: number; // index into beats.order of the row's first event
  told: number; // and past the last one that has been told
  all: number; // and past the row's last
  whole: boolean; // every event of the row has been told, so its rows say all
}

/** The logged events of the row in which the place is. */
function rowEvents(trace: Trace, beats: Beats, row: number, place: Place): RowEvents {
  const told = beats.told(place.beats);
  if (row === Infinity) return { from: told, told, all: told, whole: true };
  const start = row * trace.grain;
  const end = start + trace.grain;
  const at = (i: number) => beats.events.at[beats.order[i]!]!;
  let from = told;
  while (from > 0 && at(from - 1) >= start) from--;
  let all = told;
  while (all < beats.order.length && at(all) < end) all++;
  // Where the log has ended, the row says all there is to say.
  const logged = !trace.truncated || end <= (beats.at[beats.count - 1] ?? 0);
  return { from, told, all, whole: !logged || all === told };
}

function standing(data: LabData, trace: Trace, beats: Beats, e: Entity, index: number, row: number, r: RowEvents, place: Place, settled: boolean): Standing {
  const out: Standing = { passed: 0, refused: 0, level: 0, exact: true, down: false };
  let passed = 0;
  let refused = 0;
  let mine = 0;
  let mineAll = 0;
  for (let i = r.from; i < r.all; i++) {
    const k = beats.order[i]!;
    if (beats.events.entity[k] !== index) continue;
    mineAll++;
    if (i >= r.told) continue;
    mine++;
    const flow = data.events[beats.events.kind[k]!]?.flow;
    if (flow === PASS) passed++;
    if (flow === BOUNCE) refused++;
  }
  out.passed = counted(trace.column(e.passed), row, passed, r.whole);
  out.refused = counted(trace.column(e.refused), row, refused, r.whole);
  if (e.level) levelled(out, trace, e.level, row, mine, mineAll, r.whole);
  if (e.down) out.down = value(trace.column(e.down), row) !== 0;
  const shapes = trace.shapesOf(index);
  for (let i = shapes.length - 1; i >= 0 && !out.shape; i--) {
    if (shapes[i]!.at < place.t || (shapes[i]!.at === place.t && settled)) out.shape = shapes[i]!.values;
  }
  return out;
}

/** A count up to a row's start, and of the row's events what has been told; never more than the row holds. */
function counted(rows: Float64Array, row: number, told: number, whole: boolean): number {
  const sums = prefix(rows);
  const before = sums[Math.min(row, rows.length)] ?? 0;
  if (row >= rows.length) return before;
  return whole ? sums[row + 1]! : before + Math.min(told, rows[row]!);
}

/** A level moves from the last row's value to this row's as the row's events are told. */
function levelled(out: Standing, trace: Trace, column: string, row: number, mine: number, all: number, whole: boolean): void {
  const rows = trace.column(column);
  if (trace.layout.columns.find((c) => c.name === column)?.gather === SUM) return;
  const to = value(rows, row);
  if (whole || mine === all || row === Infinity) {
    out.level = to;
    return;
  }
  const from = row > 0 ? rows[row - 1]! : 0;
  out.level = from + (to - from) * (mine / all);
  out.exact = mine === 0;
}

function value(rows: Float64Array, row: number): number {
  return rows[Math.min(row, rows.length - 1)] ?? 0;
}

const prefixes = new WeakMap<Float64Array, Float64Array>();

/** sums[i] is the sum of the first i rows. */
function prefix(rows: Float64Array): Float64Array {
  let sums = prefixes.get(rows);
  if (!sums) {
    sums = new Float64Array(rows.length + 1);
    for (let i = 0; i < rows.length; i++) sums[i + 1] = sums[i]! + rows[i]!;
    prefixes.set(rows, sums);
  }
  return sums;
}
