// What an engine needs from the network: a module and a worker. The page fetches and compiles the module, and not the worker, since it can
// begin while the worker's script is still on its way; the browser compiles beside the page, not in it.
import type { Fault } from "../worker/protocol";

/** Why a run gave nothing. `cancelled` is the page's own doing. */
export class RunFailure extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.text);
    this.fault = fault;
  }
}

/** Fetches and compiles the module. It throws a RunFailure that tells apart what a reader can do about it. */
export async function compile(url: string): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== "object") throw new RunFailure({ code: "unsupported", text: "this browser has no WebAssembly" });
  let response: Response;
  try {
    response = await fetch(url);
  } catch (e) {
    throw new RunFailure({ code: "blocked", text: String(e) });
  }
  if (!response.ok) throw new RunFailure({ code: "missing", text: `${response.status} ${response.statusText}` });
  try {
    // Streaming wants the right type; a server that sends another still gives the right bytes.
    if (response.headers.get("Content-Type") === "application/wasm") return await WebAssembly.compileStreaming(response);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (e) {
    throw new RunFailure({ code: e instanceof TypeError ? "blocked" : "refused", text: String(e) });
  }
}

/** The fault in whatever was thrown. */
export function faultOf(e: unknown): Fault {
  return e instanceof RunFailure ? e.fault : { code: "refused", text: String(e) };
}

/**
 * Makes the worker. Where the page's origin is opaque (a sandboxed frame), a worker with a URL is refused but one of a blob is not;
 * the script then comes by a cross-origin fetch.
 */
export async function create(url: string): Promise<Worker> {
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
    throw new RunFailure({ code: "blocked", text: String(e) });
  }
  if (!response.ok) throw new RunFailure({ code: "missing", text: `${response.status} ${response.statusText}` });
  // The URL is never revoked: a browser may read it later than it makes the worker.
  return new Worker(URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" })));
}

/** Asks the server why a worker's script did not start. */
export async function reason(url: string): Promise<Fault> {
  try {
    const response = await fetch(url, { method: "HEAD" });
    if (!response.ok) return { code: "missing", text: `${response.status} ${response.statusText}` };
    return { code: "refused", text: "the worker's script did not start" };
  } catch (e) {
    return { code: "blocked", text: String(e) };
  }
}
