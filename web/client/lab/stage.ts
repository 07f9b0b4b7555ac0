// The stage: entities as boxes of HTML (so that names wrap and can be read aloud), ways as SVG under them, requests as dots on a canvas
// between the two.
import type { Beats, Pace } from "./beats";
import type { LabData } from "./data";
import { el, svg, write } from "./dom";
import { dotsAt, dotsOf, drawDots, endsOf } from "./dots";
import { glyph } from "./glyphs";
import type { Moment, Standing } from "./moment";
import { placed, type Placement } from "./place";
import { rough } from "./number";
import type { Entity, Trace } from "./trace";
import type { Words } from "./words";

interface Figure {
  entity: Entity;
  box: HTMLElement;
  passed: HTMLElement | undefined;
  refused: HTMLElement | undefined;
  bar: HTMLElement | undefined;
  level: HTMLElement | undefined;
  state: HTMLElement;
  full: number; // level at which the bar is full
}

/** What shows one result; a new result gets a new one. */
export interface Play {
  data: LabData;
  words: Words;
  trace: Trace;
  beats: Beats;
  pace: Pace;
}

export class Stage {
  readonly root = el("div", { class: "stage", role: "group" });
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private play: Play | undefined;
  private figures: Figure[] = [];
  private placement: Placement | undefined;
  private ends: ReturnType<typeof endsOf> = [];
  private colours = { admit: "", refuse: "", queue: "", ground: "" };
  private drawn = false; // the canvas holds dots

  /** Shows another result. */
  show(play: Play): void {
    this.play = play;
    this.root.setAttribute("aria-label", play.words.get("stage"));
    this.lay();
  }

  /** Lays everything out for the width that there is. */
  lay(): void {
    const { play } = this;
    const width = this.root.clientWidth;
    if (!play || width === 0) return;
    const p = placed(play.trace.layout, width);
    this.placement = p;
    this.ends = endsOf(p);
    this.figures = play.trace.layout.entities.map((e) => this.figure(play, e));
    this.figures.forEach(({ box }, i) => {
      const at = p.boxes[i]!;
      box.style.left = `${at.x}px`;
      box.style.top = `${at.y}px`;
      box.style.width = `${at.w}px`;
      box.style.height = `${at.h}px`;
    });
    const ways = p.ways.map((w) => {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = w.points;
      return svg("path", { d: `M${x0} ${y0}C${x1} ${y1} ${x2} ${y2} ${x3} ${y3}` });
    });
    const lines = svg("svg", { class: "ways", width, height: p.height, "aria-hidden": "true" }, ...ways);
    this.root.style.height = `${p.height}px`;
    this.root.classList.toggle("narrow", p.narrow);
    this.root.replaceChildren(lines, this.canvas, ...this.figures.map((f) => f.box));
    const scale = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(p.height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${p.height}px`;
    this.canvas.getContext("2d")?.scale(scale, scale);
    this.drawn = false;
    this.paint();
  }

  /** Reads the colours of the current scheme. */
  paint(): void {
    const style = getComputedStyle(this.root);
    const get = (name: string) => style.getPropertyValue(name).trim();
    this.colours = { admit: get("--admit"), refuse: get("--refuse"), queue: get("--queue"), ground: get("--raised") };
  }

  /** Shows one moment, with the dots of a display time or of a single beat. */
  draw(m: Moment, dots: { x: number; speed: number } | { beats: Beats; beat: number }): void {
    const { play } = this;
    if (!play || !this.placement) return;
    this.figures.forEach((f, i) => this.stand(play, f, m.entities[i]!, m.broken.size > 0));
    const list =
      "beat" in dots
        ? dotsOf(play.data, dots.beats, this.ends, dots.beat)
        : dotsAt(play.data, play.trace, play.beats, play.pace, this.ends, dots.x, dots.speed);
    const ctx = this.canvas.getContext("2d");
    if (!ctx || (list.length === 0 && !this.drawn)) return;
    ctx.clearRect(0, 0, this.placement.width, this.placement.height);
    drawDots(ctx, list, this.colours);
    this.drawn = list.length > 0;
  }

  private figure(play: Play, entity: Entity): Figure {
    const { words, trace } = play;
    const name = el("span", { class: "name" }, words.entity(entity));
    const state = el("span", { class: "state" });
    const head = el("span", { class: "who" }, glyph(entity.kind), name);
    const box = el("div", { class: `entity ${entity.kind}` }, head);
    const counts = el("span", { class: "counts" });
    const passed = entity.passed ? el("span", { class: "admit" }) : undefined;
    const refused = entity.refused ? el("span", { class: "refuse" }) : undefined;
    if (passed) counts.append(passed);
    if (refused) counts.append(refused);
    counts.append(state);
    let bar: HTMLElement | undefined;
    let level: HTMLElement | undefined;
    let full = entity.full ?? 0;
    if (entity.level) {
      full ||= Math.max(1, ...trace.column(entity.level));
      bar = el("span", { class: "bar" });
      level = el("span", { class: "level" });
      counts.append(level);
      box.append(el("span", { class: "track", "aria-hidden": "true" }, bar));
    }
    box.append(counts);
    if (entity.judged) {
      box.classList.add("judged");
      box.title = words.get("judged");
    }
    return { entity, box, passed, refused, bar, level, state, full };
  }

  private stand({ words, trace }: Play, f: Figure, s: Standing, broken: boolean): void {
    if (f.passed) write(f.passed, words.number("", s.passed));
    if (f.refused) write(f.refused, words.number("", s.refused));
    f.box.classList.toggle("down", s.down);
    const bad = broken && f.entity.judged === 1;
    f.box.classList.toggle("broken", bad);
    write(f.state, s.down ? words.get("down") : bad ? "✗" : "");
    if (!f.bar || !f.level) return;
    const share = s.level / f.full;
    f.bar.style.transform = `scaleX(${Math.min(1, share).toFixed(4)})`;
    f.box.classList.toggle("over", f.entity.full !== undefined && share > 1);
    const unit = trace.layout.columns.find((c) => c.name === f.entity.level)?.unit;
    const value = words.number(unit, s.exact ? s.level : rough(s.level));
    write(f.level, f.entity.full ? `${value}/${words.number(unit, f.full)}` : value);
  }
}
