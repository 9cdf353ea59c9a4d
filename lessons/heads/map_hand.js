// Handles the pointer, the arrow keys and the wheel over the map of the open head and the words beside it.

import { follow, pointAt, takeArrow, tokenAt, walkTo, within } from "./heads_hand.js";
import { readout } from "./map_foot.js";

/** @import { MapPlaces } from "./heads_layout.js" */
/** @import { Draw, HeadsScene, State } from "./heads_scene.js" */

const NOTCH = 30; // pixels of the wheel per square that the map moves
const PLAIN = { fill: "transparent", r: 0, class: "press" };

/** @type {Draw} */
export function drawCover(pen, scene, at, state) {
  const { map } = at;
  const { rows, columns } = state.inMap;
  const marked = readout(scene, state, { query: state.query, key: state.focus }) ?? "";
  const node = pen.rect(map.left, map.top, map.width, map.height, {
    key: "cells",
    ...PLAIN,
    tabindex: 0,
    role: "group",
    "data-part": "map",
    "data-arrows": "",
    "aria-label": `The open head: one row for each query, one column for each key. ${marked} Arrow keys move from square to square.`,
  });
  /** @param {MouseEvent} event */
  const pairAt = (event) => ({ query: tokenAt(event, "y", rows), key: tokenAt(event, "x", columns) });
  node.onpointermove = (event) => pointAt(scene, pairAt(event));
  node.onpointerleave = () => pointAt(scene, null);
  node.onclick = (event) => follow(scene, state, pairAt(event));
  node.onkeydown = (event) => step(scene, state, event);
  node.onwheel = (event) => scroll(scene, map, state, event);
  if (map.labelled) coverWords(pen, scene, at, state);
}

/**
 * The words beside the map; a press follows one.
 *
 * @type {Draw}
 */
function coverWords(pen, scene, { map, label }, state) {
  const { rows, columns } = state.inMap;
  const left = { key: "rows", ...PLAIN, "data-part": "queries" };
  const queries = pen.rect(map.left - label, map.top, label - 4, map.height, left);
  queries.onclick = (event) => follow(scene, state, { query: tokenAt(event, "y", rows) });
  const above = { key: "columns", ...PLAIN, "data-part": "keys" };
  const keys = pen.rect(map.left, map.top - label, map.width, label - 4, above);
  keys.onclick = (event) => follow(scene, state, { key: tokenAt(event, "x", columns) });
}

/**
 * Mark the next pair in the direction of an arrow key.
 *
 * @param {HeadsScene} scene @param {State} state @param {KeyboardEvent} event
 */
function step(scene, state, event) {
  const way = takeArrow(event);
  if (!way) return;
  const { rows, columns } = state.view;
  /** @type {(places: number[], place: number, by: number) => number} */
  const next = (places, place, by) => places[within(Math.max(places.indexOf(place), 0) + by, places.length)];
  const from = scene.memory.walk ?? { query: state.query, key: state.focus }; // ahead of what is drawn
  walkTo(scene, state, { query: next(rows, from.query, way[0]), key: next(columns, from.key, way[1]) });
}

/**
 * Move an enlarged map with the wheel.
 *
 * @param {HeadsScene} scene @param {MapPlaces} map @param {State} state @param {WheelEvent} event
 */
function scroll({ memory, again }, map, { view, first, inMap, point }, event) {
  if (!map.near) return;
  event.preventDefault();
  const turned = (memory.turned ??= { x: 0, y: 0 });
  const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  Object.assign(turned, { x: turned.x + dx, y: turned.y + dy });
  /** @param {"x" | "y"} side */
  const take = (side) => {
    const steps = Math.trunc(turned[side] / NOTCH);
    turned[side] -= NOTCH * steps;
    return steps;
  };
  /** @type {(from: number, by: number, shown: number, count: number) => number} */
  const move = (from, by, shown, count) => Math.min(Math.max(from + by, 0), Math.max(count - shown, 0));
  const moved = {
    row: move(first.row, take("y"), map.shown.rows, view.rows.length),
    column: move(first.column, take("x"), map.shown.columns, view.columns.length),
  };
  memory.first = moved;
  if (point && !("layer" in point)) {
    // another square is under the pointer now
    const [r, c] = [inMap.rows.indexOf(point.query), inMap.columns.indexOf(point.key)];
    memory.point = { query: view.rows[moved.row + r], key: view.columns[moved.column + c] };
  }
  again();
}
