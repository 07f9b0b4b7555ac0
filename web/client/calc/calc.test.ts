import assert from "node:assert/strict";
import test from "node:test";
import type { Sections } from "../worker/sections";
import { parseReply } from "./reply";
import { stepped } from "./step";

test("arrows step by the last digit and stop at zero", () => {
  for (const [text, steps, want] of [
    ["360", 1, "361"],
    ["360", -1, "359"],
    ["360", 10, "370"],
    ["0.02", 1, "0.03"],
    ["0.99", 1, "1.00"],
    ["1.1", -1, "1.0"],
    ["0.05", -10, "0.00"],
    ["0", -1, "0"],
    ["1", -10, "0"],
    ["-5", 1, "-4"],
    ["−5", -1, "-6"],
    ["-5", 10, "0"],
    ["1,000", 1, "1001"],
    ["20 KiB", 1, "21 KiB"],
    ["9007199254740993", 1, "9007199254740994"], // beyond what a double can count
    ["", 1, undefined],
    ["many", 1, undefined],
    ["1e6", 1, undefined], // the last digit of a power is not its step
  ] as const) {
    assert.equal(stepped(text, steps), want, `${text} by ${steps}`);
  }
});

test("a reply has a fault or none for each input and a value for each view", () => {
  const texts: Record<string, string> = {
    faults: "\nwrong-unit\treq/s\nnot-a-number\t20 KiB\n",
    values: "=\t$\t0.02\t/(GB·month)\n≈\t\t7.03\t MiB/s\n!zero-division\n",
  };
  const reply = parseReply({ text: (name: string) => texts[name] ?? "" } as unknown as Sections);
  assert.deepEqual(reply.faults, [undefined, { code: "wrong-unit", want: "req/s" }, { code: "not-a-number", want: "20 KiB" }]);
  assert.deepEqual(reply.values, [
    { sign: "=", before: "$", number: "0.02", after: "/(GB·month)" },
    { sign: "≈", before: "", number: "7.03", after: " MiB/s" },
    { sign: "", before: "", number: "", after: "", fault: "zero-division" },
  ]);
});
