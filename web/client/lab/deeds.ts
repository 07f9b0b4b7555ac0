// What a reader may do to a run at the instant that is shown: all of a lab's actions, or those of the entity that was chosen on the
// stage. Each becomes an action of the Spec.
import type { Action, LabData, Param } from "./data";
import { button, el, write } from "./dom";
import { plain } from "./number";
import type { Play } from "./play";
import { MARK_ACTION, type Entity, type Events, type Layout, type Trace } from "./trace";
import type { Words } from "./words";

/** True when an action can be done to an entity. */
export function targets(action: Action, e: Entity): boolean {
  return action.targets?.some((t) => t === e.name || t === (e.label || e.name)) ?? false;
}

/** An action as it stands in a Spec after its instant: VERB[:TARGET[:VALUE]]. */
export function deed(action: Action, target = "", value = ""): string {
  const parts = [action.verb, target, value];
  while (parts.at(-1) === "") parts.pop();
  return parts.join(":");
}

/**
 * What it means to take a node off the ring, and to bring one to it: the lab's actions in their order tell. The first on such a node
 * takes it away, the second brings it back; a node that has not come yet comes by the first action on nothing. None of these asks for a
 * value.
 */
export function offAndOn(data: LabData, e: Entity): { off: Action | undefined; back: Action | undefined; come: Action | undefined } {
  const on = data.actions.filter((a) => targets(a, e) && !a.value);
  return { off: on[0], back: on[1], come: data.actions.find((a) => !a.targets && !a.value) };
}

/**
 * What an action of a run came to: the first change of state that was told while it was done, such as that it was refused. `n` says
 * which of the Spec's actions, from 0. Nothing for one that changes no state, or that the trace has no room for.
 */
export function cameOf({ log, marks }: Trace, data: LabData, n: number): { events: Events; i: number } | undefined {
  const done = marks.kind.findIndex((kind, i) => kind === MARK_ACTION && marks.a[i] === n);
  if (done < 0) return undefined;
  for (const events of [marks, log]) {
    const i = events.kind.findIndex((kind, k) => data.events[kind]?.mark === true && events.n[k] === marks.n[done]);
    if (i >= 0) return { events, i };
  }
  return undefined;
}

export class Deeds {
  readonly root = el("div", { class: "lab-deeds", role: "group", hidden: "" });
  /** Called with what is to be done now. */
  onDeed: (rest: string) => void = () => {};
  /** Why an action can do nothing now to an entity, as far as the stage knows; undefined when it may. */
  why: (action: Action, e: Entity | undefined) => string | undefined = () => undefined;
  /** Called with the reason, when the reader wants what can do nothing. */
  onRefuse: (text: string) => void = () => {};
  /** Called when the chosen entity is let go. */
  onLeave: () => void = () => {};
  private readonly words: Words;
  private readonly title = el("span", { class: "lab-group" });
  private readonly leave: HTMLButtonElement;
  private readonly outcome = el("p", { class: "lab-came", hidden: "" });
  private layout: Layout | undefined;
  private shown = "";

  constructor(words: Words) {
    this.words = words;
    this.leave = button("×", { class: "link lab-leave", "aria-label": words.get("let-go") }, () => this.onLeave());
    this.root.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || !this.leave.isConnected) return;
      e.preventDefault();
      this.onLeave();
    });
  }

  /** Offers what can be done to an entity, or without one everything. Nothing is redrawn that is there already: it may have the focus. */
  offer({ data, trace }: Play, chosen: Entity | undefined, come: boolean): void {
    this.layout = trace.layout;
    const actions = data.actions.filter((a) => !chosen || (come ? !a.targets : targets(a, chosen)));
    const key = `${chosen?.name} ${come} ${actions.map((a) => this.fixed(a, chosen))} ${trace.layout.entities.map((e) => e.name)}`;
    if (this.shown === key) return;
    this.shown = key;
    const focused = this.root.contains(document.activeElement);
    this.root.hidden = data.actions.length === 0;
    write(this.title, chosen ? this.words.get("at-this-instant-to", { name: this.words.entity(chosen) }) : this.words.get("at-this-instant"));
    this.root.setAttribute("aria-label", this.title.textContent ?? "");
    this.root.replaceChildren(this.title, ...actions.map((a) => this.control(a, chosen)), ...(chosen ? [this.leave] : []), this.outcome);
    if (focused) this.focus();
  }

  /** Says what came of the last action; nothing clears it. */
  came(text: string): void {
    this.outcome.hidden = text === "";
    write(this.outcome, text);
  }

  /** Gives the first action the focus. */
  focus(): void {
    (this.root.querySelector<HTMLElement>("button") ?? this.leave).focus({ preventScroll: true });
  }

  private control(action: Action, chosen: Entity | undefined): HTMLElement {
    const names = chosen ? [] : (this.layout?.entities.filter((e) => targets(action, e)) ?? []);
    const target = el("select", { "aria-label": action.label }, ...names.map((e) => el("option", { value: e.name }, this.words.entity(e))));
    const value = action.value && valueField(action.value, action.label);
    const go = button(action.label, { class: "chip" }, () => {
      const on = action.targets ? (chosen ?? names.find((e) => e.name === target.value)) : undefined;
      const why = this.why(action, on);
      if (why) this.onRefuse(`${on ? this.words.entity(on) : action.label}: ${why}`);
      else this.onDeed(deed(action, on?.name, value?.value));
    });
    const why = this.fixed(action, chosen);
    if (why) go.setAttribute("aria-disabled", "true");
    const reason = why ? [el("span", { class: "lab-why" }, why)] : [];
    return el("span", { class: "lab-deed" }, go, ...(names.length > 1 ? [target] : []), ...(value ? [value] : []), ...reason);
  }

  /** Why an action can do nothing, where no choice of a target is left. */
  private fixed(action: Action, chosen: Entity | undefined): string | undefined {
    return action.targets && !chosen ? undefined : this.why(action, action.targets ? chosen : undefined);
  }
}

/** The field for an action's value; empty where the default is chosen of some, which a Spec leaves out. */
function valueField(p: Param, action: string): HTMLInputElement | HTMLSelectElement {
  const label = { "aria-label": p.label || action };
  if (!p.choices) return el("input", { type: "number", step: "any", value: plain(p.default, p.scale), ...label });
  return el("select", label, ...p.choices.map((c, i) => el("option", { value: i === p.default ? "" : c.value }, c.label)));
}
