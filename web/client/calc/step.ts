/** A number as text, so many steps of its last digit on; undefined for a text that is no number. It does not pass zero. */
export function stepped(text: string, steps: number): string | undefined {
  const m = /^\s*([-−]?)(\d[\d,_]*)(?:\.(\d+))?(\D*)$/.exec(text);
  if (!m) return undefined;
  const [, minus, whole = "", fraction = "", rest = ""] = m;
  const sign = minus ? -1n : 1n;
  const before = sign * BigInt(whole.replace(/[,_]/g, "") + fraction);
  let after = before + BigInt(steps);
  if (before !== 0n && before > 0n !== after > 0n) after = 0n;
  if (before === 0n && after < 0n) after = 0n;
  const digits = String(after < 0n ? -after : after).padStart(fraction.length + 1, "0");
  const cut = digits.length - fraction.length;
  return (after < 0n ? "-" : "") + digits.slice(0, cut) + (fraction && `.${digits.slice(cut)}`) + rest;
}
