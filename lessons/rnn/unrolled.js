// A recurrent network unrolled: one column per step, the current one large; below, the loop that computes it.
// The payload contains all steps, so stepping and playing need no request to the server.

import { sendConnected } from "../../ui/browser/connection.js";
import { isNews } from "../../ui/browser/events.js";
import { mainPicture, still } from "../../drawing/main_picture.js";
import { chainPlaces, rolledTo, rowPlaces } from "./chain.js";
import { DIM } from "../../drawing/pen.js";
import { drawWay } from "./chain_way.js";
import { drawColumn } from "./column.js";
import { drawButtons, drawLoop } from "./loop.js";
import { beside, go, keyOf, pause, placeIn, play, rowOf } from "./unrolled_walk.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Chain, Rows } from "./chain.js" */
/** @import { Place, WalkScene } from "./column.js" */
/** @import { Walk } from "./unrolled_walk.js" */

/** @type {WeakMap<object, Walk>} */
const walks = new WeakMap();

/** @param {Component<Scripts["unrolled"]>} component */
export default function unrolled(component) {
  const { data, parentElement, setTriggerValue } = component;
  const given = placeIn(data, data.now);
  /** @type {Walk["send"]} */
  const send = (value) => sendConnected(`${data.group} walk`, () => setTriggerValue("event", value));
  const walk = walks.get(parentElement) ?? { data, send, place: given, playing: 0, root: null, again: () => {} };
  walks.set(parentElement, walk);
  Object.assign(walk, { data, send });
  // The response to an older step does not move the picture back.
  if (isNews(walk, keyOf(data, given))) pause(walk);
  else if (walk.place.step <= data.words.length) data.now = rowOf(data, walk.place);
  walk.place = placeIn(data, data.now);
  return mainPicture(component, (pen, /** @type {WalkScene} */ scene) => draw(pen, scene, walk));
}

/** @param {Pen} pen @param {WalkScene} scene @param {Walk} walk */
function draw(pen, scene, walk) {
  const { height, narrow, values, memory, data } = scene;
  const place = { step: values("@t"), phase: values("@phase") };
  Object.assign(walk, { again: scene.again, root: pen.parent, place });
  const roll = rolledTo(memory, place.step, data.words.join(" "), still());
  if (roll !== place.step) scene.again();
  const chain = chainPlaces(scene, data.words.length, roll);
  const foot = height - (narrow ? 84 : 112);
  const rows = rowPlaces(narrow ? 4 : 8, foot, narrow);
  /** @param {Place | null} next */
  const to = (next) => {
    pause(walk);
    if (next) go(walk, next);
    scene.again();
  };
  drawWay(pen, scene, chain, rows, place);
  for (const column of chain.columns) {
    const { step } = column;
    const press = () => to({ step, phase: place.phase });
    /** @param {number} unit */
    const open = (unit) => {
      pause(walk);
      scene.send({ step, phase: data.phases[place.phase], unit });
    };
    if (column.seen > 0) drawColumn(pen, scene, { ...column, small: chain.small, rows, place, press, open });
  }
  drawRowNames(pen, scene, chain, rows);
  drawEdges(pen, scene, chain, rows);
  drawLoop(pen, scene, place, foot + (narrow ? 4 : 8), (phase) => to({ step: place.step, phase }));
  drawButtons(pen, scene, {
    back: beside(walk, place, -1) && (() => to(beside(walk, place, -1))),
    onward: beside(walk, place, 1) && (() => to(beside(walk, place, 1))),
    playing: Boolean(walk.playing),
    play: () => {
      if (walk.playing) pause(walk);
      else play(walk);
      scene.again();
    },
  });
}

/**
 * The names of the rows, before the first column.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Chain} chain @param {Rows} rows
 */
function drawRowNames(pen, scene, chain, rows) {
  const { narrow, colour } = scene;
  if (narrow || !chain.leads) return;
  const x = chain.columns[0].x - 4;
  /** @type {(part: string, y: number, text: string, fill: string, how?: { size?: number, bold?: boolean }) => void} */
  const write = (part, y, text, fill, { size = 14, bold = true } = {}) => {
    const opacity = scene.dim(part) ? DIM : null;
    pen.text(x, y, text, { key: text, size, bold, fill, anchor: "end", opacity });
  };
  write("loss", rows.loss.top + 16, "J(t)", colour.loss);
  write("loss", rows.bars.foot - 1, "nats", colour.quiet, { size: 13, bold: false });
  write("output", rows.output.foot - 18, "ŷₜ", colour.activation);
  write("embedding", rows.embedding.foot - 4, "eₜ", colour.input);
  write("word", rows.word.foot - 10, "xₜ", colour.input);
}

/**
 * The number of steps beyond each edge.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Chain} chain @param {Rows} rows
 */
function drawEdges(pen, { width, colour }, chain, rows) {
  const y = rows.cell.top - 5;
  const unseen = chain.columns.map(({ seen }) => !seen);
  const left = unseen.indexOf(false);
  const right = [...unseen].reverse().indexOf(false);
  if (left > 0) pen.text(6, y, `‹ ${left}`, { key: "left", size: 13, fill: colour.quiet });
  if (right > 0) pen.text(width - 6, y, `${right} ›`, { key: "right", size: 13, fill: colour.quiet, anchor: "end" });
}
