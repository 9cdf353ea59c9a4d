// The objectives of the course: each with three questions, marked once answered in this browser, and its pages.

import { addressOf, keepInside } from "./address.js";
import { html } from "../../drawing/dom.js";
import { answers, forgetAnswers } from "./progress.js";
import { stillOf } from "./cards.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["goals"]} Data */

const MARKS = { right: "✓", wrong: "✗" };
const SAID = { right: "answered right", wrong: "not answered right yet" };

/** @param {Component<Data>} component */
export default function goals({ data, parentElement }) {
  const [{ element }, fresh] = stage(parentElement, "goals");
  if (fresh) keepInside(element);
  draw(element, data);
}

/** @param {HTMLElement} element @param {Data} data */
function draw(element, data) {
  element.replaceChildren();
  if (data.slides.length) return drawPictures(element, data);
  const kept = answers();
  const all = data.objectives.flatMap(({ checks }) => checks);
  const right = all.filter(({ id }) => kept[id] === "right").length;
  const line = html("div", { class: "row" }, element);
  html("span", {}, line, `${right} of ${all.length} questions answered right. This is kept in this browser only.`);
  if (Object.keys(kept).length)
    html("button", { type: "button" }, line, "Start over").onclick = () => (forgetAnswers(), draw(element, data));
  for (const objective of data.objectives) goal(element, objective, kept);
}

/** The objectives of a lecture, each with a picture of the slide that is about it. @param {HTMLElement} element @param {Data} data */
function drawPictures(element, { slides }) {
  const said = `${slides.length} goals, each with the slide that is about it: press one.`;
  html("p", { class: "goal-said" }, element, said);
  const grid = html("div", { class: "goal-pictures" }, element);
  for (const { text, path, still } of slides) {
    const card = html("a", { class: "goal-picture", href: addressOf(path), "data-path": path }, grid);
    html("img", { src: stillOf(still, element), alt: "" }, card);
    html("span", {}, card, text);
  }
}

/** @param {HTMLElement} element @param {Data["objectives"][number]} objective @param {ReturnType<typeof answers>} kept */
function goal(element, { id, text, checks, pages }, kept) {
  const row = html("section", { class: "goal", "aria-label": `${id} ${text}` }, element);
  const head = html("p", { class: "goal-text" }, row);
  html("b", {}, head, id);
  head.append(` ${text}`);
  const links = html("div", { class: "goal-links" }, row);
  checks.forEach((check, i) => {
    const verdict = kept[check.id];
    const said = `Question ${i + 1}${verdict ? `, ${SAID[verdict]}` : ""}`;
    const link = html(
      "a",
      {
        class: `goal-check ${verdict ?? ""}`,
        href: addressOf(check.path),
        "data-path": check.path,
        title: `${said} (${check.about})`,
        "aria-label": said,
      },
      links,
    );
    link.textContent = verdict ? MARKS[verdict] : String(i + 1);
  });
  const again = checks.filter((check) => kept[check.id] === "wrong");
  html("span", { class: "quiet" }, links, again.length ? "Look again at" : "Pages");
  const named = again.length
    ? again.map(({ about, path }) => ({ title: about.split(":")[0], path: path.replace(/[?&]ask=[^&]*/, "") }))
    : pages;
  for (const { title, path } of named) html("a", { href: addressOf(path), "data-path": path }, links, title);
}
