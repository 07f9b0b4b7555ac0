// Starts the module that the page has compiled.
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

/**
 * How Go's collector of garbage works here. A collection holds up a reader who drags the cursor for milliseconds, so it comes when the
 * heap is five times what is alive, and not at twice as by default; near 128 MiB it comes as often as it must. Checkpoints, the most that
 * is alive, are bounded to 32 MiB.
 */
const COLLECTOR = { GOGC: "400", GOMEMLIMIT: "128MiB" };

/** Starts an instance. The Go program runs on until it breaks; `onExit` then tells which one did. */
export async function start(module: WebAssembly.Module, onExit: (which: Seedbed) => void): Promise<Seedbed> {
  const go = new host.Go();
  go.env = COLLECTOR;
  const instance = await WebAssembly.instantiate(module, go.importObject);
  delete host.seedbed;
  const ended = go.run(instance); // runs up to where Go waits for calls
  const started = host.seedbed as Seedbed | undefined;
  if (!started) throw new Failure({ code: "refused", text: "the module started and offers nothing" });
  const exited = () => onExit(started);
  ended.then(exited, exited);
  return started;
}
