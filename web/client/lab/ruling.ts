// One line under the stage: how the run was judged, and the way back to the text that asked for it. The checks in full stand further down,
// which on a phone is far from where the reader has tapped.
import { button, el } from "./dom";
import type { Trace, Verdict } from "./trace";
import type { Words } from "./words";

export class Ruling {
  readonly root = el("p", { class: "lab-ruling", hidden: "" });
  /** The reader wants to see what broke a promise. */
  onAccuse: (v: Verdict) => void = () => {};
  private readonly words: Words;
  private readonly line = el("span");
  private readonly way: HTMLButtonElement;
  private origin: HTMLElement | undefined;

  constructor(words: Words) {
    this.words = words;
    this.way = button(words.get("back-to-text"), { class: "link", hidden: "" }, () => this.goBack());
    this.root.append(this.line, " ", this.way);
  }

  /** Tells the first promise that was broken, or that all hold. */
  show(trace: Trace, titles: (check: number) => string): void {
    const { words } = this;
    const broken = firstBroken(trace);
    this.root.hidden = false;
    this.root.className = `lab-ruling ${broken ? "broken" : "holds"}`;
    const sign = el("b", { class: "sign", "aria-hidden": "true" }, broken ? "✗" : "✓");
    if (!broken) return this.line.replaceChildren(sign, ` ${words.get("all-hold")}`);
    const go = button(words.get("go", { at: words.time(broken.at) }), { class: "link" }, () => this.onAccuse(broken));
    this.line.replaceChildren(sign, " ", el("b", {}, titles(broken.check)), ` ${words.verdict(broken)} `, go);
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

/** The promise that was broken first. */
export function firstBroken(trace: Trace): Verdict | undefined {
  return trace.verdicts.filter((v) => !v.ok).sort((a, b) => a.at - b.at)[0];
}
