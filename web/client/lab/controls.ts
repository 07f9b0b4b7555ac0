// The settings: the server's form, whose fields are the truth. This side adds sliders that move the numbers, hides what has no effect,
// and turns the fields into a query and back.
import type { LabData, Param } from "./data";
import { button, el, part, write } from "./dom";
import { plain } from "./number";
import type { Fault } from "../worker/protocol";
import { pairs, type Words } from "./words";

const SLIDER = 1000; // steps of a slider

export class Controls {
  /** Called on every change of a setting. */
  onChange: () => void = () => {};
  /** Called when the reader wants the run again without a change. */
  onSubmit: () => void = () => {};
  /** A preset was chosen: other settings altogether, to be seen where they matter. */
  onPreset: () => void = () => {};
  private readonly form: HTMLFormElement;
  private readonly data: LabData;
  private readonly words: Words;
  private readonly actions: HTMLElement | null;
  private readonly compact: boolean;
  private readonly problem: HTMLElement | null;

  constructor(form: HTMLFormElement, data: LabData, words: Words) {
    this.form = form;
    this.data = data;
    this.words = words;
    this.actions = part(form, "actions");
    this.compact = form.closest(".compact") !== null;
    this.problem = part(form, "problem");
    this.redo(this.dos());
    this.settle();
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      this.onSubmit();
    });
    form.addEventListener("input", (e) => this.input(e.target as HTMLInputElement));
    form.addEventListener("click", (e) => this.click(e));
  }

  /** The settings as a query; the module brings it into canonical form. */
  query(): string {
    const out: string[] = [];
    for (const p of this.data.params) {
      const field = this.field(p.name);
      // What is no number reads as an empty value; the module then says what would be right.
      if (field) out.push(`${p.name}=${field.validity.badInput ? "NaN" : encodeURIComponent(field.value)}`);
    }
    const seed = this.field("seed")?.value;
    if (seed) out.push(`seed=${encodeURIComponent(seed)}`);
    for (const text of this.dos()) out.push(`do=${encodeURIComponent(text).replaceAll("%3A", ":")}`);
    return out.join("&");
  }

  /** Sets all fields: what the query does not name gets its default. */
  set(query: string): void {
    const values = new Map(pairs(`?${query}`));
    for (const p of this.data.params) this.write(p.name, values.get(p.name) ?? this.standard(p));
    this.write("seed", values.get("seed") ?? "1");
    this.redo(pairs(`?${query}`).filter(([key]) => key === "do").map(([, text]) => text));
    this.settle();
  }

  /**
   * Sets what a query names over the present settings: `preset=NAME` stands for all of that preset's settings, `do` adds an action. It
   * returns what changed, as people read it.
   */
  apply(query: string): string[] {
    const changes: string[] = [];
    for (const [key, value] of pairs(`?${query}`)) {
      if (key === "preset") {
        const preset = this.data.presets.find((p) => p.name === value);
        if (preset) {
          this.set(preset.query);
          changes.push(preset.title);
        }
        continue;
      }
      if (key === "do") {
        if (!this.dos().includes(value)) this.redo([...this.dos(), value]);
        continue;
      }
      if (this.write(key, value)) {
        const p = this.data.params.find((param) => param.name === key);
        changes.push(p ? this.words.get("set", { name: p.label, value: this.words.value(p, value) }) : `${key} ${value}`);
      }
    }
    this.settle();
    return changes;
  }

  /** Adds an action at an instant, and returns it as it stands in a Spec. */
  act(at: number, rest: string): string {
    const text = `${plain(at, 1e9)}s:${rest}`;
    this.redo([...this.dos(), text]);
    return text;
  }

  /** Takes the newest action back. */
  undo(): void {
    this.redo(this.dos().slice(0, -1));
  }

  /** Shows why a run was refused, at the field if there is one; nothing clears it. */
  blame(fault: Fault | undefined): void {
    if (this.problem) write(this.problem, fault ? this.words.fault(fault) : "");
    for (const field of this.form.querySelectorAll("[name]")) {
      if (fault && (field as HTMLInputElement).name === fault.field) {
        field.setAttribute("aria-invalid", "true");
        unfold(field);
      } else field.removeAttribute("aria-invalid");
    }
  }

  private field(name: string): HTMLInputElement | HTMLSelectElement | null {
    return this.form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${CSS.escape(name)}"]`);
  }

  /** Writes a field; false when there is none or it has that value. */
  private write(name: string, value: string): boolean {
    const field = this.field(name);
    if (!field || field.value === value) return false;
    field.value = value;
    return true;
  }

  private standard(p: Param): string {
    return p.choices ? p.choices[p.default]?.value ?? "" : plain(p.default, p.scale);
  }

  private dos(): string[] {
    return [...this.form.querySelectorAll<HTMLInputElement>('input[name="do"]')].map((i) => i.value);
  }

  /** Lists the actions, each with a button that takes it away. */
  private redo(dos: string[]): void {
    this.actions?.replaceChildren(
      ...dos.map((text) => {
        const { when, what } = this.words.asked(text);
        const item = el("span", { class: "lab-action" }, `${when} ${what}`.trim(), el("input", { type: "hidden", name: "do", value: text }));
        item.append(
          button("×", { "aria-label": this.words.get("remove", { what: when }) }, () => {
            item.remove();
            this.onChange();
          }),
        );
        return item;
      }),
    );
  }

  private input(target: HTMLInputElement): void {
    const slider = target.dataset["slider"];
    if (slider) {
      const p = this.data.params.find((param) => param.name === slider);
      if (p) this.write(p.name, plain(fromSlider(p, Number(target.value)), p.scale));
      this.settle(target);
    } else {
      this.settle();
    }
    this.onChange();
  }

  private click(e: MouseEvent): void {
    const target = (e.target as HTMLElement).closest<HTMLElement>("[data-preset], [data-part=reseed]");
    if (!target || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    if (target.dataset["part"] === "reseed") {
      this.write("seed", String(Math.floor(Math.random() * 1e6) + 1));
      this.settle();
      return this.onChange();
    }
    const preset = this.data.presets.find((p) => p.name === target.dataset["preset"]);
    if (preset) this.set(preset.query);
    this.settle();
    this.onPreset();
  }

  /** Brings sliders, idle fields and the chosen preset up to the fields. The slider that is being moved is left alone. */
  private settle(moving?: HTMLInputElement): void {
    for (const p of this.data.params) {
      const field = this.field(p.name);
      const box = field?.closest<HTMLElement>("[data-field]");
      if (!field || !box) continue;
      const [name = "", choice] = (p.unused ?? "").split("=");
      if (!this.compact && field.value !== this.standard(p)) unfold(field); // what a run is of is to be seen
      box.classList.toggle("idle", p.unused !== undefined && this.field(name)?.value !== choice);
      const slider = box.querySelector<HTMLInputElement>("[data-slider]");
      if (!slider) continue;
      const v = Math.round(Number(field.value) * p.scale);
      if (slider !== moving) slider.value = String(toSlider(p, v));
      slider.setAttribute("aria-valuetext", this.words.value(p, field.value));
    }
    const now = settings(this.query(), this.data);
    for (const chip of this.form.querySelectorAll<HTMLElement>("[data-preset]")) {
      const preset = this.data.presets.find((p) => p.name === chip.dataset["preset"]);
      if (preset && settings(preset.query, this.data) === now) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    }
  }
}

