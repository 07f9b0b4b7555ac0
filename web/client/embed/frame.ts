// The script of the page inside an embed's frame: tells the page around it how high this one is and how its lab fares, and does what that
// page asks. It works in a sandbox without an origin: it touches no storage and no cookie.
//
// The host may not listen yet when this page is ready, so the height is told again until the host says that it has sized the frame. Until
// then the frame keeps its scroll bar (lab.css).
import type { FromFrame, ToFrame } from "./messages";

type Lab = HTMLElement & { run?(): void; apply?(query: string): void };

const RETRY = 300; // ms, growing by half each time
const TRIES = 14; // some minutes in all: then nobody is there who would answer

let sized = false;
let told = 0;
let timer = 0;

function tell(m: FromFrame): void {
  parent.postMessage(m, "*");
}

function height(): number {
  return Math.ceil(document.body.getBoundingClientRect().height);
}

function tellHeight(attempt: number): void {
  clearTimeout(timer);
  told = height();
  tell({ seedbed: "height", height: told });
  if (!sized && attempt < TRIES) timer = window.setTimeout(() => tellHeight(attempt + 1), RETRY * 1.5 ** attempt);
}

function tellState(lab: Lab, event: "" | "seedbed-done" | "seedbed-error", detail: unknown = null): void {
  const { state = "idle", lab: id = "", spec = "", digest = "" } = lab.dataset;
  tell({ seedbed: "state", state, lab: id, spec, digest, event, detail });
}

function begin(): void {
  document.documentElement.classList.add("framed");
  new ResizeObserver(() => {
    if (height() !== told) tellHeight(0);
  }).observe(document.body);
  tellHeight(0);
  const lab = document.querySelector<Lab>("seedbed-lab");
  if (!lab) return;
  let last = "";
  new MutationObserver(() => {
    const now = `${lab.dataset["state"]} ${lab.dataset["spec"]} ${lab.dataset["digest"]}`;
    if (now === last) return;
    last = now;
    tellState(lab, "");
  }).observe(lab, { attributeFilter: ["data-state", "data-spec", "data-digest"] });
  lab.addEventListener("seedbed-done", (e) => tellState(lab, "seedbed-done", (e as CustomEvent<unknown>).detail));
  lab.addEventListener("seedbed-error", (e) => tellState(lab, "seedbed-error", (e as CustomEvent<unknown>).detail));
}

addEventListener("message", (e: MessageEvent<ToFrame>) => {
  if (e.source !== parent || parent === window) return;
  const lab = document.querySelector<Lab>("seedbed-lab");
  switch (e.data?.seedbed) {
    case "sized":
      if (!sized && lab) tellState(lab, ""); // now somebody listens
      sized = true;
      clearTimeout(timer);
      document.documentElement.classList.add("sized");
      return;
    case "run":
      return lab?.run?.();
    case "apply":
      return lab?.apply?.(String(e.data.query));
  }
});

if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin, { once: true });
else begin();
