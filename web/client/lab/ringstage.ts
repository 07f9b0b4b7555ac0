// A ring on the stage: its circle on a canvas, its nodes around it, what the chosen node has in its middle. Nodes can be taken off the
// ring by pointer or by key.
import { type Deeds, deed, offAndOn } from "./deeds";
import type { Action } from "./data";
import { el, write } from "./dom";
import type { Figure } from "./figure";
import { enlarged, Lens } from "./lens";
import type { Moment } from "./moment";
import { BAND } from "./orbit";
import type { Placement } from "./place";
import { type Circle, Circles, type Membership } from "./ring";
import { type Inks, paintRing, REACH } from "./ringpaint";
import type { Play } from "./play";

const SMALL = 75; // px, half of what five lines of text need
const TOLERANCE = 4; // px that a pointer may move without dragging
const BEYOND = 48; // px from where it stands that a node is off the ring

type RingPlace = NonNullable<Placement["ring"]>;

export class RingStage {
  readonly canvas = el("canvas", { "aria-hidden": "true" });
  /** A stretch of the circle, enlarged, where it is too fine to be seen. */
  readonly lens: Lens;
  /** What stands in the middle. */
  readonly hub = el("div", { class: "hub" });
  private readonly lines = Array.from({ length: 5 }, () => el("p"));
  private readonly play: Play;
  private readonly at: RingPlace;
  private readonly figures: Figure[];
  /** Called with what the reader does to a node. */
  private readonly act: Deeds["onDeed"];
  private readonly circles: Circles;
  private readonly place: Map<number, number>;
  private index = -2; // of the circle that is painted
  private hovered: number | undefined;
  private focused: number | undefined;
  private chosen: number | undefined;
  private broken = false;
  private inks: Inks | undefined;
  private font = "";
  private moment: Moment | undefined;
  private dragged = false; // the click that ends a drag is none
  private readonly small: boolean; // the middle has room for three lines
  private drag: { node: number; x: number; y: number; moved: boolean; off: boolean } | undefined;

  constructor(play: Play, at: RingPlace, figures: Figure[], act: Deeds["onDeed"]) {
    this.play = play;
    this.at = at;
    this.figures = figures;
    this.act = act;
    this.place = new Map(at.nodes.map((n, i) => [n, i]));
    this.circles = new Circles(play.trace, at.entity, at.nodes);
    this.lens = new Lens(play.words);
    this.hub.append(...this.lines);
    const room = at.r - BAND - REACH; // of the circle that no tick reaches; text rarely has corners
    this.hub.style.left = `${at.x - room * 0.9}px`;
    this.hub.style.top = `${at.y - room * 0.9}px`;
    this.hub.style.width = this.hub.style.height = `${room * 1.8}px`;
    this.small = room < SMALL;
    this.hub.classList.toggle("small", this.small);
    at.nodes.forEach((n) => this.listen(n));
  }

  /** Takes the colours of the current scheme. */
  ink(inks: Inks, font: string): void {
    this.inks = inks;
    this.font = font;
    this.paint();
  }

  /** Marks the node that was chosen. */
  choose(entity: number | undefined): void {
    this.chosen = entity;
    this.paint();
    this.tell();
  }

  draw(m: Moment): void {
    this.moment = m;
    const index = this.circles.index(m.t, m.settled);
    const broken = m.broken.size > 0 && this.play.trace.layout.entities[this.at.entity]!.judged === 1;
    const { words } = this.play;
    for (const n of this.at.nodes) {
      const standing = this.circles.membership(index, n);
      this.figures[n]!.stand(m.entities[n]!, m.broken.size > 0, standing === "in" ? "" : words.get(standing === "gone" ? "gone" : "to-come"));
    }
    if (index !== this.index || broken !== this.broken) {
      this.index = index;
      this.broken = broken;
      for (const n of this.at.nodes) {
        const standing = this.circles.membership(index, n);
        this.figures[n]!.box.classList.toggle("gone", standing === "gone");
        this.figures[n]!.box.classList.toggle("to-come", standing === "to come");
        this.figures[n]!.box.setAttribute("aria-keyshortcuts", this.takes(n) ? "Delete" : "Insert");
      }
      this.paint();
    }
    this.tell();
  }

  /** How a node stands to the ring now. */
  membership(node: number): Membership {
    return this.circles.membership(Math.max(this.index, -1), node);
  }

