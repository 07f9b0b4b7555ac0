// The border between a page and the labs, typed. Three parties: the page (../lab/engine.ts), the worker (worker.ts) and the module in
// it (wasm/main_js.go, wasm/calc). Bytes are sections as in ./sections.ts: the layout of a trace's canonical bytes (labs/codec.go).

/**
 * The module's one global. Each call that replies copies its reply into `into` and returns the reply's length; a negative length is
 * that of a reply which did not fit. Instants are ns. wasm/bridge says what each reply holds.
 */
export interface Seedbed {
  describe(spec: Uint8Array, into: Uint8Array): number;
  begin(spec: Uint8Array, input: Uint8Array, seek: boolean, into: Uint8Array): number;
  step(handle: number, events: number, into: Uint8Array): number;
  /** A raw piece of a finished run's trace, of at most 1 MiB; 0 when there is none. */
  part(handle: number, n: number, into: Uint8Array): number;
  replay(handle: number, at: number, before: number, after: number, into: Uint8Array): number;
  end(handle: number): void;
  /** Computes a sheet; calc.wasm has this call alone, and the modules of labs have all but this: its source, lines of NAME = TEXT, lines of NAME or NAME in UNIT. */
  calc(sheet: Uint8Array, set: Uint8Array, views: Uint8Array, into: Uint8Array): number;
}

/** What Go's wasm_exec.js defines. */
export interface GoProgram {
  importObject: WebAssembly.Imports;
  env: Record<string, string>;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/**
 * Why something failed. The codes of labs.Error and labs.Bound, and: `crash` (the module broke), `missing` (the server has no such
 * file, as after a deploy), `blocked` (the file could not be fetched: network, or an extension that blocks it), `unsupported` (no
 * WebAssembly here), `refused` (it is not a module, or the page's policy forbids it).
 */
export interface Fault {
  code: string;
  text: string;
  field?: string;
  got?: string;
  want?: string;
  at?: number;
}

/** From the page to the worker. Run ids and questions are the page's to choose, and are never used twice. */
export type Request =
  /** The compiled module; sent once, as soon as the page has it. */
  | { op: "load"; module: WebAssembly.Module }
  /** Begin a run; `seek` keeps checkpoints for replay. One that is `told` has been run by another worker: it waits for a replay. */
  | { op: "run"; id: number; spec: string; input?: ArrayBuffer; seek: boolean; told?: boolean }
  /** Single events around an instant of a finished run. */
  | { op: "replay"; id: number; question: number; at: number; before: number; after: number }
  /** Compute a sheet with some inputs set. */
  | { op: "calc"; question: number; sheet: string; set: string; views: string }
  /** Stop a run, or forget a finished one. Nothing more is said about it than that it has ended. */
  | { op: "end"; id: number };

/** From the worker to the page. */
export type Reply =
  | { re: "ready"; ms: number }
  | { re: "begun"; id: number; spec: string; horizon: number; layout: string }
  /** At most every 50 ms. */
  | { re: "progress"; id: number; now: number; handled: number }
  /** The next piece of the trace, transferred, of at most 1 MiB. */
  | { re: "part"; id: number; bytes: ArrayBuffer }
  | { re: "done"; id: number; digest: string; handled: number; ms: number }
  /** The answer to a replay or a calculation: sections, transferred. The id of a calculation is 0. */
  | { re: "events"; id: number; question: number; bytes: ArrayBuffer }
  | { re: "unanswered"; id: number; question: number; fault: Fault }
  | { re: "failed"; id: number; fault: Fault }
  | { re: "ended"; id: number }
  /** The module cannot be had: every run fails until the page starts another worker. */
  | { re: "broken"; fault: Fault };
