// The page to print: each view with its picture, a question below it, and all answers at the end. The server computes
// one view at a time; closing the window stops it.

import { ask } from "../browser/ask.js";
import { html } from "../../drawing/dom.js";
import { HANDOUT } from "../browser/handout.js";
import { whole } from "../browser/kept.js";
import { unpack } from "../../drawing/packing.js";
import { components } from "../browser/registry.js";
import { dress } from "../../drawing/theme.js";

/** @import { Answered } from "../browser/ask.js" */
/** @import { Component, PrintedView, PrintedQuestion, StageTexts } from "../../drawing/types.js" */

/** @typedef {[number: number, question: PrintedQuestion]} NumberedQuestion */
/** @typedef {(component: Component<unknown>) => unknown} Drawer */
const drawers = /** @type {Record<string, Drawer>} */ (/** @type {unknown} */ (components));
const NOTHING = "Nothing to print. On a page, open Save and press “Print”; the index of lectures has the same button.";

export default async function start() {
  const asked = JSON.parse(sessionStorage.getItem(HANDOUT) ?? "null");
  const bar = html("header", { class: "bar" }, document.body);
  const said = html("p", { role: "status" }, bar, asked?.slides.length ? "" : NOTHING);
  const main = html("main", {}, document.body);
  html("h1", {}, main, asked?.title ?? "Hand-out");
  if (!asked?.slides.length) return;
  document.title = `${asked.title} · Language Models, Live`;
  const print = html("button", { type: "button", disabled: "" }, bar, "Print");
  print.onclick = () => window.print();
  /** @type {Map<string, number>} */
  const shown = new Map();
  /** @type {Map<string, number>} */
  const turns = new Map();
  /** @type {NumberedQuestion[]} */
  const answers = [];
  for (const [i, { heading, path }] of asked.slides.entries()) {
    said.textContent = `Computing view ${i + 1} of ${asked.slides.length} …`;
    const article = html("article", {}, main);
    html("h2", {}, article, `${i + 1}. ${heading}`);
    html("p", { class: "address" }, article, decodeURI(String(new URL(`..${path}`, location.href))));
    /** @type {Answered<PrintedView> | null} */
    const view = shown.has(path) ? null : await ask("printed.json", JSON.stringify({ path }));
    if (!view) html("p", {}, article, `The same view as ${shown.get(path)}.`);
    else if (view.error !== undefined) html("p", { class: "wrong" }, article, view.error);
    else {
      shown.set(path, i + 1);
      const { page, questions } = /** @type {PrintedView} */ (view);
      const turn = turns.get(page) ?? 0;
      const question = questions[turn];
      turns.set(page, turn + 1);
      await draw(article, /** @type {PrintedView} */ (view), question?.hides ?? []);
      if (question) answers.push([i + 1, put(article, question)]);
    }
  }
  if (answers.length) allAnswers(main, answers);
  said.textContent = "";
  print.disabled = false;
  document.documentElement.dataset.ready = "";
}

/** @param {HTMLElement} main @param {NumberedQuestion[]} answers */
function allAnswers(main, answers) {
  const end = html("section", { class: "answers" }, main);
  html("h2", {}, end, "Answers");
  for (const [number, { answer, because }] of answers) {
    const line = html("p", {}, end, `${number}. `);
    html("b", {}, line, answer);
    line.append(` ${because}`);
  }
}

/** @param {HTMLElement} article @param {PrintedView} view @param {readonly string[]} hides */
async function draw(article, view, hides) {
  html("p", { class: "view" }, article, view.see ? `${view.page}: ${view.see}` : view.page);
  if (view.still)
    html("img", { src: `stills/${view.still}.webp`, alt: `The view “${view.see}” of the page ${view.page}.` }, article);
  for (const { name, data, shown } of view.parts) {
    const host = html(
      "div",
      { class: shown ? `part ${name === "steps" || name === "table" ? "tall" : ""}` : "unseen" },
      article,
    );
    const parentElement = host.attachShadow({ mode: "open" });
    dress(parentElement);
    const given = /** @type {Partial<StageTexts>} */ (
      await whole(unpack(Uint8Array.from(atob(data), (one) => one.charCodeAt(0))))
    );
    if (given.hidden) given.hidden = [...given.hidden, ...hides];
    drawers[name]({ data: given, parentElement, setTriggerValue() {} });
    parentElement.querySelector(".save")?.remove();
  }
}

/** @param {HTMLElement} article @param {PrintedQuestion} question */
function put(article, question) {
  const line = html("p", { class: "question" }, article, question.ask);
  if (question.options.length)
    html("span", { class: "options" }, line, ` ${question.options.map((each) => `□\u00a0${each}`).join("   ")}`);
  else html("span", { class: "to-fill", "aria-hidden": "true" }, line, ` ${"_".repeat(20)}`);
  return question;
}

start();
