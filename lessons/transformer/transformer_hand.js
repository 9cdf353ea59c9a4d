// Pointer, wheel and key events on the model: a press zooms to a part or opens a number; drags, pinches, the wheel and
// the keys move the camera.

import { panned, zoomed } from "./transformer_camera.js";
import { moveByHand, moveTo, nearCell, openPart } from "./transformer_moves.js";
import { numbersOf } from "./transformer_numbers.js";
import { boxOf, cellsOf, heightOf, laneOf } from "./transformer_places.js";
import { nameOf } from "./transformer_tree.js";

/** @import { Draw, Drawing, Spot, View } from "./transformer_view.js" */

/** @typedef {[x: number, y: number]} Point */
/** @typedef {{ from: Point, now: Point, moved: boolean }} Finger its first and last place, whether it drags */

const STILL = 4; // a shorter movement, in units, is a press rather than a drag
/** @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
/** @type {WeakMap<SVGElement, Drawing>} the drawing that lies under the surface of each picture */
const drawings = new WeakMap();

/**
 * The invisible surface that receives pointer, wheel and key events.
 *
 * @type {Draw}
 */
export function drawSurface(pen, drawing) {
  const { plot, look, scene } = drawing;
  const node = pen.rect(plot.left, plot.top - 8, plot.width, plot.height + 12, {
    key: "hand",
    fill: "transparent",
    r: 0,
    class: "press",
    tabindex: 0,
    role: "group",
    "aria-label": `${scene.data.model}, now ${nameOf(look.part)}. Plus and minus zoom, arrow keys move, Backspace goes back.`,
    "data-part": "hand",
    "data-arrows": "",
    style: "touch-action:none",
  });
  const listens = drawings.has(node);
  drawings.set(node, drawing);
  if (listens) return;
  const now = () => /** @type {Drawing} */ (drawings.get(node));
  listenToFingers(node, now);
  listenToWheel(node, now);
  node.addEventListener("keydown", (event) => pressKey(now(), event));
}

/**
 * Where an event is, in units of the drawing.
 *
 * @param {SVGElement} node @param {MouseEvent} event @returns {Point}
 */
function pointOf(node, event) {
  const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

/**
 * Where a point is, as shares of the plot.
 *
 * @param {View} view @param {Point} point @returns {Point}
 */
const shareOf = ({ plot }, [x, y]) => [(x - plot.left) / plot.width, (y - plot.top) / plot.height];

/** @param {SVGElement} node @param {() => Drawing} now */
function listenToFingers(node, now) {
  /** @type {Map<number, Finger>} */
  const fingers = new Map();
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    const point = pointOf(node, event);
    fingers.set(event.pointerId, { from: point, now: point, moved: fingers.size > 0 });
    for (const each of fingers.values()) each.moved ||= fingers.size > 1;
  });
  node.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    const point = pointOf(node, event);
    if (!finger) return pointAt(now(), spotAt(now(), point));
    if (!finger.moved && Math.hypot(point[0] - finger.from[0], point[1] - finger.from[1]) < STILL) return;
    finger.moved = true;
    const before = [...fingers.values()].map((each) => each.now);
    finger.now = point;
    const after = [...fingers.values()].map((each) => each.now);
    if (after.length === 1) drag(now(), before[0], point);
    else pinch(now(), before, after);
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    const finger = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (finger && !finger.moved && event.type === "pointerup") press(now(), pointOf(node, event));
  };
  node.addEventListener("pointerup", lift);
  node.addEventListener("pointercancel", lift);
  node.addEventListener("pointerleave", () => {
    if (!fingers.size) pointAt(now(), null);
  });
}

/**
 * Move the model with one finger or the mouse.
 *
 * @param {View} view @param {Point} from @param {Point} to
 */
function drag(view, from, to) {
  const { plot, look } = view;
  moveByHand(view, panned(look.camera, (from[0] - to[0]) / plot.width, (from[1] - to[1]) / plot.height));
}

/**
 * Move the model with the midpoint of two fingers, and zoom with their distance.
 *
 * @param {Drawing} drawing @param {readonly Point[]} before @param {readonly Point[]} after
 */
function pinch(drawing, before, after) {
  const { plot, look } = drawing;
  const [a, b] = [before, after].map(([p, q]) => ({
    middle: /** @type {Point} */ ([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]),
    size: Math.hypot(p[0] - q[0], p[1] - q[1]) || 1,
  }));
  const [u, v] = shareOf(drawing, b.middle);
  const [du, dv] = [(a.middle[0] - b.middle[0]) / plot.width, (a.middle[1] - b.middle[1]) / plot.height];
  moveByHand(drawing, panned(zoomed(look.camera, u, v, b.size / a.size, zoomsBoth(drawing)), du, dv));
}

/**
 * Let the wheel zoom around the pointer; with the shift key, or for a horizontal scroll, it moves the model.
 *
 * @param {SVGElement} node @param {() => Drawing} now
 */
