// The stage: entities as boxes of HTML, ways as SVG under them, requests as dots on a canvas between the two. A ring is drawn as one
// (ringstage.ts).
import type { Beats } from "./beats";
import type { Action } from "./data";
import { el, svg } from "./dom";
import { dotsAt, dotsOf, drawDots, endsOf } from "./dots";
import { tellers } from "./facts";
import { Figure, slotted } from "./figure";
import type { Moment } from "./moment";
import { placed, type Placement } from "./place";
import type { Play } from "./play";
import { OWNERS } from "./ringpaint";
import { RingStage } from "./ringstage";
import type { Entity } from "./trace";

const WAIT = 3; // labs.Flow

export class Stage {
  readonly root = el("div", { class: "stage", role: "group" });
  /** What stands below it: what the signs on it mean, and what is too fine to be seen on it. */
  readonly below = el("div", { class: "stage-below" });
  private readonly legend = el("p", { class: "stage-key" });
  /** Called when the reader chooses an entity, or lets it go. */
  onChoose: (entity: number | undefined, byKey: boolean) => void = () => {};
  /** Called with what the reader does to one. */
  onDeed: (rest: string) => void = () => {};
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private play: Play | undefined;
  private figures: Figure[] = [];
  private ring: RingStage | undefined;
  private placement: Placement | undefined;
  private ends: ReturnType<typeof endsOf> = [];
  private colours = { admit: "", refuse: "", queue: "", ground: "" };
  private drawn = false; // the canvas holds dots
  private chosen: string | undefined;

  constructor() {
    this.root.addEventListener("click", (e) => this.click(e));
    this.root.addEventListener("keydown", (e) => this.key(e));
  }

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
    const telling = tellers(play.trace);
    const p = placed(play.trace.layout, width, play.data.height, telling, play.trace.layout.entities.map((e) => wide(play.words.entity(e))));
    this.placement = p;
    this.ends = endsOf(p);
    const focused = this.figures.find((f) => f.box === document.activeElement)?.entity.name;
    const { ring } = p;
    this.figures = play.trace.layout.entities.map((e, i) => {
      const place = ring?.nodes.indexOf(i) ?? -1;
      return new Figure(play, e, telling.has(i), ring && place >= 0 ? { tokens: ring.tokens, place } : undefined);
    });
    this.figures.forEach(({ box }, i) => {
      const at = p.boxes[i]!;
      box.style.left = `${at.x}px`;
      box.style.top = `${at.y}px`;
      box.style.width = `${at.w}px`;
      box.style.height = `${at.h}px`;
    });
    this.ring = ring && new RingStage(play, ring, this.figures, (rest) => this.onDeed(rest));
    const ways = p.ways.filter((w) => !w.within).map((w) => {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = w.points;
      return svg("path", { d: `M${x0} ${y0}C${x1} ${y1} ${x2} ${y2} ${x3} ${y3}` });
    });
    const lines = svg("svg", { class: "ways", width, height: p.height, "aria-hidden": "true" }, ...ways);
    this.root.style.height = `${p.height}px`;
    this.root.classList.toggle("narrow", p.narrow);
    // A ring's own box is its circle and what stands in its middle.
    const boxes = this.figures.filter((_, i) => i !== ring?.entity).map((f) => f.box);
    this.root.replaceChildren(lines, ...(this.ring ? [this.ring.canvas] : []), this.canvas, ...(this.ring ? [this.ring.hub] : []), ...boxes);
    for (const canvas of [this.canvas, ...(this.ring ? [this.ring.canvas] : [])]) sharpen(canvas, width, p.height);
    this.ring?.lens.lay(width);
    this.drawn = false;
    this.paint();
    this.mark();
    this.below.replaceChildren(...(this.ring ? [this.ring.lens.root] : []), this.legend);
    this.legend.replaceChildren(...signs(play, this.ring).map(([sign, word]) => el("span", { class: `sign ${sign}` }, play.words.get(word))));
    this.figures.find((f) => f.entity.name === focused)?.box.focus({ preventScroll: true });
  }

  /** Reads the colours of the current scheme. */
  paint(): void {
    const style = getComputedStyle(this.root);
    const get = (name: string) => style.getPropertyValue(name).trim();
    this.colours = { admit: get("--admit"), refuse: get("--refuse"), queue: get("--queue"), ground: get("--raised") };
    if (!this.ring) return;
    const owners = Array.from({ length: OWNERS }, (_, i) => get(`--own${i + 1}`));
    const [ink, soft, edge, wash, on] = ["--ink", "--soft", "--edge", "--wash", "--on"].map(get) as [string, string, string, string, string];
    this.ring.ink({ owners, ink, soft, edge, wash, on, ground: this.colours.ground, refuse: this.colours.refuse }, `600 12px ${style.fontFamily}`);
  }

  /** Marks the entity that was chosen, by its name: another run may have it, too. */
  choose(name: string | undefined): void {
    this.chosen = name;
    this.mark();
  }

  /** Gives an entity the focus. */
  focus(name: string): void {
    this.figures.find((f) => f.entity.name === name)?.box.focus({ preventScroll: true });
  }

  /** True for a node that a ring has yet to get. */
  toCome(entity: number): boolean {
    return this.placement?.ring?.nodes.includes(entity) === true && this.ring?.membership(entity) === "to come";
  }

  /** Why an action can do nothing now to an entity, or at all: see RingStage. */
  why(action: Action, e: Entity | undefined): string | undefined {
    return this.ring?.why(action, e && this.play?.trace.layout.entities.indexOf(e));
  }

  /** Shows one moment, with the dots of a display time or of a single beat. */
  draw(m: Moment, dots: { x: number; speed: number } | { beats: Beats; beat: number }): void {
    const { play } = this;
    if (!play || !this.placement) return;
    const nodes = this.placement.ring?.nodes;
    this.figures.forEach((f, i) => nodes?.includes(i) || f.stand(m.entities[i]!, m.broken.size > 0));
    this.ring?.draw(m);
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

  private mark(): void {
    let at: number | undefined;
    this.figures.forEach((f, i) => {
      const on = f.entity.name === this.chosen;
      if (on) at = i;
      if (f.box.hasAttribute("aria-pressed")) f.box.setAttribute("aria-pressed", String(on));
    });
    this.ring?.choose(at !== undefined && this.placement?.ring?.nodes.includes(at) ? at : undefined);
  }

  private click(e: MouseEvent): void {
    const i = this.figures.findIndex((f) => f.box.hasAttribute("aria-pressed") && f.box.contains(e.target as Node));
    if (i >= 0) this.onChoose(this.figures[i]!.entity.name === this.chosen ? undefined : i, false);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const i = this.figures.findIndex((f) => f.box === e.target);
    if (i < 0) return;
    if (e.key === "Enter" || e.key === " ") this.onChoose(i, true);
    else if (e.key === "Escape" && this.chosen !== undefined && !e.defaultPrevented) this.onChoose(undefined, true);
    else return;
    e.preventDefault();
  }
}

