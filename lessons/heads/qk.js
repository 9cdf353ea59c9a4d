// One query and every key in one head: q, k, their product number by number, its sum, and the softmax.
// The chosen key is multiplied out above; every key has its row below.

import { html } from "../../ui/browser/dom.js";
import { formatNumber, operand } from "../../ui/browser/numbers.js";
import { saveTable } from "../../ui/browser/saving.js";
import { scroller } from "../../ui/browser/scrollers.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["qk"]} Data */

/** @param {Component<Data>} component */
export default function qk({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.tokens, data.q.length, data.head, data.place, isDark(parentElement)]);
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (fresh) build(picture);
  if (fresh || picture.sent !== data.key) picture.chosen = data.key;
  picture.sent = data.key;
  show(picture);
}

const STRIPS = /** @type {const} */ ([
  ["q", "query", 0],
  ["k", "key", 1],
  ["q × k", "score", 2],
]);

/** @param {Picture<Data, any>} picture */
function build(picture) {
  const { data } = picture;
  picture.element.replaceChildren();
  picture.strips = html(
    "div",
    {
      class: "qk-strips",
      tabindex: 0,
      role: "group",
      "aria-label": "q, k and q × k, number by number; ← and → read them",
    },
    picture.element,
  );
  picture.rows = STRIPS.map(([name, role]) => {
    html("span", { class: `qk-name ${role}` }, picture.strips, name);
    return html("canvas", { "aria-hidden": "true", class: "qk-strip" }, picture.strips);
  });
  picture.one = html("div", { class: "qk-one", "aria-live": "polite" }, picture.element);
  picture.sum = html("div", { class: "qk-sum lines" }, picture.element);
  picture.rows.forEach((canvas) => {
    canvas.onpointermove = (event) => {
      const frame = canvas.getBoundingClientRect();
      read(picture, Math.floor(((event.clientX - frame.left) / frame.width) * data.q.length));
    };
  });
  picture.strips.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    read(picture, Math.min(Math.max((picture.number ?? -1) + by, 0), data.q.length - 1));
  };
  picture.lines = [];
  // The picture above is drawn first: a long text has many rows.
  const rows = html("div", {}, picture.element);
  picture.waiting = requestAnimationFrame(() =>
    setTimeout(() => {
      picture.waiting = 0;
      everyKey(picture, rows);
      show(picture);
    }),
  );
  saveTable(picture.element, () => [
    `query-${data.place}-head-${data.head}`,
    ["key", "q · k", "scaled", "weight", ...data.q.keys().map((n) => `q×k ${n}`)],
    data.tokens.map((token, j) => [
      token,
      data.scores[j],
      data.hidden[j] ? "-inf" : data.scaled[j],
      data.weights[j],
      ...productsOf(data, j),
    ]),
  ]);
}

/** @param {Data} data */
const productsOf = ({ products, q }, key) => products.subarray(key * q.length, (key + 1) * q.length);
/** @param {Data} data */
const keyOf = ({ k, q }, key) => k.subarray(key * q.length, (key + 1) * q.length);

/** @param {Picture<Data, any>} picture */
function everyKey(picture, parent) {
  const { data } = picture;
  const grid = html("table", { class: "qk-table" }, scroller("Every key", parent, "qk-scroll"));
  html("caption", { class: "unseen" }, grid, `The query ${data.tokens[data.place]} and every key`);
  const head = html("tr", {}, html("thead", {}, grid));
  for (const [text, kind] of [
    ["key", ""],
    ["q × k", "qk-wide"],
    ["q · k", "number"],
    ["÷ √dₖ", "number"],
    ["softmax α", "number"],
    ["", "qk-bar"],
  ]) {
    html("th", { scope: "col", class: kind }, head, text);
  }
  const body = html("tbody", {}, grid);
  picture.lines = data.tokens.map((token, j) => {
    const line = html("tr", {}, body);
    const press = html("button", { type: "button", class: "qk-key" }, html("th", { scope: "row" }, line), token);
    press.onclick = () => choose(picture, j);
    const strip = html("canvas", { "aria-hidden": "true", class: "qk-strip" }, html("td", { class: "qk-wide" }, line));
    paint(strip, productsOf(data, j), data.reach[2], data.scale);
    html("td", { class: "number" }, line, formatNumber(data.scores[j]));
    html("td", { class: "number" }, line, data.hidden[j] ? "−∞, masked" : formatNumber(data.scaled[j]));
    html("td", { class: "number" }, line, formatNumber(data.weights[j]));
    const whole = html("span", { class: "whole" }, html("td", { class: "qk-bar" }, line));
    html("span", { class: "chance", style: `width: ${100 * data.weights[j]}%` }, whole);
    return [line, press];
  });
}

// A pixel a number; the stylesheet stretches it without blurring.
function paint(canvas, numbers, reach, scale) {
  Object.assign(canvas, { width: numbers.length, height: 1 });
  const pen = canvas.getContext("2d");
  numbers.forEach((value, n) => {
    pen.fillStyle = scale[Math.round(((Math.min(Math.max(value / reach, -1), 1) + 1) / 2) * (scale.length - 1))];
    pen.fillRect(n, 0, 1, 1);
  });
}

/** @param {Picture<Data, any>} picture */
function choose(picture, key) {
  picture.chosen = key;
  show(picture);
  picture.send({ key });
}

/** @param {Picture<Data, any>} picture */
function show(picture) {
  const { data, chosen } = picture;
  const numbers = [data.q, keyOf(data, chosen), productsOf(data, chosen)];
  picture.rows.forEach((canvas, n) => paint(canvas, numbers[n], data.reach[STRIPS[n][2]], data.scale));
  picture.lines.forEach(([line, press], j) => {
    line.classList.toggle("here", j === chosen);
    press.setAttribute("aria-pressed", String(j === chosen));
  });
  picture.number = undefined;
  picture.one.textContent = `Colour: red above 0, blue below, to ±${formatNumber(data.reach[0])} for q, ±${formatNumber(data.reach[1])} for k, ±${formatNumber(data.reach[2])} for q × k. Point at a number to read it.`;
  spell(picture);
}

/** @param {Picture<Data, any>} picture */
function spell({ data, chosen, sum }) {
  const [q, k] = [data.tokens[data.place], data.tokens[chosen]];
  const root = formatNumber(Math.sqrt(data.q.length));
  const masked = data.hidden[chosen];
  sum.replaceChildren();
  const line = (role, text) => html("div", { class: `line ${role}` }, sum, text);
  line("score", `q(${q}) · k(${k}) = sum of ${data.q.length} products = ${formatNumber(data.scores[chosen])}`);
  line(
    "score",
    `÷ √dₖ = ${formatNumber(data.scores[chosen])} / √${data.q.length} = ${operand(data.scores[chosen])} / ${root} = ${masked ? "hidden by the mask: −∞" : formatNumber(data.scaled[chosen])}`,
  );
  line("activation", `softmax over ${data.tokens.length} keys: α = ${formatNumber(data.weights[chosen])}`);
}

/** @param {Picture<Data, any>} picture */
function read(picture, n) {
  const { data, chosen } = picture;
  if (!(n >= 0 && n < data.q.length)) return;
  picture.number = n;
  const [q, k, product] = [data.q[n], keyOf(data, chosen)[n], productsOf(data, chosen)[n]];
  picture.one.textContent = `Number ${n + 1} of ${data.q.length}: q = ${formatNumber(q)}, k = ${formatNumber(k)}, q × k = ${operand(q)} · ${operand(k)} = ${formatNumber(product)}`;
}
