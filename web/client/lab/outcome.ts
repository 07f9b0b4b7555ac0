// What a run says: checks, measurements, the challenge, the data of the plots and what happened. These are the server's own places, which
// this side fills anew for another run.
import type { LabData } from "./data";
import { button, el, part, write } from "./dom";
import { story } from "./story";
import { SUM, type Trace, type Verdict } from "./trace";
import type { Words } from "./words";

const ROWS = 20;

export class Outcome {
  /** Called when the reader wants to go to an instant. */
  onGo: (t: number) => void = () => {};
  /** The reader wants to see what broke a promise. */
  onAccuse: (v: Verdict) => void = () => {};
  private readonly root: HTMLElement;
  private readonly data: LabData;
  private readonly words: Words;

  constructor(root: HTMLElement, data: LabData, words: Words) {
    this.root = root;
    this.data = data;
    this.words = words;
  }

  show(trace: Trace): void {
    this.checks(trace);
    for (const m of this.data.metrics) {
      const value = this.root.querySelector(`[data-metric="${CSS.escape(m.name)}"] :is(dd, td)`);
      const v = trace.metric(this.data, m.name);
      if (value && v !== undefined) write(value, (v === 0 && m.zero) || this.words.number(m.unit, v));
    }
    this.goal(trace);
    const table = part<HTMLDetailsElement>(this.root, "data");
    if (table) lazily(table, () => this.table(table, trace));
    const story = part<HTMLDetailsElement>(this.root, "story");
    if (story) lazily(story, () => this.story(story, trace));
  }

  private checks(trace: Trace): void {
    const { words, data } = this;
    part(this.root, "checks")?.replaceChildren(
      ...trace.verdicts.map((v) => {
        const sign = el("span", { class: "sign", role: "img", "aria-label": words.get(v.ok ? "holds" : "broken") }, v.ok ? "✓" : "✗");
        const text = el("span", {}, el("b", {}, data.checks[v.check]?.title ?? ""), ` ${words.verdict(v)} `);
        if (!v.ok) text.append(button(words.get("go", { at: words.time(v.at) }), { class: "link" }, () => this.onAccuse(v)));
        return el("li", { class: v.ok ? "holds" : "broken" }, sign, text);
      }),
    );
  }

  private goal(trace: Trace): void {
    const { goal } = this.data;
    const place = part(this.root, "goal");
    const metric = goal && this.words.metric(goal.metric);
    const v = goal && trace.metric(this.data, goal.metric);
    if (!goal || !place || !metric || v === undefined) return;
    const met = goal.most ? v <= goal.bound : v >= goal.bound;
    const whole = trace.verdicts.every((d) => d.ok);
    const named = {
      name: metric.label, value: this.words.number(metric.unit, v), bound: this.words.number(metric.unit, goal.bound),
      missing: this.words.number(metric.unit, Math.abs(v - goal.bound)),
    };
    place.classList.toggle("holds", met && whole);
    write(place, this.words.get(!met ? "goal-missed" : whole ? "goal-met" : "goal-broken", named));
  }

  /** The plotted columns in few rows, as web/view/lab/table.go gathers them. */
  private table(root: HTMLElement, trace: Trace): void {
    const seen = new Set<string>();
    const groups = trace.layout.plots.map((p) => {
      const columns = p.columns.filter((name) => !seen.has(name)); // a column stands where it is plotted first
      for (const name of columns) seen.add(name);
      return { title: this.data.plots[p.name] ?? "", columns };
    });
    const names = [...seen];
    const columns = names.map((name) => ({ name, rows: trace.column(name), ...trace.layout.columns.find((c) => c.name === name) }));
    const total = Math.max(0, ...columns.map((c) => c.rows.length));
    const size = Math.max(1, Math.ceil(total / ROWS));
    const body = el("tbody");
    for (let from = 0; from < total; from += size) {
      const row = el("tr", {}, el("th", { scope: "row" }, this.words.time(from * trace.grain)));
      for (const c of columns) row.append(el("td", {}, this.words.number(c.unit, gathered(c.rows.subarray(from, from + size), c.gather ?? SUM))));
      body.append(row);
    }
    root.querySelector("thead")?.replaceChildren(
      el(
        "tr", {}, el("th", { scope: "col", rowspan: "2" }, this.words.get("time")),
        ...groups.filter((g) => g.columns.length > 0).map((g) => el("th", { scope: "colgroup", colspan: String(g.columns.length) }, g.title)),
      ),
      el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, this.words.column(trace.layout, name)))),
    );
    root.querySelector("tbody")?.replaceWith(body);
  }

  private story(root: HTMLElement, trace: Trace): void {
    const { lines, more } = story(trace, this.words, (kind) => this.data.events[kind]?.mark ?? true, this.onGo);
    root.querySelector("ol")?.replaceChildren(...lines);
    root.querySelector("p")?.remove();
    if (more > 0) root.append(el("p", {}, this.words.get("story-more", { n: this.words.number("", more) })));
  }
}

function gathered(rows: Float64Array, gather: number): number {
  if (gather === SUM) return rows.reduce((sum, v) => sum + v, 0);
  if (gather === 2) return rows.reduce((most, v) => Math.max(most, v), 0);
  return rows[rows.length - 1] ?? 0;
}

/** Fills a fold when it is open, or once it opens: most readers never look. */
function lazily(fold: HTMLDetailsElement, fill: () => void): void {
  fold.ontoggle = () => {
    if (!fold.open) return;
    fold.ontoggle = null;
    fill();
  };
  if (fold.open) {
    fold.ontoggle = null;
    fill();
  }
}
