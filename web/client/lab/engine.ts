// The page's side of the workers: one for each module that the labs of a page need, started when the first of them is to run. The labs
// of a page are mostly in one.
import type { Fault, Reply, Request } from "../worker/protocol";
import { Sections } from "../worker/sections";
import { compile, create, faultOf, reason, RunFailure } from "./launch";
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
  seek: boolean;
  horizon: number;
  layout: string;
  parts: Uint8Array[];
}

interface Question {
  request: Request;
  resolve(s: Sections): void;
  reject(e: RunFailure): void;
}

/**
 * How long a worker may take to hear a cancel, ms: between two slices it does at once, but one event of a run can be long, and then
 * nothing reaches it.
 */
const HEARS = 1000;

/** Runs and questions share one sequence of numbers, over all workers. */
let last = 0;
const hosts = new Map<string, Host>(); // by the module's address
const owners = new Map<number, Host>(); // by the run's id, until it is forgotten

function hostOf(engine: Engine): Host {
  let host = hosts.get(engine.module);
  if (!host) hosts.set(engine.module, (host = new Host(engine)));
  return host;
}

/** Starts the worker and loads the module, if nothing has yet. A later failure shows when a run is asked for. */
export function warm(engine: Engine): void {
  hostOf(engine).warm();
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
  const host = hostOf(engine);
  owners.set(id, host);
  return { id, result: host.run(id, spec, seek, progress), cancel: () => host.cancel(id) };
}

/** Lists single events of a finished run around an instant. */
export function replay(id: number, at: number, before: number, after: number): Promise<Sections> {
  const host = owners.get(id);
  if (!host) return Promise.reject(new RunFailure({ code: "no-run", text: "the run has ended" }));
  return host.ask(++last, (question) => ({ op: "replay", id, question, at, before, after }));
}

/** Computes a sheet in which a reader has set some inputs. wasm/bridge/calc.go says what goes in and what the sections hold. */
export function compute(engine: Engine, sheet: string, set: string, views: string): Promise<Sections> {
  return hostOf(engine).ask(++last, (question) => ({ op: "calc", question, sheet, set, views }));
}

/** Lets the worker drop a run. */
export function forget(id: number): void {
  owners.get(id)?.forget(id);
  owners.delete(id);
}

/** One worker with one module, and what it has been asked. */
class Host {
  private readonly engine: Engine;
  private worker: Promise<Worker> | undefined;
  private running: Worker | undefined;
  private readonly pending = new Map<number, Pending>();
  private readonly questions = new Map<number, Question>();
  private readonly finished = new Map<number, { spec: string; seek: boolean }>(); // what a new worker must know to answer replays
  private unheard: { id: number; timer: number } | undefined; // a cancel

  constructor(engine: Engine) {
    this.engine = engine;
  }

  warm(): Promise<Worker> {
    this.worker ??= this.open();
    this.worker.catch(() => {});
    return this.worker;
  }

  run(id: number, spec: string, seek: boolean, progress?: (share: number) => void): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, progress, spec, seek, horizon: 1, layout: "", parts: [] });
    });
    this.warm().then(
      () => this.pending.has(id) && this.send({ op: "run", id, spec, seek }),
      (e: unknown) => this.settle(id)?.reject(new RunFailure(faultOf(e))),
    );
    return result;
  }

  cancel(id: number): void {
    forget(id);
    if (this.running) this.unheard ??= { id, timer: window.setTimeout(() => this.renew(), HEARS) };
    this.settle(id)?.reject(new RunFailure({ code: "cancelled", text: "cancelled" }));
  }

  forget(id: number): void {
    this.finished.delete(id);
    this.send({ op: "end", id });
  }

  /** Asks something whose answer is sections. */
  ask(question: number, request: (question: number) => Request): Promise<Sections> {
    return new Promise((resolve, reject) => {
      const m = request(question);
      this.questions.set(question, { request: m, resolve, reject });
      this.warm().then(
        () => this.questions.has(question) && this.send(m),
        (e: unknown) => this.unanswered(question, faultOf(e)),
      );
    });
  }

  private send(m: Request): void {
    this.running?.postMessage(m);
  }

  private settle(id: number): Pending | undefined {
    const p = this.pending.get(id);
    this.pending.delete(id);
    return p;
  }

  private unanswered(question: number, fault: Fault): void {
    this.questions.get(question)?.reject(new RunFailure(fault));
    this.questions.delete(question);
  }

  private async open(): Promise<Worker> {
    const compiled = compile(new URL(this.engine.module, location.href).href); // while the worker's script comes
    compiled.catch(() => {}); // heard below
    let w: Worker;
    try {
      w = await create(this.engine.worker);
    } catch (e) {
      this.worker = undefined; // the next run tries from the start
      throw e;
    }
    this.running = w;
    for (const [id, { spec, seek }] of this.finished) this.send({ op: "run", id, spec, seek, told: true });
    w.onmessage = (e: MessageEvent<Reply>) => this.hear(e.data);
    // The script could not be fetched or run: the event says nothing, so ask the server what is wrong.
    w.onerror = (e) => {
      e.preventDefault();
      void reason(this.engine.worker).then((fault) => this.shut(fault));
    };
    compiled.then(
      (module) => this.running === w && this.send({ op: "load", module }),
      (e: unknown) => this.running === w && this.shut(faultOf(e)),
    );
    return w;
  }

  /** The worker is deaf: another takes over what still waits. */
  private renew(): void {
    this.close();
    const runs = [...this.pending];
    const questions = [...this.questions];
    this.warm().then(
      () => {
        for (const [id, { spec, seek }] of runs) if (this.pending.has(id)) this.send({ op: "run", id, spec, seek });
        for (const [n, { request }] of questions) if (this.questions.has(n)) this.send(request);
      },
      (e: unknown) => this.shut(faultOf(e)),
    );
  }

  private close(): void {
    clearTimeout(this.unheard?.timer);
    this.running?.terminate();
    this.unheard = this.running = this.worker = undefined;
  }

  /** The worker is of no more use: everything that waits fails, and the next run starts another. */
  private shut(fault: Fault): void {
    this.close();
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(new RunFailure(fault));
    for (const q of [...this.questions.keys()]) this.unanswered(q, fault);
  }

  private hear(m: Reply): void {
    switch (m.re) {
      case "ready":
        return;
      case "broken":
        return this.shut(m.fault);
      case "events":
        this.questions.get(m.question)?.resolve(new Sections(new Uint8Array(m.bytes)));
        this.questions.delete(m.question);
        return;
      case "ended":
        if (m.id !== this.unheard?.id) return;
        clearTimeout(this.unheard.timer);
        this.unheard = undefined;
        return;
      case "unanswered":
        return this.unanswered(m.question, m.fault);
      case "failed":
        this.settle(m.id)?.reject(new RunFailure(m.fault));
        return;
    }
    const p = this.pending.get(m.id);
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
        this.pending.delete(m.id);
        this.finished.set(m.id, { spec: p.spec, seek: p.seek });
        p.resolve({
          id: m.id, spec: p.spec, layout: JSON.parse(p.layout) as Layout, digest: m.digest, handled: m.handled, ms: m.ms,
          trace: new Sections(joined(p.parts)),
        });
    }
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
