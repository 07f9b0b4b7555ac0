// Lets readers change the inputs of a page's calculations, in their block and in the text, and computes what depends on them by the Go
// code that checks the page (wasm/bridge/calc.go). The page is complete without this script: it only makes the numbers of inputs
// buttons. The engine is not loaded before the first of them is pressed.
import { compute, type Engine, RunFailure, warm } from "../lab/engine";
import { expand } from "../lab/words";
import { Field } from "./field";
import { parseReply, type Shown } from "./reply";

/** What the page's first block carries (web/page/html_calc.go). */
interface Data extends Engine {
  sheet: string;
  words: Record<string, string>;
}

/** A value in the page. */
interface Place {
  element: HTMLElement;
  /** As the engine takes it: "out", "out in Mbit/s". */
  view: string;
  /** The name of the input, empty for a result. */
  input: string;
  /** How it is computed, where the page says so. */
  title: string;
  /** As the author had it. */
  author: Shown;
  now: Shown;
}

export class Sheet {
  private readonly data: Data;
  private readonly places: Place[];
  private readonly figures: HTMLElement[];
  private readonly resets: HTMLButtonElement[];
  private readonly said: HTMLElement;
  private readonly set = new Map<string, string>();
  private good = new Map<string, string>(); // of set, what the engine has taken
  private readonly exact: Set<string>; // names of results that the author's numbers give without rounding
  private field: Field | undefined;
  private asked = 0;

  constructor(data: Data) {
    this.data = data;
    this.places = [...document.querySelectorAll<HTMLElement>("[data-calc]")].map((element) => {
      const author = read(element);
      return { element, view: element.dataset["calc"]!, input: element.dataset["input"] ?? "", title: element.title, author, now: author };
    });
    this.exact = new Set(this.places.filter((p) => p.author.sign === "=").map((p) => p.view));
    for (const place of this.places) if (place.input) this.write(place);
    this.figures = [...document.querySelectorAll<HTMLElement>("figure.calc")];
    this.resets = this.figures.map((figure) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "calc-reset";
      button.textContent = this.word("reset");
      button.title = this.word("reset-title");
      button.hidden = true;
      button.addEventListener("click", () => {
        this.reset();
        figure.querySelector<HTMLElement>(".calc-input button")?.focus(); // the reset itself is gone
      });
      figure.querySelector("figcaption")?.append(button);
      return button;
    });
    this.said = document.createElement("p");
    this.said.className = "announced";
    this.said.setAttribute("role", "status");
    document.body.append(this.said);
  }

  private word(key: string, named: Record<string, string> = {}): string {
    return expand(this.data.words[key] ?? key, (name) => named[name]);
  }

  /** Writes a value; the number of an input is a button. */
  private write(place: Place): void {
    const { element, now } = place;
    if (!place.input) {
      // The text says ≈ only where rounding is the change's doing: what its author rounded, its author has worded so.
      const rounded = now.sign === "≈" && this.exact.has(place.view.split(" in ")[0]!);
      element.textContent = now.sign && ("sign" in element.dataset || rounded) ? `${now.sign} ${text(now)}` : text(now);
      element.title = now.fault ? this.word(now.fault) : place.title;
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = now.number;
    button.setAttribute("aria-label", this.word("change", { name: place.input, value: text(now) }));
    button.addEventListener("click", () => this.open(place));
    element.replaceChildren(now.before, button, now.after);
  }

  private open(place: Place): void {
    warm(this.data);
    const before = this.set.get(place.input);
    const told = this.results();
    // A number alone is read in the author's unit, so that no other may stand beside the field: it stands in it.
    const { author, now } = place;
    const own = now.before === author.before && now.after === author.after;
    const [lead, rest] = own ? [now.before, now.after] : ["", ""];
    const field = new Field(own ? plain(now) : now.before + plain(now) + now.after, [place.input, (author.before + author.after).trim()].join(" ").trim(), {
      change: (value) => this.put(place, value),
      // A text that is no number is not kept: a reader who leaves it finds the last good number.
      close: (keep, refocus) => {
        if (this.field !== field) return;
        this.field = undefined;
        if (!keep || !field.input.validity.valid) this.put(place, before);
        this.write(place);
        if (refocus) place.element.querySelector("button")?.focus();
        const n = this.results().filter((value, i) => value !== told[i]).length;
        if (keep && n > 0) this.said.textContent = this.word("changed", { n: String(n) });
      },
    });
    this.field = field;
    place.element.replaceChildren(lead, field.element, rest, field.why);
    field.start();
  }

  /** The results that the blocks show, each once. */
  private results(): string[] {
    return this.places.filter((p) => !p.input && "sign" in p.element.dataset).map((p) => text(p.now));
  }

  private put(place: Place, value: string | undefined): void {
    if (value === undefined || value === plain(place.author)) this.set.delete(place.input);
    else this.set.set(place.input, value);
    if (this.set.size > 0) return void this.update(place);
    this.good.clear();
    this.asked++; // what is still on its way is of no interest
    this.field?.judge("");
    this.busy(false);
    this.show(this.places.map((p) => p.author));
  }

  private reset(): void {
    this.asked++;
    this.set.clear();
    this.good.clear();
    this.busy(false);
    this.show(this.places.map((p) => p.author));
  }

  /** Computes everything anew; only the last question's answer counts. */
  private async update(from: Place): Promise<void> {
    const question = ++this.asked;
    const names = [...this.set.keys()];
    const set = names.map((name) => `${name} = ${this.set.get(name)!.replaceAll("\n", " ")}`).join("\n");
    const slow = setTimeout(() => this.busy(true), 200);
    try {
      const reply = parseReply(await compute(this.data, this.data.sheet, set, this.places.map((p) => p.view).join("\n")));
      if (question !== this.asked) return;
      const fault = reply.faults[names.indexOf(from.input)];
      const message = fault ? this.word(fault.code, { want: fault.want }) : "";
      if (this.field) this.field.judge(message);
      else if (fault) {
        // The field was left before anybody could say so.
        this.put(from, this.good.get(from.input));
        this.said.textContent = message;
      }
      if (fault) return; // the engine has taken the author's number: the page stays with the last good one
      this.good = new Map(this.set);
      this.show(reply.values);
    } catch (e) {
      if (question !== this.asked) return;
      this.reset();
      const message = this.word("failed", { text: e instanceof RunFailure ? e.fault.text : String(e) });
      if (this.field) this.field.judge(message, true);
      else this.said.textContent = message;
    } finally {
      clearTimeout(slow);
      if (question === this.asked) this.busy(false);
    }
  }

  private busy(busy: boolean): void {
    for (const figure of this.figures) figure.setAttribute("aria-busy", String(busy));
  }

  private show(values: Shown[]): void {
    this.places.forEach((place, i) => {
      const now = values[i];
      if (!now || same(now, place.now)) return;
      place.now = now;
      if (this.field && place.element.contains(this.field.input)) return; // it is being written
      this.write(place);
      flash(place.element);
    });
    const untouched = this.places.every((p) => same(p.now, p.author));
    for (const button of this.resets) button.hidden = untouched;
  }
}

