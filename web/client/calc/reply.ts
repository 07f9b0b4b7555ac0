// What the engine replies (wasm/bridge/calc.go).
import type { Sections } from "../worker/sections";

/** A value in parts: "≈", "$", "2.22", "/month". */
export interface Shown {
  /** = or ≈; empty where nobody asks. */
  sign: string;
  before: string;
  number: string;
  after: string;
  /** Why there is no value: a code of package calc. */
  fault?: string;
}

export interface Reply {
  /** For each input that was set, why it was refused. */
  faults: ({ code: string; want: string } | undefined)[];
  values: Shown[];
}

export function parseReply(sections: Sections): Reply {
  return {
    faults: lines(sections.text("faults")).map((line) => {
      const [code = "", want = ""] = line.split("\t");
      return code ? { code, want } : undefined;
    }),
    values: lines(sections.text("values")).map((line) => {
      if (line.startsWith("!")) return { sign: "", before: "", number: "", after: "", fault: line.slice(1) };
      const [sign = "", before = "", number = "", after = ""] = line.split("\t");
      return { sign, before, number, after };
    }),
  };
}

/** Every line of a text ends with a line break. */
function lines(text: string): string[] {
  return text.split("\n").slice(0, -1);
}
