// The plots, as lanes over one time axis: for each entity that has them its counts and its level, then the layout's other plots, one
// lane a column, so that no two curves cross and none is told by colour alone. One cursor runs through all lanes.
import { bars, type Bin, binned, heights, px, scaleX, steps, ticks, under, type View } from "./curves";
import { el, svg, write } from "./dom";
import type { Play } from "./play";
import { type Entity, MARK_ACTION, SUM, type Trace } from "./trace";

/** What a view makes of counts: their bins, and the height on which those of the refused stand. */
interface Bins {
  passed: Bin[];
  refused: Bin[];
  on: Map<number, number>;
}

const NO_BINS: Bins = { passed: [], refused: [], on: new Map() };

/** One track of a lane: counts as bars, or a level as a line. */
type Track =
  | { kind: "counts"; passed: Float64Array; refused: Float64Array; unit: string; bins: Bins }
  | { kind: "level"; rows: Float64Array; bound: number; top: number; queue: boolean; unit: string };

interface Lane {
  title: string;
  group: string; // lanes of one group share the scale of their counts, so that they can be compared
  judged: boolean;
  tracks: Track[];
  value: HTMLElement;
  body: HTMLElement;
}

const COUNTS = 22; // px
const LEVEL = 36;
const MOST = 8; // lanes of entities

export class Lanes {
  readonly root = el("div", { class: "lanes" });
  /** Called when the reader points at an instant. */
  onScrub: (t: number) => void = () => {};
  private play: Play | undefined;
  private lanes: Lane[] = [];
  private view: View = { from: 0, to: 1 };
  private axis = el("div", { class: "axis", "aria-hidden": "true" });
  private cursor = el("i", { class: "cursor" });
  private ghost = el("i", { class: "cursor ghost", hidden: "" });
  private left = 0; // of the tracks within the root, px
  private width = 0;
  private t = 0;
  private hovered: number | undefined;
  // What stands beside the tracks may change their width when nothing else does.
  private readonly sizes = new ResizeObserver(() => {
    const now = this.lanes[0]?.body.clientWidth ?? 0;
    if (now > 0 && now !== this.width) this.lay();
  });

  constructor() {
    this.root.addEventListener("pointerdown", (e) => this.down(e));
    this.root.addEventListener("pointermove", (e) => this.move(e));
    this.root.addEventListener("pointerleave", () => this.hover(undefined));
  }

  show(play: Play, view: View): void {
    this.play = play;
    this.view = view;
    this.lanes = [];
    const parts: Node[] = [];
    for (const lane of entityLanes(play)) parts.push(this.add(lane));
    for (const { title, lanes } of plotLanes(play)) {
      parts.push(el("p", { class: "lanes-title" }, title));
      for (const lane of lanes) parts.push(this.add(lane));
    }
    this.root.replaceChildren(...parts, this.axis, this.cursor, this.ghost);
    this.sizes.disconnect();
    if (this.lanes[0]) this.sizes.observe(this.lanes[0].body);
    this.lay();
  }

  /** Shows another stretch of time. */
  look(view: View): void {
    this.view = view;
    this.lay();
  }

  get looksAt(): View {
    return this.view;
  }

  /** Draws everything for the width that there is. */
  lay(): void {
    const { play } = this;
    const first = this.lanes[0]?.body;
    if (!play || !first || first.clientWidth === 0) return;
    this.left = first.offsetLeft;
    this.width = first.clientWidth;
    const tops = this.count(play.trace.grain);
    for (const lane of this.lanes) lane.body.replaceChildren(this.drawing(play, lane, tops.get(lane.group) ?? 1));
    this.axis.replaceChildren(this.drawAxis(play));
    this.point(this.t);
  }

  /** Moves the cursor, and tells the values there. */
  point(t: number): void {
    this.t = t;
    this.put(this.cursor, t);
    if (this.hovered === undefined) this.tell(t);
  }

  private put(line: HTMLElement, t: number): void {
    const x = scaleX(this.view, this.width)(t);
    const seen = x >= -0.5 && x <= this.width + 0.5;
    line.hidden = !seen;
    if (seen) line.style.transform = `translateX(${(this.left + Math.min(this.width, Math.max(0, x))).toFixed(1)}px)`;
  }

  private tell(t: number): void {
    const { play } = this;
    if (!play) return;
    const row = play.trace.row(t);
    for (const lane of this.lanes) {
      const level = lane.tracks.find((k) => k.kind === "level");
      const counts = lane.tracks.find((k) => k.kind === "counts");
      const unit = (level ?? counts)?.unit ?? "";
      const v = level ? level.rows[row] ?? 0 : counts ? (counts.passed[row] ?? 0) + (counts.refused[row] ?? 0) : 0;
      write(lane.value, play.words.brief(unit, v));
    }
  }

