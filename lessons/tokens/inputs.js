// What enters a Transformer, one token at a time: a row of each table as colours, and their sum.
// All tokens are here from the start: the sliders ask the server nothing.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber, operand } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["inputs"]} Data */

/** @param {Component<Data>} component */
export default function inputs({ data, parentElement, setTriggerValue }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.rows, data.shown, isDark(parentElement)]));
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, data.spot.join())) picture.at = [...data.spot];
  if (fresh) buildInputs(picture);
  showInputs(picture);
  picture.watch.observe(picture.element);
  return () => {
    clearTimeout(picture.timer);
    picture.watch.disconnect();
  };
}

/** @param {Picture<Data>} picture */
function buildInputs(picture) {
  picture.strip = html("div", { class: "pieces", role: "group", "aria-label": "Tokens" }, picture.element);
  picture.chips = picture.data.tokens.map((token, i) => {
    const chip = html("button", { type: "button", class: `piece segment${picture.data.segments[i]}` }, picture.strip);
    html("bdi", {}, chip, token);
    chip.onclick = () => lookAt(picture, 0, i);
    return chip;
  });
  const { data } = picture;
  picture.hands = ["Token", "Dimension"].map((label, which) => {
    const count = which ? data.shown : data.tokens.length;
    const line = html("label", { class: "scrub" }, picture.element, `${label} `);
    const range = html("input", { type: "range", min: 0, max: count - 1, "aria-label": label }, line);
    range.oninput = () => lookAt(picture, which, Number(range.value), true);
    range.onchange = () => lookAt(picture, which, Number(range.value));
    return [range, html("output", {}, line)];
  });
  picture.readout = html("div", { class: "readout sum", "aria-live": "polite" }, picture.element);
  picture.svg = drawSvg("svg", { role: "img", "font-size": 13, style: "cursor: crosshair; touch-action: pan-y" }, picture.element);
  picture.svg.onpointermove = (event) => pointAt(picture, event, true);
  picture.svg.onclick = (event) => pointAt(picture, event, false);
  picture.legend = html("div", { class: "heading" }, picture.element);
  saveButtons(picture.element, () => [picture.data.name, [[picture.svg]]]);
  picture.watch = new ResizeObserver(() => showInputs(picture));
}

/** @param {Picture<Data>} picture */
function lookAt(picture, which, value, held = false) {
  picture.at[which] = value;
  showInputs(picture);
  sendAtRest(picture, picture.at.join(), { value: [...picture.at], held });
}

const LEFT_OF_ROWS = 132;
const ROW_TALL = 40;
/** @param {Picture<Data>} picture */
const widthOf = (picture) => Math.floor(picture.element.clientWidth / magnified()) || 640;
/** @param {Picture<Data>} picture */
const cellOf = (picture) => (widthOf(picture) - LEFT_OF_ROWS - 6) / picture.data.shown;

/** @param {Picture<Data>} picture */
function pointAt(picture, event, held) {
  const box = picture.svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) * widthOf(picture)) / box.width;
  const dimension = Math.floor((x - LEFT_OF_ROWS) / cellOf(picture));
  if (dimension < 0 || dimension >= picture.data.shown || (held && dimension === picture.at[1])) return;
  lookAt(picture, 1, dimension, held);
}

/**
 * The number of a row, for a token and a dimension.
 *
 * @param {Picture<Data>} picture
 */
const valueAt = ({ data }, row, token, dimension) => data.values[(row * data.tokens.length + token) * data.shown + dimension];

/** @param {Picture<Data>} picture */
function showInputs(picture) {
  const { data, svg, colour } = picture;
  const [token, dimension] = picture.at;
  picture.chips.forEach((chip, i) => chip.setAttribute("aria-pressed", i === token));
  picture.hands.forEach(([range, output], which) => {
    range.value = picture.at[which];
    output.textContent = which ? String(dimension) : `${token}: ${data.tokens[token]}`;
  });
  const [wide, last, cell] = [widthOf(picture), data.rows.length - 1, cellOf(picture)];
  const tall = data.rows.length * ROW_TALL + 26;
  for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * tall, viewBox: `0 0 ${wide} ${tall}`, fill: colour.ink, "aria-label": data.alt })) svg.setAttribute(name, value);
  svg.replaceChildren();
  const indices = { token: data.ids[token], position: token, segment: data.segments[token], input: token };
  data.rows.forEach(([name, symbol, role], row) => {
    const y = row * ROW_TALL + (row === last ? 10 : 0);
    if (row === last) drawSvg("path", { d: `M0 ${y - 2}H${wide - 6}`, stroke: colour.ink, "stroke-width": 1.5 }, svg);
    const sign = row === last ? "=" : row ? "+" : "";
    drawSvg("text", { x: 0, y: y + 18, "font-weight": 700 }, svg, sign);
    drawSvg("text", { x: 16, y: y + 14, "font-weight": 600, fill: colour[role] }, svg, name);
    drawSvg("text", { x: 16, y: y + 30, fill: colour.quiet, "font-size": 12 }, svg, row === last ? `x, place ${token}` : `${symbol}[${indices[name]}]`);
    for (let j = 0; j < data.shown; j++) {
      const share = (valueAt(picture, row, token, j) / data.reach + 1) / 2;
      drawSvg("rect", { x: LEFT_OF_ROWS + j * cell, y: y + 4, width: cell + 0.3, height: ROW_TALL - 8, "shape-rendering": "crispEdges", fill: data.fills[Math.round(Math.min(Math.max(share, 0), 1) * (data.fills.length - 1))] }, svg);
    }
  });
  for (const [stroke, width] of [[colour.background, 6], [colour.gradient, 2.5]]) {
    drawSvg("rect", { x: LEFT_OF_ROWS + dimension * cell - 2, y: 2, width: cell + 4, height: data.rows.length * ROW_TALL + 7, fill: "none", stroke, "stroke-width": width }, svg);
  }
  drawSvg("text", { x: LEFT_OF_ROWS, y: tall - 2, fill: colour.quiet, "font-size": 12 }, svg, `dimensions 0 to ${data.shown - 1} of ${data.wide}`);
  const parts = data.rows.slice(0, last).map((_, row) => operand(valueAt(picture, row, token, dimension))).join(" + ");
  picture.readout.textContent = `“${data.tokens[token]}”, dimension ${dimension}: ${parts} = ${formatNumber(valueAt(picture, last, token, dimension))}`;
  picture.legend.textContent = `One scale for all rows: blue −${formatNumber(data.reach)}, white 0, red ${formatNumber(data.reach)}`;
}
