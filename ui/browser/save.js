// Save the Plotly figure of a container as SVG or PNG.

import { saveButtons } from "./saving.js";
import { stage } from "./stage.js";

export default function save({ data, parentElement }) {
  const [root, fresh] = stage(parentElement, data.container);
  root.data = data;
  if (fresh) saveButtons(root, () => [root.data.name, [layers(root.data.container)]]);
}

// Plotly draws several <svg>s over each other.
const layers = (container) => [...document.querySelectorAll(`.st-key-${container} .main-svg`)];
