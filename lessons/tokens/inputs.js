// What enters a Transformer, one token at a time: a row of each table as colours, and their sum.
// All tokens are here from the start: the sliders ask the server nothing.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber, operand } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, tellAtRest } from "../../ui/browser/told.js";

export default function inputs({ data, parentElement, setTriggerValue }) {
  const [root, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.rows, data.shown, isDark(parentElement)]));
  Object.assign(root, { data, tell: (value) => setTriggerValue("told", value), colour: colours(parentElement) });
  if (isNews(root, data.spot.join())) root.at = [...data.spot];
  if (fresh) buildInputs(root);
  showInputs(root);
  root.watch.observe(root);
  return () => {
    clearTimeout(root.timer);
    root.watch.disconnect();
  };
}

function buildInputs(root) {
  root.strip = html("div", { class: "pieces", role: "group", "aria-label": "Tokens" }, root);
  root.chips = root.data.tokens.map((token, i) => {
    const chip = html("button", { type: "button", class: `piece segment${root.data.segments[i]}` }, root.strip);
    html("bdi", {}, chip, token);
    chip.onclick = () => lookAt(root, 0, i);
    return chip;
  });
  root.hands = [["Token", root.data.tokens.length], ["Dimension", root.data.shown]].map(([label, count], which) => {
    const line = html("label", { class: "scrub" }, root, `${label} `);
    const range = html("input", { type: "range", min: 0, max: count - 1, "aria-label": label }, line);
    range.oninput = () => lookAt(root, which, Number(range.value), true);
    range.onchange = () => lookAt(root, which, Number(range.value));
    return [range, html("output", {}, line)];
  });
  root.readout = html("div", { class: "readout sum", "aria-live": "polite" }, root);
  root.svg = drawSvg("svg", { role: "img", "font-size": 13, style: "cursor: crosshair; touch-action: pan-y" }, root);
  root.svg.onpointermove = (event) => pointAt(root, event, true);
  root.svg.onclick = (event) => pointAt(root, event, false);
  root.legend = html("div", { class: "heading" }, root);
  saveButtons(root, () => [root.data.name, [[root.svg]]]);
  root.watch = new ResizeObserver(() => showInputs(root));
}

function lookAt(root, which, value, held = false) {
  root.at[which] = value;
  showInputs(root);
  tellAtRest(root, root.at.join(), { value: [...root.at], held });
}

const LEFT_OF_ROWS = 132;
const ROW_TALL = 40;
const widthOf = (root) => Math.floor(root.clientWidth / magnified()) || 640;
const cellOf = (root) => (widthOf(root) - LEFT_OF_ROWS - 6) / root.data.shown;

function pointAt(root, event, held) {
  const box = root.svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) * widthOf(root)) / box.width;
  const dimension = Math.floor((x - LEFT_OF_ROWS) / cellOf(root));
  if (dimension < 0 || dimension >= root.data.shown || (held && dimension === root.at[1])) return;
  lookAt(root, 1, dimension, held);
}

// The number of a row, for a token and a dimension.
const valueAt = ({ data }, row, token, dimension) => data.values[(row * data.tokens.length + token) * data.shown + dimension];

function showInputs(root) {
  const { data, svg, colour } = root;
  const [token, dimension] = root.at;
  root.chips.forEach((chip, i) => chip.setAttribute("aria-pressed", i === token));
  root.hands.forEach(([range, output], which) => {
    range.value = root.at[which];
    output.textContent = which ? String(dimension) : `${token}: ${data.tokens[token]}`;
  });
  const [wide, last, cell] = [widthOf(root), data.rows.length - 1, cellOf(root)];
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
      const share = (valueAt(root, row, token, j) / data.reach + 1) / 2;
      drawSvg("rect", { x: LEFT_OF_ROWS + j * cell, y: y + 4, width: cell + 0.3, height: ROW_TALL - 8, "shape-rendering": "crispEdges", fill: data.fills[Math.round(Math.min(Math.max(share, 0), 1) * (data.fills.length - 1))] }, svg);
    }
  });
  for (const [stroke, width] of [[colour.background, 6], [colour.gradient, 2.5]]) {
    drawSvg("rect", { x: LEFT_OF_ROWS + dimension * cell - 2, y: 2, width: cell + 4, height: data.rows.length * ROW_TALL + 7, fill: "none", stroke, "stroke-width": width }, svg);
  }
  drawSvg("text", { x: LEFT_OF_ROWS, y: tall - 2, fill: colour.quiet, "font-size": 12 }, svg, `dimensions 0 to ${data.shown - 1} of ${data.wide}`);
  const parts = data.rows.slice(0, last).map((_, row) => operand(valueAt(root, row, token, dimension))).join(" + ");
  root.readout.textContent = `“${data.tokens[token]}”, dimension ${dimension}: ${parts} = ${formatNumber(valueAt(root, last, token, dimension))}`;
  root.legend.textContent = `One scale for all rows: blue −${formatNumber(data.reach)}, white 0, red ${formatNumber(data.reach)}`;
}
