// What a run wrote for its readers, beside the stage: traces that were kept, one of them as a waterfall, and the lines of its log. Choosing
// a trace shows it and what was written about it; a filter finds lines by trace, order, service or code.
import { button, el, write } from "./dom";
import type { Play } from "./play";
import { type Kept, keptOf, type Line, lineOf, matches, rowsOf, type Span, telling, telltale, took } from "./rows";
import type { Panel } from "./trace";
import type { Words } from "./words";

const ROWS = 400; // of a table: more would cost more than they tell

export class Panels {
  readonly root = el("div", { class: "panels", hidden: "" });
  /** Called when the reader wants to go to an instant. */
  onGo: (t: number) => void = () => {};
  private readonly words: Words;
  private readonly filter: HTMLInputElement;
  private readonly count = el("span", { class: "panel-count", role: "status" });
  private readonly lineBody = el("tbody");
  private readonly legend = el("dl", { class: "panel-codes" });
  private readonly fall = el("ol", { class: "waterfall" });
  private readonly fallTitle = el("p", { class: "fall-title", role: "status" });
  private play: Play | undefined;
  private kept: Kept[] = [];
  private lines: Line[] = [];
  private codes: string[] = []; // of the traces' panel
  private buttons = new Map<number, HTMLButtonElement>();
  private chosen = 0;

  constructor(words: Words) {
    this.words = words;
    this.filter = el("input", { type: "search", "aria-label": words.get("panel-filter"), placeholder: words.get("panel-filter"), autocomplete: "off", spellcheck: "false" });
    this.filter.addEventListener("input", () => this.list());
    // Return must not send the form of a page that wraps the lab.
    this.filter.addEventListener("keydown", (e) => e.key === "Enter" && e.preventDefault());
  }

  /** Shows a run's panels; nothing for a lab without. */
  show(play: Play): void {
    this.play = play;
    const panels = play.trace.layout.panels ?? [];
    this.root.hidden = panels.length === 0;
    if (panels.length === 0) return;
    this.root.replaceChildren(...panels.map((p, i) => (p.kind === "waterfall" ? this.traces(p, i) : this.log(p, i))));
    const chosen = this.kept.find((k) => k.trace === this.chosen) ?? telltale(this.kept);
    if (chosen) this.choose(chosen.trace, false);
    this.list();
  }

  private get panels(): Record<string, string> {
    return this.play?.data.panels ?? {};
  }

  private who(entity: number): string {
    const e = this.play?.trace.layout.entities[entity];
    return e ? this.words.entity(e) : "";
  }

  private ms(ns: number): string {
    return this.words.number("ms", Math.round(ns / 1e5) * 1e5);
  }

  private at(t: number): HTMLButtonElement {
    const text = this.words.time(Math.round(t / 1e7) * 1e7);
    return button(text, { class: "link", "aria-label": this.words.get("go", { at: text }) }, () => this.onGo(t));
  }

  private traces(panel: Panel, i: number): HTMLElement {
    const { words } = this;
    this.codes = panel.words;
    this.kept = rowsOf(this.play!.trace, i).map(keptOf);
    this.buttons = new Map();
    const longest = Math.max(1, ...this.kept.map(took));
    const body = el("tbody");
    for (const k of this.kept.slice(0, ROWS)) {
      const pick = button(words.number("", k.trace), { class: "link", "aria-pressed": "false" }, () => this.choose(k.trace, true));
      this.buttons.set(k.trace, pick);
      const bar = el("i", { "aria-hidden": "true" });
      bar.style.width = `${((took(k) / longest) * 100).toFixed(1)}%`;
      const ended = this.ended(k);
      if (ended) bar.className = "bad";
      body.append(
        el("tr", {}, el("td", {}, this.at(k.at)), el("th", { scope: "row" }, pick), el("td", { class: "n took" }, bar, this.ms(took(k))), el("td", { class: "code" }, ended),
          el("td", { class: "n" }, String(k.business)), el("td", { class: "n" }, String(k.about)), el("td", { class: "n" }, words.number("", k.size))),
      );
    }
    const heads = ["time", "panel-trace", "panel-took", "panel-ended", "panel-order", "panel-about", "panel-size"].map((key) => words.get(key));
    const title = this.panels[panel.name] ?? panel.name;
    return el("section", { "aria-label": title },
      el("p", { class: "panel-head" }, el("b", {}, title), el("span", { class: "panel-count" }, words.get("panel-kept", { n: words.number("", this.kept.length) }))),
      table(title, heads, body), this.fallTitle, this.fall);
  }

