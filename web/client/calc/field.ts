// The field in which a number is written. Enter keeps it, Escape takes it back, leaving it keeps it; the arrows step by the last digit,
// with Shift by ten. It is a form, so that the browser itself knows what Enter means (on a phone, "done") and says why a text is no
// good.
import { stepped } from "./step";

export interface Wants {
  change(text: string): void;
  close(keep: boolean, refocus: boolean): void;
}

export class Field {
  readonly element = document.createElement("form");
  readonly input = document.createElement("input");
  /** Why the text is no good; it stands behind the unit. */
  readonly why = document.createElement("span");
  private readonly wants: Wants;

  constructor(value: string, label: string, wants: Wants) {
    this.wants = wants;
    const { input } = this;
    input.type = "text";
    input.inputMode = "decimal";
    input.autocomplete = "off";
    input.enterKeyHint = "done";
    input.maxLength = 60;
    input.value = value;
    input.setAttribute("aria-label", label);
    input.addEventListener("input", () => this.changed());
    input.addEventListener("keydown", (e) => this.key(e));
    input.addEventListener("blur", () => wants.close(true, false));
    this.element.addEventListener("submit", (e) => {
      e.preventDefault();
      wants.close(true, true);
    });
    this.why.className = "calc-why";
    this.why.id = "calc-why"; // one field is open at a time
    this.why.setAttribute("role", "status");
    input.setAttribute("aria-describedby", this.why.id);
    this.element.append(input);
    this.fit();
  }

  start(): void {
    this.input.focus();
    this.input.select();
  }

  /** Says why the text is no good; an empty message says that it is. */
  judge(message: string, now = false): void {
    this.input.setCustomValidity(message);
    this.input.setAttribute("aria-invalid", String(message !== ""));
    if (this.why.textContent !== message) this.why.textContent = message;
    if (now) this.input.reportValidity();
  }

  private changed(): void {
    this.fit();
    this.wants.change(this.input.value.trim());
  }

  /** Where the stylesheet cannot size a field by its text. */
  private fit(): void {
    this.input.size = Math.max(3, this.input.value.length + 1);
  }

  private key(e: KeyboardEvent): void {
    if (e.isComposing) return;
    switch (e.key) {
      case "Escape":
        e.preventDefault();
        this.wants.close(false, true);
        return;
      case "ArrowUp":
      case "ArrowDown": {
        const next = stepped(this.input.value, (e.key === "ArrowUp" ? 1 : -1) * (e.shiftKey ? 10 : 1));
        if (next === undefined) return;
        e.preventDefault();
        this.input.value = next;
        this.changed();
      }
    }
  }
}
