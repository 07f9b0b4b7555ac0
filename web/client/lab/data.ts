// What the server tells the client about a lab, as JSON inside the element: web/view/lab writes it. It holds all words, so that this
// side has no sentence of its own.

export interface Unit {
  /** How the number is written: the unit's code in Specs ("ms", "/s", "" for a count). */
  unit: string;
}

export interface Quantity extends Unit {
  name: string;
}

/** A metric of the run; zero stands for its number where that is 0 and means that there is none. */
export interface Metric extends Quantity {
  label: string;
  zero?: string;
}

export interface Param extends Unit {
  name: string;
  label: string;
  /** Base units in one of the stated unit. */
  scale: number;
  min: number;
  max: number;
  default: number;
  log: boolean;
  /** An enum's words and what people call them. */
  choices?: { value: string; label: string }[];
  /** "param=word": without that choice this parameter has no effect. */
  unused?: string;
}

export interface Action {
  verb: string;
  label: string;
  done: string;
  targets?: string[];
  value?: Param;
}

export interface Check {
  name: string;
  title: string;
  holds: string;
  broken: string;
  facts: Quantity[];
}

export interface EventKind {
  name: string;
  phrase: string;
  /** still, pass, bounce, wait, leave: labs.Flow. */
  flow: number;
  mark: boolean;
  a?: Quantity;
  b?: Quantity;
}

export interface Preset {
  name: string;
  title: string;
  /** The whole query of the Spec: what the controls become. */
  query: string;
  breaks?: string;
}

export interface Predict {
  /** The query of the variation that answers the question. */
  query: string;
  metric: string;
}

export interface Goal {
  metric: string;
  /** True: at most the bound; false: at least. */
  most: boolean;
  bound: number;
}

export interface LabData {
  lang: string;
  lab: string;
  title: string;
  /** Of a ring on the stage, CSS px; absent leaves it to the stage. */
  height?: number;
  /** The Spec that the page shows, and its digest as the server computed it. */
  spec: string;
  digest: string;
  /** Where things are. Empty: not there (no assets built, no server behind the page). */
  worker: string;
  module: string;
  /** The module is so large that only a run fetches it. */
  heavy?: boolean;
  runs: string;
  page: string;
  base: string;
  params: Param[];
  actions: Action[];
  checks: Check[];
  metrics: Metric[];
  events: EventKind[];
  presets: Preset[];
  entities: Record<string, string>;
  columns: Record<string, string>;
  plots: Record<string, string>;
  /** Of labs with panels: what each is called, and what the codes in their rows mean. */
  panels?: Record<string, string>;
  codes?: Record<string, string>;
  predict?: Predict;
  goal?: Goal;
  words: Record<string, string>;
  /** Faults of settings and bounds, by code; empty in English, which the module speaks itself. */
  faults: Record<string, string>;
}

/** Reads the data out of the element; undefined when it is not there or broken, and then the element stays the server's picture. */
export function readData(root: HTMLElement): LabData | undefined {
  const text = root.querySelector('script[type="application/json"]')?.textContent;
  if (!text) return undefined;
  try {
    return JSON.parse(text) as LabData;
  } catch {
    return undefined;
  }
}
