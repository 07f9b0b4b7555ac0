// A run told in beats: the steps of the step buttons, and the pace at which it plays.
//
// One simulated event may decide on many requests at every entity, as when a burst of a hundred arrives at four limiters. To see it
// happen, its logged events are told in beats: the first at each entity, then the second at each, and so on, so that one beat is
// mostly one request. Between simulated events the order is theirs.
import { above, type Events, type Trace, type Verdict } from "./trace";

export class Beats {
  readonly events: Events;
  /** Indices of events in the order of telling. */
  readonly order: Uint32Array;
  /** For each beat, how many of `order` have been told once it is over. */
  readonly ends: Uint32Array;
  /** The instant of each beat, ns, ascending. */
  readonly at: Float64Array;

  constructor(events: Events) {
    this.events = events;
    const size = events.at.length;
    const rank = new Uint32Array(size);
    const order = Array.from({ length: size }, (_, i) => i);
    const ends: number[] = [];
    const at: number[] = [];
    for (let from = 0; from < size; ) {
      let to = from;
      const seen = new Map<number, number>();
      for (; to < size && events.n[to] === events.n[from] && events.at[to] === events.at[from]; to++) {
        const entity = events.entity[to]!;
        rank[to] = seen.get(entity) ?? 0;
        seen.set(entity, rank[to]! + 1);
      }
      const group = order.slice(from, to).sort((i, j) => rank[i]! - rank[j]! || i - j);
      for (let i = 0; i < group.length; i++) {
        order[from + i] = group[i]!;
        if (i + 1 === group.length || rank[group[i + 1]!] !== rank[group[i]!]) {
          ends.push(from + i + 1);
          at.push(events.at[from]!);
        }
      }
      from = to;
    }
    this.order = Uint32Array.from(order);
    this.ends = Uint32Array.from(ends);
    this.at = Float64Array.from(at);
  }

  get count(): number {
    return this.ends.length;
  }

  /** How many events have been told after so many beats. */
  told(beats: number): number {
    return beats <= 0 ? 0 : this.ends[Math.min(beats, this.count) - 1] ?? 0;
  }

  /** How many beats have been told once a request of a simulated event has been; undefined when the log does not tell of it. */
  until(at: number, n: number, request: number): number | undefined {
    for (let beat = above(this.at, at) - 1; beat >= 0 && this.at[beat] === at; beat--) {
      for (const e of this.of(beat)) if (this.events.n[e] === n && this.events.a[e] === request) return beat + 1;
    }
    return undefined;
  }

  /** The events of a beat, from 0. */
  of(beat: number): Uint32Array {
    return this.order.subarray(this.told(beat), this.told(beat + 1));
  }
}

/** A place in a run: an instant, and how many beats of its log have been told. */
export interface Place {
  t: number;
  beats: number;
}

/** The share of playing time that goes by the clock; the rest goes by beats, so that a burst is seen and an idle second is short. */
const BY_CLOCK = 0.35;

/**
 * How a run plays: display time x, from 0 to `length` seconds at speed 1, against places of the run. Both directions are monotonous,
 * and pure functions of the trace.
 */
export class Pace {
  readonly length: number;
  private readonly trace: Trace;
  private readonly beats: Beats;
  private readonly byClock: number;

  constructor(trace: Trace, beats: Beats) {
    this.trace = trace;
    this.beats = beats;
    this.length = trace.truncated ? 20 : Math.min(20, Math.max(6, 4 + 0.04 * beats.count));
    this.byClock = trace.truncated || beats.count === 0 ? 1 : BY_CLOCK;
  }

  /** The display time of a beat, from 0. */
  beatAt(beat: number): number {
    const { length, byClock, trace, beats } = this;
    return length * (byClock * (beats.at[beat]! / trace.horizon) + (1 - byClock) * ((beat + 0.5) / beats.count));
  }

  /** The place that plays at a display time. */
  place(x: number): Place {
    const { length, trace, beats } = this;
    if (x >= length) return { t: trace.horizon, beats: beats.count };
    if (this.byClock === 1) {
      const t = Math.max(0, (x / length) * trace.horizon);
      return { t, beats: above(beats.at, t) };
    }
    let lo = 0; // beats told
    let hi = beats.count;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.beatAt(mid) <= x) lo = mid + 1;
      else hi = mid;
    }
    const [x0, t0] = lo === 0 ? [0, 0] : [this.beatAt(lo - 1), beats.at[lo - 1]!];
    const [x1, t1] = lo === beats.count ? [length, trace.horizon] : [this.beatAt(lo), beats.at[lo]!];
    return { t: t0 + (t1 - t0) * (x1 > x0 ? Math.max(0, x - x0) / (x1 - x0) : 0), beats: lo };
  }

  /** The display time of a place. */
  time(p: Place): number {
    const { length, trace, beats } = this;
    if (this.byClock === 1) return (length * p.t) / trace.horizon;
    const b = p.beats;
    const [x0, t0] = b === 0 ? [0, 0] : [this.beatAt(b - 1), beats.at[b - 1]!];
    const [x1, t1] = b >= beats.count ? [length, trace.horizon] : [this.beatAt(b), beats.at[b]!];
    return x0 + (x1 - x0) * (t1 > t0 ? Math.min(1, Math.max(0, (p.t - t0) / (t1 - t0))) : 0);
  }

  /** The place right after everything that happened up to an instant. */
  after(t: number): Place {
    return { t, beats: above(this.beats.at, t) };
  }

  /** The place right after what broke a promise: the request's own beat, where the log tells it, else all of its instant. */
  broken(v: Verdict): Place {
    const beats = this.beats.until(v.at, v.n, v.request);
    return beats === undefined ? this.after(v.at) : this.step(beats);
  }

  /** The place right after a beat, from 1; 0 is the start. */
  step(beats: number): Place {
    if (beats <= 0) return { t: 0, beats: 0 };
    return { t: this.beats.at[Math.min(beats, this.beats.count) - 1] ?? 0, beats: Math.min(beats, this.beats.count) };
  }
}
