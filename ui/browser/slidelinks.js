// The slides of the decks that a page serves, each a link into its lecture.

import { addressOf, keepInside } from "./address.js";
import { html } from "../../drawing/dom.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @param {Component<Scripts["slidelinks"]>} component */
export default function slidelinks({ data, parentElement }) {
  const [{ element }, fresh] = stage(
    parentElement,
    JSON.stringify(data.lectures.map(({ short, slides }) => [short, slides[0].path])),
  );
  if (!fresh) return;
  keepInside(element);
  for (const { short, slides } of data.lectures) {
    html("strong", {}, element, short);
    const list = html("ul", { class: "slide-links" }, element);
    for (const { number, heading, path, view, part } of slides) {
      const row = html("li", {}, list);
      html("a", { href: addressOf(path), "data-path": path, title: view }, row, `${number} ${heading}`);
      if (part) html("span", { class: "quiet" }, row, " in part");
    }
  }
}
