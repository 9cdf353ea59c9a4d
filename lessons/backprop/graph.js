// A computation graph: values forward, gradients backward, one node at a time.
// Which numbers are shown is decided here; the numbers themselves come from the trace.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { fill } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews } from "../../ui/browser/events.js";
import { boxOf, centre, needs, route } from "./graph_layout.js";

/** @import { Component, GraphEdge, GraphNode, GraphStep, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["graph"]} Data */

const SMALLEST = 0.72; // a graph a little too wide is scaled down so far; a wider one scrolls
const walkers = new WeakMap(); // a graph that is built anew stops the walk of the old one

/** @param {Component<Data>} component */
export default function graph({ data, parentElement, setTriggerValue }) {
  const wide = parentElement.host.clientWidth || 700;
  const upright = needs(data, false).width > wide && needs(data, true).width < needs(data, false).width;
  const shape = JSON.stringify([data.nodes, data.edges, upright, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  const old = walkers.get(parentElement);
  if (fresh) picture.parts = build(picture, data, upright, colours(parentElement));
  const parts = picture.parts;
  parts.svg.style.maxWidth = needs(data, upright).width * SMALLEST <= wide ? "100%" : "none";
  parts.walker.send = (at) => setTriggerValue("event", at);
  if (fresh && old) old.stop();
  walkers.set(parentElement, parts.walker);
  parts.walker.take(data);
  const end = follow(picture, data, (values) => {
    parts.fillIn(data, values);
    parts.walker.show();
  });
  return () => {
    parts.walker.stop();
    end();
  };
}

// --- drawing ------------------------------------------------------------------------------------
/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function build(picture, data, upright, colour) {
  const bar = html("div", { class: "row walker", role: "group", "aria-label": "Walk through the graph" }, picture.element);
  const words = html("div", { class: "words", "aria-live": "polite" }, picture.element);
  const frame = html("div", { class: "pictures scroll", tabindex: 0, role: "region", "aria-label": "Computation graph" }, picture.element);
  const size = needs(data, upright);
  const svg = drawSvg(
    "svg",
    { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, role: "img",
      "font-size": 14, fill: colour.ink, style: "flex: none; height: auto" },
    frame,
  );
  arrow(svg, colour);
  const places = new Map(data.nodes.map((node) => [node.id, node.place]));
  const edges = data.edges.map((edge) => buildEdge(svg, edge, { places, upright, box: boxOf(data), colour }));
  const nodes = new Map(data.nodes.map((node) => [node.id, buildNode(svg, node, data, upright, colour)]));
  for (const edge of edges) svg.append(edge.text);
  saveButtons(picture.element, () => ["graph", [[svg]]]);
  const walker = walking(bar, words, nodes, edges, data);
  const fillIn = (/** @type {Data} */ now, values) => {
    walker.values = values;
    for (const node of now.nodes) fillNode(nodes.get(node.id), node, values);
    now.edges.forEach((edge, i) => (edges[i].text.textContent = fill(edge.local, values)));
    svg.setAttribute("aria-label", fill(now.alt, values));
  };
  return { svg, walker, fillIn };
}

function arrow(svg, colour) {
  const marker = drawSvg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 10, markerHeight: 10,
      markerUnits: "userSpaceOnUse", orient: "auto" },
    drawSvg("defs", {}, svg));
  drawSvg("path", { d: "M0 0L8 4L0 8z", fill: colour.quiet }, marker);
}

/**
 * @param {any} svg
 * @param {GraphEdge} edge
 */
function buildEdge(svg, edge, { places, upright, box, colour }) {
  const { path, label } = route(edge, places, upright, box);
  const line = drawSvg("path", { d: path, fill: "none", stroke: colour.quiet, "stroke-width": 1.5, "marker-end": "url(#tip)" }, svg);
  const text = drawSvg("text", { x: label[0], y: label[1] + 4, "text-anchor": "middle", fill: colour.gradient, "font-size": 13,
    stroke: colour.background, "stroke-width": 5, "paint-order": "stroke" });
  return { line, text, key: `${edge.to}.${edge.position}`, colour };
}

/**
 * @param {any} svg
 * @param {GraphNode} node
 * @param {Data} data
 */
function buildNode(svg, node, data, upright, colour) {
  const box = boxOf(data);
  const [x, y] = centre(node.place, upright, box);
  const group = drawSvg("g", {}, svg);
  const stroke = node.id === data.result ? colour.loss : node.leaf ? colour.input : colour.activation;
  const title = drawSvg("title", {}, group);
  const outline = drawSvg("rect", { x: x - box.width / 2, y: y - box.height / 2, ...box, rx: 8,
    fill: colour.background, stroke, "stroke-width": 1.5 }, group);
  const line = (dy, fill, weight) =>
    drawSvg("text", { x, y: y + dy, "text-anchor": "middle", fill, "font-weight": weight }, group);
  const name = line(-15, stroke, 600);
  name.textContent = fit(node.formula ? `${node.name} = ${node.formula}` : `${node.name}${node.shape ? `: ${node.shape}` : ""}`, letters(box));
  return { outline, title, most: letters(box), value: line(5, colour.ink, 600), gradient: line(25, colour.gradient, 600), group, seen: {} };
}

