// Numbers of base units, written for people exactly as the server writes them (web/text, number.go): a test holds both against one
// table.

/** Base units in one of the unit, by its code. */
const SCALES: Record<string, number> = {
  "": 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, "/s": 1e3, B: 1, KiB: 1024, MiB: 1024 ** 2, "%": 1e4, ratio: 1e6,
};

export function scaleOf(unit: string): number {
  return SCALES[unit] ?? 1;
}

/** Writes a number with its unit. Times and sizes choose the unit that reads best. */
export function number(lang: string, unit: string, v: number): string {
  const magnitude = Math.abs(v);
  let scale = scaleOf(unit);
  let name = "";
  switch (unit) {
    case "ns": case "us": case "ms": case "s": case "min":
      [scale, name] = timeUnit(unit, magnitude);
      name = ` ${name}`;
      break;
    case "B": case "KiB": case "MiB":
      [scale, name] = byteUnit(magnitude);
      name = ` ${name}`;
      break;
    case "%":
      name = "%";
  }
  const n = (v < 0 ? "−" : "") + decimal(magnitude, scale);
  if (unit === "/s") return lang === "zh" ? `每秒 ${n}` : `${n} per second`;
  return n + name;
}

function timeUnit(unit: string, ns: number): [number, string] {
  if (ns === 0) return [scaleOf(unit), unit === "us" ? "µs" : unit];
  if (ns >= 1e9) return [1e9, "s"];
  if (ns >= 1e6) return [1e6, "ms"];
  if (ns >= 1e3) return [1e3, "µs"];
  return [1, "ns"];
}

function byteUnit(n: number): [number, string] {
  for (const [scale, name] of [[1024 ** 3, "GiB"], [1024 ** 2, "MiB"], [1024, "KiB"]] as const) {
    // At most three decimals.
    if (n >= scale && ((n % scale) * 1000) % scale === 0) return [scale, name];
  }
  return [1, "B"];
}

/** n/scale, exactly: every scale is a product of twos and fives. */
function decimal(n: number, scale: number): string {
  let rest = n % scale;
  const text = String((n - rest) / scale).replace(/\B(?=(\d{3})+$)/g, ",");
  if (rest === 0) return text;
  let digits = "";
  while (rest > 0) {
    rest *= 10;
    digits += Math.floor(rest / scale);
    rest %= scale;
  }
  return `${text}.${digits}`;
}

/** A number of base units as it stands in a Spec: the shortest decimal of the stated unit. */
export function plain(v: number, scale: number): string {
  return (v < 0 ? "-" : "") + decimal(Math.abs(v), scale).replaceAll(",", "");
}

/** A rounded number for a readout that moves: at most four digits that matter. */
export function rough(v: number): number {
  if (v === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(v))) - 3);
  return step <= 1 ? Math.round(v) : Math.round(v / step) * step;
}
