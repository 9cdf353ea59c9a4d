// Save what is on the stage: the picture as SVG or PNG, its numbers as CSV; and copy the page's address.

import { html } from "../../drawing/dom.js";
import { opensHandout } from "./handout.js";
import { addToMine } from "./own_lecture.js";
import { makesNotebook, thisView } from "./notebook.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["saver"]} Data */

const KINDS = { SVG: "Picture (SVG)", PNG: "Picture (PNG)", CSV: "Its numbers (CSV)" };

/** @param {Component<Data>} component */
export default function saver({ data, parentElement }) {
  const [picture, fresh] = stage(parentElement, data.name);
  if (!fresh) return;
  const list = html("div", { class: "saver" }, picture.element);
  for (const [kind, label] of Object.entries(KINDS)) {
    const button = html("button", { type: "button" }, list, label);
    button.onclick = () => window.dispatchEvent(new CustomEvent("picture:save", { detail: kind }));
  }
  makesNotebook(html("button", { type: "button" }, list, "Notebook (Jupyter)"), () => thisView(nameOfView()));
  opensHandout(html("button", { type: "button" }, list, "Print …"), () => thisView(nameOfView()));
  const add = html("button", { type: "button" }, list, "Add to my lecture");
  add.onclick = () => {
    try {
      add.textContent = `Added as slide ${addToMine(nameOfView())}`;
    } catch (error) {
      add.textContent = /** @type {Error} */ (error).message;
    }
    setTimeout(() => (add.textContent = "Add to my lecture"), 2500);
  };
  const link = html("button", { type: "button" }, list, "Copy the link to this view");
  link.onclick = async () => {
    await navigator.clipboard?.writeText(location.href);
    link.textContent = navigator.clipboard ? "Copied" : location.href;
    setTimeout(() => (link.textContent = "Copy the link to this view"), 2500);
  };
}

// The page's title, and the chosen example if there is one.
function nameOfView() {
  const parts = ["h1", ".st-key-pills [role=radio][aria-checked=true]"].map((kind) =>
    document.querySelector(kind)?.textContent.trim(),
  );
  return parts.filter(Boolean).join(": ");
}
