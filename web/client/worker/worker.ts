// The worker: one module, all runs of a page.
//
// The module has no clock, so this side keeps time: it steps each run for a few milliseconds, returns to the event loop so that a cancel
// can arrive, and goes on. How many events a step handles follows from how long the last one took.
import { Failure, start } from "./module";
import type { Fault, Reply, Request, Seedbed } from "./protocol";
import { Sections } from "./sections";

const SLICE = 6; // ms that a step aims at: it must stay under 8, and the last one's pace is only a guess at the next one's
const PROGRESS = 50; // ms between two reports of progress
const PART = 1 << 20; // bytes of the largest reply

interface Run {
  id: number;
  spec: string;
  input: Uint8Array;
  seek: boolean;
  handle: number; // -1: not begun, or its instance is gone
  stage: "waiting" | "running" | "done";
  told: boolean; // the page has its trace: this is a second run, to answer replays after a crash
  pace: number; // events a step
  began: number;
  reported: number;
  questions: { question: number; at: number; before: number; after: number }[];
}

type Sum = Extract<Request, { op: "calc" }>;

const port = globalThis as unknown as DedicatedWorkerGlobalScope;
const encoder = new TextEncoder();
const into = new Uint8Array(PART);
const runs = new Map<number, Run>();
const sums: Sum[] = []; // calculations that wait for the module
let seedbed: Seedbed | undefined;
let module: WebAssembly.Module | undefined; // kept, so that a fresh instance costs no download
let broken: Fault | undefined;

port.onmessage = (e: MessageEvent<Request>) => {
  const m = e.data;
  switch (m.op) {
    case "load":
      void load(m.module);
      break;
    case "run":
      if (broken) return say({ re: "failed", id: m.id, fault: broken });
      runs.set(m.id, {
        id: m.id, spec: m.spec, input: new Uint8Array(m.input ?? new ArrayBuffer(0)), seek: m.seek, handle: -1,
        stage: m.told ? "done" : "waiting", told: m.told ?? false,
        pace: 512, began: 0, reported: 0, questions: [],
      });
      wake();
      break;
    case "replay":
      ask(m);
      break;
    case "calc":
      if (broken) return say({ re: "unanswered", id: 0, question: m.question, fault: broken });
      sums.push(m);
      wake();
      break;
    case "end":
      end(m.id);
      say({ re: "ended", id: m.id });
  }
};

function say(m: Reply, ...transfer: ArrayBuffer[]): void {
  port.postMessage(m, transfer);
}

async function load(compiled: WebAssembly.Module): Promise<void> {
  const from = performance.now();
  try {
    module = compiled;
    seedbed = await start(module, exited);
    say({ re: "ready", ms: performance.now() - from });
    wake();
  } catch (e) {
    shut(faultOf(e));
  }
}

function faultOf(e: unknown): Fault {
  return e instanceof Failure ? e.fault : { code: "refused", text: String(e) };
}

/** The module cannot be had: say so once, and to every run that waits for it. */
function shut(fault: Fault): void {
  broken = fault;
  say({ re: "broken", fault });
  for (const run of runs.values()) say({ re: "failed", id: run.id, fault });
  for (const sum of sums.splice(0)) say({ re: "unanswered", id: 0, question: sum.question, fault });
  runs.clear();
}

// One message to ourselves at a time: a task of its own, so that the page's messages come between two slices. (setTimeout would wait
// 4 ms each time.)
const bell = new MessageChannel();
let rung = false;
bell.port1.onmessage = () => {
  rung = false;
  turn();
};

function wake(): void {
  if (rung || !seedbed) return;
  rung = true;
  bell.port2.postMessage(0);
}

/** Computes what is asked, which takes a moment; then gives one run one slice, and then the others theirs. */
function turn(): void {
  for (const sum of sums.splice(0)) compute(sum);
  for (const run of runs.values()) {
    if (run.stage === "done") continue;
    runs.delete(run.id); // to the end of the queue
    runs.set(run.id, run);
    try {
      if (run.stage === "waiting") begin(run);
      else step(run);
    } catch (e) {
      fail(run, e);
    }
    wake();
    return;
  }
}

function begin(run: Run): void {
  run.began = run.reported = performance.now();
  const reply = read((s) => s.begin(encoder.encode(run.spec), run.input, run.seek, into));
  const numbers = reply.numbers("run");
  run.handle = numbers[0] ?? -1;
  run.stage = "running";
  if (!run.told) say({ re: "begun", id: run.id, spec: reply.text("spec"), horizon: numbers[1] ?? 0, layout: reply.text("layout") });
}