  /** How a trace ended: the code of its deepest span that failed by itself. */
  private ended({ spans }: Kept): string {
    if ((spans[0]?.outcome ?? -1) < 0) return "";
    const last = [...spans].reverse().find((s) => s.outcome >= 0);
    return this.codes[last?.outcome ?? -1] ?? "";
  }

  /** Shows one trace, and what was written about it. */
  private choose(trace: number, asked: boolean): void {
    const { words } = this;
    const k = this.kept.find((one) => one.trace === trace);
    for (const [id, b] of this.buttons) b.setAttribute("aria-pressed", String(id === trace));
    if (asked) {
      this.filter.value = String(trace);
      this.list();
    }
    this.chosen = trace;
    if (!k) {
      write(this.fallTitle, words.get("panel-not-kept", { n: words.number("", trace) }));
      this.fall.replaceChildren();
      return;
    }
    write(this.fallTitle, words.get("panel-shown", { n: words.number("", trace), order: String(k.business), took: this.ms(took(k)) }));
    this.fall.replaceChildren(...telling(k.spans).map((s) => this.span(s, took(k))));
  }

  private span(s: Span, all: number): HTMLElement {
    const parts = [this.who(s.entity)];
    if (s.word > 0) parts.push(this.play?.data.codes?.[this.codes[s.word] ?? ""] ?? "");
    if (s.waited * 20 > all) parts.push(this.words.get("panel-waited", { t: this.ms(s.waited) }));
    const name = el("span", { class: "name" }, parts.join(" · "));
    name.style.paddingInlineStart = `${s.depth * 0.7}em`;
    if (s.outcome >= 0) name.append(" · ", el("span", { class: "code" }, this.codes[s.outcome] ?? ""));
    const bar = el("i", { class: s.outcome >= 0 ? "bad" : s.leaf ? "leaf" : "" });
    const percent = (ns: number) => `${Math.min(100, (ns / all) * 100).toFixed(2)}%`;
    bar.style.insetInlineStart = percent(s.began);
    bar.style.width = percent(Math.min(s.took, Math.max(0, all - s.began)));
    const wait = el("i", { class: "wait" });
    wait.style.insetInlineStart = percent(s.began);
    wait.style.width = percent(s.waited);
    return el("li", {}, name, el("span", { class: "track", "aria-hidden": "true" }, bar, ...(s.waited * 100 > all ? [wait] : [])), el("span", { class: "took" }, this.ms(s.took)));
  }

  private log(panel: Panel, i: number): HTMLElement {
    this.lines = rowsOf(this.play!.trace, i).map((row) => lineOf(panel, row));
    const heads = ["time", "panel-who", "panel-code", "panel-took", "panel-trace", "panel-order"].map((key) => this.words.get(key));
    const title = this.panels[panel.name] ?? panel.name;
    return el("section", { "aria-label": title }, el("p", { class: "panel-head" }, el("b", {}, title), this.filter, this.count), table(title, heads, this.lineBody), this.legend);
  }

  /** Lists the lines that are asked for. */
  private list(): void {
    const { words } = this;
    const found = this.lines.filter((l) => matches(l, this.who(l.entity), this.filter.value));
    write(this.count, words.get("panel-lines", { n: words.number("", found.length), all: words.number("", this.lines.length) }));
    const used = [...new Set(found.map((l) => l.code))];
    this.legend.replaceChildren(...used.map((code) => el("div", {}, el("dt", { class: "code" }, code), " ", el("dd", {}, this.play?.data.codes?.[code] ?? ""))));
    this.lineBody.replaceChildren(
      ...found.slice(0, ROWS).map((l) =>
        el("tr", { class: l.level.toLowerCase() }, el("td", {}, this.at(l.at)), el("td", {}, this.who(l.entity)),
          el("th", { scope: "row", class: "code" }, `${l.level} ${l.code}`), el("td", { class: "n" }, this.ms(l.took)),
          el("td", { class: "n" }, button(words.number("", l.trace), { class: "link" }, () => this.choose(l.trace, true))), el("td", { class: "n" }, String(l.business))),
      ),
    );
  }
}

/** A table that scrolls within its box, by key as well. */
function table(label: string, heads: string[], body: HTMLElement): HTMLElement {
  return el("div", { class: "panel-table", role: "group", tabindex: "0", "aria-label": label }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, h)))), body));
}