  private hover(t: number | undefined): void {
    this.hovered = t;
    this.ghost.hidden = t === undefined;
    if (t !== undefined) this.put(this.ghost, t);
    this.tell(t ?? this.t);
  }

  private instant(e: PointerEvent): number | undefined {
    const x = e.clientX - this.root.getBoundingClientRect().left - this.left;
    if (this.width === 0 || x < -8 || x > this.width + 8) return undefined;
    const share = Math.min(1, Math.max(0, x / this.width));
    return this.view.from + share * (this.view.to - this.view.from);
  }

  private down(e: PointerEvent): void {
    const t = this.instant(e);
    if (t === undefined || e.button !== 0) return;
    this.root.setPointerCapture(e.pointerId);
    this.onScrub(t);
  }

  private move(e: PointerEvent): void {
    const t = this.instant(e);
    if (e.buttons & 1 && this.root.hasPointerCapture(e.pointerId) && t !== undefined) this.onScrub(t);
    else if (e.pointerType === "mouse") this.hover(t);
  }

  private add(spec: Omit<Lane, "value" | "body">): HTMLElement {
    const value = el("span", { class: "value" });
    const body = el("div", { class: "tracks" });
    this.lanes.push({ ...spec, value, body });
    return el("div", { class: spec.judged ? "lane judged" : "lane" }, el("span", { class: "title" }, spec.title), body, value);
  }

  /** Counts into bins, and returns the largest bar of each group. */
  private count(grain: number): Map<string, number> {
    const tops = new Map<string, number>();
    for (const { group, tracks } of this.lanes) {
      for (const track of tracks) {
        if (track.kind !== "counts") continue;
        const passed = binned(track.passed, grain, this.view, this.width, 3);
        const refused = binned(track.refused, grain, this.view, this.width, 3);
        const on = heights(passed);
        track.bins = { passed, refused, on };
        let top = tops.get(group) ?? 1;
        for (const b of passed) top = Math.max(top, b.n);
        for (const b of refused) top = Math.max(top, b.n + (on.get(b.x0) ?? 0));
        tops.set(group, top);
      }
    }
    return tops;
  }

  private drawing(play: Play, lane: Lane, top: number): SVGSVGElement {
    const { view, width } = this;
    const grain = play.trace.grain;
    const height = lane.tracks.reduce((h, k) => h + (k.kind === "counts" ? COUNTS : LEVEL), 0);
    const out = svg("svg", { width, height, "aria-hidden": "true" });
    const x = scaleX(view, width);
    out.append(svg("path", { class: "grid", d: ticks(view, width, 90).map((t) => `M${px(x(t))} 0V${height}`).join("") }));
    let y = 0;
    for (const track of lane.tracks) {
      if (track.kind === "counts") {
        y += COUNTS;
        const { passed, refused, on } = track.bins;
        out.append(svg("path", { class: "admit fill", d: bars(passed, y, COUNTS - 3, top) }));
        out.append(svg("path", { class: "refuse hollow", d: bars(refused, y, COUNTS - 3, top, on) }));
        continue;
      }
      out.append(...this.level(track, y, grain));
      y += LEVEL;
    }
    return out;
  }

  private level(track: Extract<Track, { kind: "level" }>, top: number, grain: number): SVGElement[] {
    const { view, width } = this;
    const base = top + LEVEL;
    const y = (v: number) => base - (v / track.top) * (LEVEL - 4);
    const path = steps(track.rows, grain, view, width, y);
    const name = track.queue ? "queue" : "admit";
    const out: SVGElement[] = [svg("path", { class: `${name} area`, d: under(path, base) })];
    if (track.bound > 0) {
      const over = steps(track.rows, grain, view, width, (v) => y(Math.max(v, track.bound)));
      out.push(svg("path", { class: "refuse area", d: under(over, y(track.bound)) }));
      out.push(svg("path", { class: "bound", d: `M0 ${px(y(track.bound))}H${width}` }));
    }
    out.push(svg("path", { class: `${name} line`, d: path }));
    return out;
  }

  private drawAxis(play: Play): SVGSVGElement {
    const { view, width } = this;
    const x = scaleX(view, width);
    const out = svg("svg", { width, height: 34 });
    out.append(svg("path", { class: "rule", d: `M0 16.5H${width}` + ticks(view, width, 90).map((t) => `M${px(x(t))} 16.5v4`).join("") }));
    for (const t of ticks(view, width, 90)) {
      const at = x(t);
      const anchor = at < 24 ? "start" : at > width - 24 ? "end" : "middle";
      out.append(svg("text", { x: px(at), y: 31, "text-anchor": anchor }, play.words.time(t)));
    }
    for (const mark of marksOf(play.trace)) {
      const at = x(mark.t);
      if (at < 0 || at > width) continue;
      const d = mark.action ? `M${px(at)} 3l5 9h-10z` : `M${px(at - 4)} 4l8 8m0 -8l-8 8`;
      out.append(svg("path", { class: mark.action ? "action" : "violation", d }));
    }
    return out;
  }
}

