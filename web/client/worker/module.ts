// Fetches, compiles and starts the module. The compiled module is kept, so that a fresh instance after a crash costs no download.
import "go:wasm_exec";
import type { Fault, GoProgram, Seedbed } from "./protocol";

const host = globalThis as unknown as { Go: new () => GoProgram; seedbed?: Seedbed };

/** A fault that can be thrown. */
export class Failure extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.text);
    this.fault = fault;
  }
}

/** Fetches and compiles the module. It throws a Failure that tells apart what a reader can do about it. */
export async function compile(url: string): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== "object") throw new Failure({ code: "unsupported", text: "this browser has no WebAssembly" });
  let response: Response;
  try {
    response = await fetch(url);
  } catch (e) {
    throw new Failure({ code: "blocked", text: String(e) });
  }
  if (!response.ok) throw new Failure({ code: "missing", text: `${response.status} ${response.statusText}` });
  try {
    // Streaming wants the right type; a server that sends another still gives the right bytes.
    if (response.headers.get("Content-Type") === "application/wasm") return await WebAssembly.compileStreaming(response);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (e) {
    throw new Failure({ code: e instanceof TypeError ? "blocked" : "refused", text: String(e) });
  }
}

/** Starts an instance. The Go program runs on until it breaks; `onExit` then tells which one did. */
export async function start(module: WebAssembly.Module, onExit: (which: Seedbed) => void): Promise<Seedbed> {
  const go = new host.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  delete host.seedbed;
  const ended = go.run(instance); // runs up to where Go waits for calls
  const started = host.seedbed as Seedbed | undefined;
  if (!started) throw new Failure({ code: "refused", text: "the module started and offers nothing" });
  const exited = () => onExit(started);
  ended.then(exited, exited);
  return started;
}
