// The button that chooses the colour scheme: as the system, light, dark, and round again. static/theme.js sets the choice before the
// first paint of the next page; it reads the plain word, so this one value is not JSON.

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "seedbed:theme";

export function theme(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-switch]");
  if (!button) return;
  show(button, current());
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(current()) + 1) % themes.length] ?? "auto";
    if (next === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    try {
      if (next === "auto") localStorage.removeItem(key);
      else localStorage.setItem(key, next);
    } catch {
      // It holds for this page.
    }
    show(button, next);
  });
}

function current(): Theme {
  const now = document.documentElement.dataset["theme"];
  return now === "light" || now === "dark" ? now : "auto";
}

function show(button: HTMLButtonElement, theme: Theme): void {
  const name = button.dataset[theme] ?? "";
  button.setAttribute("aria-label", name);
  button.title = name;
}
