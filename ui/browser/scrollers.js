// What Streamlit lets scroll, and has nothing in it to press, is reached with the keyboard: it has a place in the order
// of the Tab key while it scrolls, and a name.

const KINDS = {
  ".katex-display": "Formula",
  "[data-testid=stMarkdownContainer] table": "Table",
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

/** Watch the page for what scrolls, from now on; a second call changes nothing. */
export function watchScrollers() {
  if (watching) return;
  watching = true;
  const later = () => (waiting ||= requestAnimationFrame(mark));
  new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", later);
  later();
}
