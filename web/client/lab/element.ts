// <seedbed-lab>: takes over the server's markup. Until the reader touches it, the server's picture stands and nothing is loaded.
//
// Attributes lab, spec and lang are input. data-state (idle, loading, running, done, failed), data-lab, data-spec and, when done,
// data-digest are output. run() does what the run button does; apply(query) what a link in the text does. Events: seedbed-done,
// seedbed-error.
import type { Fault } from "../worker/protocol";
import { Beats, Pace } from "./beats";
import { breather } from "./breathe";
import { Controls } from "./controls";
import { type LabData, readData } from "./data";
import { cameOf } from "./deeds";
import { part } from "./dom";
import { forget, run, RunFailure, type Result, type Running, warm } from "./engine";
import { Outcome } from "./outcome";
import { Prediction } from "./predict";
import { Proof } from "./proof";
import type { Play } from "./play";
import { TakeAway } from "./take";
import { Trace } from "./trace";
import { type Aim, View } from "./view";
import { pairs, Words } from "./words";

/** A run that is older than this is given up for a newer setting; a younger one is let finish, so that a moving slider always shows. */
const PATIENCE = 250;

type State = "idle" | "loading" | "running" | "done" | "failed";

export class SeedbedLab extends HTMLElement {
  static readonly observedAttributes = ["spec"];
  private data: LabData | undefined;
  private words!: Words;
  private controls: Controls | undefined;
  private prediction: Prediction | undefined;
  private view!: View;
  private outcome!: Outcome;
  private proof!: Proof;
  private take!: TakeAway;
  private play: Play | undefined;
  private result: Result | undefined;
  private running: { handle: Running; since: number } | undefined;
  private next: { aim: Aim; deed: string; done: (t: Trace | undefined) => void } | undefined;
  private ready = false; // some run on this page has reached the module

  connectedCallback(): void {
    if (this.data) return this.view.watch(this);
    const data = readData(this);
    if (!data?.module) return; // the server's picture, and its form, are all there is
    this.data = data;
    this.words = new Words(data);
    this.outcome = new Outcome(this, data, this.words);
    this.proof = new Proof(this, data, this.words);
    this.take = new TakeAway(this, data, this.words);
    this.view = new View(part(this, "view") ?? this, this.words, {
      run: () => void this.run(),
      cancel: () => this.running?.handle.cancel(),
      want: (aim) => void this.start(aim),
    });
    this.outcome.onGo = (t) => this.view.visit(t);
    this.outcome.onAccuse = (v) => this.view.accuse(v);
    const form = part<HTMLFormElement>(this, "controls");
    if (form) {
      this.controls = new Controls(form, data, this.words);
      this.controls.onChange = () => void this.start("keep");
      this.controls.onPreset = () => void this.start("verdict");
      this.controls.onSubmit = () => void this.start("play");
      this.view.onAct = (at, rest) => void this.start("keep", this.controls?.act(at, rest));
    }
    const predict = part(this, "predict");
    if (predict && data.predict) {
      this.prediction = new Prediction(predict, data, data.predict, this.words, (query) => {
        this.controls?.set(query);
        return this.start("play");
      });
    }
    if (!data.heavy) for (const event of ["pointerenter", "focusin"]) this.addEventListener(event, () => warm(data), { once: true });
    this.view.watch(this);
  }

  disconnectedCallback(): void {
    this.view?.unwatch();
  }

  attributeChangedCallback(_: string, old: string | null, spec: string | null): void {
    if (!this.controls || old === spec) return;
    this.controls.set(spec ?? "");
    void this.start("end");
  }

  /** Does what the run button does. The promise is kept when the run is done or has failed. */
  async run(): Promise<void> {
    await this.start("play");
  }

  /** Sets what a query names over the present settings, runs, and goes to the instant that it speaks of. */
  apply(query: string, link?: HTMLElement): void {
    if (!this.controls) return;
    const changes = this.controls.apply(query);
    let aim: Aim = "verdict";
    for (const [key, value] of pairs(`?${query}`)) {
      if (key === "do" || key === "at") aim = { at: Math.round(parseFloat(value) * 1e9) };
    }
    if (changes.length > 0) this.view.announce(changes.join(" · "));
    this.prediction?.fold(); // before anything moves
    this.view.ruling.from(this.reveal() ? link : undefined);
    void this.start(aim);
  }

  /** Comes into view unless half of it, or half of the window, shows it: who sees it keeps their place in the text. True when it moved. */
  private reveal(): boolean {
    const { top, bottom } = this.getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    if (seen >= Math.min(bottom - top, innerHeight) / 2) return false;
    this.scrollIntoView({ block: top < 0 ? "start" : "nearest" });
    return true;
  }