/** The signs that this stage shows, each with the key of its word. */
function signs({ trace, data }: Play, ring: RingStage | undefined): [string, string][] {
  const { entities } = trace.layout;
  const out: [string, string][] = [];
  if (entities.some((e) => e.passed)) out.push(["passed", passedWord(entities)]);
  if (trace.refuses) out.push(["refused", "key-refused"]);
  if (data.events.some((e) => e.flow === WAIT)) out.push(["waiting", "key-waiting"]);
  if (entities.some(slotted)) out.push(["place", "key-place"], ["taken", "key-taken"]);
  if (ring) out.push(["stays", "key-stays"], ["moved", "key-moved"], ["misled", "key-misled"]);
  return out;
}

/** The key of the word for what is not refused: limiters and queues admit, shards acknowledge, others let pass (web/picture, passedWord). */
function passedWord(entities: Entity[]): string {
  const counted = entities.filter((e) => e.passed || e.refused);
  if (counted.some((e) => e.kind === "shard" && e.passed)) return "key-acknowledged";
  return counted.every((e) => e.kind === "limiter" || e.kind === "queue") ? "key-admitted" : "key-passed";
}

/** Gives a canvas as many pixels as the screen has, up to two for each of the page's. */
function sharpen(canvas: HTMLCanvasElement, width: number, height: number): void {
  const scale = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.getContext("2d")?.scale(scale, scale);
}

/** About how wide a name is in one line: a Chinese character has the width of two Latin ones. */
function wide(name: string): number {
  return [...name].reduce((sum, c) => sum + (c > "\u2e7f" ? 13 : 6.9), 0);
}
