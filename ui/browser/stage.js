// The element that a component draws in.

import { html } from "./dom.js";
import { colours } from "./theme.js";

// The element a component may fill: made once, emptied and refilled when its shape changes.
export function stage(parentElement, shape) {
  let root = parentElement.querySelector(".stage");
  const fresh = root?.dataset.shape !== shape;
  if (fresh) {
    root?.remove();
    root = html("div", { class: "stage", "data-shape": shape }, parentElement);
  }
  for (const [role, colour] of Object.entries(colours(parentElement))) {
    root.style.setProperty(`--${role}`, colour);
  }
  return [root, fresh];
}
