// Reloads the page when what it is made of has changed. The server holds each question until there is news.
let seen = "";
for (;;) {
  try {
    const response = await fetch("/dev/wait?seen=" + seen);
    const now = await response.text();
    if (seen !== "" && now !== seen) location.reload();
    seen = now;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 300)); // the server is starting again
  }
}
