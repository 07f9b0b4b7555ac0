// One entity on the stage: a box of HTML, so that names wrap and can be read aloud. What can be acted on is a button.
import { targets } from "./deeds";
import { el, write } from "./dom";
import { factsOf } from "./facts";
import { glyph } from "./glyphs";
import type { Standing } from "./moment";
import { rough } from "./number";
import type { Tokens } from "./orbit";
import type { Play } from "./play";
import type { Entity } from "./trace";

const SLOTS = 12; // of more places than this a bar tells how many are taken
const EXTRA = 6; // places beyond the last that are shown when more are taken than there are
const SHORT = 16; // characters of a level's name that stand beside its value

/** True for what has few enough places to show each. */
export function slotted(e: Entity): boolean {
  return e.kind === "pool" && e.level !== undefined && e.full !== undefined && e.full <= SLOTS;
}

export class Figure {
  readonly box: HTMLElement;
  readonly entity: Entity;
  private readonly play: Play;
  private readonly passed: HTMLElement | undefined;
  private readonly refused: HTMLElement | undefined;
  private readonly bar: HTMLElement | undefined;
  private readonly slots: HTMLElement[] = [];
  private readonly level: HTMLElement | undefined;
  private readonly state = el("span", { class: "state" });
  private readonly facts: HTMLElement[] = [];
  private readonly carried = el("i", { class: "carried", hidden: "" });
  private readonly unit: string | undefined;
  private readonly full: number; // level at which the bar is full
  private readonly upright: boolean;
  private share = -1;
  private told: Float64Array | undefined; // the shape that the facts tell
  private toldAt = -1;

  /** On a ring a node is a box, a coin or a dot, in its owner's colour. A teller says what it looks like inside. */
  constructor(play: Play, entity: Entity, teller: boolean, onRing?: { tokens: Tokens; place: number }) {
    const { words, trace, data } = play;
    this.play = play;
    this.entity = entity;
    this.upright = onRing !== undefined && onRing.tokens !== "boxes";
    this.full = entity.full || (entity.level ? Math.max(1, ...alike(play, entity).map((column) => trace.column(column).reduce((a, b) => Math.max(a, b), 0))) : 0);
    this.unit = trace.layout.columns.find((c) => c.name === entity.level)?.unit;
    this.box = el("div", { class: `entity ${entity.kind}` });
    if (onRing) {
      this.box.dataset["n"] = String(onRing.place + 1);
      this.box.classList.add("owner", `own${(onRing.place % 8) + 1}`, ...(this.upright ? [onRing.tokens.slice(0, -1)] : []));
    }
    const shown = onRing?.tokens === "dots" ? "" : this.upright ? String(entity.n || onRing!.place + 1) : words.entity(entity);
    const sign = onRing ? el("i", { class: `swatch part${Math.floor(onRing.place / 8) % 4}`, "aria-hidden": "true" }) : glyph(entity.kind);
    const head = el("span", { class: "who" }, ...(this.upright ? [] : [sign]), el("span", { class: "name" }, shown));
    if (entity.level && !(teller && entity.kind === "shard")) {
      if (slotted(entity)) this.slots = Array.from({ length: entity.full! + EXTRA }, (_, i) => el("i", i < entity.full! ? {} : { class: "extra", hidden: "" }));
      else this.bar = el("span", { class: "bar" });
      this.level = el("span", { class: "level" });
    }
    const track = this.bar ? el("span", { class: "track", "aria-hidden": "true" }, this.bar, this.carried) : this.slots.length > 0 ? el("span", { class: "slots", "aria-hidden": "true" }, ...this.slots) : undefined;
    if (this.upright) this.box.append(...(track ? [track] : []), head);
    else {
      if (teller) this.facts = [el("span", { class: "fact" }), el("span", { class: "fact" })];
      const counts = el("span", { class: "counts" });
      if (entity.passed) counts.append((this.passed = el("span", { class: "admit", title: words.column(trace.layout, entity.passed) })));
      if (entity.refused && trace.refuses) counts.append((this.refused = el("span", { class: "refuse", title: words.column(trace.layout, entity.refused) })));
      counts.append(this.state);
      if (this.level && !teller) counts.append(this.level);
      this.box.append(head, ...(track ? [track] : []), ...this.facts, counts);
    }
    if (entity.judged) {
      this.box.classList.add("judged");
      this.box.title = words.get("judged");
    }
    if (onRing || data.actions.some((a) => targets(a, entity))) {
      this.box.setAttribute("role", "button");
      this.box.setAttribute("aria-pressed", "false");
      this.box.tabIndex = onRing && onRing.place > 0 ? -1 : 0;
      if (this.upright) this.box.setAttribute("aria-label", words.entity(entity));
    }
  }

