// Texts as rows of chips. With `pick`, a live number selects the rows that are shown.

import { html } from "./dom.js";
import { follow } from "./frames.js";
import { stage } from "./stage.js";

/** @import { Component, Scripts } from "./types.js" */
/** @typedef {Scripts["chips"]} Data */

/** @param {Component<Data>} component */
export default function chips({ data, parentElement }) {
  const [picture] = stage(parentElement, "chips");
  picture.data = data;
  return follow(picture, data, (values) => {
    const at = data.pick ? Math.round(values(data.pick)) : 0;
    picture.element.replaceChildren();
    for (const row of data.views[at]) {
      const box = html("div", { class: "chips" }, picture.element);
      html("div", { class: "looks-title" }, box, row.title);
      html("div", { class: "readout" }, box, row.said);
      const line = html("div", { class: "looks" }, box);
      for (const chip of row.chips) {
        const node = html("span", { class: `look chip ${chip.kind}` }, line);
        html("span", { class: "word" }, node, chip.text);
        if (chip.below) html("span", { class: "was" }, node, chip.below);
      }
    }
  });
}
