// Which chapters were read: a chapter counts once its end has been on the screen. All of it stays in this browser; it can be saved to
// a file, loaded from one, and forgotten.

import { answersKey } from "./quiz.js";
import { load, record, save } from "./storage.js";

const readKey = "read"; // slug → when, ISO date

export function progress(): void {
  watchEnd();
  mark();
  const panel = document.querySelector<HTMLElement>("[data-progress]");
  if (panel) manage(panel);
}

/** Notes the chapter as read when its end is seen. */
function watchEnd(): void {
  const slug = document.querySelector<HTMLElement>("article[data-chapter]")?.dataset["chapter"];
  const end = document.querySelector("[data-chapter-end]");
  if (!slug || !end) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    const read = record(load(readKey), "string");
    read[slug] ??= new Date().toISOString().slice(0, 10);
    save(readKey, read);
    mark();
  });
  observer.observe(end);
}

/** Marks the chapters that were read wherever they are listed. */
function mark(): void {
  const read = record(load(readKey), "string");
  for (const item of document.querySelectorAll<HTMLElement>("li[data-chapter]")) {
    item.classList.toggle("read", (item.dataset["chapter"] ?? "") in read);
  }
}

/** The part of the home page that tells the progress and lets the reader take it along. */
function manage(panel: HTMLElement): void {
  const find = <T extends HTMLElement>(name: string) => panel.querySelector<T>(`[data-progress-${name}]`);
  const [sentence, said] = [find("sentence"), find("said")];
  const chapters = document.querySelectorAll(".chapter-list li[data-chapter]").length;

  const tell = () => {
    const read = Object.keys(record(load(readKey), "string")).length;
    const answers = Object.keys(record(load(answersKey), "string")).length;
    const text = read + answers === 0 ? sentence?.dataset["none"] : sentence?.dataset["some"];
    if (sentence) {
      sentence.textContent = (text ?? "")
        .replace("{read}", String(read))
        .replace("{all}", String(chapters))
        .replace("{answers}", String(answers));
    }
    mark();
  };
  const say = (what: "done" | "bad") => {
    if (said) said.textContent = said.dataset[what] ?? "";
  };

  find("export")?.addEventListener("click", () => {
    const file = { seedbed: 1, read: record(load(readKey), "string"), answers: record(load(answersKey), "string") };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: "application/json" }));
    link.download = "seedbed-progress.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });

  find<HTMLInputElement>("import")?.addEventListener("change", async (event) => {
    const input = event.currentTarget as HTMLInputElement;
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (text === undefined) return;
    try {
      const file = JSON.parse(text) as { seedbed?: unknown; read?: unknown; answers?: unknown };
      if (file.seedbed !== 1) throw new Error("another file");
      // What is here already stays, unless the file says otherwise.
      save(readKey, { ...record(load(readKey), "string"), ...record(file.read, "string") });
      save(answersKey, { ...record(load(answersKey), "string"), ...record(file.answers, "string") });
      say("done");
    } catch {
      say("bad");
    }
    tell();
  });

  const forget = find("forget");
  let sure = false;
  forget?.addEventListener("click", () => {
    const name = forget.textContent;
    if (!sure) {
      sure = true;
      forget.textContent = forget.dataset["sure"] ?? "";
      setTimeout(() => {
        sure = false;
        forget.textContent = name;
      }, 4000);
      return;
    }
    save(readKey, undefined);
    save(answersKey, undefined);
    say("done");
    tell();
  });

  tell();
  panel.hidden = false;
}
