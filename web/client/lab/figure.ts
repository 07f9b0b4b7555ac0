// One entity on the stage: a box of HTML, so that names wrap and can be read aloud. What can be acted on is a button.
import { targets } from "./deeds";
import { el, write } from "./dom";
import { glyph } from "./glyphs";
import type { Standing } from "./moment";
import { rough } from "./number";
import type { Tokens } from "./orbit";
import type { Play } from "./stage";
import type { Entity } from "./trace";

export class Figure {
  readonly box: HTMLElement;
  readonly entity: Entity;
  private readonly play: Play;
  private readonly passed: HTMLElement | undefined;
  private readonly refused: HTMLElement | undefined;
  private readonly bar: HTMLElement | undefined;
  private readonly level: HTMLElement | undefined;
  private readonly state = el("span", { class: "state" });
  private readonly unit: string | undefined;
  private readonly full: number; // level at which the bar is full
  private readonly upright: boolean;
  private share = -1;

  /** On a ring a node is a box, a coin or a dot, in its owner's colour. */
  constructor(play: Play, entity: Entity, onRing?: { tokens: Tokens; place: number }) {
    const { words, trace, data } = play;
    this.play = play;
    this.entity = entity;
    const name = words.entity(entity);
    const small = onRing !== undefined && onRing.tokens !== "boxes";
    this.upright = small;
    this.full = entity.full || (entity.level ? Math.max(1, ...trace.column(entity.level)) : 0);
    this.unit = trace.layout.columns.find((c) => c.name === entity.level)?.unit;
    this.box = el("div", { class: `entity ${entity.kind}` });
    if (onRing) this.box.dataset["n"] = String(onRing.place + 1);
    if (onRing) this.box.classList.add("owner", `own${(onRing.place % 8) + 1}`, ...(small ? [onRing.tokens.slice(0, -1)] : []));
    const label = small ? String(entity.n || onRing.place + 1) : name;
    const sign = onRing ? el("i", { class: `swatch part${Math.floor(onRing.place / 8) % 4}`, "aria-hidden": "true" }) : glyph(entity.kind);
    const head = el("span", { class: "who" }, ...(small ? [] : [sign]), el("span", { class: "name" }, onRing?.tokens === "dots" ? "" : label));
    if (entity.level) {
      this.bar = el("span", { class: "bar" });
      this.level = el("span", { class: "level" });
    }
    const track = this.bar && el("span", { class: "track", "aria-hidden": "true" }, this.bar);
    if (small) {
      this.box.append(...(track ? [track] : []), head);
    } else {
      const counts = el("span", { class: "counts" });
      if (entity.passed) counts.append((this.passed = el("span", { class: "admit", title: this.column(entity.passed) })));
      if (entity.refused) counts.append((this.refused = el("span", { class: "refuse", title: this.column(entity.refused) })));
      counts.append(this.state);
      if (this.level) counts.append(this.level);
      this.box.append(head, ...(track ? [track] : []), counts);
    }
    if (entity.judged) {
      this.box.classList.add("judged");
      this.box.title = words.get("judged");
    }
    if (onRing || data.actions.some((a) => targets(a, entity))) {
      this.box.setAttribute("role", "button");
      this.box.setAttribute("aria-pressed", "false");
      this.box.tabIndex = onRing && onRing.place > 0 ? -1 : 0;
      if (small) this.box.setAttribute("aria-label", name);
    }
  }

  /** What a count counts, in the lab's words. */
  private column(name: string): string {
    return this.play.words.column(this.play.trace.layout, name);
  }

  /** Shows how it stands. `state` is a word for what it is beside that. */
  stand(s: Standing, broken: boolean, state = ""): void {
    const { words } = this.play;
    if (this.passed) write(this.passed, words.number("", s.passed));
    if (this.refused) write(this.refused, words.number("", s.refused));
    const bad = broken && this.entity.judged === 1;
    this.box.classList.toggle("down", s.down);
    this.box.classList.toggle("broken", bad);
    write(this.state, s.down ? words.get("down") : state || (bad ? "✗" : ""));
    if (!this.bar || !this.level) return;
    const share = s.level / this.full;
    if (share !== this.share) {
      this.share = share;
      this.bar.style.transform = `scale${this.upright ? "Y" : "X"}(${Math.min(1, share).toFixed(3)})`;
      this.box.classList.toggle("over", this.entity.full !== undefined && share > 1);
    }
    if (this.upright) return; // no room for figures
    const value = this.value(s);
    const owner = this.box.classList.contains("owner"); // its bar says how full, and the box is small
    write(this.level, this.entity.full && !owner ? `${value}/${words.number(this.unit, this.full)}` : value);
  }

  /** Its level in words. */
  reading(s: Standing): string {
    const { words } = this.play;
    if (!this.entity.full) return words.get("level", { value: this.value(s) });
    return words.get("level-of", { value: this.value(s), full: words.number(this.unit, this.full) });
  }

  private value(s: Standing): string {
    return this.play.words.number(this.unit, s.exact ? s.level : rough(s.level));
  }
}
