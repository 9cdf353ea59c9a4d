// One vector as a strip of cells: pointing at it, or ↑ and ↓, shows a number.

import { formatNumber } from "../../drawing/numbers.js";
import { drawImage, imageOf, placeOf, spot } from "./feedforward_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { FlowScene } from "./feedforward_marks.js" */
/** @import { Places, StripName } from "./feedforward_places.js" */
/**
 * What a strip does, as last drawn: `cellAt` is the cell under the pointer, `point` points at a number, `now` is the
 * cell that is described, and `take` is what a press does, if anything.
 *
 * @typedef {object} Hand
 * @property {(event: MouseEvent) => number} cellAt
 * @property {(i: number | null) => void} point
 * @property {() => number} now
 * @property {((i: number) => void) | null} take
 */

/** @type {Record<StripName, string>} */
const ROLES = {
  concatenated: "input",
  pre_activation: "score",
  hidden: "activation",
  logits: "score",
  chances: "activation",
};
/** @type {Record<string, number>} how far a key goes */
const KEYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
/** @type {WeakMap<Element, Hand>} */
const hands = new WeakMap();

/**
 * One vector, upright: each cell has the colour of its number.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {Places} at
 * @param {StripName | "again"} where its place
 * @param {((i: number) => void) | null} take what a press on a cell does
 */
export function drawStrip(pen, scene, at, where, take = null) {
  const { data, colour, memory, again } = scene;
  const name = where === "again" ? "hidden" : where;
  const box = at.strips[where];
  if (!box) return;
  const { cells } = data.strips[name];
  const href = imageOf(scene, `${name} ${placeOf(scene)}`, 1, cells, shadeOf(scene, name));
  const point = memory.point?.where === where ? memory.point.i : null;
  const spoken = {
    "aria-label": nameOf(scene, name),
    "aria-orientation": "vertical",
    "aria-valuemin": 1,
    "aria-valuemax": cells,
    "aria-valuenow": (point ?? 0) + 1,
    "aria-valuetext": describeCell(scene, name, point ?? 0),
  };
  const node = pen.group({ key: where, role: "slider", tabindex: 0, class: "press", ...spoken }, (its) => {
    drawImage(its, href, box);
    const frame = { fill: "transparent", stroke: colour[ROLES[name]], line: 1.5, r: 2 };
    its.rect(box.left, box.top, box.wide, box.high, frame);
    if (point === null) return;
    const y = spot(box, point, cells);
    const look = { fill: colour.ink, stroke: colour.background, width: 1 };
    its.path(`M${box.left - 9} ${y - 5}l8 5l-8 5z`, look);
  });
  listen(node, {
    cellAt: (event) => cellUnder(node, cells, event),
    point: (i) => {
      memory.point = i === null ? null : { where, name, i: Math.min(Math.max(i, 0), cells - 1) };
      again();
    },
    take,
    now: () => (memory.point?.where === where ? memory.point.i : 0),
  });
}

/**
 * The colour of each cell.
 *
 * @param {FlowScene} scene @param {StripName} name @returns {(i: number) => string}
 */
function shadeOf(scene, name) {
  const { data } = scene;
  const { numbers, cells, reach } = data.strips[name];
  const start = placeOf(scene) * cells;
  const scale = name === "chances" ? data.shares : data.scale;
  return (i) => {
    const share = name === "chances" ? numbers[start + i] : (numbers[start + i] / reach + 1) / 2;
    return scale[Math.round(Math.min(Math.max(share, 0), 1) * (scale.length - 1))];
  };
}

/** @param {FlowScene} scene @param {StripName} name */
function nameOf({ data, hidden }, name) {
  const { name: letter, cells, whole } = data.strips[name];
  if (name === "concatenated" && hidden("size")) return letter;
  return `${letter}, ${cells < whole ? `first ${cells} of ${whole}` : whole} numbers`;
}

/**
 * A number of a strip in words.
 *
 * @param {FlowScene} scene @param {StripName} name @param {number} i
 */
export function describeCell(scene, name, i) {
  const { data } = scene;
  const { numbers, cells, name: letter } = data.strips[name];
  const now = placeOf(scene);
  const value = formatNumber(numbers[now * cells + i]);
  if (name !== "concatenated") return `${letter}, number ${i + 1}: ${value}`;
  const each = cells / data.sizes.context;
  const word = Math.floor(i / each);
  const number = word * data.sizes.width + (i % each) + 1;
  return `${letter}, number ${number}, from ${data.window_words[now][word]}: ${value}`;
}

/** @param {SVGGElement} node @param {number} cells @param {MouseEvent} event */
function cellUnder(node, cells, event) {
  const edge = /** @type {Element} */ (node.lastElementChild).getBoundingClientRect();
  const whole = /** @type {Element} */ (node.querySelector("rect")).getBoundingClientRect();
  const share = (event.clientY - whole.top) / (whole.height || edge.height);
  return Math.min(Math.max(Math.floor(share * cells), 0), cells - 1);
}

/**
 * Make a strip react to pointing and pressing; a second call replaces the reactions.
 *
 * @param {SVGGElement} node @param {Hand} given
 */
function listen(node, given) {
  const known = hands.get(node);
  if (known) {
    Object.assign(known, given);
    return;
  }
  const hand = { ...given };
  hands.set(node, hand);
  node.addEventListener("pointermove", (event) => hand.point(hand.cellAt(event)));
  node.addEventListener("pointerleave", () => hand.point(null));
  node.addEventListener("focus", () => node.matches(":focus-visible") && hand.point(0));
  node.addEventListener("blur", () => hand.point(null));
  node.addEventListener("click", (event) => hand.take?.(hand.cellAt(event)));
  node.addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    if (by) hand.point(hand.now() + by);
    else if (event.key === "Enter" && hand.take) hand.take(hand.now());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