/** Opens the settings that are folded away, if this one is among them. */
function unfold(field: Element): void {
  const folds = field.closest<HTMLDetailsElement>("details.lab-more");
  if (folds) folds.open = true;
}

/** A query brought into one form here, for comparing: no defaults, no version, in order. */
export function settings(query: string, data: LabData): string {
  const standard = new Map(data.params.map((p) => [p.name, p.choices ? p.choices[p.default]?.value ?? "" : plain(p.default, p.scale)]));
  standard.set("seed", "1");
  return pairs(`?${query}`)
    .filter(([key, value]) => key !== "v" && key !== "at" && standard.get(key) !== value)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join("&");
}

/** The least value that a slider of factors can show: 0 has no logarithm. */
function least(p: Param): number {
  return Math.max(p.min, Math.min(p.scale, p.max) / 1000, 1);
}

export function toSlider(p: Param, v: number): number {
  if (!p.log) return Math.round(((v - p.min) / (p.max - p.min)) * SLIDER);
  const from = least(p);
  return Math.round((Math.log(Math.max(v, from) / from) / Math.log(p.max / from)) * SLIDER);
}

/** The value at a slider's place, rounded to what a person would write; both ends are exact. */
export function fromSlider(p: Param, at: number): number {
  if (at <= 0) return p.min;
  if (at >= SLIDER) return p.max;
  if (!p.log) {
    const step = nice((p.max - p.min) / SLIDER);
    return clamp(p, Math.round((p.min + ((p.max - p.min) * at) / SLIDER) / step) * step);
  }
  const v = least(p) * (p.max / least(p)) ** (at / SLIDER);
  const step = Math.max(1, 10 ** (Math.floor(Math.log10(v)) - 1));
  return clamp(p, Math.round(v / step) * step);
}

function nice(step: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  return Math.max(1, ([1, 2, 5, 10].find((k) => k * power >= step) ?? 10) * power);
}

function clamp(p: Param, v: number): number {
  return Math.min(p.max, Math.max(p.min, Math.round(v)));
}
