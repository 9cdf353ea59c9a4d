// The leakage test: one token is changed, and its change climbs the layers along what the mask lets
// be seen. Every changed token is here from the start, so the slider asks the server nothing.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["leak"]} Data */

const TREE = { top: 26, step: 52, radius: 15, gutter: 66, most: 130, least: 34 };
const SMALL = { cell: 17, head: 20, gutter: 20 };

/** @param {Component<Data>} component */
export default function leak({ data, parentElement, setTriggerValue }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.depths, data.blank, isDark(parentElement)]));
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, data.at)) picture.at = data.at;
  if (fresh) buildLeak(picture);
  layLeak(picture);
  return () => {
    clearTimeout(picture.timer);
    picture.watch.disconnect();
  };
}

/** @param {Picture<Data>} picture */
function buildLeak(picture) {
  const { tokens, depths } = picture.data;
  const line = html("label", { class: "scrub" }, picture.element, "Change token ");
  picture.range = html("input", { type: "range", min: 0, max: tokens.length - 1, "aria-label": "Change token" }, line);
  picture.output = html("output", {}, line);
  picture.range.oninput = () => change(picture, Number(picture.range.value), true);
  picture.range.onchange = () => change(picture, Number(picture.range.value));
  const scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The layers; it scrolls sideways" }, picture.element);
  picture.tree = drawSvg("svg", { role: "img" }, scroll);
  picture.readout = html("div", { class: "readout", "aria-live": "polite" }, picture.element);
  html("div", { class: "mask-title" }, picture.element, "All changed tokens: one row per output, one column per changed token. A dot: the mask has a path.");
  const grids = html("div", { class: "row leaks" }, picture.element);
  picture.grids = Array.from({ length: depths }, (_, depth) => {
    const box = html("div", { class: "mask" }, grids);
    html("div", { class: "mask-title" }, box, `After layer ${depth + 1}`);
    return drawSvg("svg", { role: "img", "aria-label": `Which outputs move after layer ${depth + 1}, for every changed token` }, box);
  });
  saveButtons(picture.element, () => [picture.data.name, [[picture.tree], ...picture.grids.map((svg) => [svg])]]);
  picture.watch = new ResizeObserver(() => layLeak(picture));
  picture.watch.observe(picture.element);
}

/** @param {Picture<Data>} picture */
function change(picture, at, held = false) {
  picture.at = at;
  drawLeak(picture);
  sendAtRest(picture, at, { value: at + 1, held });
}

/** @param {Picture<Data>} picture */
function layLeak(picture) {
  const width = picture.element.clientWidth / magnified() || 800;
  picture.step = Math.min(Math.max((width - TREE.gutter - 8) / picture.data.tokens.length, TREE.least), TREE.most);
  drawLeak(picture);
}

const sized = (svg, width, height, ink) => {
  for (const [name, value] of Object.entries({ width: magnified() * width, height: magnified() * height, viewBox: `0 0 ${width} ${height}`, "font-size": 12, fill: ink })) svg.setAttribute(name, value);
  svg.replaceChildren();
};
/** @param {Picture<Data>} picture */
const at = ({ data }, depth, i, j) => (depth * data.tokens.length + i) * data.tokens.length + j;
const brief = (value) => (value === 0 ? "0" : value < 0.01 ? "<.01" : value.toFixed(2));
const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

/** @param {Picture<Data>} picture */
function drawLeak(picture) {
  const { data } = picture;
  picture.range.value = picture.at;
  picture.output.textContent = `${picture.at + 1} of ${data.tokens.length}: ${cut(data.tokens[picture.at], 14)}`;
  picture.tree.setAttribute("aria-label", data.alt);
  drawTree(picture);
  picture.grids.forEach((svg, depth) => drawGrid(picture, svg, depth));
}

/** @param {Picture<Data>} picture */
function drawTree(picture) {
  const { data, tree, colour } = picture;
  const [count, depths] = [data.tokens.length, data.depths];
  sized(tree, TREE.gutter + count * picture.step + 6, TREE.top + depths * TREE.step + 48, colour.ink);
  const x = (i) => TREE.gutter + (i + 0.5) * picture.step;
  const y = (depth) => TREE.top + (depths - depth) * TREE.step;
  const carries = (depth, k) => (depth === 0 ? k === picture.at : data.moved[at(picture, depth - 1, k, picture.at)] > 0);
  for (let depth = 1; depth <= depths && !data.blank; depth++) {
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < count; k++) {
        if (!(i === k || data.mask[i * count + k] > 0)) continue;
        const live = carries(depth - 1, k);
        drawSvg("line", { x1: x(k), y1: y(depth - 1) - TREE.radius, x2: x(i), y2: y(depth) + TREE.radius, stroke: live ? colour.gradient : colour.quiet, "stroke-width": live ? 2 : 1, "stroke-opacity": live ? 0.8 : 0.22 }, tree);
      }
    }
  }
  for (let depth = 1; depth <= depths; depth++) {
    drawSvg("text", { x: 0, y: y(depth), "dominant-baseline": "central", fill: colour.quiet }, tree, `layer ${depth}`);
    for (let i = 0; i < count; i++) node(picture, depth, i, x(i), y(depth));
  }
  drawSvg("text", { x: 0, y: y(0), "dominant-baseline": "central", fill: colour.quiet }, tree, "text");
  data.tokens.forEach((token, i) => {
    const changed = i === picture.at;
    const group = drawSvg("g", { style: "cursor: pointer" }, tree);
    drawSvg("rect", { x: x(i) - picture.step / 2 + 2, y: y(0) - 13, width: picture.step - 4, height: 26, rx: 5, fill: changed ? colour.gradient : colour.background, stroke: changed ? colour.gradient : colour.quiet }, group);
    drawSvg("text", { x: x(i), y: y(0), "text-anchor": "middle", "dominant-baseline": "central", fill: changed ? colour.background : colour.ink, "font-weight": changed ? 700 : 400 }, group, cut(token, Math.max(Math.floor((picture.step - 6) / 6.6), 2)));
    if (changed) drawSvg("text", { x: x(i), y: y(0) + 27, "text-anchor": "middle", fill: colour.gradient }, group, "changed");
    drawSvg("title", {}, group, token);
    group.onclick = () => change(picture, i);
  });
}