function listenToWheel(node, now) {
  /** @param {WheelEvent} event */
  const turn = (event) => {
    event.preventDefault();
    const drawing = now();
    const { camera } = drawing.look;
    const { deltaX, deltaY } = event;
    if (event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY))
      return moveByHand(drawing, panned(camera, (deltaX || deltaY) / 1000, 0));
    const [u, v] = shareOf(drawing, pointOf(node, event));
    moveByHand(drawing, zoomed(camera, u, v, Math.exp(-deltaY * 0.0018), zoomsBoth(drawing)));
  };
  node.addEventListener("wheel", turn, { passive: false });
}

/**
 * Whether a zoom also changes the height: only once at most three tensors are on screen.
 *
 * @param {Drawing} drawing
 */
const zoomsBoth = ({ parts: { drawn } }) => drawn.length <= 3 && drawn.every((part) => part.kind === "tile");

/**
 * The smallest drawn part at a point, and the cell of its tile; null if there is no part.
 *
 * @param {Drawing} drawing @param {Point} point @returns {Spot | null}
 */
function spotAt(drawing, [x, y]) {
  const { plot, parts } = drawing;
  if (x < plot.left || x > plot.left + plot.width || y < plot.top - 6 || y > plot.top + plot.height + 4) return null;
  for (const part of parts.drawn) {
    const { top, bottom } = heightOf(drawing, part);
    if (!isAcross(drawing, part, x) || y < top || y > bottom) continue;
    const cells = part.kind === "tile" ? cellsOf(drawing, part) : null;
    return { part, cell: cells && cells.wide >= 2 ? cells.at(x, y) : null };
  }
  const strip = stripAt(drawing, y);
  const open = parts.open.filter((part) => part.strip === strip && isAcross(drawing, part, x)).at(-1);
  return open ? { part: open, cell: null } : null;
}

/** @param {View} view @param {Spot["part"]} part @param {number} x */
function isAcross(view, part, x) {
  const { left, width } = boxOf(view, part);
  return x >= left && x <= left + width;
}

/**
 * The strip at a height, or −1.
 *
 * @param {View} view @param {number} y
 */
const stripAt = (view, y) =>
  view.strips.findIndex(({ rows }, strip) => {
    const { top, high } = laneOf(view, strip, 0);
    return y >= top && y <= top + high * rows;
  });

/**
 * After a press: zoom to the part, then to a cell of its tile; if the cell is legible, open its number.
 *
 * @param {Drawing} drawing @param {Point} point
 */
function press(drawing, point) {
  const spot = spotAt(drawing, point);
  if (!spot) return;
  const { part, cell } = spot;
  if (!cell) return openPart(drawing, part);
  const { plot, look, scene } = drawing;
  if (cellsOf(drawing, part)?.legible)
    return scene.send({ at: `${part.stage}[${cell.row}, ${part.first + cell.column}]`, zoom: part.id });
  if (boxOf(drawing, part).width < 0.6 * plot.width && look.part !== part) return openPart(drawing, part);
  nearCell(drawing, part, cell);
}

/** @param {Drawing} drawing @param {KeyboardEvent} event */
function pressKey(drawing, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { look, model } = drawing;
  /** @type {Point | undefined} */
  const way = WAYS[event.key];
  /** @param {number} factor */
  const zoom = (factor) => moveTo(drawing, zoomed(look.camera, 0.5, 0.5, factor, zoomsBoth(drawing)));
  if (way && model.data.number && model.opened) stepNumber(drawing, way);
  else if (way) moveByHand(drawing, panned(look.camera, ...way));
  else if (event.key === "+" || event.key === "=") zoom(1.6);
  else if (event.key === "-") zoom(1 / 1.6);
  else if (event.key === "Backspace" && look.part.parent) openPart(drawing, look.part.parent);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Open the number next to the open one.
 *
 * @param {View} view @param {Point} way
 */
function stepNumber({ model, scene }, [dx, dy]) {
  const { data, opened } = model;
  const numbers = opened && numbersOf(model, opened);
  if (!data.number || !numbers) return;
  const { stage, row, column } = data.number;
  const to = {
    row: Math.min(Math.max(row + Math.sign(dy), 0), numbers.rows - 1),
    column: Math.min(Math.max(column - opened.first + Math.sign(dx), 0), numbers.columns - 1) + opened.first,
  };
  scene.send({ at: `${stage}[${to.row}, ${to.column}]` });
}

/**
 * Set what is pointed at; null for nothing.
 *
 * @param {View} view @param {Spot | null} spot
 */
function pointAt({ look, scene }, spot) {
  const { over } = look;
  const [cell, other] = [over?.cell, spot?.cell];
  const same = over?.part === spot?.part && cell?.row === other?.row && cell?.column === other?.column;
  if (same) return;
  look.over = spot;
  scene.again();
}
