// Makes scrolling parts usable with the keyboard: while a part scrolls, it has a tab stop and a name.

import { html } from "./dom.js";

const KINDS = {
  ".katex-display": "Formula",
  "[data-testid=stMarkdownContainer] table": "Table",
  "[data-testid=stCode] pre": "Code",
};
let waiting = 0;
let watching = false;

function mark() {
  waiting = 0;
  for (const [kind, name] of Object.entries(KINDS)) {
    for (const node of document.querySelectorAll(kind)) {
      const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
      if (scrolls === node.hasAttribute("tabindex")) continue;
      if (!scrolls) {
        node.removeAttribute("tabindex");
        continue;
      }
      node.setAttribute("tabindex", "0");
      if (node.tagName !== "TABLE") node.setAttribute("role", "group");
      node.setAttribute("aria-label", name);
    }
  }
}

/**
 * A part of a picture that scrolls if it is too wide or too high.
 *
 * @param {string} name The name that it has while it scrolls.
 * @param {Element | null} parent
 * @param {string} kind Further classes.
 */
export function scroller(name, parent, kind = "") {
  const scroll = html("div", { class: `scroll ${kind}`.trim() }, parent);
  const watch = new ResizeObserver(() => {
    const more = scroll.scrollWidth > scroll.clientWidth + 1 || scroll.scrollHeight > scroll.clientHeight + 1;
    for (const [key, value] of Object.entries({ tabindex: "0", role: "group", "aria-label": `${name}; it scrolls` })) {
      if (more) scroll.setAttribute(key, value);
      else scroll.removeAttribute(key);
    }
  });
  watch.observe(scroll);
  queueMicrotask(() => scroll.firstElementChild && watch.observe(scroll.firstElementChild)); // the initial content
  return scroll;
}

/** Watch the page for Streamlit's parts that scroll and contain nothing to press; a second call has no effect. */
export function watchScrollers() {
  if (watching) return;
  watching = true;
  const later = () => (waiting ||= requestAnimationFrame(mark));
  new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", later);
  later();
}
