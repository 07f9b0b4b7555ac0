// What happened: the marks of the run and its first events, in the order of their happening, as web/view/lab/story.go tells it.
import { button, el } from "./dom";
import { MARK_VIOLATION, type Events, type Trace } from "./trace";
import type { Words } from "./words";

const LINES = 24; // enough to see how it begins

interface Told {
  events: Events;
  i: number;
  mark: boolean;
  times: number;
}

/** The lines, and how many events more the log holds. */
export function story(trace: Trace, words: Words, marked: (kind: number) => boolean, go: (t: number) => void): { lines: HTMLElement[]; more: number } {
  const marks = inARow(trace.marks).slice(0, LINES / 2);
  const shown = Math.min(trace.log.at.length, LINES - marks.length);
  const all = [...marks];
  for (let i = 0; i < shown; i++) {
    if (!marks.some((m) => same(m.events, m.i, trace.log, i))) all.push({ events: trace.log, i, mark: marked(trace.log.kind[i]!), times: 1 });
  }
  all.sort((a, b) => a.events.n[a.i]! - b.events.n[b.i]!);
  const lines = all.map(({ events, i, mark, times }) => {
    const at = words.time(events.at[i]!);
    const phrase = words.phrase(trace.layout, events, i);
    const time = mark ? button(at, { class: "link at" }, () => go(events.at[i]!)) : el("span", { class: "at" }, at);
    return el("li", mark ? { class: "mark" } : {}, time, " ", el("span", {}, times > 1 ? `${phrase} ×${words.number("", times)}` : phrase));
  });
  return { lines, more: trace.log.at.length - shown };
}

/** What comes again before anything else does: a promise that is broken anew by each request is told once. */
function inARow(events: Events): Told[] {
  const all: Told[] = [];
  for (let i = 0; i < events.at.length; i++) {
    const last = all.at(-1);
    if (last && events.kind[i] === MARK_VIOLATION && events.kind[last.i] === MARK_VIOLATION && events.entity[i] === events.entity[last.i]) last.times++;
    else all.push({ events, i, mark: true, times: 1 });
  }
  return all;
}

function same(a: Events, i: number, b: Events, j: number): boolean {
  return a.at[i] === b.at[j] && a.n[i] === b.n[j] && a.kind[i] === b.kind[j] && a.entity[i] === b.entity[j] && a.a[i] === b.a[j] && a.b[i] === b.b[j];
}
