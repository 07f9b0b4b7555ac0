// Links in the text that drive the lab above them. Without this script, or before the lab's own has come, such a link leads to the
// lab's page with the same settings.

interface Lab extends HTMLElement {
  apply?: (query: string, link?: HTMLElement) => void;
}

export function drive(): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-apply]") : null;
    if (!link) return;
    const lab = above(link);
    if (!lab?.apply) return;
    event.preventDefault();
    lab.apply(link.dataset["apply"] ?? "", link);
  });
}

/** The last lab before a link. */
function above(link: Element): Lab | undefined {
  let found: Lab | undefined;
  for (const lab of document.querySelectorAll<Lab>("seedbed-lab")) {
    if (!(lab.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    found = lab;
  }
  return found;
}