/** The marks worth a sign on the axis: actions and violations, of each at most one an instant. */
export function marksOf(trace: Trace): { t: number; action: boolean }[] {
  const seen = new Set<string>();
  const out: { t: number; action: boolean }[] = [];
  for (let i = 0; i < trace.marks.at.length; i++) {
    const action = trace.marks.kind[i] === MARK_ACTION;
    if (!action && trace.marks.kind[i]! < MARK_ACTION) continue;
    const key = `${trace.marks.at[i]} ${action}`;
    if (!seen.has(key)) out.push({ t: trace.marks.at[i]!, action });
    seen.add(key);
  }
  return out;
}

function unitOf(trace: Trace, column: string | undefined): string {
  return trace.layout.columns.find((c) => c.name === column)?.unit ?? "";
}

/** The bound of the plot that an entity's level belongs to; 0 for none. */
function boundOf(trace: Trace, e: Entity): number {
  return trace.layout.plots.find((p) => e.level !== undefined && p.columns.includes(e.level))?.bound ?? 0;
}

/** True for an entity that is nothing but a level which a plot shows among others. */
function plotted(trace: Trace, e: Entity): boolean {
  const levels = new Set(trace.layout.entities.map((other) => other.level));
  return !e.passed && !e.refused && trace.layout.plots.some((p) => p.columns.includes(e.level!) && !p.columns.every((c) => levels.has(c)));
}

/** Lanes of entities: the judged ones first where there are too many. */
function entityLanes({ trace, words }: Play): Omit<Lane, "value" | "body">[] {
  let entities = trace.layout.entities.filter((e) => (e.passed || e.refused || e.level) && !plotted(trace, e));
  if (entities.length > MOST) entities = [...entities].sort((a, b) => (b.judged ?? 0) - (a.judged ?? 0)).slice(0, MOST);
  // Levels under one bound share a scale, and so do those of one kind: they are there to be compared.
  const alike = (a: Entity, b: Entity) => b.level !== undefined && boundOf(trace, a) === boundOf(trace, b) && (boundOf(trace, a) > 0 || a.kind === b.kind);
  const reach = (e: Entity) => Math.max(1, boundOf(trace, e), ...entities.filter((o) => alike(e, o)).map((o) => Math.max(o.full ?? 0, largest(trace.column(o.level)))));
  return entities.map((e) => {
    const tracks: Track[] = [];
    if (e.passed || e.refused) {
      tracks.push({ kind: "counts", passed: trace.column(e.passed), refused: trace.column(e.refused), unit: unitOf(trace, e.passed), bins: NO_BINS });
    }
    if (e.level) {
      const bound = boundOf(trace, e);
      tracks.push({ kind: "level", rows: trace.column(e.level), bound, top: reach(e) * 1.08, queue: e.kind === "queue", unit: unitOf(trace, e.level) });
    }
    return { title: words.entity(e), group: "", judged: e.judged === 1, tracks };
  });
}

/** The plots that the lanes of entities do not show already. */
function plotLanes({ data, trace, words }: Play): { title: string; lanes: Omit<Lane, "value" | "body">[] }[] {
  const { entities } = trace.layout;
  const levels = new Set(entities.map((e) => e.level));
  const counts = new Set(entities.flatMap((e) => [e.passed, e.refused]));
  const all = entities.length <= MOST; // each entity has a lane of its own
  const out: { title: string; lanes: Omit<Lane, "value" | "body">[] }[] = [];
  for (const plot of trace.layout.plots) {
    if (plot.columns.every((c) => levels.has(c)) || (all && plot.columns.every((c) => counts.has(c)))) continue;
    const top = Math.max(1, plot.bound ?? 0, ...plot.columns.map((c) => largest(trace.column(c)))) * 1.08;
    const lanes = plot.columns.map((name) => {
      const rows = trace.column(name);
      const unit = unitOf(trace, name);
      const sum = (trace.layout.columns.find((c) => c.name === name)?.gather ?? SUM) === SUM;
      const track: Track = sum
        ? { kind: "counts", passed: rows, refused: new Float64Array(0), unit, bins: NO_BINS }
        : { kind: "level", rows, bound: plot.bound ?? 0, top, queue: false, unit };
      return { title: words.column(trace.layout, name), group: plot.name, judged: false, tracks: [track] };
    });
    out.push({ title: data.plots[plot.name] ?? plot.name, lanes });
  }
  return out;
}

function largest(rows: Float64Array): number {
  let most = 0;
  for (const v of rows) if (v > most) most = v;
  return most;
}
