// Pointer and key events over the matrices: pointing at a cell, and pressing or dragging a weight.

import { cellAt, cellBeside } from "./tiny_places.js";
import { same, toldOf, written } from "./tiny_scene.js";

/** @import { Cell } from "./tiny_arithmetic.js" */
/** @import { Places } from "./tiny_places.js" */
/** @import { Draw, Moment, TinyScene } from "./tiny_scene.js" */

const PER = 60; // dragging this many pixels changes a weight by 1
const STILL = 3; // a shorter movement, in pixels, is a press rather than a drag
/** @type {Record<string, readonly [dx: number, dy: number] | undefined>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Draw} */
export function drawCover(pen, scene, at, now) {
  const { memory, data } = scene;
  const right = at.panels[at.panels.length - 1].right;
  const node = pen.rect(at.left, at.top, right - at.left, at.bottom - at.top, {
    key: "cover",
    fill: "transparent",
    role: "button",
    tabindex: 0,
    "aria-label": spoken(scene, now),
    "data-arrows": "",
    "data-cover": "",
    class: "press",
    stroke: null,
  });
  takeDrags(node, scene, at, now);
  node.onclick = (event) => {
    if (!memory.dragged) choose(scene, now, cellUnder(node, event, at));
    memory.dragged = false;
  };
  node.onfocus = () => {
    if (node.matches(":focus-visible")) point(scene, memory.over ?? { name: "x", i: data.place, j: 0 });
  };
  node.onkeydown = (event) => takeKey(scene, at, now, event);
}

/**
 * What is pointed at, in words.
 *
 * @param {TinyScene} scene @param {Moment} now
 */
function spoken(scene, now) {
  const { over } = scene.memory;
  if (!over) return "All numbers: the arrow keys move from one to the next, Enter chooses a weight or a word";
  const { say, terms } = toldOf(scene, now, over);
  return `${say.replaceAll("^", " ")} ${terms.join(" ")}`;
}

/** @param {TinyScene} scene @param {Cell | null} cell */
function point({ memory, again }, cell) {
  if (same(cell, memory.over)) return;
  memory.over = cell;
  again();
}

/**
 * The cell under the pointer.
 *
 * @param {SVGRectElement} node that covers the matrices
 * @param {MouseEvent} event
 * @param {Places} at
 */
function cellUnder(node, event, { placed, top }) {
  const frame = node.getBoundingClientRect();
  const scale = node.width.baseVal.value / frame.width;
  const x = node.x.baseVal.value + (event.clientX - frame.left) * scale;
  return cellAt(placed, x, top + (event.clientY - frame.top) * scale);
}

/**
 * After a press: a weight gets the slider; a computed number makes its row the place of the prediction.
 *
 * @param {TinyScene} scene @param {Moment} now @param {Cell | null | undefined} cell
 */
function choose({ data, send }, now, cell) {
  if (!cell) return;
  const weight = now.grids[cell.name].kind === "weight";
  if (weight && !same(cell, now.chosen)) send({ weight: written(cell) });
  if (!weight && cell.i !== data.place) send({ place: cell.i + 1 });
}

/**
 * Let the pointer select cells, and drag the weight that has the slider.
 *
 * @param {SVGRectElement} node @param {TinyScene} scene @param {Places} at @param {Moment} now
 */
function takeDrags(node, scene, at, now) {
  const { memory, values, move } = scene;
  node.onpointerdown = (event) => {
    const cell = cellUnder(node, event, at);
    point(scene, cell);
    if (event.button || !same(cell, now.chosen)) return;
    const value = values("w");
    memory.held = { x: event.clientX, value, moved: false, last: value };
    node.setPointerCapture(event.pointerId);
  };
  node.onpointermove = (event) => {
    const { held } = memory;
    if (!held) return point(scene, cellUnder(node, event, at));
    const by = event.clientX - held.x;
    if (!held.moved && Math.abs(by) < STILL) return;
    Object.assign(held, { moved: true, last: held.value + by / PER });
    move("w", held.last, false);
  };
  node.onpointerup = () => {
    if (memory.held?.moved) move("w", memory.held.last, true);
    memory.dragged = memory.held?.moved;
    memory.held = null;
  };
  node.onpointercancel = () => (memory.held = null);
  node.onpointerleave = () => memory.held || point(scene, null);
}

/** @param {TinyScene} scene @param {Places} at @param {Moment} now @param {KeyboardEvent} event */
function takeKey(scene, { placed }, now, event) {
  const way = WAYS[event.key];
  const { over } = scene.memory;
  const first = { name: Object.keys(placed)[0], i: 0, j: 0 };
  const from = over && over.name in placed ? over : first;
  if (way) point(scene, cellBeside(placed, from, ...way));
  else if (event.key === "Enter" || event.key === " ") choose(scene, now, over);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
