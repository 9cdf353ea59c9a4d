// The visitor's progress on the path through the seven pages; the marks themselves are drawn by a style sheet.

import { html } from "../../drawing/dom.js";
import { donePages, forgetDone, showDone } from "../../ui/browser/progress.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @param {Component<Scripts["path"]>} component */
export default function path({ data, parentElement }) {
  const [{ element }] = stage(parentElement, "path");
  element.replaceChildren();
  element.classList.add("row");
  showDone();
  const done = donePages().filter((page) => data.pages.includes(page)).length;
  html("span", {}, element, done ? `${done} of ${data.pages.length} done` : "Marks stay in this browser");
  if (!done) return;
  const forget = html("button", { type: "button" }, element, "Start over");
  forget.addEventListener("click", () => {
    forgetDone();
    path({ data, parentElement, setTriggerValue: () => {} });
  });
}
