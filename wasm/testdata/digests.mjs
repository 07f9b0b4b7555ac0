// Reads Specs from standard input, one a line, runs each in the WebAssembly module as the worker does (begin, step in slices, take the
// parts), and prints for each what testdata/digests/main.go prints.
//
//   node digests.mjs wasm_exec.js core.wasm < specs
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [exec, module] = process.argv.slice(2);
vm.runInThisContext(readFileSync(exec, "utf8"), { filename: exec });

const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(readFileSync(module), go.importObject);
go.run(instance);
const seedbed = globalThis.seedbed;

const into = new Uint8Array(1 << 20);
const none = new Uint8Array(0);

/** Cuts a reply into its sections: text, or numbers as bigints. */
function sections(length) {
  if (length < 0) throw new Error(`a reply of ${-length} bytes does not fit`);
  const view = new DataView(into.buffer, 0, length);
  const up = (n) => (n + 7) & ~7;
  const found = {};
  for (let at = 0; at < length; ) {
    const named = view.getUint32(at, true);
    const isText = view.getUint32(at + 4, true) === 1;
    const count = Number(view.getBigUint64(at + 8, true));
    const name = Buffer.from(into.subarray(at + 16, at + 16 + named)).toString();
    at += 16 + up(named);
    if (isText) {
      found[name] = Buffer.from(into.subarray(at, at + count)).toString();
      at += up(count);
    } else {
      found[name] = Array.from({ length: count }, (_, i) => view.getBigInt64(at + 8 * i, true));
      at += 8 * count;
    }
  }
  if (found.error) throw new Error(JSON.parse(found.error).text);
  return found;
}

function digest(spec) {
  const handle = Number(sections(seedbed.begin(Buffer.from(spec), none, false, into)).run[0]);
  for (;;) {
    const step = sections(seedbed.step(handle, 4096, into));
    if (step.progress[0] === 0n) continue;
    const hash = createHash("sha256");
    for (let i = 0; i < Number(step.trace[1]); i++) hash.update(into.subarray(0, seedbed.part(handle, i, into)));
    seedbed.end(handle);
    return `${step.digest} ${hash.digest("hex")}`;
  }
}

const specs = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
for (const spec of specs) {
  let line;
  try {
    line = digest(spec);
  } catch (e) {
    line = `error: ${e.message}`;
  }
  console.log(line);
}
process.exit(0);
