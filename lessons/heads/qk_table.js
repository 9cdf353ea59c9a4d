// Every key of a head in a table: its products with the query as colours, their sum, and the weight after the softmax.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { scroller } from "../../drawing/scrollers.js";

/** @import { Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["qk"]} Data */
/** @typedef {{ line: HTMLTableRowElement, press: HTMLButtonElement }} Line */

const TITLES = /** @type {const} */ ([
  ["key", ""],
  ["q × k", "qk-wide"],
  ["q · k", "number"],
  ["÷ √dₖ", "number"],
  ["softmax α", "number"],
  ["", "qk-bar"],
]);

/**
 * The products of the query with a key.
 *
 * @param {Data} data @param {number} key
 */
export const productsOf = ({ products, q }, key) => products.subarray(key * q.length, (key + 1) * q.length);

/**
 * The numbers of a key.
 *
 * @param {Data} data @param {number} key
 */
export const keyOf = ({ k, q }, key) => k.subarray(key * q.length, (key + 1) * q.length);

/**
 * @param {HTMLElement} parent
 * @param {Data} data
 * @param {(key: number) => void} choose is called when a key is pressed
 * @returns {Line[]}
 */
export function addTable(parent, data, choose) {
  const table = html("table", { class: "qk-table" }, scroller("Every key", parent, "qk-scroll"));
  html("caption", { class: "unseen" }, table, `The query ${data.tokens[data.place]} and every key`);
  const head = html("tr", {}, html("thead", {}, table));
  for (const [text, kind] of TITLES) html("th", { scope: "col", class: kind }, head, text);
  const body = html("tbody", {}, table);
  return data.tokens.map((_, key) => {
    const line = html("tr", {}, body);
    const press = fillLine(line, data, key);
    press.onclick = () => choose(key);
    return { line, press };
  });
}

/** @param {HTMLTableRowElement} line @param {Data} data @param {number} key */
function fillLine(line, data, key) {
  const name = html("th", { scope: "row" }, line);
  const press = html("button", { type: "button", class: "qk-key" }, name, data.tokens[key]);
  const strip = html("canvas", { "aria-hidden": "true", class: "qk-strip" }, html("td", { class: "qk-wide" }, line));
  paintStrip(strip, productsOf(data, key), data.reach[2], data.scale);
  html("td", { class: "number" }, line, formatNumber(data.scores[key]));
  html("td", { class: "number" }, line, data.hidden[key] ? "−∞, masked" : formatNumber(data.scaled[key]));
  html("td", { class: "number" }, line, formatNumber(data.weights[key]));
  const whole = html("span", { class: "whole" }, html("td", { class: "qk-bar" }, line));
  html("span", { class: "chance", style: `width: ${100 * data.weights[key]}%` }, whole);
  return press;
}

/**
 * Paint one pixel per number; the style sheet stretches the canvas without blurring.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Float64Array} numbers
 * @param {number} reach the absolute value from which on the colour is darkest
 * @param {readonly string[]} scale from negative to positive numbers
 */
export function paintStrip(canvas, numbers, reach, scale) {
  Object.assign(canvas, { width: numbers.length, height: 1 });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  numbers.forEach((value, n) => {
    const share = (Math.min(Math.max(value / reach, -1), 1) + 1) / 2;
    brush.fillStyle = scale[Math.round(share * (scale.length - 1))];
    brush.fillRect(n, 0, 1, 1);
  });
}
