// /embed.js, for other sites: defines <seedbed-lab> around a frame of this site.
//
//   <script src="https://HOST/embed.js" async></script>
//   <seedbed-lab lab="token-bucket" spec="rate=20" lang="zh">…a picture and a link…</seedbed-lab>
//
// What stands inside the element is the fallback: it shows without script, until the frame has said how high it is, and in print. The
// frame is lazy: it costs nothing until it comes near the screen. The address of this script tells where the site is.
import type { FromFrame, ToFrame } from "./messages";

const script = document.currentScript;
const base = new URL(".", script instanceof HTMLScriptElement && script.src ? script.src : location.href).href;

const STYLE = `
:host { display: block }
iframe { display: block; width: 100%; border: 0; color-scheme: light dark }
:host(:not([data-state])) iframe { position: absolute; visibility: hidden; height: 1px }
:host([data-state]) slot { display: none }
@media print { iframe { display: none } :host([data-state]) slot { display: contents } }
`;

class SeedbedFrame extends HTMLElement {
  static readonly observedAttributes = ["lab", "spec", "lang"];
  private frame: HTMLIFrameElement | undefined;

  connectedCallback(): void {
    addEventListener("message", this.hear);
    if (!this.shadowRoot) this.build();
    this.aim();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.hear);
  }

  attributeChangedCallback(): void {
    if (this.frame) this.aim();
  }

  /** Does what the run button does. */
  run(): void {
    this.tell({ seedbed: "run" });
  }

  /** Sets what a query names over the present settings, and runs. */
  apply(query: string): void {
    this.tell({ seedbed: "apply", query });
  }

  private build(): void {
    const root = this.attachShadow({ mode: "open" });
    this.frame = document.createElement("iframe");
    this.frame.loading = "lazy";
    this.frame.allow = "clipboard-write";
    // A sheet made by script is allowed where a policy forbids style elements.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(document.createElement("slot"), this.frame);
  }

  /** Points the frame at what the attributes say; without a lab's id the fallback stays. */
  private aim(): void {
    const lab = this.getAttribute("lab") ?? "";
    if (!this.frame || !/^[a-z0-9-]+$/.test(lab)) return;
    const lang = this.getAttribute("lang")?.toLowerCase().startsWith("zh") ? "zh" : "en";
    const spec = (this.getAttribute("spec") ?? "").replace(/^[^?]*\?/, "");
    const src = `${base}embed/${lang}/${lab}${spec ? `?${spec}` : ""}`;
    this.frame.title = this.title || this.textContent?.trim() || lab;
    if (this.frame.src !== src) this.frame.src = src;
  }

  private tell(m: ToFrame): void {
    this.frame?.contentWindow?.postMessage(m, "*");
  }

  private readonly hear = (e: MessageEvent<FromFrame>): void => {
    if (!this.frame || e.source !== this.frame.contentWindow) return;
    const m = e.data;
    if (m?.seedbed === "height" && Number.isFinite(m.height)) {
      this.frame.style.height = `${Math.min(6000, Math.max(120, Math.ceil(m.height)))}px`;
      this.dataset["state"] ??= "idle";
      this.tell({ seedbed: "sized" });
    }
    if (m?.seedbed === "state") {
      this.dataset["state"] = String(m.state);
      this.dataset["lab"] = String(m.lab);
      this.dataset["spec"] = String(m.spec);
      if (m.digest) this.dataset["digest"] = String(m.digest);
      else delete this.dataset["digest"];
      if (m.event) this.dispatchEvent(new CustomEvent(m.event, { bubbles: true, detail: m.detail }));
    }
  };
}

if (!customElements.get("seedbed-lab")) customElements.define("seedbed-lab", SeedbedFrame);
