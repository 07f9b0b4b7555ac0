// The buttons and the slider under the stage. Arrow keys act on the slider alone, and only while it has the focus: elsewhere they belong
// to the reader's browser.
import { px } from "./curves";
import { button, el, svg, write } from "./dom";
import { marksOf } from "./lanes";
import type { Trace } from "./trace";
import type { Words } from "./words";

export interface TimelineEvents {
  run(): void;
  cancel(): void;
  play(): void;
  step(by: number): void;
  mark(by: number): void;
  /** To a share of the run, from 0 to 1. */
  scrub(share: number): void;
  speed(v: number): void;
  zoom(factor: number): void;
}

const STEPS = 1000;
const SPEEDS = [0.25, 0.5, 1, 2, 4];

export class Timeline {
  readonly root = el("div", { class: "lab-timeline", role: "group" });
  private readonly words: Words;
  private readonly runButton: HTMLButtonElement;
  private readonly playButton: HTMLButtonElement;
  private readonly slider = el("input", { type: "range", min: "0", max: String(STEPS), step: "any", value: "0" });
  private readonly place = el("span", { class: "place" });
  private readonly marks = svg("svg", { class: "marks", "aria-hidden": "true" });
  private readonly progress = el("progress", { max: "1", hidden: "" });
  private horizon = 0;
  private busy = false;
  private quiet = 0; // no word to those who listen before then

  constructor(words: Words, on: TimelineEvents) {
    this.words = words;
    this.root.setAttribute("aria-label", words.get("timeline"));
    this.runButton = button(words.get("run"), { class: "button go", "data-part": "run" }, () => (this.busy ? on.cancel() : on.run()));
    this.playButton = button("▶", { class: "button", "aria-label": words.get("play") }, () => on.play());
    const back = button("◂", { class: "button", "aria-label": words.get("back"), title: words.get("back") }, () => on.step(-1));
    const forward = button("▸", { class: "button", "aria-label": words.get("forward"), title: words.get("forward") }, () => on.step(1));
    const closer = button("+", { class: "button small", "aria-label": words.get("closer"), title: words.get("closer") }, () => on.zoom(8));
    const whole = button("−", { class: "button small", "aria-label": words.get("wider"), title: words.get("wider") }, () => on.zoom(1 / 8));
    const speed = el("select", { class: "speed", "aria-label": words.get("speed") }, ...SPEEDS.map((v) => el("option", { value: String(v) }, `${v}×`)));
    speed.value = "1";
    speed.addEventListener("change", () => on.speed(Number(speed.value)));
    this.slider.setAttribute("aria-label", words.get("instant"));
    this.slider.addEventListener("input", () => on.scrub(Number(this.slider.value) / STEPS));
    this.slider.addEventListener("keydown", (e) => this.key(e, on));
    const track = el("div", { class: "scrub" }, this.slider, this.progress);
    track.append(this.marks);
    this.root.append(this.runButton, back, this.playButton, forward, track, this.place, closer, whole, speed);
  }

  /** Shows another run's marks. */
  show(trace: Trace): void {
    this.horizon = trace.horizon;
    const d = (action: boolean) =>
      marksOf(trace)
        .filter((m) => m.action === action)
        .map((m) => `M${px((m.t / trace.horizon) * 1000)} 0V8`)
        .join("");
    this.marks.setAttribute("viewBox", "0 0 1000 8");
    this.marks.setAttribute("preserveAspectRatio", "none");
    this.marks.replaceChildren(svg("path", { class: "action", d: d(true) }), svg("path", { class: "violation", d: d(false) }));
  }

  /** Shows where the run is, in words as well; while it plays, those who listen hear it once a second. */
  point(t: number, text: string, playing: boolean): void {
    this.slider.value = String(this.horizon ? (t / this.horizon) * STEPS : 0);
    write(this.place, text);
    if (playing && performance.now() < this.quiet) return;
    this.quiet = performance.now() + 1000;
    this.slider.setAttribute("aria-valuetext", text);
  }

  playing(on: boolean): void {
    write(this.playButton, on ? "❚❚" : "▶");
    this.playButton.setAttribute("aria-label", this.words.get(on ? "pause" : "play"));
  }

  /**
   * Shows that a run is under way, and how far it is, or that the engine is still loading; undefined ends it. A run that is done at once
   * shows nothing.
   */
  running(share: number | "loading" | undefined): void {
    this.busy = share !== undefined;
    write(this.runButton, this.words.get(this.busy ? "cancel" : "run"));
    this.progress.hidden = !this.busy;
    if (share === "loading") this.progress.removeAttribute("value"); // the bar moves, and promises nothing
    else if (share !== undefined) this.progress.value = share;
  }

  private key(e: KeyboardEvent, on: TimelineEvents): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    switch (e.key) {
      case "ArrowRight": case "ArrowUp": on.step(1); break;
      case "ArrowLeft": case "ArrowDown": on.step(-1); break;
      case "PageUp": on.mark(1); break;
      case "PageDown": on.mark(-1); break;
      case "Home": on.scrub(0); break;
      case "End": on.scrub(1); break;
      case " ": on.play(); break;
      default: return;
    }
    e.preventDefault();
  }
}