/** A value as the server wrote it. */
function read(element: HTMLElement): Shown {
  const number = element.dataset["input"] === undefined ? null : element.querySelector("span");
  if (number) {
    const [before, after] = [number.previousSibling, number.nextSibling].map((n) => n?.textContent ?? "");
    return { sign: "=", before: before!, number: number.textContent ?? "", after: after! };
  }
  const all = element.textContent ?? "";
  const signed = "sign" in element.dataset;
  return { sign: signed ? all.slice(0, 1) : "", before: "", number: signed ? all.slice(2) : all, after: "" };
}

function text(s: Shown): string {
  return s.fault ? "–" : s.before + s.number + s.after;
}

/** The number as a reader would type it. */
function plain(s: Shown): string {
  return s.number.replaceAll(",", "");
}

function same(a: Shown, b: Shown): boolean {
  return text(a) === text(b) && (a.fault ?? "") === (b.fault ?? "") && (a.sign === b.sign || !a.sign || !b.sign);
}

/** Marks what has changed, for a moment. */
function flash(element: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element.animate([{ backgroundColor: "var(--mark)" }, { backgroundColor: "var(--mark)", offset: 0.3 }, { backgroundColor: "transparent" }], 1200);
}

/** Finds the page's calculations, if it has any. */
export function start(): void {
  const text = document.querySelector<HTMLElement>("[data-calc-sheet]")?.dataset["calcSheet"];
  if (text) new Sheet(JSON.parse(text) as Data);
}
