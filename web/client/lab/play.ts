import type { Beats, Pace } from "./beats";
import type { LabData } from "./data";
import type { Trace } from "./trace";
import type { Words } from "./words";

/** What shows one result; a new result gets a new one. */
export interface Play {
  data: LabData;
  words: Words;
  trace: Trace;
  beats: Beats;
  pace: Pace;
}