  /** Shows how it stands. `state` is a word for what it is beside that. */
  stand(s: Standing, broken: boolean, state = ""): void {
    const { words } = this.play;
    if (this.passed) write(this.passed, words.number("", s.passed));
    if (this.refused) write(this.refused, words.number("", s.refused));
    const bad = broken && this.entity.judged === 1;
    this.box.classList.toggle("down", s.down);
    this.box.classList.toggle("broken", bad);
    write(this.state, s.down ? words.down(this.entity.down ?? "") : state || (bad ? "✗" : ""));
    if (this.facts.length > 0) this.tell(s);
    if (!this.level) return;
    const share = s.level / this.full;
    if (share !== this.share) {
      this.share = share;
      this.fill(s.level, share);
    }
    if (!this.upright && this.facts.length === 0) write(this.level, this.levelText(s)); // else there is no room for figures
  }

  /** Its level in words. */
  reading(s: Standing): string {
    const { words } = this.play;
    if (!this.entity.full) return words.get("level", { value: this.value(s) });
    return words.get("level-of", { value: this.value(s), full: words.number(this.unit, this.full) });
  }

  private fill(level: number, share: number): void {
    this.box.classList.toggle("over", this.entity.full !== undefined && share > 1);
    if (this.entity.kind === "log") this.bar!.style.transform = `translateX(${(Math.min(1, share) * 100 - 100).toFixed(2)}%)`;
    else if (this.bar) this.bar.style.transform = `scale${this.upright ? "Y" : "X"}(${Math.min(1, share).toFixed(3)})`;
    this.slots.forEach((slot, i) => {
      slot.classList.toggle("taken", i + 0.5 < level);
      if (i >= this.full) slot.hidden = i + 0.5 >= level;
    });
  }

  private levelText(s: Standing): string {
    const { words, trace } = this.play;
    const value = words.brief(this.unit, this.shown(s));
    if (this.box.classList.contains("owner")) return value; // its bar says how full, and the box is small
    if (this.entity.full) return words.outOf(this.unit, this.shown(s), this.full);
    // The words of a column that is one of several in a plot say how it differs from those, and not what it is.
    if (trace.layout.plots.some((p) => p.columns.length > 1 && p.columns.includes(this.entity.level!))) return value;
    const name = words.column(trace.layout, this.entity.level!);
    return name.length <= SHORT && this.entity.kind !== "queue" ? `${name} ${value}` : value;
  }

  /** Says what it looks like inside. */
  private tell(s: Standing): void {
    if (!s.shape || (this.told === s.shape && this.toldAt === s.level)) return;
    this.told = s.shape;
    this.toldAt = s.level;
    const facts = factsOf(this.play.words, this.entity.kind, s.shape, s.exact ? s.level : rough(s.level));
    this.facts.forEach((line, i) => write(line, facts.lines[i] ?? ""));
    this.box.classList.toggle("owns", facts.owner);
    this.box.classList.toggle("fenced", facts.fenced);
    this.carried.hidden = facts.carried < 0;
    this.carried.style.left = `${Math.min(100, (facts.carried / this.full) * 100).toFixed(2)}%`;
  }

  private value(s: Standing): string {
    return this.play.words.number(this.unit, this.shown(s));
  }

  private shown(s: Standing): number {
    return s.exact ? s.level : rough(s.level);
  }
}

/** The columns that share an unbounded level's scale: logs are compared with each other, all else stands alone. */
function alike({ trace }: Play, entity: Entity): string[] {
  if (entity.kind !== "log") return [entity.level!];
  return trace.layout.entities.flatMap((e) => (e.kind === "log" && e.level ? [e.level] : []));
}
