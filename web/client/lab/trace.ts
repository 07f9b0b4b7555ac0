// A trace as this side uses it: columns, events, marks, metrics, verdicts, decoded from the canonical bytes (labs/codec.go), and the
// layout that names them.
import type { Sections } from "../worker/sections";
import type { LabData } from "./data";

/** labs.Layout as the module writes it: absent fields have their zero value. */
export interface Layout {
  columns: Column[];
  entities: Entity[];
  links: { from: string; to: string }[];
  plots: { name: string; columns: string[]; bound?: number }[];
  panels?: Panel[];
}

/** A list of rows beside the stage; its shapes come after those of the entities (labs.Panel). */
export interface Panel {
  name: string;
  /** waterfall or lines. */
  kind: string;
  /** Codes that numbers of its rows index. */
  words: string[];
}

export interface Column {
  name: string;
  unit?: string;
  /** 0 sum, 1 last, 2 peak; absent is 0. */
  gather?: number;
}

export interface Entity {
  name: string;
  label?: string;
  n?: number;
  kind: string;
  rank?: number;
  row?: number;
  judged?: number;
  level?: string;
  full?: number;
  passed?: string;
  refused?: string;
  down?: string;
}

/** Events, column by column. */
export interface Events {
  at: Float64Array;
  n: Float64Array;
  kind: Float64Array;
  entity: Float64Array;
  a: Float64Array;
  b: Float64Array;
}

/** What an entity looks like inside from an instant on (labs.Shape); what the numbers mean is a matter of its kind. */
export interface Shape {
  at: number;
  values: Float64Array;
}

export interface Verdict {
  check: number;
  ok: boolean;
  at: number;
  n: number;
  request: number;
  facts: number[];
  count: number;
}

/** The kinds of marks that are not a lab's own events. */
export const MARK_ACTION = 0xfffe;
export const MARK_VIOLATION = 0xffff;

export const SUM = 0;

/** After this many events the log is full (labs.MaxLog). */
const MAX_LOG = 10_000;
const VERDICT_WIDTH = 10;

export class Trace {
  readonly layout: Layout;
  readonly horizon: number;
  readonly grain: number;
  readonly handled: number;
  readonly log: Events;
  readonly marks: Events;
  readonly metrics: Float64Array;
  readonly verdicts: Verdict[];
  private readonly shapes = new Map<number, Shape[]>();
  private readonly bytes: Sections;
  private readonly columns = new Map<string, Float64Array>();
  private anyRefused: boolean | undefined;

  constructor(bytes: Sections, layout: Layout) {
    this.bytes = bytes;
    this.layout = layout;
    const meta = bytes.numbers("meta");
    this.horizon = meta[0] ?? 0;
    this.grain = meta[1] ?? 1;
    this.handled = meta[2] ?? 0;
    this.log = events(bytes, "log.");
    this.marks = events(bytes, "mark.");
    this.metrics = bytes.numbers("metrics");
    this.verdicts = verdicts(bytes.numbers("verdicts"));
    for (const words of bytes.every("shape")) {
      const entity = words[1]!;
      const list = this.shapes.get(entity) ?? [];
      this.shapes.set(entity, list);
      list.push({ at: words[0]!, values: words.subarray(2) });
    }
  }

  /** More happened than the log holds: later single events come by replay. */
  get truncated(): boolean {
    return this.log.at.length >= MAX_LOG;
  }

  /** Something is refused in this run; else nothing on the stage speaks of it. */
  get refuses(): boolean {
    return (this.anyRefused ??= this.layout.entities.some((e) => this.column(e.refused).some((v) => v > 0)));
  }

  /** The rows of a column, each `grain` long; none for a name that is not there. */
  column(name: string | undefined): Float64Array {
    if (!name) return NONE;
    let values = this.columns.get(name);
    if (!values) {
      values = this.bytes.numbers(`column:${name}`);
      this.columns.set(name, values);
    }
    return values;
  }

  /** What an entity looked like inside, shape after shape; none for one that tells nothing. */
  shapesOf(entity: number): Shape[] {
    return this.shapes.get(entity) ?? [];
  }

  /** The row of an instant. */
  row(t: number): number {
    return Math.floor(Math.min(Math.max(t, 0), this.horizon - 1) / this.grain);
  }

  metric(data: LabData, name: string): number | undefined {
    const i = data.metrics.findIndex((m) => m.name === name);
    return i < 0 ? undefined : this.metrics[i];
  }
}

const NONE = new Float64Array(0);

/** Reads six columns of events. */
export function events(s: Sections, prefix: string): Events {
  const get = (name: string) => s.numbers(prefix + name);
  return { at: get("at"), n: get("n"), kind: get("kind"), entity: get("entity"), a: get("a"), b: get("b") };
}

function verdicts(words: Float64Array): Verdict[] {
  const out: Verdict[] = [];
  for (let i = 0; i + VERDICT_WIDTH <= words.length; i += VERDICT_WIDTH) {
    const w = words.subarray(i, i + VERDICT_WIDTH);
    out.push({ check: w[0]!, ok: w[1] === 1, at: w[2]!, n: w[3]!, request: w[4]!, facts: [...w.subarray(5, 9)], count: w[9]! });
  }
  return out;
}

/** The first index whose value is above v, in ascending values. */
export function above(values: ArrayLike<number>, v: number): number {
  let lo = 0;
  let hi = values.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (values[mid]! <= v) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
