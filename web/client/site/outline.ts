// Marks in the outline where on the page the reader is.

export function outline(): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".outline a[href^='#']")) links.set(link.hash.slice(1), link);
  if (links.size === 0) return;
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);

  let marked: HTMLAnchorElement | undefined;
  const update = () => {
    // The last heading that has passed the upper third is the section being read.
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3).at(-1);
    const link = passed && links.get(passed.id);
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    marked = link;
  };
  const observer = new IntersectionObserver(update, { rootMargin: "0px 0px -66% 0px" });
  for (const heading of headings) observer.observe(heading);
  update();
}
