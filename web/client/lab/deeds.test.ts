import assert from "node:assert/strict";
import test from "node:test";
import type { Action, LabData } from "./data";
import { cameOf, deed, offAndOn, targets } from "./deeds";
import { type Events, MARK_ACTION, type Trace } from "./trace";

const action = (verb: string, on?: string[], value = false): Action => ({ verb, label: verb, done: verb, ...(on ? { targets: on } : {}), ...(value ? { value: {} as Action["value"] } : {}) }) as Action;
const node = { name: "node-0003", label: "node", n: 3, kind: "node" };

test("an action stands in a Spec without what it does not have", () => {
  assert.equal(deed(action("add")), "add");
  assert.equal(deed(action("remove", ["node"]), "node-0003"), "remove:node-0003");
  assert.equal(deed(action("power", ["node"], true), "node-0003", "50"), "power:node-0003:50");
  assert.equal(deed(action("burst", undefined, true), "", "200"), "burst::200");
});

test("an action is for entities by name and by label", () => {
  assert(targets(action("remove", ["node"]), node));
  assert(targets(action("remove", ["node-0003"]), node));
  assert(!targets(action("remove", ["shard"]), node));
  assert(!targets(action("add"), node));
});

test("the order of a lab's actions says what taking a node off the ring does, and what brings it back", () => {
  const of = (...actions: Action[]) => {
    const { off, back, come } = offAndOn({ actions } as LabData, node);
    return [off?.verb, back?.verb, come?.verb];
  };
  assert.deepEqual(of(action("remove", ["node"]), action("add")), ["remove", undefined, "add"]);
  assert.deepEqual(of(action("power", ["node"], true), action("load", undefined, true), action("kill", ["node"]), action("revive", ["node"])), ["kill", "revive", undefined]);
  assert.deepEqual(of(), [undefined, undefined, undefined]);
});

test("what an action came to is the change of state that was told while it was done, and no other at that instant", () => {
  const events = (...list: [at: number, n: number, kind: number, a: number][]): Events =>
    Object.fromEntries(["at", "n", "kind", "a"].map((name, i) => [name, Float64Array.from(list.map((e) => e[i]!))])) as unknown as Events;
  const data = { events: [{ name: "admit", mark: false }, { name: "refuse-early", mark: true }] } as LabData;
  const marks = events([5, 2, MARK_ACTION, 0], [5, 3, MARK_ACTION, 1], [5, 3, 1, 60], [9, 7, MARK_ACTION, 2], [9, 8, 1, 61]);
  const log = events([5, 2, 0, 1], [5, 3, 1, 60], [9, 7, 0, 2], [9, 8, 1, 61]);
  const trace = { log, marks } as Trace;
  const of = (n: number) => {
    const came = cameOf(trace, data, n);
    return came && came.events.a[came.i];
  };
  assert.deepEqual([of(0), of(1), of(2), of(3), of(-1)], [undefined, 60, undefined, undefined, undefined]);
});
