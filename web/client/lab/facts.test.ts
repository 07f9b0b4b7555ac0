import assert from "node:assert/strict";
import test from "node:test";
import { Sections } from "../worker/sections";
import { Beats } from "./beats";
import { factsOf, tellers } from "./facts";
import { data, encode } from "./fixture";
import { momentOf } from "./moment";
import { type Layout, Trace } from "./trace";
import { Words } from "./words";

const words = new Words({
  ...data,
  words: {
    "shard-owner": "owner", "shard-other": "other", "shard-epoch": "{owner} · epoch {n}", "shard-fence": "{gate} · fence {n}",
    "shard-gate-0": "closed", "shard-gate-1": "reads", "shard-gate-2": "open", "log-at": "at {n}", "log-carried": "{n} of {head}", "log-fence": "fence at {n}",
  },
} as typeof data);
const says = (kind: string, shape: number[], level = 0) => factsOf(words, kind, Float64Array.from(shape), level).lines;

test("a shard says whether it owns, its epoch while it serves, its gate, and what it obeys", () => {
  assert.deepEqual(says("shard", [1, 1, 1, 2]), ["owner · epoch 1", "open · fence 1"]);
  assert.deepEqual(says("shard", [1, 1, 2, 1]), ["owner · epoch 1", "reads · fence 2"]);
  assert.deepEqual(says("shard", [0, 1, 2, 0]), ["other", "closed · fence 2"]);
  assert.deepEqual(says("shard", [0, 0, 0, 0]), ["other", "closed"]);
});

test("a log says where it ends, how far it has been carried, and its fence", () => {
  assert.deepEqual(says("log", [-1, -1], 12), ["at 12"]);
  assert.deepEqual(says("log", [7, -1], 12), ["7 of 12"]);
  assert.deepEqual(says("log", [12, 12], 12), ["12 of 12", "fence at 12"]);
  assert.equal(factsOf(words, "log", Float64Array.from([7, -1]), 12).carried, 7);
});

const layout: Layout = { columns: [], entities: [{ name: "a", kind: "shard" }, { name: "b", kind: "shard" }, { name: "c", kind: "node" }], links: [], plots: [] };

test("an entity looks as it last told, and a change shows once its instant has been told", () => {
  const trace = new Trace(new Sections(encode([
    ["meta", [10, 1, 0, 0]],
    ["log.at", [5]], ["log.n", [1]], ["log.kind", [0]], ["log.entity", [0]], ["log.a", [0]], ["log.b", [0]],
    ["shape", [0, 0, 1, 1, 1, 2]], ["shape", [0, 2, 9]], ["shape", [5, 0, 0, 1, 2, 0]],
  ])), layout);
  assert.deepEqual([...tellers(trace)], [0], "shards and logs that have told something");
  const beats = new Beats(trace.log);
  const owner = (t: number, told: number) => momentOf(data, trace, beats, { t, beats: told }).entities[0]!.shape?.[0];
  assert.deepEqual([owner(0, 0), owner(5, 0), owner(5, 1), owner(9, 1)], [1, 1, 0, 0]);
  assert.equal(momentOf(data, trace, beats, { t: 9, beats: 1 }).entities[1]!.shape, undefined);
});
