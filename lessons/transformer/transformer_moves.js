// The moves of the camera: animated to a part or a cell, or directly with a drag.

import { still } from "../../drawing/main_picture.js";
import { between, fitCell, fitPart } from "./transformer_camera.js";
import { numbersOf } from "./transformer_numbers.js";

/** @import { Camera, Cell } from "./transformer_camera.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { View } from "./transformer_view.js" */

const FLIGHT = 380; // duration of an animated move, in ms
const REST = 120; // ms without an event after which a drag counts as paused

/**
 * Move the camera, animated by default.
 *
 * @param {View} view
 * @param {Camera} to
 * @param {boolean} animated whether the move is animated
 */
export function moveTo({ look, scene: { again } }, to, animated = true) {
  look.flight = null;
  if (!animated || still()) {
    Object.assign(look, { camera: to, moving: false });
    return again();
  }
  const flight = { from: look.camera, to, start: performance.now() };
  Object.assign(look, { flight, moving: true });
  /** @param {number} now */
  const step = (now) => {
    if (look.flight !== flight) return; // another move has started
    const share = Math.min(Math.max((now - flight.start) / FLIGHT, 0), 1);
    look.camera = share < 1 ? between(flight.from, to, 1 - (1 - share) ** 3) : to;
    look.moving = share < 1;
    again();
    if (share < 1) requestAnimationFrame(step);
    else look.flight = null;
  };
  requestAnimationFrame(step);
}

/**
 * Zoom to a part.
 *
 * @param {View} view @param {Part} part
 */
export function lookAt(view, part, animated = true) {
  view.look.part = part;
  moveTo(view, fitPart(part, view.strips), animated);
}

/**
 * Zoom to a cell of a tile until its number is legible; to the tile if its numbers were not sent.
 *
 * @param {View} view @param {Part} tile @param {Cell} cell
 */
export function nearCell(view, tile, cell, animated = true) {
  const numbers = numbersOf(view.model, tile);
  if (!numbers) return lookAt(view, tile, animated);
  view.look.part = tile;
  moveTo(view, fitCell(tile, numbers.columns, cell, view.strips), animated);
}

/**
 * Zoom to a part, and send its id to the server.
 *
 * @param {View} view @param {Part} part
 */
export function openPart(view, part) {
  lookAt(view, part);
  view.scene.send({ zoom: part.id });
}

/**
 * Move the camera during a drag. The numbers of the cells are drawn again when the drag pauses.
 *
 * @param {View} view @param {Camera} camera
 */
export function moveByHand({ look, scene: { again } }, camera) {
  Object.assign(look, { camera, moving: true, flight: null });
  clearTimeout(look.resting);
  look.resting = window.setTimeout(() => {
    look.moving = false;
    again();
  }, REST);
  again();
}
