// What a frame and the page around it say to each other. Messages are matched by their source, never by origin: in a sandbox that is
// null.

/** From the frame to the page around it. */
export type FromFrame =
  | { seedbed: "height"; height: number }
  | { seedbed: "state"; state: string; lab: string; spec: string; digest: string; event: "" | "seedbed-done" | "seedbed-error"; detail: unknown };

/** From the page around it to the frame. */
export type ToFrame = { seedbed: "sized" } | { seedbed: "run" } | { seedbed: "apply"; query: string };
