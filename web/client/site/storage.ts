// What this browser remembers: what was read, how questions were answered, the colour scheme. Storage may be missing or full, or
// refuse (a private window, a sandboxed frame): then nothing is remembered and everything else works.

const prefix = "seedbed:";

/** The value kept under a key, or undefined when there is none that can be read. */
export function load(key: string): unknown {
  try {
    const text = localStorage.getItem(prefix + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value under a key; undefined forgets it. */
export function save(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // Not remembered.
  }
}

/** A map from names to strings or numbers, without whatever else stands there. */
export function record<T extends "string" | "number">(
  value: unknown,
  type: T,
): Record<string, T extends "string" ? string : number> {
  const kept: Record<string, T extends "string" ? string : number> = {};
  if (typeof value !== "object" || value === null) return kept;
  for (const [key, v] of Object.entries(value)) {
    if (typeof v === type) kept[key] = v;
  }
  return kept;
}
