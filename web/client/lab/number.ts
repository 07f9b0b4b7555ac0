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
  let figures = FIGURES;
  switch (unit) {
    case "ns": case "us": case "ms": case "s": case "min":
      [scale, name] = timeUnit(unit, magnitude);
      name = ` ${name}`;
      break;
    case "B": case "KiB": case "MiB":
      [scale, name] = byteUnit(magnitude);
      name = ` ${name}`;
      figures = Infinity; // sizes stay exact
      break;
    case "%":
      name = "%";
  }
  if (unit === "/s") return lang === "zh" ? `每秒${perSecond(v)}` : `${perSecond(v)} per second`;
  return signed(v, scale, figures) + name;
}

function perSecond(v: number): string {
  return signed(v, scaleOf("/s"));
}

function signed(v: number, scale: number, figures = FIGURES): string {
  return (v < 0 ? "−" : "") + decimal(Math.abs(v), scale, figures);
}

/** The same where there is little room: a rate has its unit as a sign, a share or a time three figures. What is exact stands in the tables. */
export function brief(lang: string, unit: string, v: number): string {
  if (unit === "/s" && lang !== "zh") return `${perSecond(v)}/s`;
  return number(lang, unit, SHORTENED.has(unit) ? rounded(v, 3) : v);
}

/** A value of a whole where there is little room: 12/100, and a rate has its unit once. */
export function outOf(lang: string, unit: string, v: number, whole: number): string {
  if (unit !== "/s") return `${brief(lang, unit, v)}/${brief(lang, unit, whole)}`;
  return `${perSecond(v)}/${perSecond(whole)}${lang === "zh" ? "每秒" : " per s"}`;
}

const SHORTENED = new Set(["%", "ns", "us", "ms", "s", "min"]);

/** Rounded to so many figures, halves away from zero; of what has fewer nothing is lost. */
function rounded(v: number, figures: number): number {
  let unit = 1;
  while (Math.abs(v) / unit >= 10 ** figures) unit *= 10;
  return Math.sign(v) * Math.round(Math.abs(v) / unit) * unit;
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

/** How many figures a number that is not whole is rounded to. */
const FIGURES = 5;

/** n/scale; what is not whole is rounded half up to figures, unless it is below 1, where every unit has few decimals. */
function decimal(n: number, scale: number, figures: number): string {
  const [whole, fraction] = exactly(n, scale);
  const room = Math.max(0, figures - String(whole).length);
  if (fraction === "" || whole === 0 || fraction.length <= room) return grouped(whole) + (fraction && `.${fraction}`);
  const kept = fraction.slice(0, room);
  const rounded = Number(`1${kept}`) + (fraction[room]! >= "5" ? 1 : 0); // the 1 keeps zeros in front, and tells of a carry
  const digits = String(rounded).slice(1).replace(/0+$/, "");
  return grouped(whole + (String(rounded)[0] === "2" ? 1 : 0)) + (digits && `.${digits}`);
}

/** The whole part of n/scale, and all its decimals: every scale is a product of twos and fives. */
function exactly(n: number, scale: number): [number, string] {
  let rest = n % scale;
  const whole = (n - rest) / scale;
  let digits = "";
  while (rest > 0) {
    rest *= 10;
    digits += Math.floor(rest / scale);
    rest %= scale;
  }
  return [whole, digits];
}

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of base units as it stands in a Spec: the shortest decimal of the stated unit. */
export function plain(v: number, scale: number): string {
  const [whole, fraction] = exactly(Math.abs(v), scale);
  return (v < 0 ? "-" : "") + whole + (fraction && `.${fraction}`);
}

/** A rounded number for a readout that moves: at most four digits that matter. */
export function rough(v: number): number {
  if (v === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(v))) - 3);
  return step <= 1 ? Math.round(v) : Math.round(v / step) * step;
}
