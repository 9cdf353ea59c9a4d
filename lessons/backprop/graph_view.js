// The visible part of a graph that is too large for its room: it follows the step, and can be dragged.

import { still } from "../../drawing/main_picture.js";
import { between, boxOf } from "./graph_sizes.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GraphScene, Moment } from "./graph_scene.js" */
/** @import { Plan, Room } from "./graph_sizes.js" */
/** @typedef {{ x: number, y: number }} Corner the left and upper end of the part that is seen */
/**
 * What the picture stores about the visible part.
 *
 * @typedef {object} View
 * @property {Corner} view
 * @property {Corner | null} to where it is on its way
 * @property {string} followed the step and the sizes for which it has set out
 * @property {[x: number, y: number] | null} grip where it is held, in px
 */

const STRIDE = 60; // units that an arrow key moves it
/** @type {Record<string, [dx: number, dy: number] | undefined>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const EASE = 0.2; // the share of its way that it goes in a drawing

/** @param {Plan} plan @param {Room} room */
const isLarger = (plan, room) => plan.width > room.width + 1 || plan.height > room.height + 1;

/**
 * The visible part: on its way to the step's first node, or where it has been dragged.
 *
 * @param {GraphScene} scene
 * @param {Plan} plan
 * @param {Room} room
 * @param {{ at: number, focus: number }} step its place in the walk, and the node that must be visible
 */
export function seenPart({ memory, again }, plan, room, { at, focus }) {
  if (!isLarger(plan, room)) return (memory.view = { x: 0, y: 0 });
  /** @type {(corner: Corner) => Corner} */
  const clamp = ({ x, y }) => ({
    x: between(x, 0, plan.width - room.width),
    y: between(y, 0, plan.height - room.height),
  });
  let view = clamp(memory.view ?? { x: 0, y: 0 });
  const followed = `${at} ${plan.width} ${plan.height} ${room.width} ${room.height}`;
  if (memory.followed !== followed) {
    memory.followed = followed;
    memory.to = clamp(towards(view, plan, room, focus));
    if (still()) view = memory.to;
  }
  if (memory.to) {
    const { to } = memory;
    const [dx, dy] = [to.x - view.x, to.y - view.y];
    const near = Math.abs(dx) + Math.abs(dy) < 1;
    view = near ? to : { x: view.x + dx * EASE, y: view.y + dy * EASE };
    if (near) memory.to = null;
    else again();
  }
  return (memory.view = view);
}

/**
 * The least move after which a node is visible.
 *
 * @param {Corner} view @param {Plan} plan @param {Room} room @param {number} id @returns {Corner}
 */
function towards(view, plan, room, id) {
  const box = boxOf(plan, id);
  const margin = { x: Math.min(room.width / 5, 120), y: Math.min(room.height / 5, 90) };
  /** @type {(from: number, low: number, high: number, length: number, edge: number) => number} */
  const move = (from, low, high, length, edge) => between(from, high + edge - length, low - edge);
  return {
    x: move(view.x, box.left, box.right, room.width, margin.x),
    y: move(view.y, box.top, box.foot, room.height, margin.y),
  };
}

/**
 * The surface that is dragged, or moved with the wheel or the arrow keys, to see another part.
 *
 * @param {Pen} pen @param {GraphScene} scene @param {Moment} now
 */
export function drawSurface(pen, { memory, again }, { plan, room, view }) {
  const larger = isLarger(plan, room);
  /** @type {(dx: number, dy: number) => void} */
  const by = (dx, dy) => {
    const from = memory.view ?? view;
    memory.to = null;
    memory.view = { x: from.x + dx, y: from.y + dy };
    again();
  };
  const svg = /** @type {SVGElement} */ (pen.parent);
  /** @param {WheelEvent} event */
  const turn = (event) => {
    event.preventDefault();
    by(event.deltaX, event.deltaY);
  };
  svg.onwheel = larger ? turn : null;
  if (!larger) return;
  const node = drawGround(pen, room);
  letDrag(node, memory, svg.getBoundingClientRect().width / room.width || 1, by);
  node.onkeydown = (event) => {
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    by(STRIDE * way[0], STRIDE * way[1]);
  };
}

/**
 * The background, which receives the pointer and the keys outside the nodes.
 *
 * @param {Pen} pen @param {Room} room
 */
function drawGround(pen, room) {
  return pen.rect(0, 0, room.width, room.height, {
    key: "surface",
    r: 0,
    fill: pen.colour.background,
    "fill-opacity": 0,
    tabindex: 0,
    role: "region",
    "data-arrows": "",
    style: "touch-action: none; cursor: grab",
    "aria-label": "A part of the graph; drag, or use the arrow keys, to see the rest",
    class: "press",
  });
}

/**
 * Make the graph draggable.
 *
 * @param {SVGElement} node
 * @param {GraphScene["memory"]} memory
 * @param {number} unit in px
 * @param {(dx: number, dy: number) => void} by
 */
function letDrag(node, memory, unit, by) {
  node.onpointerdown = (event) => {
    memory.grip = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  };
  node.onpointermove = (event) => {
    if (!memory.grip) return;
    by((memory.grip[0] - event.clientX) / unit, (memory.grip[1] - event.clientY) / unit);
    memory.grip = [event.clientX, event.clientY];
  };
  node.onpointerup = node.onpointercancel = () => (memory.grip = null);
}

/**
 * Scroll bars that show which part is visible.
 *
 * @param {Pen} pen @param {Moment} now
 */
export function drawScrollBars(pen, { plan, room, view }) {
  const { line, quiet } = pen.colour;
  /** @type {(key: string, x: number, y: number, width: number, height: number, fill: string) => void} */
  const bar = (key, x, y, width, height, fill) => void pen.rect(x, y, width, height, { key, r: 3, fill });
  if (plan.height > room.height + 1) {
    const [length, from] = [(room.height * room.height) / plan.height, (room.height * view.y) / plan.height];
    bar("down", room.width - 9, 2, 6, room.height - 4, line);
    bar("downThumb", room.width - 9, from + 2, 6, length - 4, quiet);
  }
  if (plan.width > room.width + 1) {
    const [length, from] = [(room.width * room.width) / plan.width, (room.width * view.x) / plan.width];
    bar("across", 2, room.height - 9, room.width - 4, 6, line);
    bar("acrossThumb", from + 2, room.height - 9, length - 4, 6, quiet);
  }
}
