// The leakage test: one token is changed, and its change climbs the layers along what the mask lets
// be seen. Every changed token is here from the start, so the slider asks the server nothing.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, tellAtRest } from "../../ui/browser/told.js";

const TREE = { top: 26, step: 52, radius: 15, gutter: 66, most: 130, least: 34 };
const SMALL = { cell: 17, head: 20, gutter: 20 };

export default function leak({ data, parentElement, setTriggerValue }) {
  const [root, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.depths, data.blank, isDark(parentElement)]));
  Object.assign(root, { data, tell: (value) => setTriggerValue("told", value), colour: colours(parentElement) });
  if (isNews(root, data.at)) root.at = data.at;
  if (fresh) buildLeak(root);
  layLeak(root);
  return () => {
    clearTimeout(root.timer);
    root.watch.disconnect();
  };
}

function buildLeak(root) {
  const { tokens, depths } = root.data;
  const line = html("label", { class: "scrub" }, root, "Change token ");
  root.range = html("input", { type: "range", min: 0, max: tokens.length - 1, "aria-label": "Change token" }, line);
  root.output = html("output", {}, line);
  root.range.oninput = () => change(root, Number(root.range.value), true);
  root.range.onchange = () => change(root, Number(root.range.value));
  const scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The layers; it scrolls sideways" }, root);
  root.tree = drawSvg("svg", { role: "img" }, scroll);
  root.readout = html("div", { class: "readout", "aria-live": "polite" }, root);
  html("div", { class: "mask-title" }, root, "Every changed token at once: a row an output, a column the changed token. A dot: the mask has a path.");
  const grids = html("div", { class: "row leaks" }, root);
  root.grids = Array.from({ length: depths }, (_, depth) => {
    const box = html("div", { class: "mask" }, grids);
    html("div", { class: "mask-title" }, box, `After layer ${depth + 1}`);
    return drawSvg("svg", { role: "img", "aria-label": `Which outputs move after layer ${depth + 1}, for every changed token` }, box);
  });
  saveButtons(root, () => [root.data.name, [[root.tree], ...root.grids.map((svg) => [svg])]]);
  root.watch = new ResizeObserver(() => layLeak(root));
  root.watch.observe(root);
}

function change(root, at, held = false) {
  root.at = at;
  drawLeak(root);
  tellAtRest(root, at, { value: at + 1, held });
}

function layLeak(root) {
  const width = root.clientWidth / magnified() || 800;
  root.step = Math.min(Math.max((width - TREE.gutter - 8) / root.data.tokens.length, TREE.least), TREE.most);
  drawLeak(root);
}

const sized = (svg, width, height, ink) => {
  for (const [name, value] of Object.entries({ width: magnified() * width, height: magnified() * height, viewBox: `0 0 ${width} ${height}`, "font-size": 12, fill: ink })) svg.setAttribute(name, value);
  svg.replaceChildren();
};
const at = ({ data }, depth, i, j) => (depth * data.tokens.length + i) * data.tokens.length + j;
const brief = (value) => (value === 0 ? "0" : value < 0.01 ? "<.01" : value.toFixed(2));
const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

function drawLeak(root) {
  const { data } = root;
  root.range.value = root.at;
  root.output.textContent = `${root.at + 1} of ${data.tokens.length}: ${cut(data.tokens[root.at], 14)}`;
  root.tree.setAttribute("aria-label", data.alt);
  drawTree(root);
  root.grids.forEach((svg, depth) => drawGrid(root, svg, depth));
}

function drawTree(root) {
  const { data, tree, colour } = root;
  const [count, depths] = [data.tokens.length, data.depths];
  sized(tree, TREE.gutter + count * root.step + 6, TREE.top + depths * TREE.step + 48, colour.ink);
  const x = (i) => TREE.gutter + (i + 0.5) * root.step;
  const y = (depth) => TREE.top + (depths - depth) * TREE.step;
  const carries = (depth, k) => (depth === 0 ? k === root.at : data.moved[at(root, depth - 1, k, root.at)] > 0);
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
    for (let i = 0; i < count; i++) node(root, depth, i, x(i), y(depth));
  }
  drawSvg("text", { x: 0, y: y(0), "dominant-baseline": "central", fill: colour.quiet }, tree, "text");
  data.tokens.forEach((token, i) => {
    const changed = i === root.at;
    const group = drawSvg("g", { style: "cursor: pointer" }, tree);
    drawSvg("rect", { x: x(i) - root.step / 2 + 2, y: y(0) - 13, width: root.step - 4, height: 26, rx: 5, fill: changed ? colour.gradient : colour.background, stroke: changed ? colour.gradient : colour.quiet }, group);
    drawSvg("text", { x: x(i), y: y(0), "text-anchor": "middle", "dominant-baseline": "central", fill: changed ? colour.background : colour.ink, "font-weight": changed ? 700 : 400 }, group, cut(token, Math.max(Math.floor((root.step - 6) / 6.6), 2)));
    if (changed) drawSvg("text", { x: x(i), y: y(0) + 27, "text-anchor": "middle", fill: colour.gradient }, group, "changed");
    drawSvg("title", {}, group, token);
    group.onclick = () => change(root, i);
  });
}

