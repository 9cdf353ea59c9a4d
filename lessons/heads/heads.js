// All heads of a model over a text, one of them open, and the row of one query before and after the softmax.
//
// All weights are here, and the numbers of the query's row in every head, so that opening a head asks the
// server nothing; it hears which head is open once the hand rests, and in which text, since it may have read
// another one by then.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { sharpness } from "../shared/canvas.js";
import { paints, textOf } from "./heads_codes.js";
import { drawGrid } from "./heads_grid.js";
import { places } from "./heads_layout.js";
import { drawMap, labelRoom } from "./heads_map.js";
import { drawRow } from "./heads_row.js";
import { codeAt, rowOf, viewOf, windowAround } from "./heads_state.js";
import { arrived, weightsOf } from "./weights.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["heads"]} Data */

const DIM = 0.16;
const REST = 300; // milliseconds after which the server hears what was opened
/** @type {WeakMap<object, any>} */
const hands = new WeakMap();

/** @param {Component<Data>} component */
export default function heads(component) {
  const { data, parentElement } = component;
  const hand = hands.get(parentElement) ?? { open: null, timer: 0, again: () => {} };
  hands.set(parentElement, hand);
  hand.exactOf = [data.now[0], data.now[1]];
  if (hand.open) data.now = ahead(hand, data) ?? data.now;
  hand.before = { of: data.of, query: data.query };
  hand.listen ??= () => hand.again();
  window.addEventListener(arrived(data.group), hand.listen);
  const stop = mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => draw(pen, scene, hand));
  return () => {
    window.removeEventListener(arrived(data.group), hand.listen);
    clearTimeout(hand.timer);
    stop();
  };
}

// The head that the hand has opened stays, until the server has heard of it or shows another row.
function ahead(hand, data) {
  const { layer, head } = hand.open;
  const same = hand.before?.of === data.of && hand.before.query === data.query;
  if (!same || (data.now[0] === layer && data.now[1] === head)) {
    hand.open = null;
    return null;
  }
  return rowOf(data, hand.open);
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene, hand) {
  const start = performance.now();
  hand.again = scene.again;
  const its = readState(scene, pen, hand);
  const { shows } = its;
  const part = (key, how) => pen.group({ key, opacity: scene.dim(key) ? DIM : null }, (inner) => how(inner, its));
  if (shows !== "map") part("grid", drawGrid);
  if (shows !== "row") part("head", drawMap);
  if (shows !== "map") part("row", drawRow);
  if (its.at.narrow) chooser(pen, its, shows);
  if (its.codes && scene.memory.painted !== scene.data.of) {
    scene.memory.painted = scene.data.of;
    performance.measure("heads", { start: start - (weightsOf.get(scene.data.group)?.took ?? 0) });
  }
}

function readState(scene, pen, hand) {
  const { data, width, height, narrow, values, memory, colour } = scene;
  if (memory.data !== data) Object.assign(memory, { data, walk: null, point: null });
  const view = viewOf(data);
  const open = { layer: values("@layer"), head: values("@head"), key: `${values("@layer")}.${values("@head")}` };
  const query = memory.walk?.query ?? data.query;
  const asked = scene.hidden("weights");
  const focus = memory.walk?.key ?? (data.key >= 0 ? data.key : asked ? -1 : largest(data, values));
  const sent = weightsOf.get(data.group);
  const codes = sent?.of === data.of ? sent.codes : null;
  const threshold = values("threshold");
  const filters = { threshold, faint: data.faint };
  const shows = narrow ? (memory.shows ?? "row") : "both";
  const at = places(width, height, {
    layers: data.layers,
    heads: data.heads,
    rows: view.rows.length,
    columns: view.columns.length,
    label: labelRoom(data.tokens, narrow),
    narrow,
    whole: memory.whole ?? true,
    alone: shows === "map",
  });
  const its = {
    scene,
    at,
    shows,
    view,
    open,
    query,
    focus,
    codes,
    threshold,
    faint: data.faint,
    point: memory.point,
    sharp: sharpness(pen.parent),
    hand,
  };
  return Object.assign(its, {
    stamp: JSON.stringify([data.of, data.hides, data.between, threshold, data.faint, colour.background]),
    paints: painted(data, filters, colour.background, memory),
    first: firstPlaces(its, memory),
    weightText: (place) => weightText(its, place),
    aim: (point) => aim(scene, point),
    openHead: (place) => openHead(scene, hand, place),
    follow: (pair) => follow(its, pair),
    walk: (pair) => walk(its, pair),
  });
}