  /** Why an action can do nothing now: what it takes away is not there, what it brings is, or no node is left that could come. */
  why(action: Action, entity: number | undefined): string | undefined {
    const { words, data, trace } = this.play;
    if (entity === undefined) {
      const comes = offAndOn(data, trace.layout.entities[this.at.nodes[0]!]!).come === action;
      return comes && this.at.nodes.every((n) => this.membership(n) !== "to come") ? words.get("all-came") : undefined;
    }
    if (!this.at.nodes.includes(entity)) return undefined;
    const { off, back } = offAndOn(data, trace.layout.entities[entity]!);
    const standing = this.membership(entity);
    const there = standing === "in" && !this.moment?.entities[entity]!.down;
    if (action === off && !there) return words.get(standing === "to come" ? "to-come" : "gone");
    return action === back && there ? words.get("there") : undefined;
  }

  private get shown(): number | undefined {
    return this.drag?.node ?? this.hovered ?? this.focused ?? this.chosen;
  }

  private paint(): void {
    const ctx = this.canvas.getContext("2d");
    if (!ctx || !this.inks) return;
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    ctx.restore();
    const ring = this.play.trace.layout.entities[this.at.entity]!;
    const circle = this.circles.circle(this.index);
    const look = {
      x: this.at.x, y: this.at.y, r: this.at.r, circle, place: this.place, enlarged: circle ? enlarged(circle.arcs) : 0,
      label: (place: number) => String(this.play.trace.layout.entities[this.at.nodes[place]!]!.n || place + 1),
      chosen: this.shown, judged: ring.judged === 1, broken: this.broken,
    };
    paintRing(ctx, look, this.inks, this.font);
    this.lens.paint(look, this.inks, this.font);
  }

  /** Says in the middle what the shown node has, or what the ring is. */
  private tell(): void {
    const { words, trace } = this.play;
    const circle = this.circles.circle(this.index);
    const node = this.shown;
    let lines: string[];
    if (this.drag?.moved) {
      const action = this.dropOf(this.drag.node);
      lines = action ? [words.entity(trace.layout.entities[node!]!), words.get(this.drag.off ? "drop" : "drop-hint", { action: action.label })] : [];
    } else if (node !== undefined) lines = this.aboutNode(node, circle);
    else lines = this.aboutRing(circle);
    this.lines.forEach((p, i) => write(p, lines[i] ?? ""));
  }

  private aboutNode(node: number, circle: Circle | undefined): string[] {
    const { words, trace } = this.play;
    const name = words.entity(trace.layout.entities[node]!);
    const standing = this.membership(node);
    const action = this.dropOf(node);
    const hint = action && node === this.focused && !this.small ? [words.get(this.takes(node) ? "drop-key" : "come-key", { action: action.label })] : [];
    if (standing !== "in") return [name, words.get(standing === "gone" ? "gone" : "to-come"), ...hint];
    const lines = [name, ...hint];
    if (this.moment && trace.layout.entities[node]!.level) lines.push(this.figures[node]!.reading(this.moment.entities[node]!));
    if (circle) {
      const share = words.number("%", Math.round((circle.share.get(node) ?? 0) * 1000) * 1000);
      lines.push(words.get(circle.arcs.length > 0 ? "ring-share" : "ring-share-keys", { share }));
      const came = circle.keys.filter((k) => k.owner === node && k.was !== node).length;
      if (came > 0 && !this.small) lines.push(words.get("ring-came", { n: words.number("", came) }));
    }
    return lines;
  }

  private aboutRing(circle: Circle | undefined): string[] {
    const { words, trace } = this.play;
    const lines = this.small ? [] : [words.entity(trace.layout.entities[this.at.entity]!)];
    const inside = this.at.nodes.filter((n) => this.membership(n) === "in").length;
    lines.push(words.get("ring-nodes", { n: words.number("", inside) }));
    if (!circle) return lines;
    if (circle.arcs.length > 0 && !this.small) lines.push(words.get("ring-arcs", { n: words.number("", circle.arcs.length) }));
    if (circle.moved > 0) lines.push(words.get("ring-moved", { n: words.number("", circle.moved), all: words.number("", circle.keys.length) }));
    return lines;
  }

  /** What letting a node go on the other side does: off the ring for one that is in it, onto it for one that is not. */
  private dropOf(node: number) {
    const e = this.play.trace.layout.entities[node]!;
    const { off, back, come } = offAndOn(this.play.data, e);
    const standing = this.membership(node);
    if (standing === "to come") return come;
    if (standing === "gone" || this.moment?.entities[node]!.down) return back;
    return off;
  }

