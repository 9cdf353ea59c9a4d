// The level that separates the merges already done from the later ones, and its handle.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, TokensScene } from "./tokens_places.js" */
/** @typedef {(pen: Pen, scene: TokensScene, at: Places) => void} DrawLevel */
/** @typedef {(event: PointerEvent, settled: boolean) => void} Move */

/**
 * The area below the level: the merges that are done.
 *
 * @type {DrawLevel}
 */
export function drawDone(pen, { values, colour }, at) {
  const y = at.levelOf(values("tokens_n"));
  pen.rect(at.left - 8, y, at.room + 16, at.base - y, { fill: colour.weight, "fill-opacity": 0.07, r: 6 });
  pen.line(at.left - 8, y, at.left + at.room + 8, y, { stroke: colour.weight, width: 2.5 });
}

/** @type {DrawLevel} */
export function drawLevel(pen, scene, at) {
  drawScale(pen, scene, at);
  const handle = pen.group({ key: "level", class: "level" }, (its) => drawHandle(its, scene, at));
  grab(handle, (event, settled) => scene.move("tokens_n", nearest(at, heightOf(handle, event)), settled));
}

/**
 * The scale of the level, in its own group: nodes that appear or disappear here must not move the handle's node, which
 * may have captured the pointer.
 *
 * @type {DrawLevel}
 */
function drawScale(pen, { values, before, colour, moved }, at) {
  const y = at.levelOf(values("tokens_n"));
  const x = scaleAt(at);
  const [top, foot] = [at.levelOf(at.last), at.base];
  const near = (/** @type {number} */ end) => Math.abs(end - y) < 26;
  const look = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "middle", halo: true });
  pen.group({ key: "axis", "data-axis": "y", "data-title": "merges" }, (its) => {
    its.line(x, top, x, foot, { stroke: colour.line, width: 4, "stroke-linecap": "round" });
    if (!near(foot)) its.text(x, foot + 5, "0", look);
    if (!near(top)) its.text(x, top + 5, at.narrow ? `${at.last}` : `${at.last} merges`, look);
    if (!before || moved !== "tokens_n") return;
    const old = at.levelOf(before("tokens_n"));
    const was = { key: "old", stroke: colour.quiet, width: 1.5, dash: "5 4" };
    its.line(at.left - 8, old, at.left + at.room + 8, old, was);
  });
}

/** @param {Places} at */
const scaleAt = (at) => (at.narrow ? 24 : 42);

/** @type {DrawLevel} */
function drawHandle(pen, { values, text, colour }, at) {
  const fill = colour.weight;
  const [x, y] = [scaleAt(at), at.levelOf(values("tokens_n"))];
  const number = text("tokens_n");
  const [wide, tall] = at.narrow ? [Math.max(32, textWidth(number, 15, true) + 12), 28] : [70, 40];
  pen.line(x, y, at.left + at.room + 8, y, { stroke: "transparent", width: 20 });
  pen.line(x, y, at.left - 8, y, { stroke: fill, width: 2.5 });
  const look = { r: tall / 2, fill: colour.background, stroke: fill, line: 2.5 };
  pen.rect(x - wide / 2, y - tall / 2, wide, tall, look);
  pen.text(x, y + (at.narrow ? 5 : 3), number, { size: at.narrow ? 15 : 18, bold: true, fill, anchor: "middle" });
  if (!at.narrow) pen.text(x, y + 16, "merges", { size: 13, fill, anchor: "middle" });
}

/**
 * The height of the pointer, in units of the drawing.
 *
 * @param {SVGElement} node @param {PointerEvent} event
 */
function heightOf(node, event) {
  const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);
  const screen = /** @type {DOMMatrix} */ (svg.getScreenCTM());
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse()).y;
}

/**
 * The number of merges whose level is nearest to a height.
 *
 * @param {Places} at @param {number} y
 */
function nearest(at, y) {
  let best = 0;
  for (let n = 0; n <= at.last; n++) if (Math.abs(at.levelOf(n) - y) < Math.abs(at.levelOf(best) - y)) best = n;
  return best;
}

/** @type {WeakMap<SVGElement, Move>} the callback of each handle */
const grabbed = new WeakMap();

/**
 * Make a handle draggable; a later call replaces its callback.
 *
 * @param {SVGElement} node @param {Move} move
 */
function grab(node, move) {
  const listens = grabbed.has(node);
  grabbed.set(node, move);
  if (listens) return;
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    held = true;
  });
  node.addEventListener("pointermove", (event) => {
    if (held) grabbed.get(node)?.(event, false);
  });
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
    node.addEventListener(kind, (event) => {
      if (held) grabbed.get(node)?.(event, true);
      held = false;
    });
}
