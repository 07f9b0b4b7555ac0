// What an entity looks like inside, in words: a shard's place in a migration, and how far a log has come (labs.Shape).
import type { Trace } from "./trace";
import type { Words } from "./words";

/** The numbers of the shapes of shards and logs, as in labs/layout.go. */
const SHARD_OWNER = 0;
const SHARD_EPOCH = 1;
const SHARD_FENCE = 2;
const SHARD_GATE = 3;
const LOG_CARRIED = 0;
const LOG_FENCE = 1;

/** The entities that have more to say than counts and a level. */
export function tellers(trace: Trace): Set<number> {
  return new Set(trace.layout.entities.flatMap((e, i) => ((e.kind === "shard" || e.kind === "log") && trace.shapesOf(i).length > 0 ? [i] : [])));
}

/** What a shape says: its lines, and for a log the position up to which it has been carried (−1 for none). */
export interface Facts {
  lines: string[];
  owner: boolean;
  carried: number;
  fenced: boolean;
}

export function factsOf(words: Words, kind: string, shape: Float64Array, level: number): Facts {
  const n = (v: number | undefined) => words.number("", v ?? 0);
  if (kind === "log") {
    const carried = shape[LOG_CARRIED] ?? -1;
    const fence = shape[LOG_FENCE] ?? -1;
    const lines = [carried < 0 ? words.get("log-at", { n: n(level) }) : words.get("log-carried", { n: n(carried), head: n(level) })];
    if (fence >= 0) lines.push(words.get("log-fence", { n: n(fence) }));
    return { lines, owner: false, carried, fenced: fence >= 0 };
  }
  const owner = shape[SHARD_OWNER] === 1;
  const gate = words.get(`shard-gate-${shape[SHARD_GATE] ?? 0}`);
  const who = words.get(owner ? "shard-owner" : "shard-other");
  // The epoch of a shard that serves nobody is a thing of the past.
  const first = shape[SHARD_GATE] ? words.get("shard-epoch", { owner: who, n: n(shape[SHARD_EPOCH]) }) : who;
  const second = shape[SHARD_FENCE] ? words.get("shard-fence", { gate, n: n(shape[SHARD_FENCE]) }) : gate;
  return { lines: [first, second], owner, carried: -1, fenced: shape[SHARD_GATE] === 1 };
}