const fit = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const letters = (box) => Math.floor(box.width / 7.2);

/**
 * @param {any} parts
 * @param {GraphNode} node
 */
function fillNode(parts, node, values) {
  parts.value.textContent = fit(fill(node.value, values), parts.most);
  parts.gradient.textContent = fit(`∂ ${fill(node.gradient, values)}`, parts.most);
  parts.title.textContent = fill(node.whole, values);
}

// --- walking ------------------------------------------------------------------------------------

/** @param {Data} data */
function walking(bar, words, nodes, edges, data) {
  const walker = { at: 0, timer: null, send: (/** @type {number} */ _at) => {}, values: null, steps: data.steps };
  const button = (label, title, press) => {
    const node = html("button", { type: "button", title }, bar, label);
    node.onclick = press;
    return node;
  };
  const first = button("Reset", "Back to the start: no number computed", () => walker.go(0));
  const back = button("◀ Back", "One step back", () => walker.go(walker.at - 1));
  const next = button("Step ▶", "One step: forward through the values, then backward through the gradients", () => walker.go(walker.at + 1));
  const play = button("Play", "Play the remaining steps", () => (walker.timer ? walker.pause() : walker.play()));
  const last = button("End", "Show every number", () => walker.go(walker.steps.length));
  const count = html("span", { class: "count" }, bar);

  walker.take = (/** @type {Data} */ now) => {
    walker.steps = now.steps;
    if (isNews(walker, now.at)) walker.at = now.at < 0 ? now.steps.length : Math.min(now.at, now.steps.length);
  };
  walker.go = (at, quietly = false) => {
    if (!quietly) walker.pause();
    walker.at = Math.min(Math.max(at, 0), walker.steps.length);
    walker.show();
    if (!quietly) report();
  };
  const report = () => {
    const at = walker.at === walker.steps.length ? -1 : walker.at;
    walker.sent.push(at);
    walker.send(at);
  };
  walker.play = () => {
    if (walker.at === walker.steps.length) walker.go(0, true);
    walker.timer = setInterval(() => {
      walker.go(walker.at + 1, true);
      if (walker.at === walker.steps.length) walker.pause();
    }, 900);
    walker.show();
  };
  walker.stop = () => {
    clearInterval(walker.timer);
    walker.timer = null;
  };
  walker.pause = () => {
    if (!walker.timer) return;
    walker.stop();
    walker.show();
    report();
  };
  walker.show = () => {
    const end = walker.at === walker.steps.length;
    reveal(walker, nodes, edges);
    first.disabled = back.disabled = walker.at === 0;
    next.disabled = last.disabled = end;
    play.textContent = walker.timer ? "Pause" : "Play";
    const step = walker.steps[walker.at - 1];
    count.textContent = `${walker.at} of ${walker.steps.length}${step ? ` · ${step.kind}` : ""}`;
    words.className = `words line ${step?.kind === "backward" ? "gradient" : "activation"}`;
    words.textContent = step ? fill(step.text, walker.values) : "Nothing is computed yet. Step forward: values first, then gradients.";
  };
  return walker;
}

function reveal(walker, nodes, edges) {
  const seen = { forward: new Set(), backward: new Set() };
  /** @type {GraphStep[]} */
  const steps = walker.steps;
  steps.slice(0, walker.at).forEach((step) => step.nodes.forEach((node) => seen[step.kind].add(node)));
  const now = walker.at === walker.steps.length && !walker.timer ? null : steps[walker.at - 1];
  for (const [id, parts] of nodes) {
    parts.value.style.visibility = seen.forward.has(id) ? "visible" : "hidden";
    parts.gradient.style.visibility = seen.backward.has(id) ? "visible" : "hidden";
    parts.outline.setAttribute("stroke-width", now?.nodes.includes(id) ? 4 : 1.5);
  }
  const active = new Set(now?.edges.map((edge) => edge.join(".")));
  for (const edge of edges) {
    const target = Number(edge.key.split(".")[0]);
    edge.text.style.visibility = seen.forward.has(target) ? "visible" : "hidden";
    edge.line.setAttribute("stroke", active.has(edge.key) ? edge.colour.gradient : edge.colour.quiet);
    edge.line.setAttribute("stroke-width", active.has(edge.key) ? 4 : 1.5);
  }
}
