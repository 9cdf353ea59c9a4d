// Opens a view or a lecture as a page to print. The views are passed in sessionStorage: a window that a script opens
// begins with a copy of it.

import { plainPath } from "./own_lecture.js";

export const HANDOUT = "handout";

/**
 * Make `button` open a page to print with what `read` returns.
 *
 * @param {HTMLButtonElement} button @param {() => { title: string, slides: { heading: string, path: string }[] }} read
 */
export function opensHandout(button, read) {
  const label = button.textContent;
  button.onclick = () => {
    try {
      const { title, slides } = read();
      const views = slides.map(({ heading, path }) => ({ heading, path: plainPath(path) }));
      sessionStorage.setItem(HANDOUT, JSON.stringify({ title, slides: views }));
      window.open(new URL("live/handout", location.href));
    } catch {
      button.textContent = "This is too large to print.";
      setTimeout(() => (button.textContent = label), 8000);
    }
  };
}
