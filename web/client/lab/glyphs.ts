// One small sign for each kind of entity (labs.Kind), on a field of 16 × 16.
import { svg } from "./dom";

const PATHS: Record<string, string> = {
  client: "M2 3h12v8H2zM8 11v2M5 13.5h6",
  gateway: "M2.5 8h11M10 4.5 13.5 8 10 11.5M2.5 3v10",
  limiter: "M2 4h12M4 4v9h8V4M4 8h8",
  pool: "M2.5 3.5h4v4h-4zM9.5 3.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z",
  queue: "M2 4.5h12v7H2zM5 4.5v7M8 4.5v7M11 4.5v7",
  node: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M10 11h.5",
  ring: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 1v3M14 8h-3M8 15v-3M2 8h3",
  shard: "M3 2.5h7l3 3v8H3zM3 8h10",
  log: "M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h4",
  cache: "M8 2 3 9h4l-1 5 6-8H8z",
  database: "M3 4.5c0-2.5 10-2.5 10 0v7c0 2.500-10 2.500-10 0zM3 4.500c0 2.500 10 2.500 10 0",
  breaker: "M2 11h4l5-6M10 11h4",
  coordinator: "M8 2.500 13.500 8 8 13.500 2.500 8zM8 6v4M6 8h4",
};

export function glyph(kind: string): SVGSVGElement {
  const path = svg("path", { d: PATHS[kind] ?? PATHS["node"]! });
  return svg("svg", { class: "glyph", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, path);
}