  /**
   * Runs the present settings, of which a deed is the newest action when the reader has just done it. The promise is kept with the
   * trace, or with nothing when it failed or a newer run took its place.
   */
  private start(aim: Aim, deed = ""): Promise<Trace | undefined> {
    const { data } = this;
    if (!data) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.next?.done(undefined);
      this.next = { aim, deed, done };
      if (!this.running) return this.begin(data);
      if (performance.now() - this.running.since > PATIENCE) this.running.handle.cancel();
    });
  }

  private begin(data: LabData): void {
    const { next } = this;
    if (!next) return;
    this.next = undefined;
    const query = this.controls?.query() ?? this.getAttribute("spec") ?? "";
    this.controls?.blame(undefined);
    this.view.problem(undefined);
    this.say(this.ready ? "running" : "loading");
    const handle = run(data, `${data.lab}?${query}`, true, (share) => {
      this.say("running");
      this.view.running(share);
    });
    this.running = { handle, since: performance.now() };
    this.view.running(this.ready ? 0 : "loading");
    handle.result
      .then(
        async (result) => next.done(await this.accept(data, result, next.aim, next.deed)),
        (e: unknown) => {
          this.refuse(e instanceof RunFailure ? e.fault : { code: "refused", text: String(e) }, next.deed);
          next.done(undefined);
        },
      )
      .catch((e: unknown) => this.refuse({ code: "refused", text: String(e) }))
      .finally(() => {
        this.running = undefined;
        if (this.next) this.begin(data);
        else this.view.running(undefined);
      });
  }

  private async accept(data: LabData, result: Result, aim: Aim, deed: string): Promise<Trace> {
    const breathe = breather();
    this.ready = true;
    if (this.result) forget(this.result.id);
    this.result = result;
    this.words.about(result.spec);
    const trace = new Trace(result.trace, result.layout);
    const beats = new Beats(trace.log);
    this.play = { data, words: this.words, trace, beats, pace: new Pace(trace, beats) };
    this.toggleAttribute("data-live", true);
    await breathe();
    const place = this.aimed(data, aim);
    await this.view.show(this.play, result.id, place, breathe);
    await breathe();
    this.outcome.show(trace);
    await breathe();
    this.proof.show(result);
    this.prediction?.shown(result.spec);
    this.take.show(result.spec, trace);
    this.dataset["spec"] = result.spec;
    this.dataset["digest"] = result.digest;
    this.say("done");
    const broken = trace.verdicts.find((v) => !v.ok);
    const came = deed ? this.came(this.play, result.spec, deed) : this.beyond(trace, place);
    this.view.came(came);
    this.view.announce(`${came && `${came} `}${broken ? `✗ ${this.words.verdict(broken)}` : this.words.get("all-hold")}`);
    const detail = { spec: result.spec, digest: result.digest, ms: result.ms, handled: result.handled };
    this.dispatchEvent(new CustomEvent("seedbed-done", { bubbles: true, detail }));
    return trace;
  }

  /** A Spec may name the instant at which its view opens: the first run of the page's own Spec goes there. */
  private aimed(data: LabData, aim: Aim): Aim {
    const at = pairs(data.spec).find(([key]) => key === "at")?.[1];
    if (at === undefined || aim !== "play" || this.dataset["digest"] !== undefined) return aim;
    return { at: Math.round(parseFloat(at) * 1e9) };
  }

  /** What came of the reader's deed, where the run tells; a lab may refuse one, and says why. */
  private came({ data, trace, words }: Play, spec: string, deed: string): string {
    const n = pairs(spec).filter(([key]) => key === "do").map(([, text]) => text).lastIndexOf(deed);
    const event = cameOf(trace, data, n);
    return event ? `${words.time(event.events.at[event.i]!)}: ${words.phrase(trace.layout, event.events, event.i)}` : "";
  }

  /** Says that an instant which a link or the Spec names lies after the end, where the view stands instead. */
  private beyond({ horizon }: Trace, aim: Aim): string {
    if (typeof aim === "string" || !("at" in aim) || aim.at <= horizon) return "";
    return this.words.get("beyond", { at: this.words.time(aim.at), end: this.words.time(horizon) });
  }

  private refuse(fault: Fault, deed = ""): void {
    if (fault.code === "cancelled") {
      if (!this.next) this.say(this.result ? "done" : "idle");
      return;
    }
    if (deed && (fault.field === "do" || fault.field === "spec")) {
      // One action more is what the run cannot take: the run that is there stays.
      this.controls?.undo();
      this.view.came(this.words.fault(fault));
      this.view.announce(this.words.fault(fault));
      return this.say(this.result ? "done" : "idle");
    }
    if (fault.field !== undefined) this.controls?.blame(fault);
    else this.view.problem(fault);
    this.say("failed");
    this.dispatchEvent(new CustomEvent("seedbed-error", { bubbles: true, detail: fault }));
  }

  private say(state: State): void {
    this.dataset["state"] = state;
    if (state !== "done") delete this.dataset["digest"];
    else if (this.result) this.dataset["digest"] = this.result.digest;
  }
}
