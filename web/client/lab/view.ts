// The picture's side of a lab: the server's still until there is a run, then the stage, the timeline, the lanes and the log, all at one
// place of one run.
import type { Fault } from "../worker/protocol";
import { Deeds } from "./deeds";
import type { Breathe } from "./breathe";
import { button, el, part, write } from "./dom";
import { Lanes, marksOf } from "./lanes";
import { Log } from "./log";
import { momentOf } from "./moment";
import { Panels } from "./panels";
import type { Play } from "./play";
import { Player } from "./player";
import { firstBroken, Ruling } from "./ruling";
import { Stage } from "./stage";
import { Timeline } from "./timeline";
import { above, type Verdict } from "./trace";
import type { Words } from "./words";

/** What to show of a finished run: play it, stay at the same share of it, or stand at an instant or at the end. */
export type Aim = "play" | "keep" | "end" | "verdict" | { at: number } | { share: number };

export interface ViewEvents {
  run(): void;
  cancel(): void;
  /** The reader wants to see the run, and there is none yet. */
  want(aim: Aim): void;
}

export class View {
  private readonly words: Words;
  private readonly stage = new Stage();
  private readonly lanes = new Lanes();
  private readonly log: Log;
  private readonly panels: Panels;
  private readonly timeline: Timeline;
  private readonly player = new Player();
  private readonly still: HTMLElement | null;
  private readonly trouble = el("div", { class: "lab-trouble", role: "alert", hidden: "" });
  private readonly many = el("p", { class: "lab-note", hidden: "" });
  readonly ruling: Ruling;
  private readonly deeds: Deeds;
  private chosen: string | undefined; // name of the entity whose actions are offered
  private play: Play | undefined;
  private building = false; // the parts show different runs for a moment, and are not drawn
  private width = 0;
  private readonly sizes = new ResizeObserver(() => this.resized());
  private readonly seen = new IntersectionObserver((entries) => this.player.hold("off screen", !entries.at(-1)?.isIntersecting));
  private readonly scheme = matchMedia("(prefers-color-scheme: dark)");
  private readonly theme = new MutationObserver(() => this.repaint());

  constructor(root: HTMLElement, words: Words, on: ViewEvents) {
    this.words = words;
    this.log = new Log(words);
    this.panels = new Panels(words);
    this.panels.onGo = (t) => this.visit(t);
    this.ruling = new Ruling(words);
    this.ruling.onAccuse = (v) => this.accuse(v);
    this.deeds = new Deeds(words);
    this.deeds.onDeed = this.stage.onDeed = (rest) => this.act(rest);
    this.deeds.why = (action, e) => this.stage.why(action, e);
    this.deeds.onRefuse = (text) => this.tell(text);
    this.deeds.onLeave = () => this.choose(undefined, true);
    this.stage.onChoose = (i, byKey) => this.choose(i === undefined ? undefined : this.play?.trace.layout.entities[i]?.name, byKey);
    this.still = part(root, "still");
    const { player } = this;
    this.timeline = new Timeline(words, {
      run: on.run,
      cancel: on.cancel,
      play: () => (!this.play ? on.want("play") : player.playing ? player.stop() : player.start()),
      step: (by) => (this.play ? void player.step(by) : on.want({ share: 0 })),
      mark: (by) => this.play && player.jump(marksOf(this.play.trace).map((m) => m.t), by),
      scrub: (share) => (this.play ? player.scrub(share * this.play.trace.horizon) : on.want({ share })),
      speed: (v) => (player.speed = v),
      zoom: (factor) => this.zoom(factor),
    });
    player.onMove = () => this.draw();
    player.onPlaying = (playing) => {
      this.timeline.playing(playing);
      this.draw();
    };
    this.lanes.onScrub = (t) => player.scrub(t);
    this.stage.root.hidden = this.stage.below.hidden = this.lanes.root.hidden = this.log.root.hidden = true;
    root.append(this.trouble, this.stage.root, this.stage.below, this.many, this.timeline.root, this.ruling.root, this.deeds.root, this.lanes.root, this.panels.root, this.log.root);
  }

  /** Follows what the page does to the lab: its width, its being seen, its colours. */
  watch(host: HTMLElement): void {
    this.sizes.observe(this.timeline.root);
    this.seen.observe(host);
    document.addEventListener("visibilitychange", this.hidden);
    this.scheme.addEventListener("change", this.repaint);
    this.theme.observe(document.documentElement, { attributes: true });
    this.hidden();
  }

