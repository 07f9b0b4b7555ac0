// The page's side of the worker: one worker for all labs of a page, started when the first lab needs it.
import type { Fault, Reply, Request } from "../worker/protocol";
import { Sections } from "../worker/sections";
import { compile, faultOf, RunFailure } from "./compile";
import type { Layout } from "./trace";

export { RunFailure };

/** Where the worker's script and the module are. */
export interface Engine {
  worker: string;
  module: string;
}

/** What a finished run leaves. */
export interface Result {
  id: number;
  spec: string;
  layout: Layout;
  digest: string;
  handled: number;
  /** How long it took in the worker, ms. */
  ms: number;
  trace: Sections;
}

interface Pending {
  resolve(r: Result): void;
  reject(e: RunFailure): void;
  progress: ((share: number) => void) | undefined;
  spec: string;
  horizon: number;
  layout: string;
  parts: Uint8Array[];
}

interface Question {
  resolve(s: Sections): void;
  reject(e: RunFailure): void;
}

let worker: Promise<Worker> | undefined;
let running: Worker | undefined;
let last = 0; // ids and questions share one sequence
const pending = new Map<number, Pending>();
const questions = new Map<number, Question>();

/** Starts the worker and loads the module, if nothing has yet. A later failure shows when a run is asked for. */
export function warm(engine: Engine): void {
  worker ??= open(engine);
  worker.catch(() => {});
}

/** A run in progress. */
export interface Running {
  id: number;
  result: Promise<Result>;
  /** Stops it; the result then fails with the code `cancelled`. */
  cancel(): void;
}

/** Runs a Spec. `progress` hears the share of virtual time that is done. */
export function run(engine: Engine, spec: string, seek: boolean, progress?: (share: number) => void): Running {
  const id = ++last;
  const result = new Promise<Result>((resolve, reject) => {
    pending.set(id, { resolve, reject, progress, spec, horizon: 1, layout: "", parts: [] });
  });
  warm(engine);
  worker?.then(
    () => pending.has(id) && send({ op: "run", id, spec, seek }),
    (e: unknown) => settle(id)?.reject(new RunFailure(faultOf(e))),
  );
  return {
    id,
    result,
    cancel: () => {
      forget(id);
      settle(id)?.reject(new RunFailure({ code: "cancelled", text: "cancelled" }));
    },
  };
}

/** Lists single events of a finished run around an instant. */
export function replay(id: number, at: number, before: number, after: number): Promise<Sections> {
  const question = ++last;
  return new Promise((resolve, reject) => {
    questions.set(question, { resolve, reject });
    if (!running) return unanswered(question, { code: "no-run", text: "the run has ended" });
    send({ op: "replay", id, question, at, before, after });
  });
}

/** Computes a sheet in which a reader has set some inputs. wasm/bridge/calc.go says what goes in and what the sections hold. */
export function compute(engine: Engine, sheet: string, set: string, views: string): Promise<Sections> {
  const question = ++last;
  return new Promise((resolve, reject) => {
    questions.set(question, { resolve, reject });
    warm(engine);
    worker?.then(
      () => questions.has(question) && send({ op: "calc", question, sheet, set, views }),
      (e: unknown) => unanswered(question, faultOf(e)),
    );
  });
}

/** Lets the worker drop a run. */
export function forget(id: number): void {
  if (running) send({ op: "end", id });
}

function send(m: Request): void {
  running?.postMessage(m);
}

function settle(id: number): Pending | undefined {
  const p = pending.get(id);
  pending.delete(id);
  return p;
}

function unanswered(question: number, fault: Fault): void {
  questions.get(question)?.reject(new RunFailure(fault));
  questions.delete(question);
}

async function open(engine: Engine): Promise<Worker> {
  const compiled = compile(new URL(engine.module, location.href).href); // while the worker's script comes
  compiled.catch(() => {}); // heard below
  const w = await create(engine.worker);
  running = w;
  w.onmessage = (e: MessageEvent<Reply>) => hear(e.data);
  // The script could not be fetched or run: the event says nothing, so ask the server what is wrong.
  w.onerror = (e) => {
    e.preventDefault();
    void reason(engine.worker).then(shut);
  };
  compiled.then(
    (module) => running === w && send({ op: "load", module }),
    (e: unknown) => running === w && shut(faultOf(e)),
  );
  return w;
}

/**
 * Makes the worker. Where the page's origin is opaque (a sandboxed frame), a worker with a URL is refused but one of a blob is not;
 * the script then comes by a cross-origin fetch.
 */
async function create(url: string): Promise<Worker> {
  if (self.origin !== "null") {
    try {
      return new Worker(url);
    } catch {
      // Not allowed after all: try the other way.
    }
  }
  let response: Response;
  try {
    response = await fetch(url);
  } catch (e) {
    return give({ code: "blocked", text: String(e) });
  }
  if (!response.ok) return give({ code: "missing", text: `${response.status} ${response.statusText}` });
  // The URL is never revoked: a browser may read it later than it makes the worker.
  return new Worker(URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" })));
}

/** Fails, and lets the next run try from the start. */
function give(fault: Fault): never {
  worker = undefined;
  throw new RunFailure(fault);
}

async function reason(url: string): Promise<Fault> {
  try {
    const response = await fetch(url, { method: "HEAD" });
    if (!response.ok) return { code: "missing", text: `${response.status} ${response.statusText}` };
    return { code: "refused", text: "the worker's script did not start" };
  } catch (e) {
    return { code: "blocked", text: String(e) };
  }
}

/** The worker is of no more use: everything that waits fails, and the next run starts another. */
function shut(fault: Fault): void {
  running?.terminate();
  running = worker = undefined;
  for (const id of [...pending.keys()]) settle(id)?.reject(new RunFailure(fault));
  for (const q of [...questions.keys()]) unanswered(q, fault);
}

function hear(m: Reply): void {
  switch (m.re) {
    case "ready":
      return;
    case "broken":
      return shut(m.fault);
    case "events":
      questions.get(m.question)?.resolve(new Sections(new Uint8Array(m.bytes)));
      questions.delete(m.question);
      return;
    case "unanswered":
      return unanswered(m.question, m.fault);
    case "failed":
      settle(m.id)?.reject(new RunFailure(m.fault));
      return;
  }
  const p = pending.get(m.id);
  if (!p) return; // cancelled meanwhile
  switch (m.re) {
    case "begun":
      // Again after a crash: it begins anew.
      p.spec = m.spec;
      p.horizon = m.horizon;
      p.layout = m.layout;
      p.parts = [];
      return;
    case "progress":
      p.progress?.(m.now / p.horizon);
      return;
    case "part":
      p.parts.push(new Uint8Array(m.bytes));
      return;
    case "done":
      pending.delete(m.id);
      p.resolve({
        id: m.id, spec: p.spec, layout: JSON.parse(p.layout) as Layout, digest: m.digest, handled: m.handled, ms: m.ms,
        trace: new Sections(joined(p.parts)),
      });
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}
