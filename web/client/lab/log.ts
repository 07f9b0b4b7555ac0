// What happens, in words: the last few lines for everyone, and for those who listen a polite live region with at most one line a second,
// and the last one when lines came faster.
import type { Beats } from "./beats";
import { el, write } from "./dom";
import type { Layout } from "./trace";
import type { Words } from "./words";

const LINES = 4;
const PAUSE = 1000; // ms between two spoken lines

export class Log {
  readonly root = el("div", { class: "lab-log" });
  private readonly words: Words;
  private readonly items = Array.from({ length: LINES }, () => el("li"));
  private readonly spoken = el("p", { class: "hidden", role: "status", "aria-live": "polite" });
  private waiting = "";
  private free = 0; // when the next line may be spoken
  private timer = 0;
  private shown = "";

  constructor(words: Words) {
    this.words = words;
    this.root.append(el("ol", { "aria-hidden": "true" }, ...this.items), this.spoken);
  }

  /** Shows the last events up to a beat. */
  show(layout: Layout, beats: Beats, beat: number, speak: boolean): void {
    const told = beats.told(beat);
    const lines: string[] = [];
    for (let i = Math.max(0, told - LINES); i < told; i++) {
      const e = beats.order[i]!;
      lines.push(`${this.words.time(beats.events.at[e]!)}  ${this.words.phrase(layout, beats.events, e)}`);
    }
    const text = lines.join("\n");
    if (text === this.shown) return;
    this.shown = text;
    const spare = LINES - lines.length; // empty ones above
    this.items.forEach((item, i) => write(item, lines[i - spare] ?? ""));
    const last = lines[lines.length - 1];
    if (speak && last) this.say(last);
  }

  /** Says something when the last line is long enough ago. */
  say(line: string): void {
    this.waiting = line;
    if (this.timer) return;
    this.timer = window.setTimeout(
      () => {
        this.timer = 0;
        this.free = performance.now() + PAUSE;
        write(this.spoken, this.waiting);
      },
      Math.max(0, this.free - performance.now()),
    );
  }
}
