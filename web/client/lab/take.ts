// What the reader may take away: links that name this run, the command that repeats it, code for an embed, and the data.
import type { LabData } from "./data";
import { button, el, part, write } from "./dom";
import { plain, scaleOf } from "./number";
import type { Trace } from "./trace";
import type { Words } from "./words";

export class TakeAway {
  private readonly host: HTMLElement;
  private readonly data: LabData;
  private trace: Trace | undefined;
  private query = "";

  constructor(host: HTMLElement, data: LabData, words: Words) {
    this.host = host;
    this.data = data;
    this.query = data.spec.slice(data.spec.indexOf("?") + 1);
    const links = host.querySelector(".lab-links");
    const said = el("span", { role: "status", class: "said" });
    const copy = button(words.get("copy-link"), { class: "link", "data-part": "copy" }, () => {
      navigator.clipboard.writeText(this.address()).then(
        () => this.say(said, words.get("copied")),
        () => this.say(said, this.address()), // not allowed here: then it can be copied by hand
      );
    });
    const csv = button("CSV", { class: "link", "data-part": "csv" }, () => this.save());
    links?.append(copy, csv, said);
    csv.hidden = true;
  }

  show(spec: string, trace: Trace): void {
    this.trace = trace;
    this.query = spec.slice(spec.indexOf("?") + 1);
    const { data, host, query } = this;
    for (const link of host.querySelectorAll<HTMLAnchorElement>('[data-part="permalink"]')) {
      link.href = `${data.page}?${query}`;
    }
    for (const link of host.querySelectorAll<HTMLAnchorElement>("[data-file]")) {
      link.href = `/labs/${data.lab}.${link.dataset["file"]}?${query}`;
    }
    const command = part<HTMLInputElement>(host, "command");
    if (command) command.value = `seedbed lab run '${spec}'`;
    const embed = part<HTMLTextAreaElement>(host, "embed");
    if (embed) embed.value = embed.defaultValue.replaceAll(escaped(this.first()), escaped(query));
    const csv = part<HTMLButtonElement>(host, "csv");
    if (csv) csv.hidden = false;
  }

  /** The address of this run on its own page. */
  private address(): string {
    return `${this.data.base || location.origin}${this.data.page}?${this.query}`;
  }

  private first(): string {
    return this.data.spec.slice(this.data.spec.indexOf("?") + 1);
  }

  private say(place: HTMLElement, text: string): void {
    write(place, text);
    setTimeout(() => write(place, ""), 4000);
  }

  private save(): void {
    if (!this.trace) return;
    const url = URL.createObjectURL(new Blob([csvOf(this.trace)], { type: "text/csv" }));
    el("a", { href: url, download: `${this.data.lab}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

/** One row a grain, one column a series, as web/report writes it: times in seconds, all else in its stated unit, exactly. */
export function csvOf(trace: Trace): string {
  const columns = trace.layout.columns;
  const head = ["t (s)", ...columns.map((c) => (c.unit ? `${c.name} (${c.unit})` : c.name))];
  const rows = columns.map((c) => trace.column(c.name));
  const scales = columns.map((c) => scaleOf(c.unit ?? ""));
  const out = [head.join(",")];
  for (let r = 0; r < (rows[0]?.length ?? 0); r++) {
    out.push([plain(r * trace.grain, 1e9), ...rows.map((v, c) => plain(v[r]!, scales[c]!))].join(","));
  }
  return `${out.join("\n")}\n`;
}

function escaped(s: string): string {
  return s.replaceAll("&", "&amp;");
}
