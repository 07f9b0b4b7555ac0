// Under the stage: how the run was judged, every check that was broken with the way to its instant, and the way back to the text that
// asked for the run. The checks in full stand further down, which on a phone is far from where the reader has tapped.
import { button, el } from "./dom";
import type { Trace, Verdict } from "./trace";
import type { Words } from "./words";

export class Ruling {
  readonly root = el("div", { class: "lab-ruling", hidden: "" });
  /** The reader wants to see what broke a promise. */
  onAccuse: (v: Verdict) => void = () => {};
  private readonly words: Words;
  private readonly lines = el("div");
  private readonly way: HTMLButtonElement;
  private origin: HTMLElement | undefined;

  constructor(words: Words) {
    this.words = words;
    this.way = button(words.get("back-to-text"), { class: "link", hidden: "" }, () => this.goBack());
    this.root.append(this.lines, this.way);
  }

  /** Tells the promise that was broken first in full and the others by name, or that all hold. */
  show(trace: Trace, titles: (check: number) => string): void {
    const { words } = this;
    const all = broken(trace);
    this.root.hidden = false;
    this.root.className = `lab-ruling ${all.length > 0 ? "broken" : "holds"}`;
    const sign = () => el("b", { class: "sign", "aria-hidden": "true" }, all.length > 0 ? "✗" : "✓");
    if (all.length === 0) return this.lines.replaceChildren(el("p", {}, sign(), ` ${words.get("all-hold")}`));
    this.lines.replaceChildren(
      ...all.map((v, i) => {
        const go = button(words.get("go", { at: words.time(v.at) }), { class: "link" }, () => this.onAccuse(v));
        return el("p", {}, sign(), " ", el("b", {}, titles(v.check)), i === 0 ? ` ${words.verdict(v)} ` : " ", go);
      }),
    );
  }

  /** Remembers the link that brought the reader here from afar. */
  from(origin: HTMLElement | undefined): void {
    this.origin = origin;
    this.way.hidden = !origin;
  }

  private goBack(): void {
    this.origin?.scrollIntoView({ block: "center" });
    this.origin?.focus({ preventScroll: true });
    this.from(undefined);
  }
}

/** The promises that were broken, the first one first. */
function broken(trace: Trace): Verdict[] {
  return trace.verdicts.filter((v) => !v.ok).sort((a, b) => a.at - b.at);
}

/** The promise that was broken first. */
export function firstBroken(trace: Trace): Verdict | undefined {
  return broken(trace)[0];
}
