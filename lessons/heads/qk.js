// One query and every key in one head: q, k, their elementwise product, its sum, and the softmax.
// The products of the chosen key are shown above; every key has a row below.

import { html } from "../../drawing/dom.js";
import { formatNumber, operand } from "../../drawing/numbers.js";
import { saveTable } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { isDark } from "../../drawing/theme.js";
import { addTable, keyOf, paintStrip, productsOf } from "./qk_table.js";

/** @import { Component, Events, Picture, Scripts } from "../../drawing/types.js" */
/** @import { Line } from "./qk_table.js" */
/** @typedef {Scripts["qk"]} Data */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {object} Remembered
 * @property {(event: Events["qk"]) => void} send
 * @property {number} chosen the key whose products are shown
 * @property {number} sent the key in the server's last data
 * @property {number} [number] the index, from 0, of the numbers of q and k that are shown
 * @property {HTMLCanvasElement[]} strips q, k and their products
 * @property {HTMLElement} one the numbers at that index, or the legend of the colours
 * @property {HTMLElement} sum
 * @property {Line[]} lines of the table; none before it is drawn
 */
/** @typedef {Picture<Data, Remembered>} Meeting */

const STRIPS = /** @type {const} */ ([
  ["q", "query"],
  ["k", "key"],
  ["q × k", "score"],
]);
/** @type {Record<string, number | undefined>} */
const WAYS = { ArrowRight: 1, ArrowLeft: -1 };

/** @param {Component<Data>} component */
export default function qk({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.tokens, data.q.length, data.head, data.place, isDark(parentElement)]);
  /** @type {[Meeting, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  picture.data = data;
  picture.send = (event) => setTriggerValue("event", event);
  if (fresh) build(picture);
  if (fresh || picture.sent !== data.key) picture.chosen = data.key;
  picture.sent = data.key;
  show(picture);
}

/** @param {Meeting} picture */
function build(picture) {
  const { element } = picture;
  element.replaceChildren();
  picture.strips = addStrips(picture);
  picture.one = html("div", { class: "qk-one", "aria-live": "polite" }, element);
  picture.sum = html("div", { class: "qk-sum lines" }, element);
  picture.lines = [];
  const table = html("div", {}, element);
  // Draw the part above first: a long text has many rows.
  requestAnimationFrame(() =>
    setTimeout(() => {
      picture.lines = addTable(table, picture.data, (key) => choose(picture, key));
      show(picture);
    }),
  );
  saveTable(element, () => savedTable(picture.data));
}

/**
 * q, k and their products, one pixel per number; hovering or the arrow keys select a number to show.
 *
 * @param {Meeting} picture
 */
function addStrips(picture) {
  const { element, data } = picture;
  const group = html(
    "div",
    {
      class: "qk-strips",
      tabindex: 0,
      role: "group",
      "aria-label": "q, k and q × k, number by number; ← and → read them",
    },
    element,
  );
  group.onkeydown = (event) => {
    const by = WAYS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    read(picture, Math.min(Math.max((picture.number ?? -1) + by, 0), data.q.length - 1));
  };
  return STRIPS.map(([name, role]) => {
    html("span", { class: `qk-name ${role}` }, group, name);
    const canvas = html("canvas", { "aria-hidden": "true", class: "qk-strip" }, group);
    canvas.onpointermove = (event) => {
      const frame = canvas.getBoundingClientRect();
      read(picture, Math.floor(((event.clientX - frame.left) / frame.width) * data.q.length));
    };
    return canvas;
  });
}

/** @param {Data} data @returns {[name: string, columns: string[], rows: (string | number)[][]]} */
const savedTable = (data) => [
  `query-${data.place}-head-${data.head}`,
  ["key", "q · k", "scaled", "weight", ...Array.from(data.q, (_, n) => `q×k ${n}`)],
  data.tokens.map((token, j) => [
    token,
    data.scores[j],
    data.hidden[j] ? "-inf" : data.scaled[j],
    data.weights[j],
    ...productsOf(data, j),
  ]),
];

/** @param {Meeting} picture @param {number} key */
function choose(picture, key) {
  picture.chosen = key;
  show(picture);
  picture.send({ key });
}

/** @param {Meeting} picture */
function show(picture) {
  const { data, chosen, strips, lines, one } = picture;
  const numbers = [data.q, keyOf(data, chosen), productsOf(data, chosen)];
  strips.forEach((canvas, n) => paintStrip(canvas, numbers[n], data.reach[n], data.scale));
  lines.forEach(({ line, press }, j) => {
    line.classList.toggle("here", j === chosen);
    press.setAttribute("aria-pressed", String(j === chosen));
  });
  picture.number = undefined;
  const [q, k, product] = data.reach.map(formatNumber);
  one.textContent = `Colour: red above 0, blue below, to ±${q} for q, ±${k} for k, ±${product} for q × k. Point at a number to read it.`;
  spell(picture);
}

/**
 * Write out the computation of the chosen key's weight.
 *
 * @param {Meeting} picture
 */
function spell({ data, chosen, sum }) {
  const [q, k] = [data.tokens[data.place], data.tokens[chosen]];
  const [count, score] = [data.q.length, data.scores[chosen]];
  const root = formatNumber(Math.sqrt(count));
  const scaled = data.hidden[chosen] ? "hidden by the mask: −∞" : formatNumber(data.scaled[chosen]);
  sum.replaceChildren();
  /** @type {(role: string, text: string) => void} */
  const line = (role, text) => void html("div", { class: `line ${role}` }, sum, text);
  line("score", `q(${q}) · k(${k}) = sum of ${count} products = ${formatNumber(score)}`);
  line("score", `÷ √dₖ = ${formatNumber(score)} / √${count} = ${operand(score)} / ${root} = ${scaled}`);
  line("activation", `softmax over ${data.tokens.length} keys: α = ${formatNumber(data.weights[chosen])}`);
}

/**
 * @param {Meeting} picture
 * @param {number} n which number, from 0
 */
function read(picture, n) {
  const { data, chosen, one } = picture;
  if (!(n >= 0 && n < data.q.length)) return;
  picture.number = n;
  const [q, k, product] = [data.q[n], keyOf(data, chosen)[n], productsOf(data, chosen)[n]];
  one.textContent = `Number ${n + 1} of ${data.q.length}: q = ${formatNumber(q)}, k = ${formatNumber(k)}, q × k = ${operand(q)} · ${operand(k)} = ${formatNumber(product)}`;
}