function step(run: Run): void {
  const from = performance.now();
  const reply = read((s) => s.step(run.handle, run.pace, into));
  const now = performance.now();
  run.pace = paced(run.pace, now - from);
  const [done, at, , handled] = reply.numbers("progress");
  if (!done) {
    if (now - run.reported >= PROGRESS && !run.told) {
      run.reported = now;
      say({ re: "progress", id: run.id, now: at ?? 0, handled: handled ?? 0 });
    }
    return;
  }
  run.stage = "done";
  if (!run.told) {
    hand(run, reply.numbers("trace"));
    say({ re: "done", id: run.id, digest: reply.text("digest"), handled: handled ?? 0, ms: now - run.began });
    run.told = true;
  }
  for (const q of run.questions.splice(0)) answer(run, q);
}

/** The next step's events: at most twice as many, since the clock is coarse and runs have bursts. */
function paced(pace: number, ms: number): number {
  const factor = ms < 0.5 ? 2 : Math.min(2, Math.max(0.25, SLICE / ms));
  return Math.min(1 << 18, Math.max(16, Math.round(pace * factor)));
}

/** Hands the trace over in pieces. */
function hand(run: Run, [size, parts]: Float64Array): void {
  for (let n = 0; n < (parts ?? 0); n++) {
    const bytes = new Uint8Array(Math.min(PART, (size ?? 0) - n * PART));
    call((s) => s.part(run.handle, n, bytes));
    say({ re: "part", id: run.id, bytes: bytes.buffer }, bytes.buffer);
  }
}

function ask(m: Extract<Request, { op: "replay" }>): void {
  const run = runs.get(m.id);
  if (!run) return say({ re: "unanswered", id: m.id, question: m.question, fault: broken ?? { code: "no-run", text: "the run has ended" } });
  if (run.stage === "done" && run.handle >= 0) {
    try {
      return answer(run, m);
    } catch (e) {
      return fail(run, e, m.question);
    }
  }
  // Its instance is gone: run it again in silence, then answer.
  run.questions.push(m);
  if (run.stage === "done") run.stage = "waiting";
  wake();
}

function answer(run: Run, q: Run["questions"][number]): void {
  const n = call((s) => s.replay(run.handle, q.at, q.before, q.after, into));
  if (fault(n)) throw new Failure(fault(n)!);
  const bytes = into.slice(0, n);
  say({ re: "events", id: run.id, question: q.question, bytes: bytes.buffer }, bytes.buffer);
}

function compute(m: Sum): void {
  try {
    const n = call((s) => s.calc(encoder.encode(m.sheet), encoder.encode(m.set), encoder.encode(m.views), into));
    if (fault(n)) throw new Failure(fault(n)!);
    const bytes = into.slice(0, n);
    say({ re: "events", id: 0, question: m.question, bytes: bytes.buffer }, bytes.buffer);
  } catch (e) {
    const fault = e instanceof Failure ? e.fault : { code: "crash", text: String(e) };
    say({ re: "unanswered", id: 0, question: m.question, fault });
    if (fault.code === "crash") exited(seedbed);
  }
}

function end(id: number): void {
  const run = runs.get(id);
  runs.delete(id);
  if (!run || run.handle < 0 || !seedbed) return;
  try {
    seedbed.end(run.handle);
  } catch {
    exited(seedbed);
  }
}

function call(f: (s: Seedbed) => number): number {
  if (!seedbed) throw new Failure({ code: "crash", text: "the module is not running" });
  const n = f(seedbed);
  if (n < 0) throw new Failure({ code: "too-large", text: `a reply of ${-n} bytes` });
  return n;
}

/** The error in a reply of n bytes, if it is one. */
function fault(n: number): Fault | undefined {
  const error = n > 0 ? new Sections(into.subarray(0, n)).text("error") : "";
  return error ? (JSON.parse(error) as Fault) : undefined;
}

function read(f: (s: Seedbed) => number): Sections {
  const n = call(f);
  const error = fault(n);
  if (error) throw new Failure(error);
  return new Sections(into.slice(0, n));
}

/** A run failed. What the module says itself is the run's own fault; anything else, and a crash, ends the instance. */
function fail(run: Run, e: unknown, question?: number): void {
  const fault = e instanceof Failure ? e.fault : { code: "crash", text: String(e) };
  for (const q of run.questions.splice(0)) say({ re: "unanswered", id: run.id, question: q.question, fault });
  if (question !== undefined) say({ re: "unanswered", id: run.id, question, fault });
  if (!run.told) say({ re: "failed", id: run.id, fault });
  if (run.told) run.stage = "done";
  else runs.delete(run.id);
  if (fault.code === "crash") exited(seedbed);
}

/** An instance is gone. Runs in progress begin anew in a fresh one, finished ones when somebody asks. */
function exited(which: Seedbed | undefined): void {
  if (!seedbed || which !== seedbed || !module) return;
  seedbed = undefined;
  for (const run of runs.values()) {
    run.handle = -1;
    if (run.stage === "running") run.stage = "waiting";
  }
  start(module, exited).then(
    (fresh) => {
      seedbed = fresh;
      wake();
    },
    (e: unknown) => shut(faultOf(e)),
  );
}