  unwatch(): void {
    this.sizes.disconnect();
    this.seen.disconnect();
    this.theme.disconnect();
    this.scheme.removeEventListener("change", this.repaint);
    document.removeEventListener("visibilitychange", this.hidden);
    this.player.hold("gone", true);
  }

  private readonly hidden = (): void => {
    this.player.hold("gone", false);
    this.player.hold("hidden tab", document.visibilityState === "hidden");
  };

  private readonly repaint = (): void => {
    this.stage.paint();
    this.draw();
  };

  /** Shows a run. */
  async show(play: Play, id: number, aim: Aim, breathe: Breathe): Promise<void> {
    const { player, play: before } = this;
    this.building = true;
    const share = before ? player.place.t / before.trace.horizon : 1;
    this.play = play;
    if (this.still) this.still.hidden = true;
    this.stage.root.hidden = this.stage.below.hidden = this.lanes.root.hidden = this.log.root.hidden = false;
    this.many.hidden = !play.trace.truncated;
    if (play.trace.truncated) write(this.many, this.words.get("many", { n: this.words.number("", play.beats.events.at.length) }));
    this.timeline.show(play.trace);
    this.ruling.show(play.trace, (check) => play.data.checks[check]?.title ?? "");
    this.stage.show(play);
    await breathe();
    this.lanes.show(play, this.stretch(play, before));
    await breathe();
    this.panels.show(play);
    await breathe();
    this.building = false;
    if (!play.trace.layout.entities.some((e) => e.name === this.chosen)) this.chosen = undefined;
    player.show(play, id, this.placeOf(play, aim === "play" ? { share: 0 } : aim === "keep" ? { share } : aim));
    this.stage.choose(this.chosen);
    this.offer();
    if (aim === "play") player.start();
    else if (aim !== "keep") player.stop();
  }

  /** The stretch of time that the lanes look at: the same as before where that makes sense. */
  private stretch(play: Play, before: Play | undefined): { from: number; to: number } {
    const at = this.lanes.looksAt;
    if (before && before.trace.horizon === play.trace.horizon) return at;
    return { from: 0, to: play.trace.horizon };
  }

  private placeOf(play: Play, aim: "end" | "verdict" | { at: number } | { share: number }) {
    if (aim === "verdict") {
      const broken = firstBroken(play.trace);
      if (broken) return play.pace.broken(broken);
      aim = "end";
    }
    const t = aim === "end" ? Infinity : "at" in aim ? aim.at : aim.share * play.trace.horizon;
    if (t <= 0) return { t: 0, beats: 0 };
    return t >= play.trace.horizon ? play.pace.place(Infinity) : play.pace.after(t);
  }

  visit(t: number): void {
    this.player.visit(t);
    this.come();
  }

  accuse(v: Verdict): void {
    this.player.accuse(v);
    this.come();
  }

  /** Brings the place into view, in the lanes and on the page. */
  private come(): void {
    this.look();
    this.timeline.root.scrollIntoView({ block: "nearest" });
  }

  /** Shows that a run is under way. */
  running(share: number | "loading" | undefined): void {
    this.timeline.running(share);
  }

  /** Says something to everyone who listens. */
  announce(text: string): void {
    this.log.say(text);
  }

  /** Says under the stage what came of the last action. */
  came(text: string): void {
    this.deeds.came(text);
  }

  private tell(text: string): void {
    this.came(text);
    this.announce(text);
  }

  /** Says what went wrong, and offers what helps; the picture that is there stays. */
  problem(fault: Fault | undefined): void {
    this.trouble.hidden = fault === undefined;
    if (!fault) return;
    const again = button(this.words.get("try-again"), { class: "button" }, () => this.timeline.root.querySelector<HTMLElement>('[data-part="run"]')?.click());
    const reload = button(this.words.get("reload"), { class: "button" }, () => location.reload());
    // What the engine itself said is English, whatever the page is, and so it stands after the sentence and apart.
    const raw = fault.code === "crash" || fault.code === "refused" ? [el("code", { lang: "en" }, fault.text)] : [];
    this.trouble.replaceChildren(el("p", {}, this.words.fault(fault)), ...raw, fault.code === "missing" ? reload : again);
  }