function node(root, depth, i, x, y) {
  const { data, tree, colour } = root;
  const value = data.moved[at(root, depth - 1, i, root.at)];
  const moved = value > 0;
  const step = Math.round(data.shade[at(root, depth - 1, i, root.at)] * (data.fills.length - 1));
  const group = drawSvg("g", {}, tree);
  const half = Math.min(root.step / 2 - 2, 22);
  drawSvg("rect", { x: x - half, y: y - TREE.radius, width: 2 * half, height: 2 * TREE.radius, rx: 7, fill: moved ? data.fills[step] : colour.background, stroke: moved ? colour.gradient : colour.quiet, "stroke-width": moved ? 2 : 1, "stroke-dasharray": moved ? "none" : "3 3" }, group);
  drawSvg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 12, fill: moved ? data.inks[step] : colour.ink }, group, brief(value));
  group.onpointerenter = () => say(root, depth - 1, i, root.at);
  drawSvg("title", {}, group, words(root, depth - 1, i, root.at));
}

function drawGrid(root, svg, depth) {
  const { data, colour } = root;
  const count = data.tokens.length;
  sized(svg, SMALL.gutter + count * SMALL.cell + 3, SMALL.head + count * SMALL.cell + 3, colour.ink);
  for (let i = 0; i < count; i++) {
    const middle = (i + 0.5) * SMALL.cell;
    const look = { "font-size": 11, "dominant-baseline": "central", fill: colour.quiet };
    drawSvg("text", { ...look, x: SMALL.gutter - 4, y: SMALL.head + middle, "text-anchor": "end" }, svg, String(i + 1));
    drawSvg("text", { ...look, x: SMALL.gutter + middle, y: SMALL.head - 9, "text-anchor": "middle" }, svg, String(i + 1));
    for (let j = 0; j < count; j++) smallCell(root, svg, depth, i, j);
  }
  drawSvg("rect", { x: SMALL.gutter + root.at * SMALL.cell, y: SMALL.head, width: SMALL.cell, height: count * SMALL.cell, fill: "none", stroke: colour.gradient, "stroke-width": 2.5, "pointer-events": "none" }, svg);
}

function smallCell(root, svg, depth, i, j) {
  const { data, colour } = root;
  const place = at(root, depth, i, j);
  const [x, y] = [SMALL.gutter + j * SMALL.cell, SMALL.head + i * SMALL.cell];
  const group = drawSvg("g", { style: "cursor: pointer" }, svg);
  const moved = data.moved[place] > 0;
  const step = Math.round(data.shade[place] * (data.fills.length - 1));
  drawSvg("rect", { x: x + 0.5, y: y + 0.5, width: SMALL.cell - 1, height: SMALL.cell - 1, fill: moved ? data.fills[step] : colour.background, stroke: moved ? "none" : colour.quiet, "stroke-opacity": 0.4 }, group);
  if (data.reach[place] > 0) drawSvg("circle", { cx: x + SMALL.cell / 2, cy: y + SMALL.cell / 2, r: 2.5, fill: moved ? data.inks[step] : colour.ink }, group);
  drawSvg("title", {}, group, words(root, depth, i, j));
  group.onpointerenter = () => say(root, depth, i, j);
  group.onclick = () => change(root, j);
}

function words(root, depth, i, j) {
  const { data } = root;
  const value = data.moved[at(root, depth, i, j)];
  const how = value === 0 ? "does not move: 0 exactly" : `moves by ${formatNumber(value)} of its length`;
  const path = data.reach[at(root, depth, i, j)] > 0 ? "the mask has a path" : "the mask has no path";
  return `Token ${j + 1} “${data.tokens[j]}” changed: after layer ${depth + 1}, output ${i + 1} “${data.tokens[i]}” ${how}; ${path}`;
}

const say = (root, depth, i, j) => (root.readout.textContent = words(root, depth, i, j));
