import assert from "node:assert/strict";
import test from "node:test";
import { load, record, save } from "./storage";

/** A storage as browsers have it, in small. */
function storage(full = false): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    key: (i: number) => [...kept.keys()][i] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

function within(value: Storage | undefined, body: () => void): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      if (!value) throw new DOMException("denied", "SecurityError");
      return value;
    },
  });
  try {
    body();
  } finally {
    if (before) Object.defineProperty(globalThis, "localStorage", before);
    else Reflect.deleteProperty(globalThis, "localStorage");
  }
}

test("what is kept comes back, and undefined forgets it", () => {
  within(storage(), () => {
    save("read", { windows: "2026-01-31" });
    assert.deepEqual(load("read"), { windows: "2026-01-31" });
    save("read", undefined);
    assert.equal(load("read"), undefined);
  });
});

test("a browser that keeps nothing is no error", () => {
  for (const none of [undefined, storage(true)]) {
    within(none, () => {
      save("read", { windows: "2026-01-31" });
      assert.equal(load("read"), undefined);
    });
  }
});

test("a value that is not JSON counts as none", () => {
  const s = storage();
  s.setItem("seedbed:read", "{broken");
  within(s, () => assert.equal(load("read"), undefined));
});

test("of a file that anybody may have written only names with values of the type are taken", () => {
  for (const [value, want] of [
    [{ a: "1", b: 2, c: null, d: ["x"] }, { a: "1" }],
    [["x"], { 0: "x" }],
    ["text", {}],
    [null, {}],
    [undefined, {}],
    [7, {}],
  ] as [unknown, Record<string, string>][]) {
    assert.deepEqual({ ...record(value, "string") }, want);
  }
});