  /** What an action does when the reader wants it at an instant; set before the first run. */
  onAct: (at: number, rest: string) => void = () => {};

  /** Offers what can be done at the present instant: to the chosen entity, or to all that this run has. */
  private offer(): void {
    const { play } = this;
    if (!play) return;
    const i = play.trace.layout.entities.findIndex((e) => e.name === this.chosen);
    this.deeds.offer(play, play.trace.layout.entities[i], i >= 0 && this.stage.toCome(i));
  }

  /** Takes an entity by its name for the one to act on, or lets it go. By key the focus goes to what can be done, and back. */
  private choose(name: string | undefined, byKey: boolean): void {
    const before = this.chosen;
    this.chosen = name;
    this.stage.choose(name);
    this.offer();
    if (!byKey) return;
    if (name !== undefined) this.deeds.focus();
    else if (before !== undefined) this.stage.focus(before);
  }

  /** Does something at the present instant. */
  private act(rest: string): void {
    if (!this.play) return;
    const { horizon } = this.play.trace;
    const { t, beats } = this.player.place;
    // Right after a step the instant is meant; elsewhere the cursor was put by hand, and a short number says the same.
    const exact = beats > 0 && this.play.beats.at[beats - 1] === t;
    const quantum = exact ? 1 : 10 ** Math.max(0, Math.floor(Math.log10(horizon)) - 3);
    this.onAct(Math.min(Math.round(t / quantum) * quantum, horizon - 1), rest);
  }

  private resized(): void {
    const width = this.timeline.root.clientWidth;
    if (width === this.width || !this.play) return;
    this.width = width;
    this.stage.lay();
    this.lanes.lay();
    this.draw();
  }

  private zoom(factor: number): void {
    if (!this.play) return;
    const { horizon, grain } = this.play.trace;
    const { from, to } = this.lanes.looksAt;
    const length = Math.min(horizon, Math.max(8 * grain, (to - from) / factor));
    const middle = this.player.place.t;
    const start = Math.min(horizon - length, Math.max(0, middle - length / 2));
    this.lanes.look({ from: start, to: start + length });
  }

  /** Lets the lanes follow the cursor when they look at a part of the run only. */
  private look(): void {
    const { from, to } = this.lanes.looksAt;
    const { t } = this.player.place;
    const horizon = this.play?.trace.horizon ?? 0;
    if (t >= from && t <= to) return;
    const start = Math.min(horizon - (to - from), Math.max(0, t - (to - from) / 5));
    this.lanes.look({ from: start, to: start + (to - from) });
  }

  private draw(): void {
    const { play, player } = this;
    if (!play || this.building) return;
    const { place, fine } = player;
    const moment = momentOf(play.data, play.trace, play.beats, place);
    const told = fine ?? (player.playing ? undefined : { beats: play.beats, told: place.beats });
    const onBeat = told && told.told > 0 && place.t < play.trace.horizon && place.t === told.beats.at[told.told - 1];
    this.stage.draw(moment, onBeat ? { beats: told.beats, beat: told.told - 1 } : { x: player.x, speed: player.speed });
    if (!player.playing) this.offer();
    this.look();
    this.lanes.point(place.t);
    this.timeline.point(place.t, this.where(play), player.playing);
    this.log.show(play.trace.layout, fine?.beats ?? play.beats, fine?.told ?? place.beats, player.playing || onBeat === true);
  }

  /** The place in words: "1.001 s · step 12 of 40". */
  private where(play: Play): string {
    const { place, fine, playing } = this.player;
    const { words } = this;
    // While it moves, digits that nobody can read are left out.
    const quantum = 10 ** Math.max(0, Math.floor(Math.log10(play.trace.horizon)) - 3);
    const t = words.time(playing ? Math.round(place.t / quantum) * quantum : Math.round(place.t));
    if (fine) {
      const n = fine.beats.events.n[fine.beats.order[fine.beats.told(fine.told) - 1]!]!;
      return words.get("place-event", { t, n: words.number("", n), all: words.number("", play.trace.handled) });
    }
    if (play.trace.truncated && place.t > (play.beats.at[play.beats.count - 1] ?? 0)) return t;
    const all = play.trace.truncated ? above(play.beats.at, Infinity) : play.beats.count;
    return words.get("place", { t, n: words.number("", place.beats), all: words.number("", all) });
  }
}
