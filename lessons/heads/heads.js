// All heads of a model over a text, one of them open, and the row of one query before and after the softmax.
//
// The script has all weights, and the numbers of the query's row in every head, so opening a head needs no server. The
// open head is sent when no more presses follow, with its text, since the server may have read another text by then.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawGrid } from "./heads_grid.js";
import { drawMap } from "./heads_map.js";
import { drawRow } from "./heads_row.js";
import { stateOf } from "./heads_scene.js";
import { rowOf } from "./heads_state.js";
import { arrived, weightsOf } from "./weights.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Data, Draw, Hand, HeadsScene } from "./heads_scene.js" */

const FAINT = 0.16; // the opacity of a part while a beat speaks of others
/** @type {WeakMap<ShadowRoot, Hand>} */
const hands = new WeakMap();

/** @param {Component<Scripts["heads"]>} component */
export default function heads(component) {
  const { data, parentElement } = component;
  const hand = handIn(parentElement);
  hand.exactOf = { layer: data.now[0], head: data.now[1] };
  keepOpen(hand, data);
  hand.before = { of: data.of, query: data.query };
  window.addEventListener(arrived(data.group), hand.listen);
  const stop = mainPicture(component, (pen, /** @type {HeadsScene} */ scene) => drawHeads(pen, scene, hand));
  return () => {
    window.removeEventListener(arrived(data.group), hand.listen);
    clearTimeout(hand.timer);
    stop();
  };
}

/** @param {ShadowRoot} root */
function handIn(root) {
  const known = hands.get(root);
  if (known) return known;
  /** @type {Hand} */
  const hand = { open: null, timer: 0, again: () => {}, listen: () => hand.again(), exactOf: { layer: 0, head: 0 } };
  hands.set(root, hand);
  return hand;
}

/**
 * Keep the head that the user has opened, until the server has answered or sends another row.
 *
 * @param {Hand} hand @param {Data} data
 */
function keepOpen(hand, data) {
  if (!hand.open) return;
  const sameRow = hand.before?.of === data.of && hand.before.query === data.query;
  const heard = data.now[0] === hand.open.layer && data.now[1] === hand.open.head;
  if (sameRow && !heard) data.now = rowOf(data, hand.open);
  else hand.open = null;
}

/** @param {Pen} pen @param {HeadsScene} scene @param {Hand} hand */
function drawHeads(pen, scene, hand) {
  const start = performance.now();
  const { data, memory } = scene;
  hand.again = scene.again;
  const { at, state } = stateOf(pen, scene, hand);
  /** @type {(key: string, draw: Draw) => void} */
  const part = (key, draw) => {
    const opacity = scene.dim(key) ? FAINT : null;
    pen.group({ key, opacity }, (inner) => draw(inner, scene, at, state));
  };
  if (state.shows !== "map") part("grid", drawGrid);
  if (state.shows !== "row") part("head", drawMap);
  if (state.shows !== "map") part("row", drawRow);
  if (at.narrow) drawChooser(pen, scene, at, state);
  if (state.codes && memory.painted !== data.of) {
    memory.painted = data.of;
    performance.measure("heads", { start: start - (weightsOf.get(data.group)?.took ?? 0) });
  }
}

/**
 * The name of the open head on a phone, and the button that switches between its map, and all heads with the row.
 *
 * @type {Draw}
 */
function drawChooser(pen, scene, { heading }, { shows, open }) {
  const { memory, colour, again } = scene;
  const { x, y } = heading;
  pen.text(x, y, `Layer ${open.layer}, head ${open.head}`, { key: "heading", size: 16, bold: true });
  const text = shows === "row" ? "Show the map" : "Show all heads";
  const [wide, right] = [124, scene.width - 8];
  const press = () => {
    memory.shows = shows === "row" ? "map" : "row";
    again();
  };
  /** @param {Pen} button */
  const draw = (button) => {
    button.rect(right - wide, y - 18, wide, 26, { r: 13, fill: colour.background, stroke: colour.ink });
    button.text(right - wide / 2, y, text, { size: 14, anchor: "middle" });
  };
  pen.button(text, press, draw, { key: "chooser" });
}
