// The question before the run: the reader answers, the variation that the page does not show is run, and both are compared.
import type { LabData, Predict } from "./data";
import { button, part, write } from "./dom";
import { number, scaleOf } from "./number";
import type { Trace } from "./trace";
import type { Words } from "./words";

export class Prediction {
  private readonly root: HTMLElement;
  private readonly data: LabData;
  private readonly words: Words;
  private readonly predict: Predict;
  private readonly told: HTMLElement | null;
  private readonly unfold: HTMLButtonElement;
  private asked = false; // the reader wants the question although there has been a run
  private shows = ""; // the Spec of the run that the lab shows
  private answered: { spec: string; text: string } | undefined;

  /** `run` applies the variation's settings and returns its trace. */
  constructor(root: HTMLElement, data: LabData, predict: Predict, words: Words, run: (query: string) => Promise<Trace | undefined>) {
    this.root = root;
    this.data = data;
    this.words = words;
    this.predict = predict;
    this.told = part(root, "told");
    this.unfold = button(words.get("predict-question"), { class: "link" }, () => {
      this.asked = true;
      delete root.dataset["folded"];
      root.querySelector<HTMLElement>("[data-answer]")?.focus();
    });
    root.append(this.unfold);
    const see = part<HTMLAnchorElement>(root, "see");
    see?.addEventListener("click", (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      void this.answer(run);
    });
    see?.setAttribute("role", "button");
    see?.addEventListener("keydown", (e) => {
      if (e.key !== " ") return; // what a button does
      e.preventDefault();
      see.click();
    });
  }

  /** What the reader said, in base units; undefined when nothing was said. */
  private said(): number | undefined {
    const unit = this.words.metric(this.predict.metric)?.unit ?? "";
    for (const input of this.root.querySelectorAll<HTMLInputElement>("[data-answer]")) {
      if (input.type === "radio" && input.checked) return Number(input.value);
      if (input.type === "number" && input.value !== "") return Math.round(Number(input.value) * scaleOf(unit));
    }
    return undefined;
  }

  private async answer(run: (query: string) => Promise<Trace | undefined>): Promise<void> {
    const said = this.said();
    const trace = await run(this.predict.query);
    const value = trace?.metric(this.data, this.predict.metric);
    if (value === undefined || !this.told) return;
    const unit = this.words.metric(this.predict.metric)?.unit ?? "";
    const text = (v: number) => number(this.data.lang, unit, v);
    const key = said === undefined ? "predict-seen" : said === value ? "predict-right" : "predict-wrong";
    this.root.dataset["answered"] = said === undefined ? "seen" : said === value ? "right" : "wrong";
    this.answered = { spec: this.shows, text: this.words.get(key, { said: said === undefined ? "" : text(said), value: text(value) }) };
    this.shown(this.shows);
  }

  /** Where there is little room a question gives way to the run: only what was said of it stays, and the way back to it. */
  fold(): void {
    if (this.asked) return;
    const within = this.root.contains(document.activeElement);
    this.root.dataset["folded"] = "";
    if (within && this.unfold.checkVisibility()) this.unfold.focus({ preventScroll: true });
  }

  /** The lab shows another run. What was said stays true of the question's own run, and must not seem to be said of this one. */
  shown(spec: string): void {
    this.shows = spec;
    this.fold();
    if (!this.answered || !this.told) return;
    const { spec: own, text } = this.answered;
    write(this.told, own === spec ? text : this.words.get("predict-past", { told: text }));
  }
}
