// Makes elements. Nothing here or elsewhere sets a style attribute: the Content-Security-Policy forbids it, while element.style is free.

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attrs: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attrs: Record<string, string | number> = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attrs)) e.setAttribute(name, String(value));
  e.append(...children);
  return e;
}

/** A button that does one thing. */
export function button(text: string, attrs: Record<string, string>, click: () => void): HTMLButtonElement {
  const b = el("button", { type: "button", ...attrs }, text);
  b.addEventListener("click", click);
  return b;
}

/** Sets text only where it differs: writing it costs a layout, and another node for it costs more than another text in the one there is. */
export function write(node: Node, text: string): void {
  const only = node.firstChild;
  if (only instanceof Text && !only.nextSibling) {
    if (only.data !== text) only.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}

/** The part of a component that the server marked with data-part. */
export function part<E extends HTMLElement>(root: HTMLElement, name: string): E | null {
  return root.querySelector<E>(`[data-part="${name}"]`);
}
