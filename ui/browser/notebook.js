// A view or a lecture as a Jupyter notebook, which the server makes and the browser saves.

import { ask } from "./ask.js";
import { viewOnScreen } from "./own_lecture.js";
import { hand } from "../../drawing/saving.js";

/**
 * Make `button` save what `read` returns as a notebook.
 *
 * @param {HTMLButtonElement} button
 * @param {() => { title: string, slides: { heading: string, path: string, notes?: string }[] }} read
 */
export function makesNotebook(button, read) {
  const label = button.textContent;
  button.onclick = async () => {
    button.disabled = true;
    button.textContent = "Making the notebook …";
    const asked = read();
    const { notebook, error } = await ask("notebook.json", JSON.stringify(asked));
    button.disabled = false;
    button.textContent = error ?? "Saved";
    const name = asked.title.replace(/[^\p{L}\p{N} -]/gu, "").trim() || "notebook";
    if (notebook) hand(new Blob([notebook], { type: "application/x-ipynb+json" }), `${name}.ipynb`);
    setTimeout(() => (button.textContent = label), error ? 8000 : 2500);
  };
}

/**
 * The view on screen, as a notebook of its own.
 *
 * @param {string} heading
 */
export const thisView = (heading) => ({ title: heading, slides: [{ heading, path: viewOnScreen() }] });
