// A run for tests, in the bytes that the module writes: two limiters, of which one lets requests through and one turns them away.
import { Sections } from "../worker/sections";
import type { LabData } from "./data";
import { type Layout, Trace } from "./trace";

export const layout: Layout = {
  columns: [{ name: "passed" }, { name: "refused" }, { name: "level", gather: 2 }],
  entities: [
    { name: "client", kind: "client", row: 1 },
    { name: "open", kind: "limiter", rank: 1, passed: "passed", level: "level", full: 4, judged: 1 },
    { name: "shut", kind: "limiter", rank: 1, row: 1, refused: "refused" },
    { name: "service", kind: "node", rank: 2 },
  ],
  links: [
    { from: "client", to: "open" },
    { from: "client", to: "shut" },
    { from: "open", to: "service" },
  ],
  plots: [{ name: "level", columns: ["level"], bound: 4 }],
};

export const data = {
  lang: "en",
  lab: "toy",
  spec: "toy?v=1",
  events: [
    { name: "admit", phrase: "{entity} admits {request}", flow: 1, mark: false, a: { name: "request", unit: "" } },
    { name: "refuse", phrase: "{entity} refuses {request}, {n|once|often}", flow: 2, mark: false, a: { name: "request", unit: "" }, b: { name: "n", unit: "" } },
  ],
  checks: [{ name: "bound", title: "the bound", holds: "at most {limit} per {use}", broken: "{level} at {at} by {request}", facts: [{ name: "level", unit: "" }] }],
  params: [
    { name: "limit", label: "limit", unit: "", scale: 1, min: 1, max: 100_000, default: 4, log: true },
    { name: "gap", label: "gap", unit: "ms", scale: 1e6, min: 0, max: 60e9, default: 2e6, log: false, unused: "use=open" },
    { name: "use", label: "use", unit: "", scale: 1, min: 0, max: 1, default: 0, log: false, choices: [{ value: "open", label: "the open one" }, { value: "shut", label: "the shut one" }] },
  ],
  actions: [{ verb: "burst", label: "burst", done: "{value} arrive at {at}", value: { name: "n", label: "n", unit: "", scale: 1, min: 1, max: 9, default: 5, log: false } }],
  metrics: [{ name: "passed", label: "passed", unit: "" }],
  presets: [],
  entities: { client: "client", open: "open gate", shut: "shut gate", service: "service" },
  columns: {}, plots: {}, words: {}, faults: {},
} as unknown as LabData;

/** Ten requests in two bursts, the first of six at 3 ms and the second of four at 5 ms; both limiters see each. Rows are 1 ms. */
export function toyTrace(): Trace {
  const at: number[] = [];
  const n: number[] = [];
  const kind: number[] = [];
  const entity: number[] = [];
  const request: number[] = [];
  for (const [burst, size, first] of [[3e6, 6, 1], [5e6, 4, 7]] as const) {
    for (const limiter of [1, 2]) {
      for (let i = 0; i < size; i++) {
        at.push(burst);
        n.push(burst / 1e6);
        kind.push(limiter - 1);
        entity.push(limiter);
        request.push(first + i);
      }
    }
  }
  const none = at.map(() => 0);
  const bytes = encode([
    ["spec", "toy?v=1"],
    ["meta", [10e6, 1e6, 2, 0]],
    ["column:passed", [0, 0, 0, 6, 0, 4, 0, 0, 0, 0]],
    ["column:refused", [0, 0, 0, 6, 0, 4, 0, 0, 0, 0]],
    ["column:level", [0, 0, 0, 6, 6, 10, 10, 10, 10, 4]],
    ["log.at", at], ["log.n", n], ["log.kind", kind], ["log.entity", entity], ["log.a", request], ["log.b", none],
    ["mark.at", [5e6]], ["mark.n", [5]], ["mark.kind", [0xffff]], ["mark.entity", [0]], ["mark.a", [7]], ["mark.b", [0]],
    ["metrics", [10]],
    ["verdicts", [0, 0, 5e6, 5, 7, 7, 0, 0, 0, 4]],
  ]);
  return new Trace(new Sections(bytes), layout);
}

/** Writes sections, from their description in sections.ts. */
export function encode(sections: [string, string | number[]][]): Uint8Array {
  const out: number[] = [];
  const u32 = (v: number) => out.push(v & 255, (v >>> 8) & 255, (v >>> 16) & 255, (v >>> 24) & 255);
  const pad = () => {
    while (out.length % 8 !== 0) out.push(0);
  };
  for (const [name, payload] of sections) {
    const text = typeof payload === "string";
    u32(name.length);
    u32(text ? 1 : 0);
    u32(payload.length);
    u32(0);
    out.push(...new TextEncoder().encode(name));
    pad();
    if (text) out.push(...new TextEncoder().encode(payload));
    else for (const v of payload) out.push(...new Uint8Array(new BigInt64Array([BigInt(v)]).buffer));
    pad();
  }
  return Uint8Array.from(out);
}
