// Remembers the language that the reader switched to, in a cookie: the server picks by it at "/".

const year = 365 * 24 * 60 * 60;

export function language(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-language]")) {
    link.addEventListener("click", () => {
      document.cookie = `seedbed-lang=${link.dataset["language"]}; path=/; max-age=${year}; samesite=lax`;
      // The place on the page goes along: headings have the same ids in both languages.
      if (location.hash) link.hash = location.hash;
    });
  }
}
