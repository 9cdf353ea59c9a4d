// How numbers that follow the hand reach the pictures: a frame is one row of numbers, one per name,
// which sliders.js sends to every picture of its group.

/** @import { Shown, Values } from "./types.js" */

// A frame: the row, and the name and the label of the slider that is moved; `own` where a picture moved on
// by itself.
export const frameEvent = (group) => `frame:${group}`;

// How a picture moves a slider of its group: sliders.js listens, and acts as if the hand had.
export const moveEvent = (group) => `move:${group}`;
export const nudge = (group, name, value, settled) =>
  window.dispatchEvent(new CustomEvent(moveEvent(group), { detail: { name, value, settled } }));

const followed = new WeakMap();

/**
 * Call draw(values) now and on every frame of the group, at most once per screen refresh.
 * Components call this on every render; the previous subscription of the same element ends.
 *
 * @param {any} element
 * @param {Shown} data
 * @param {(values: Values) => void} draw
 */
export function follow(element, data, draw) {
  followed.get(element)?.();
  const index = new Map(data.names.map((name, i) => [name, i]));
  let row = data.now;
  let waiting = 0;
  const values = (name) => row[index.get(name)];
  const paint = () => {
    waiting = 0;
    draw(values);
  };
  const onFrame = (event) => {
    ({ row } = event.detail);
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
