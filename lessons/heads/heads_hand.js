// User input in the picture of heads: hovering, opening a head, following tokens, and the arrow keys.
// It is sent to the server after REST ms without further input.

import { rowOf } from "./heads_state.js";

/** @import { Head, HeadsScene, Pair, Point, State } from "./heads_scene.js" */

const REST = 300; // milliseconds before a press is sent to the server
/** @type {Record<string, readonly [down: number, right: number] | undefined>} */
const WAYS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/**
 * The direction of a pressed arrow key, whose default action is prevented; null for another key.
 *
 * @param {KeyboardEvent} event
 */
export function takeArrow(event) {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey) return null;
  event.preventDefault();
  event.stopPropagation();
  return way;
}

/**
 * The nearest whole number from 0 to below `count`.
 *
 * @param {number} value @param {number} count
 */
export const within = (value, count) => Math.min(Math.max(value, 0), count - 1);

/**
 * The index of the token at the pointer, along a side of the pressed element.
 *
 * @param {MouseEvent} event
 * @param {"x" | "y"} side
 * @param {readonly number[]} places of these tokens
 */
export function tokenAt({ currentTarget, clientX, clientY }, side, places) {
  const box = /** @type {Element} */ (currentTarget).getBoundingClientRect();
  const share = side === "x" ? (clientX - box.left) / box.width : (clientY - box.top) / box.height;
  return places[within(Math.floor(share * places.length), places.length)];
}

/** @param {HeadsScene} scene @param {Point | null} point */
export function pointAt({ memory, again }, point) {
  if (nameOf(point) === nameOf(memory.point ?? null)) return;
  memory.point = point;
  again();
}

/** @param {Point | null} point */
function nameOf(point) {
  if (!point) return "";
  const { query, key } = point;
  return "layer" in point ? `${point.layer},${point.head},${query},${key}` : `${query},${key}`;
}

/** @param {HeadsScene} scene @param {State} state @param {Head} head */
export function openHead({ data, memory, play, send }, { hand }, { layer, head }) {
  hand.open = { layer, head };
  memory.point = null;
  play(rowOf(data, hand.open));
  clearTimeout(hand.timer);
  hand.timer = setTimeout(() => send({ of: data.of, layer, head }), REST);
}

/**
 * Follow a query, a key, or both. A second press on a followed token releases the key.
 *
 * @param {HeadsScene} scene @param {State} state @param {Partial<Pair>} pair
 */
export function follow(scene, state, pair) {
  const { query, key } = scene.data;
  const same = (pair.query ?? query) === query && (pair.key ?? key) === key;
  if (same && pair.key === undefined) return;
  sendPair(scene, state, same ? { key: -1 } : pair);
}

/**
 * Send to the server at once which tokens are followed, and which head was open then.
 *
 * @param {HeadsScene} scene @param {State} state @param {Partial<Pair>} pair
 */
function sendPair({ data, send }, { hand, open }, pair) {
  clearTimeout(hand.timer);
  hand.open = null;
  send({ of: data.of, ...pair, at: [open.layer, open.head] });
}

/**
 * Mark another pair at once.
 *
 * @param {HeadsScene} scene @param {State} state @param {Pair} pair
 */
export function walkTo(scene, state, pair) {
  const { memory, again } = scene;
  const { hand } = state;
  memory.walk = pair;
  again();
  clearTimeout(hand.timer);
  hand.timer = setTimeout(() => sendPair(scene, state, pair), REST);
}
