// How live numbers reach the pictures: a frame is one row of numbers, one per name,
// which sliders.js sends to every picture of its group.

/** @import { Shown, Stop, Values } from "./types.js" */

/** @typedef {Float64Array} Row all numbers of a group, in the order of their names */
/**
 * @typedef {object} Frame
 * @property {Row} row
 * @property {string} moved the slider that is moved
 * @property {string} label of that slider
 * @property {boolean} [own] whether a picture moved on by itself
 */
/** @typedef {{ name: string, value: number, settled: boolean }} Nudge how a slider is moved */

/** @param {string} group */
export const frameEvent = (group) => `frame:${group}`;

/**
 * The event by which a picture moves a slider of its group: sliders.js treats it like a drag of the slider.
 *
 * @param {string} group
 */
export const moveEvent = (group) => `move:${group}`;

/** @param {string} group @param {string} name @param {number} value @param {boolean} settled */
export function nudge(group, name, value, settled) {
  window.dispatchEvent(new CustomEvent(moveEvent(group), { detail: { name, value, settled } }));
}

/** @type {WeakMap<object, Stop>} */
const followed = new WeakMap();

/**
 * Call draw(values) now and on every frame of the group, at most once per screen refresh.
 * Components call this on every render; the previous subscription of the same element ends.
 *
 * @param {object} element @param {Shown} data @param {(values: Values) => void} draw @returns {Stop}
 */
export function follow(element, data, draw) {
  followed.get(element)?.();
  const index = new Map(data.names.map((name, i) => [name, i]));
  let row = data.now;
  let waiting = 0;
  /** @type {Values} */
  const values = (name) => row[/** @type {number} */ (index.get(name))];
  const paint = () => {
    waiting = 0;
    draw(values);
  };
  /** @param {Event} event */
  const onFrame = (event) => {
    ({ row } = /** @type {CustomEvent<Frame>} */ (event).detail);
    waiting ||= requestAnimationFrame(paint);
  };
  window.addEventListener(frameEvent(data.group), onFrame);
  const stop = () => {
    window.removeEventListener(frameEvent(data.group), onFrame);
    cancelAnimationFrame(waiting);
  };
  followed.set(element, stop);
  draw(values);
  return stop;
}