/** @param {Picture<Data>} picture */
function node(picture, depth, i, x, y) {
  const { data, tree, colour } = picture;
  const value = data.moved[at(picture, depth - 1, i, picture.at)];
  const moved = value > 0;
  const step = Math.round(data.shade[at(picture, depth - 1, i, picture.at)] * (data.fills.length - 1));
  const group = drawSvg("g", {}, tree);
  const half = Math.min(picture.step / 2 - 2, 22);
  drawSvg("rect", { x: x - half, y: y - TREE.radius, width: 2 * half, height: 2 * TREE.radius, rx: 7, fill: moved ? data.fills[step] : colour.background, stroke: moved ? colour.gradient : colour.quiet, "stroke-width": moved ? 2 : 1, "stroke-dasharray": moved ? "none" : "3 3" }, group);
  drawSvg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 12, fill: moved ? data.inks[step] : colour.ink }, group, brief(value));
  group.onpointerenter = () => say(picture, depth - 1, i, picture.at);
  drawSvg("title", {}, group, words(picture, depth - 1, i, picture.at));
}

/** @param {Picture<Data>} picture */
function drawGrid(picture, svg, depth) {
  const { data, colour } = picture;
  const count = data.tokens.length;
  sized(svg, SMALL.gutter + count * SMALL.cell + 3, SMALL.head + count * SMALL.cell + 3, colour.ink);
  for (let i = 0; i < count; i++) {
    const middle = (i + 0.5) * SMALL.cell;
    const look = { "font-size": 11, "dominant-baseline": "central", fill: colour.quiet };
    drawSvg("text", { ...look, x: SMALL.gutter - 4, y: SMALL.head + middle, "text-anchor": "end" }, svg, String(i + 1));
    drawSvg("text", { ...look, x: SMALL.gutter + middle, y: SMALL.head - 9, "text-anchor": "middle" }, svg, String(i + 1));
    for (let j = 0; j < count; j++) smallCell(picture, svg, depth, i, j);
  }
  drawSvg("rect", { x: SMALL.gutter + picture.at * SMALL.cell, y: SMALL.head, width: SMALL.cell, height: count * SMALL.cell, fill: "none", stroke: colour.gradient, "stroke-width": 2.5, "pointer-events": "none" }, svg);
}

/** @param {Picture<Data>} picture */
function smallCell(picture, svg, depth, i, j) {
  const { data, colour } = picture;
  const place = at(picture, depth, i, j);
  const [x, y] = [SMALL.gutter + j * SMALL.cell, SMALL.head + i * SMALL.cell];
  const group = drawSvg("g", { style: "cursor: pointer" }, svg);
  const moved = data.moved[place] > 0;
  const step = Math.round(data.shade[place] * (data.fills.length - 1));
  drawSvg("rect", { x: x + 0.5, y: y + 0.5, width: SMALL.cell - 1, height: SMALL.cell - 1, fill: moved ? data.fills[step] : colour.background, stroke: moved ? "none" : colour.quiet, "stroke-opacity": 0.4 }, group);
  if (data.reach[place] > 0) drawSvg("circle", { cx: x + SMALL.cell / 2, cy: y + SMALL.cell / 2, r: 2.5, fill: moved ? data.inks[step] : colour.ink }, group);
  drawSvg("title", {}, group, words(picture, depth, i, j));
  group.onpointerenter = () => say(picture, depth, i, j);
  group.onclick = () => change(picture, j);
}

/** @param {Picture<Data>} picture */
function words(picture, depth, i, j) {
  const { data } = picture;
  const value = data.moved[at(picture, depth, i, j)];
  const how = value === 0 ? "does not move: 0 exactly" : `moves by ${formatNumber(value)} of its length`;
  const path = data.reach[at(picture, depth, i, j)] > 0 ? "the mask has a path" : "the mask has no path";
  return `Token ${j + 1} “${data.tokens[j]}” changed: after layer ${depth + 1}, output ${i + 1} “${data.tokens[i]}” ${how}; ${path}`;
}

/** @param {Picture<Data>} picture */
const say = (picture, depth, i, j) => (picture.readout.textContent = words(picture, depth, i, j));
