import assert from "node:assert/strict";
import test from "node:test";
import type { Action, LabData } from "./data";
import { deed, offAndOn, targets } from "./deeds";

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
