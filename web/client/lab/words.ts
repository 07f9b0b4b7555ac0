// Sentences: the words come from the server with the lab's data, this side fills them in. The grammar is that of web/text: {name} is a
// value, {name|one|other} chooses by whether it is 1, {{ is a brace.
import type { Fault } from "../worker/protocol";
import type { LabData, Metric, Param } from "./data";
import { brief, number, outOf } from "./number";
import { MARK_ACTION, MARK_VIOLATION, type Entity, type Events, type Layout, type Verdict } from "./trace";

type Value = (name: string) => string | undefined;

export function expand(sentence: string, value: Value): string {
  return sentence.replace(/\{\{|\{([^}]*)\}/g, (slot, inside: string | undefined) => {
    if (inside === undefined) return "{";
    const [name = "", one, other] = inside.split("|");
    const v = value(name);
    if (v === undefined) return slot;
    if (one === undefined) return v;
    return v === "1" ? one : (other ?? "");
  });
}

/** One lab's words, for one Spec. */
export class Words {
  private readonly data: LabData;
  /** The values of the Spec that was run, by parameter: as in its text, defaults filled in. */
  private values = new Map<string, string>();
  private dos: string[] = [];

  constructor(data: LabData) {
    this.data = data;
    this.about(data.spec);
  }

  /** Says whose run is spoken of from now on. */
  about(spec: string): void {
    this.values = new Map();
    this.dos = [];
    for (const [key, v] of pairs(spec)) {
      if (key === "do") this.dos.push(v);
      else this.values.set(key, v);
    }
  }

  /** What a column is called: its own words, or those that it shares with the columns of its entity's like (web/text, Column). */
  column(layout: Layout, name: string): string {
    const own = this.data.columns[name];
    if (own) return own;
    const cut = name.indexOf(".");
    const e = layout.entities.find((entity) => entity.name === name.slice(cut + 1));
    const shared = e?.n ? this.data.columns[`${name.slice(0, cut)}.${e.label || e.name}`] : undefined;
    return shared ? expand(shared, (slot) => (slot === "n" ? String(e!.n) : undefined)) : name;
  }

  /** A word of the interface. */
  get(key: string, named: Record<string, string | number> = {}): string {
    const sentence = this.data.words[key];
    return sentence === undefined ? `⟨${key}⟩` : expand(sentence, (name) => named[name]?.toString());
  }

  /** What an entity is while it is down, by the column that says so: a breaker that is open is not out of order. */
  down(column: string): string {
    return this.data.words[`down-${column.split(".", 1)[0]}`] ?? this.get("down");
  }

  number(unit: string | undefined, v: number): string {
    return number(this.data.lang, unit ?? "", v);
  }

  /** The same where there is little room. */
  brief(unit: string | undefined, v: number): string {
    return brief(this.data.lang, unit ?? "", v);
  }

  /** A value of a whole, where there is little room. */
  outOf(unit: string | undefined, v: number, whole: number): string {
    return outOf(this.data.lang, unit ?? "", v, whole);
  }

  time(ns: number): string {
    return this.number("s", ns);
  }

  entity(e: Entity): string {
    const label = this.data.entities[e.label || e.name] ?? e.name;
    return e.n ? numbered(label, String(e.n)) : label;
  }

  metric(name: string): Metric | undefined {
    return this.data.metrics.find((m) => m.name === name);
  }

  /** A parameter's value as people read it, from its text in a Spec. */
  value(p: Param, text: string): string {
    const choice = p.choices?.find((c) => c.value === text);
    if (choice) return choice.label;
    return this.number(p.unit, Math.round(Number(text) * p.scale));
  }

  verdict(v: Verdict): string {
    const check = this.data.checks[v.check];
    if (!check) return "";
    if (v.ok) return expand(check.holds, this.param);
    return expand(check.broken, (name) => {
      if (name === "at") return this.time(v.at);
      if (name === "request") return this.number("", v.request);
      if (name === "count") return this.number("", v.count);
      const i = check.facts.findIndex((f) => f.name === name);
      return i < 0 ? this.param(name) : this.number(check.facts[i]!.unit, v.facts[i]!);
    });
  }

  /** A fault, in the reader's language where there are words for it: as web/text does. */
  fault(f: Fault): string {
    const known = this.data.words[`failed-${f.code}`];
    if (known) return expand(known, (name) => (name === "text" ? f.text : undefined));
    const bound = f.at === undefined ? undefined : this.data.faults[`bound-${f.code}`];
    if (bound) return expand(bound, (name) => (name === "at" ? this.time(f.at!) : undefined));
    const sentence = this.data.faults[`${f.code}.${f.field}`] ?? this.data.faults[f.code];
    if (!sentence) return f.text;
    const want = (f.want ?? "").replace(/^(.*) per second$/, "每秒$1").replaceAll(" or ", " 或 ");
    const named: Record<string, string> = { field: f.field ?? "", got: f.got || "空", want };
    return expand(sentence, (name) => named[name]);
  }

  /** One event or mark. */
  phrase(layout: Layout, e: Events, i: number): string {
    const kind = e.kind[i]!;
    if (kind === MARK_VIOLATION) return `✗ ${this.data.checks[e.entity[i]!]?.title ?? ""}`;
    if (kind === MARK_ACTION) return this.done(layout, this.dos[e.a[i]!] ?? "");
    const event = this.data.events[kind];
    if (!event) return "";
    return expand(event.phrase, (name) => {
      if (name === "at") return this.time(e.at[i]!);
      if (name === "entity") {
        const entity = layout.entities[e.entity[i]!];
        return entity && this.entity(entity);
      }
      if (name === event.a?.name) return this.number(event.a.unit, e.a[i]!);
      if (name === event.b?.name) return this.number(event.b.unit, e.b[i]!);
      return this.param(name);
    });
  }

  /** An action that was done, from its text in the Spec: AT:VERB[:TARGET[:VALUE]]. */
  done(layout: Layout, text: string): string {
    const [at = "", verb, target, value] = text.split(":");
    const action = this.data.actions.find((a) => a.verb === verb);
    if (!action) return text;
    return expand(action.done, (name) => {
      if (name === "at") return this.time(Math.round(parseFloat(at) * 1e9));
      if (name === "target" && action.targets) {
        const e = layout.entities.find((entity) => entity.name === target);
        return e ? this.entity(e) : target;
      }
      if (name === "value" && action.value) {
        const p = action.value;
        return value || p.choices ? this.value(p, value || p.choices![p.default]!.value) : this.number(p.unit, p.default);
      }
      return this.param(name);
    });
  }

  /** An action as it was asked for, in a few words: when, what, to whom, how much. */
  asked(text: string): { when: string; what: string } {
    const [at = "", verb = "", target = "", value = ""] = text.split(":");
    const action = this.data.actions.find((a) => a.verb === verb);
    const when = `${this.time(Math.round(parseFloat(at) * 1e9))} ${action?.label ?? verb}`;
    const [, stem = "", n = ""] = /^(.+?)-?([0-9]+)$/.exec(target) ?? [];
    const shared = this.data.entities[stem];
    const whom = this.data.entities[target] ?? (shared === undefined ? target : numbered(shared, n));
    const much = action?.value && value !== "" ? this.value(action.value, value) : value;
    return { when, what: [whom, much].filter((s) => s !== "").join(" ") };
  }

  private readonly param = (name: string): string | undefined => {
    const p = this.data.params.find((param) => param.name === name);
    if (!p) return undefined;
    const text = this.values.get(name);
    if (text !== undefined) return this.value(p, text);
    return p.choices ? p.choices[p.default]?.label : this.number(p.unit, p.default);
  };
}

/** The name of one of many that share their words. */
function numbered(label: string, n: string): string {
  return expand(label.includes("{n}") ? label : `${label} {n}`, (name) => (name === "n" ? n : undefined));
}

/** The keys and values of a Spec's text or query. */
export function pairs(spec: string): [string, string][] {
  const query = spec.slice(spec.indexOf("?") + 1);
  return query.split("&").filter((pair) => pair !== "").map((pair) => {
    const cut = pair.indexOf("=");
    return cut < 0 ? [pair, ""] : [unescaped(pair.slice(0, cut)), unescaped(pair.slice(cut + 1))];
  });
}

function unescaped(s: string): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
}
