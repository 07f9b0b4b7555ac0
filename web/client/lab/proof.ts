// The proof that the run here is the run there: this browser's digest beside the server's, for the same Spec.
import type { LabData } from "./data";
import { button, el, part } from "./dom";
import type { Result } from "./engine";
import type { Words } from "./words";

/** Up to so many events a settled run is held against the server by itself; larger ones cost the server time, so the reader asks. */
const FREE = 200_000;
const SETTLED = 1200; // ms without another run

export class Proof {
  private readonly root: HTMLElement | null;
  private readonly data: LabData;
  private readonly words: Words;
  private readonly known = new Map<string, string>(); // digests of the server, by Spec
  private timer = 0;
  private spec = "";

  constructor(host: HTMLElement, data: LabData, words: Words) {
    this.root = part(host, "proof");
    this.data = data;
    this.words = words;
    this.known.set(identity(data.spec), data.digest);
  }

  show(result: Result): void {
    if (!this.root) return;
    clearTimeout(this.timer);
    this.spec = identity(result.spec);
    const server = this.known.get(this.spec);
    if (server !== undefined) return this.write(result, server);
    if (!this.data.runs) return this.write(result, undefined);
    if (result.handled > FREE) {
      const ask = button(this.words.get("ask-server"), { class: "link" }, () => void this.ask(result));
      return this.write(result, undefined, ask);
    }
    this.write(result, undefined, el("span", {}, this.words.get("asking")));
    this.timer = window.setTimeout(() => void this.ask(result), SETTLED);
  }

  private async ask(result: Result): Promise<void> {
    const spec = identity(result.spec);
    this.write(result, undefined, el("span", {}, this.words.get("asking")));
    let note = "server-gone";
    try {
      const response = await fetch(this.data.runs, { method: "POST", headers: { "Content-Type": "text/plain; charset=utf-8" }, body: spec });
      if (response.ok) {
        this.known.set(spec, ((await response.json()) as { digest: string }).digest);
        note = "";
      } else if (response.status === 429 || response.status === 503) {
        note = "server-busy";
      }
    } catch {
      // No network: said below.
    }
    if (this.spec !== spec) return; // another run meanwhile
    const again = button(this.words.get("ask-server"), { class: "link" }, () => void this.ask(result));
    this.write(result, this.known.get(spec), ...(note ? [el("span", {}, this.words.get(note)), again] : []));
  }

  private write(result: Result, server: string | undefined, ...more: Node[]): void {
    const digest = (label: string, d: string) => el("span", {}, `${this.words.get(label)} `, el("code", { title: d }, d.slice(0, 12)));
    const parts: Node[] = [digest("this-browser", result.digest)];
    if (server !== undefined) {
      const same = server === result.digest;
      parts.push(digest("server", server), el("b", { class: same ? "same" : "differs" }, this.words.get(same ? "same" : "differs")));
    }
    this.root?.replaceChildren(...parts, ...more);
    if (server !== undefined) this.root?.setAttribute("data-same", String(server === result.digest));
    else this.root?.removeAttribute("data-same");
  }
}

/** A Spec's text without the view's instant, which is not part of the run. */
export function identity(spec: string): string {
  return spec.replace(/&at=[^&]*/, "");
}
