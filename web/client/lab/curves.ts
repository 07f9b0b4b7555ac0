// Brings up to 2,000 rows down to what some hundred pixels can show, without losing the one row that matters: counts are added up,
// levels keep their least and their largest. Pure functions from numbers to SVG paths.

/** A stretch of a run, ns. */
export interface View {
  from: number;
  to: number;
}

/** Maps instants of a view to pixels. */
export function scaleX(view: View, width: number): (t: number) => number {
  const k = width / (view.to - view.from);
  return (t) => (t - view.from) * k;
}

export interface Bin {
  x0: number;
  x1: number;
  n: number;
}

/** A Sum column as bins that are at least `least` pixels wide. Bins begin at whole multiples of their size, so that zooming does not make them dance. */
export function binned(rows: Float64Array, grain: number, view: View, width: number, least: number): Bin[] {
  const x = scaleX(view, width);
  const size = Math.max(1, Math.ceil(least / (x(grain) - x(0))));
  const bins: Bin[] = [];
  const first = Math.floor(view.from / grain / size) * size;
  for (let r = first; r < rows.length && r * grain < view.to; r += size) {
    let n = 0;
    for (let i = r; i < Math.min(r + size, rows.length); i++) n += rows[i]!;
    if (n > 0) bins.push({ x0: Math.max(0, x(r * grain)), x1: Math.min(width, x((r + size) * grain)), n });
  }
  return bins;
}

/** Bars that stand on y and grow by up to h upwards; each value is added to what `under` gives, for stacking. */
export function bars(bins: Bin[], y: number, h: number, top: number, under?: Map<number, number>): string {
  let d = "";
  for (const b of bins) {
    const below = ((under?.get(b.x0) ?? 0) / top) * h;
    const tall = Math.max(1, (b.n / top) * h);
    d += `M${px(b.x0)} ${px(y - below)}V${px(y - below - tall)}H${px(Math.max(b.x0 + 1, b.x1 - 0.5))}V${px(y - below)}z`;
  }
  return d;
}

/** The counts of bins by where they begin: what other bins are stacked on. */
export function heights(bins: Bin[]): Map<number, number> {
  return new Map(bins.map((b) => [b.x0, b.n]));
}

/** A level as steps: for each pixel column where it came from, its extremes, and where it went. A height that stays costs nothing. */
export function steps(rows: Float64Array, grain: number, view: View, width: number, y: (v: number) => number): string {
  const x = scaleX(view, width);
  const first = Math.max(0, Math.floor(view.from / grain));
  if (first >= rows.length) return "";
  let d = "";
  let penX = "";
  let penY = "";
  const go = (at: number, v: number) => {
    const toX = px(at);
    const toY = px(y(v));
    if (toY === penY) return;
    if (toX !== penX) d += `H${(penX = toX)}`;
    d += `V${(penY = toY)}`;
  };
  let column = -1;
  let at = 0;
  let low = 0;
  let high = 0;
  for (let r = first; r < rows.length && r * grain < view.to; r++) {
    const v = rows[r]!;
    const here = Math.max(0, x(r * grain));
    if (d === "") d = `M${(penX = px(here))} ${(penY = px(y(v)))}`;
    if (Math.floor(here) !== column) {
      column = Math.floor(here);
      at = here;
      low = high = v;
    }
    if (v > high) go(at, (high = v));
    if (v < low) go(at, (low = v));
    go(at, v);
  }
  return `${d}H${px(Math.min(width, x(rows.length * grain)))}`;
}

/** The area under a steps path, down to y. */
export function under(path: string, y: number): string {
  const start = /^M(\S+)/.exec(path);
  return start ? `${path}V${px(y)}H${start[1]}z` : "";
}

/** Round instants for an axis: at most about one every `apart` pixels. */
export function ticks(view: View, width: number, apart: number): number[] {
  const rough = ((view.to - view.from) / width) * apart;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? rough;
  const out: number[] = [];
  for (let i = Math.ceil(view.from / step); i * step <= view.to; i++) out.push(Math.round(i * step));
  return out;
}

/** A coordinate, to a tenth. */
export function px(v: number): string {
  return String(Math.round(v * 10) / 10);
}
