// A view or a lecture as a Jupyter notebook, which the server makes and the browser saves.

import { viewOnScreen } from "./mine.js";

/**
 * Let `button` make a notebook of what `read` gives.
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
    const { notebook, error } = await ask(asked);
    button.disabled = false;
    button.textContent = error ?? "Saved";
    if (notebook) save(`${asked.title.replace(/[^\p{L}\p{N} -]/gu, "").trim() || "notebook"}.ipynb`, notebook);
    setTimeout(() => (button.textContent = label), error ? 8000 : 2500);
  };
}

async function ask(asked) {
  try {
    const answer = await fetch(new URL("live/notebook.json", location.href), { method: "POST", body: JSON.stringify(asked) });
    return await answer.json();
  } catch {
    return { error: "The server cannot be reached." };
  }
}

/** The view on screen, as a notebook of its own. */
export const thisView = (heading) => ({ title: heading, slides: [{ heading, path: viewOnScreen() }] });

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
