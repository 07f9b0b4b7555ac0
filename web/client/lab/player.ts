// Where in its run a lab is, and how it moves on: playing, stepping, scrubbing. What it looks like there is the stage's business.
//
// The reader's own pause and the page's (off screen, in a hidden tab) are two things: coming back goes on only with what was playing, and
// from where it stood.
import { Beats, type Place } from "./beats";
import { replay } from "./engine";
import type { Play } from "./play";
import { above, events, type Verdict } from "./trace";

const LONGEST = 100; // ms that one frame may advance: a tab that slept does not jump
const STILL = 900; // ms between two pictures where motion is not wanted
const PICTURES = 24; // of a run, then
const BEFORE = 48; // events that a step back asks for; each costs the worker a little more of the past
const AFTER = 96; // and a step forward

/** A place told by single events that were asked for, where the log has ended. */
export interface Fine {
  beats: Beats;
  told: number;
}

export class Player {
  /** Called whenever the place has changed. */
  onMove: () => void = () => {};
  /** Called when playing begins or ends, by whomever. */
  onPlaying: (on: boolean) => void = () => {};
  place: Place = { t: 0, beats: 0 };
  /** Display time of the place, s. */
  x = 0;
  speed = 1;
  fine: Fine | undefined;
  private play: Play | undefined;
  private id = 0;
  private wanted = false;
  private readonly held = new Set<string>();
  private frame = 0;
  private timer = 0;
  private last = 0;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** Takes up another run, at a place. */
  show(play: Play, id: number, place: Place): void {
    this.play = play;
    this.id = id;
    this.go(place);
  }

  get playing(): boolean {
    return this.wanted;
  }

  /** Plays from here; from the start when it stands at the end. */
  start(): void {
    if (!this.play) return;
    if (this.x >= this.play.pace.length) this.go({ t: 0, beats: 0 });
    this.want(true);
  }

  stop(): void {
    this.want(false);
  }

  /** Holds everything still for a reason of the page's, or lets go. */
  hold(reason: string, on: boolean): void {
    if (on) this.held.add(reason);
    else this.held.delete(reason);
    this.schedule();
  }

  /** Goes to a place. */
  go(place: Place): void {
    if (!this.play) return;
    this.place = place;
    this.x = this.play.pace.time(place);
    this.fine = undefined;
    this.onMove();
  }

  scrub(t: number): void {
    if (!this.play) return;
    this.stop();
    this.go(t >= this.play.trace.horizon ? this.play.pace.place(Infinity) : this.play.pace.after(t));
  }

  /** Goes to right after what happened at an instant. */
  visit(t: number): void {
    this.scrub(t);
  }

  /** Goes to right after what broke a promise. */
  accuse(v: Verdict): void {
    if (!this.play) return;
    this.stop();
    this.go(this.play.pace.broken(v));
  }

  /** One beat forward or back. */
  async step(by: number): Promise<void> {
    const { play } = this;
    if (!play) return;
    this.stop();
    const logged = play.beats.at[play.beats.count - 1] ?? 0;
    const beyond = play.trace.truncated && (this.fine || this.place.t > logged || (by > 0 && this.place.beats >= play.beats.count));
    if (beyond) return this.stepFine(play, by);
    if (by > 0 && this.place.beats >= play.beats.count) return this.go({ t: play.trace.horizon, beats: play.beats.count });
    // From between two beats, a step back goes to the one before.
    const between = this.place.beats > 0 && this.place.t > play.beats.at[this.place.beats - 1]!;
    this.go(play.pace.step(this.place.beats + (by > 0 ? 1 : between ? 0 : -1)));
  }

  /** A step where the log has ended: the worker lists the events around. */
  private async stepFine(play: Play, by: number): Promise<void> {
    let fine = this.fine;
    const edge = fine && (by > 0 ? fine.told >= fine.beats.count : fine.told <= 1);
    if (!fine || edge) {
      const t = this.place.t;
      const n = fine ? fine.beats.events.n[fine.beats.order[fine.beats.told(fine.told) - 1]!]! : undefined;
      try {
        const beats = new Beats(events(await replay(this.id, Math.min(t, play.trace.horizon - 1), by > 0 ? 0 : BEFORE, AFTER), ""));
        if (this.play !== play) return;
        // Right after the event of before, or right after the instant.
        let told = above(beats.at, t);
        if (n !== undefined) {
          told = 0;
          while (told < beats.count && beats.events.n[beats.order[beats.told(told)]!]! <= n) told++;
        }
        fine = { beats, told };
      } catch {
        return; // the run is gone: the next one is on its way
      }
    }
    const told = Math.min(fine.beats.count, Math.max(1, fine.told + by));
    if (fine.beats.count === 0) return;
    const t = fine.beats.at[told - 1]!;
    this.place = { t, beats: above(play.beats.at, t) };
    this.x = play.pace.time(this.place);
    this.fine = { beats: fine.beats, told };
    this.onMove();
  }

  /** To the next or the last of some instants. */
  jump(instants: number[], by: number): void {
    const next = by > 0 ? instants.find((t) => t > this.place.t) : [...instants].reverse().find((t) => t < this.place.t);
    if (next !== undefined) this.visit(next);
  }

  private want(on: boolean): void {
    const changed = this.wanted !== on;
    this.wanted = on;
    this.schedule();
    if (changed) this.onPlaying(on);
  }

  private schedule(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    if (!this.wanted || this.held.size > 0) return;
    if (this.calm.matches) {
      this.timer = window.setTimeout(() => this.advance((this.play?.pace.length ?? 0) / PICTURES), STILL);
      return;
    }
    this.last = 0;
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const passed = this.last === 0 ? 0 : Math.min(now - this.last, LONGEST);
    this.last = now;
    this.frame = requestAnimationFrame((next) => this.tick(next));
    this.move((passed / 1000) * this.speed);
  }

  private advance(by: number): void {
    this.move(by);
    this.schedule();
  }

  private move(by: number): void {
    const { play } = this;
    if (!play) return;
    this.x = Math.min(play.pace.length, this.x + by);
    this.place = play.pace.place(this.x);
    this.fine = undefined;
    this.onMove();
    if (this.x >= play.pace.length) this.want(false);
  }
}