  /** True when letting a node go on the other side takes it off the ring. */
  private takes(node: number): boolean {
    return this.dropOf(node) === offAndOn(this.play.data, this.play.trace.layout.entities[node]!).off;
  }

  private drop(node: number): void {
    const action = this.dropOf(node);
    if (action) this.act(deed(action, action.targets ? this.play.trace.layout.entities[node]!.name : ""));
  }

  private listen(node: number): void {
    const { box } = this.figures[node]!;
    box.addEventListener("pointerenter", (e) => e.pointerType === "mouse" && this.look("hovered", node));
    box.addEventListener("pointerleave", () => this.look("hovered", undefined));
    box.addEventListener("focus", () => this.look("focused", box.matches(":focus-visible") ? node : undefined));
    box.addEventListener("blur", () => this.look("focused", undefined));
    box.addEventListener("pointerdown", (e) => this.down(node, e));
    box.addEventListener("pointermove", (e) => this.move(e));
    box.addEventListener("pointerup", () => this.up());
    box.addEventListener("pointercancel", () => this.stop());
    box.addEventListener("keydown", (e) => this.key(node, e));
    box.addEventListener("click", (e) => this.dragged && e.stopImmediatePropagation());
  }

  private look(what: "hovered" | "focused", node: number | undefined): void {
    if (this[what] === node) return;
    this[what] = node;
    this.paint();
    this.tell();
  }

  private down(node: number, e: PointerEvent): void {
    this.dragged = false;
    if (e.button !== 0 || !this.dropOf(node)) return;
    // A finger that lands on a node in a list means to scroll; around the ring it may drag.
    if (e.pointerType === "touch" && this.at.boxes.length === 0) return;
    this.drag = { node, x: e.clientX, y: e.clientY, moved: false, off: false };
    this.figures[node]!.box.setPointerCapture(e.pointerId);
  }

  private move(e: PointerEvent): void {
    const { drag } = this;
    if (!drag) return;
    const dx = e.clientX - drag.x;
    const dy = e.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < TOLERANCE) return;
    const begins = !drag.moved;
    drag.moved = this.dragged = true;
    const { box } = this.figures[drag.node]!;
    const middle = this.canvas.getBoundingClientRect();
    const from = (x: number, y: number) => Math.hypot(x - middle.left - this.at.x, y - middle.top - this.at.y);
    const home = from(drag.x, drag.y);
    const here = from(e.clientX, e.clientY);
    drag.off = this.membership(drag.node) === "in" && !this.moment?.entities[drag.node]!.down ? here > home + BEYOND || here > home && !inside(middle, e) : here < this.at.r;
    box.classList.add("dragged");
    box.classList.toggle("leaving", drag.off);
    box.style.translate = `${dx}px ${dy}px`;
    if (begins) this.paint();
    this.tell();
  }

  private up(): void {
    const { drag } = this;
    if (!drag) return;
    const { node, off } = drag;
    this.stop();
    if (off) this.drop(node);
  }

  /** Ends a drag: the node goes back to its place. */
  private stop(): void {
    const { drag } = this;
    if (!drag) return;
    this.drag = undefined;
    const { box } = this.figures[drag.node]!;
    box.classList.remove("dragged", "leaving");
    box.style.translate = "";
    this.paint();
    this.tell();
  }

  /** Arrows go from node to node; Delete takes one off the ring as dragging it away does, and Insert brings one to it. */
  private key(node: number, e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const { nodes } = this.at;
    const i = nodes.indexOf(node);
    const to: Record<string, number> = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: nodes.length - 1 };
    if (e.key === "Delete" || e.key === "Backspace" || e.key === "Insert") {
      if (this.takes(node) === (e.key !== "Insert")) this.drop(node);
    } else if (e.key === "Escape") {
      if (!this.drag) return;
      this.stop();
    } else if (to[e.key] === undefined) return;
    else {
      const next = nodes[(to[e.key]! + nodes.length) % nodes.length]!;
      this.figures[node]!.box.tabIndex = -1;
      this.figures[next]!.box.tabIndex = 0;
      this.figures[next]!.box.focus();
    }
    e.preventDefault();
  }
}

function inside(box: DOMRect, e: PointerEvent): boolean {
  return e.clientX >= box.left && e.clientX <= box.right && e.clientY >= box.top && e.clientY <= box.bottom;
}
