// Sets the scheme that the reader chose, before the first paint: a module or a deferred script would come after it.
try {
  const theme = localStorage.getItem("seedbed:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage in this frame or by the reader's wish: the system's scheme holds.
}
