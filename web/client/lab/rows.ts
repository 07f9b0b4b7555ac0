// The rows of panels, read from their numbers: labs/panel.go says what these are, and which spans are worth a line.
import type { Panel, Shape, Trace } from "./trace";

export interface Span {
  id: number;
  parent: number;
  entity: number;
  word: number;
  began: number;
  took: number;
  waited: number;
  /** -1 when all was well. */
  outcome: number;
  depth: number;
  leaf: boolean;
}

/** What one request met, as it was kept. */
export interface Kept {
  at: number;
  trace: number;
  business: number;
  about: number;
  size: number;
  spans: Span[];
}

/** One line of a log. */
export interface Line {
  at: number;
  level: string;
  code: string;
  entity: number;
  trace: number;
  span: number;
  business: number;
  took: number;
}

const HEAD = 4;
const NUMBERS = 8;
const BRIEFEST = 50;

/** The shapes of a panel: those of panels come after those of entities. */
export function rowsOf(trace: Trace, panel: number): Shape[] {
  return trace.shapesOf(trace.layout.entities.length + panel);
}

export function keptOf({ at, values }: Shape): Kept {
  const spans: Span[] = [];
  for (let i = HEAD; i + NUMBERS <= values.length; i += NUMBERS) {
    const [id, parent, entity, word, began, took, waited, outcome] = [...values.subarray(i, i + NUMBERS)] as [number, number, number, number, number, number, number, number];
    const above = spans[parent - 1];
    if (above) above.leaf = false;
    spans.push({ id, parent, entity, word, began, took, waited, outcome, depth: above ? above.depth + 1 : 0, leaf: true });
  }
  const [trace = 0, business = 0, about = 0, size = 0] = values;
  return { at, trace, business, about, size, spans };
}

/** All calls, and those steps below them that took long or did not end well. */
export function telling(spans: Span[]): Span[] {
  const all = spans[0]?.took ?? 0;
  return spans.filter((s) => s.word === 0 || s.outcome >= 0 || s.took * BRIEFEST >= all);
}

export function lineOf({ words }: Panel, { at, values }: Shape): Line {
  const [level = 0, code = 0, entity = 0, trace = 0, span = 0, business = 0, took = 0] = values;
  return { at, level: words[level] ?? "", code: words[code] ?? "", entity, trace, span, business, took };
}

/** Whether a line is among those that a reader asked for: by the number of its trace or business, or by a part of its words. */
export function matches(line: Line, who: string, asked: string): boolean {
  const text = asked.trim().toLowerCase();
  if (text === "") return true;
  if (/^\d+$/.test(text)) return String(line.trace) === text || String(line.business) === text;
  return `${who} ${line.level} ${line.code}`.toLowerCase().includes(text);
}

/** How long the whole took; less than nothing for none. */
export function took(k: Kept | undefined): number {
  return k?.spans[0]?.took ?? -1;
}

/** The trace to show first: the one that took longest, of those that failed where most did. */
export function telltale(all: Kept[]): Kept | undefined {
  const failed = all.filter((k) => (k.spans[0]?.outcome ?? -1) >= 0);
  return (2 * failed.length > all.length ? failed : all).reduce<Kept | undefined>((most, k) => (took(k) > took(most) ? k : most), undefined);
}
