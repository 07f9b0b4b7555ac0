// A stretch of a ring's circle, enlarged: where points are many, arcs are finer than a pixel, and only so can one see that a node has many
// small ones. It begins at the top of the circle and runs clockwise, drawn as a strip.
import { el, write } from "./dom";
import { type Arc, KEY_MISLED, KEY_STAYS } from "./ring";
import { type Inks, inksOf, type Ring } from "./ringpaint";
import type { Words } from "./words";

const FROM = 160; // arcs; of fewer each is seen on the circle
const SHOWN = 24; // arcs in the strip, about
const BAR = 22; // px
const HIGH = 40;

/** The share of the circle that is enlarged, as one in so many; 0 where nothing has to be. */
export function enlarged(arcs: Arc[]): number {
  return arcs.length < FROM ? 0 : Math.round(arcs.length / SHOWN);
}

export class Lens {
  readonly root = el("div", { class: "lens", "aria-hidden": "true", hidden: "" });
  private readonly title = el("span");
  private readonly canvas = el("canvas");
  private readonly words: Words;
  private width = 0;

  constructor(words: Words) {
    this.words = words;
    this.root.append(this.title, this.canvas);
  }

  /** Makes it as wide as the stage. */
  lay(width: number): void {
    this.width = width;
    const scale = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(HIGH * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${HIGH}px`;
    this.canvas.getContext("2d")?.scale(scale, scale);
  }

  paint(ring: Ring, inks: Inks, font: string): void {
    const { circle } = ring;
    const part = circle ? enlarged(circle.arcs) : 0;
    this.root.hidden = part === 0;
    const ctx = this.canvas.getContext("2d");
    if (!circle || part === 0 || !ctx) return;
    write(this.title, this.words.get("lens", { part: this.words.number("", part) }));
    ctx.clearRect(0, 0, this.width, HIGH);
    const x = (place: number) => place * part * this.width;
    ctx.font = font;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (const arc of circle.arcs) {
      if (arc.from * part > 1 && arc.to <= 1) continue; // neither in the strip nor over the top into it
      for (const by of [0, 1]) this.arc(ctx, ring, inks, arc, x(arc.from - by), x(arc.to - by));
    }
    for (const key of circle.keys) {
      if (key.place * part > 1 || (ring.chosen !== undefined && key.owner !== ring.chosen && key.was !== ring.chosen)) continue;
      this.key(ctx, inks, x(key.place), key.what, inksOf(ring, inks, key.was));
    }
  }

  private arc(ctx: CanvasRenderingContext2D, ring: Ring, inks: Inks, arc: Arc, from: number, to: number): void {
    const place = ring.place.get(arc.owner);
    if (to <= 0 || from >= this.width || place === undefined) return;
    const [left, right] = [Math.max(0, from), Math.min(this.width, to)];
    ctx.globalAlpha = ring.chosen === undefined || ring.chosen === arc.owner ? 1 : 0.25;
    ctx.fillStyle = inksOf(ring, inks, arc.owner);
    ctx.fillRect(left, 0, right - left - 1, BAR);
    const label = ring.label(place);
    if (ctx.measureText(label).width + 4 < right - left) {
      ctx.fillStyle = inks.on;
      ctx.fillText(label, (left + right) / 2, BAR / 2 + 0.5);
    }
    ctx.globalAlpha = 1;
  }

  private key(ctx: CanvasRenderingContext2D, inks: Inks, x: number, what: number, was: string): void {
    const end = BAR + (what === KEY_STAYS ? 7 : 11);
    ctx.strokeStyle = what === KEY_STAYS ? inks.soft : inks.ink;
    ctx.lineWidth = 1.2;
    ctx.beginPath();
    ctx.moveTo(x, BAR + 2);
    ctx.lineTo(x, end);
    ctx.stroke();
    if (what === KEY_STAYS) return;
    ctx.beginPath();
    if (what === KEY_MISLED) {
      ctx.strokeStyle = inks.refuse;
      ctx.moveTo(x - 3, end);
      ctx.lineTo(x + 3, end + 6);
      ctx.moveTo(x + 3, end);
      ctx.lineTo(x - 3, end + 6);
    } else {
      ctx.arc(x, end + 2, 3, 0, 7);
      ctx.fillStyle = was;
      ctx.fill();
    }
    ctx.stroke();
  }
}