function largest(data, values) {
  let best = 0;
  for (let j = 1; j < data.tokens.length; j++) if (values(`w${j}`) > values(`w${best}`)) best = j;
  return best;
}

function painted(data, filters, blank, memory) {
  const key = JSON.stringify([filters, blank]);
  if (memory.paints?.key !== key) memory.paints = { key, colours: paints(data, filters, blank) };
  return memory.paints.colours;
}

// The window of the open head, where it is shown near: it holds the followed pair when that changes.
function firstPlaces({ at: { map }, view, query, focus }, memory) {
  if (!map.near) return { row: 0, column: 0 };
  const pair = `${view.rows.length} ${query} ${focus}`;
  if (memory.pair !== pair || !memory.first) {
    memory.pair = pair;
    memory.first = {
      row: windowAround(memory.first?.row ?? null, map.shown.rows, view.rows.length, view.rows.indexOf(query)),
      column: windowAround(
        memory.first?.column ?? null,
        map.shown.columns,
        view.columns.length,
        view.columns.indexOf(focus),
      ),
    };
  }
  return memory.first;
}

// With every digit where the server has sent them, and otherwise rounded as they were packed.
function weightText({ scene: { data }, codes, hand }, { layer, head, query, key }) {
  const count = data.tokens.length;
  if (hand.exactOf[0] === layer && hand.exactOf[1] === head) {
    const exact = new Float32Array(data.exact.buffer, data.exact.byteOffset, count * count);
    return formatNumber(exact[query * count + key]);
  }
  return codes ? textOf(codeAt(codes, data.heads, count, { layer, head }, query, key)) : "";
}

// On a phone the open head takes turns with all heads and the row.
function chooser(pen, { at, scene, open }, shows) {
  const { memory, colour, again } = scene;
  const { x, y } = at.heading;
  pen.text(x, y, `Layer ${open.layer}, head ${open.head}`, { key: "heading", size: 16, bold: true });
  const text = shows === "row" ? "Show the map" : "Show all heads";
  const right = scene.width - 8;
  pen.button(
    text,
    () => {
      memory.shows = shows === "row" ? "map" : "row";
      again();
    },
    (button) => {
      button.rect(right - 124, y - 18, 124, 26, { r: 13, fill: colour.background, stroke: colour.ink });
      button.text(right - 62, y, text, { size: 14, anchor: "middle" });
    },
    { key: "chooser" },
  );
}

// --- the hand ------------------------------------------------------------------------------------------

function aim({ memory, again }, point) {
  const key = (each) => (each ? [each.layer, each.head, each.query, each.key].join() : "");
  if (key(point) === key(memory.point)) return;
  memory.point = point;
  again();
}

/** @param {Scene<any, any>} scene */
function openHead(scene, hand, { layer, head }) {
  hand.open = { layer, head };
  scene.memory.point = null;
  scene.play(rowOf(scene.data, { layer, head }));
  clearTimeout(hand.timer);
  hand.timer = setTimeout(() => scene.send({ of: scene.data.of, layer, head }), REST);
}

// A second press on what is followed lets go of the key.
function follow(its, pair) {
  const { scene, open } = its;
  const { data } = scene;
  const same = Object.entries(pair).every(([name, place]) => data[name] === place);
  if (same && !("key" in pair)) return;
  tell(its, same ? { key: -1 } : pair, open);
}

function tell({ scene, hand }, pair, { layer, head }) {
  clearTimeout(hand.timer);
  hand.open = null;
  scene.send({ of: scene.data.of, ...pair, at: [layer, head] });
}

function walk(its, pair) {
  const { scene, hand, open } = its;
  scene.memory.walk = pair;
  scene.again();
  clearTimeout(hand.timer);
  hand.timer = setTimeout(() => tell(its, pair, open), REST);
}
