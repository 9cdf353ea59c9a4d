// A recurrent network unrolled: one column a step, the current one large; the loop that computes it below.
// All steps are here from the start, so stepping and playing ask the server nothing.

import { sendConnected } from "../../ui/browser/connection.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";
import { frameEvent } from "../../ui/browser/frames.js";
import { mainPicture, still } from "../../ui/browser/main_picture.js";
import { chainPlaces, rolledTo, rowPlaces, stripAt } from "./chain.js";
import { drawColumn } from "./column.js";
import { drawButtons, drawLoop } from "./loop.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["unrolled"]} Data */
/** @typedef {{ step: number, phase: number }} Place */

const BEAT = 280; // ms a quantity while it plays
const DIM = 0.18;
/** @type {WeakMap<object, any>} */
const walks = new WeakMap();

/** @param {Component<Data>} component */
export default function unrolled(component) {
  const { data, parentElement, setTriggerValue } = component;
  const walk = walks.get(parentElement) ?? {};
  walks.set(parentElement, walk);
  Object.assign(walk, {
    data,
    send: (value) => sendConnected(`${data.group} walk`, () => setTriggerValue("event", value)),
  });
  const told = placeIn(data, data.now);
  // An answer to an older step does not take the picture back.
  if (isNews(walk, keyOf(data, told))) pause(walk);
  else if (walk.place?.step <= data.words.length) data.now = rowOf(data, walk.place);
  walk.place = placeIn(data, data.now);
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => draw(pen, scene, walk));
}

/**
 * @param {Data} data
 * @param {Place} place
 */
const keyOf = (data, { step, phase }) => `${step} ${data.phases[phase]}`;

/**
 * @param {Data} data
 * @returns {Place}
 */
const placeIn = (data, row) => ({ step: row[data.names.indexOf("@t")], phase: row[data.names.indexOf("@phase")] });

// The numbers of a step after one of its quantities.
/**
 * @param {Data} data
 * @param {Place} place
 */
function rowOf({ names, table, phases }, { step, phase }) {
  const row = table.slice((step - 1) * names.length, step * names.length);
  row[names.indexOf("@phase")] = phase;
  for (const text of ["@say", "@formula"]) row[names.indexOf(text)] = (step - 1) * phases.length + phase;
  return row;
}

function go(walk, /** @type {Place} */ place) {
  const { data } = walk;
  walk.place = place;
  const detail = { row: rowOf(data, place), moved: "walk", label: "", own: true };
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail }));
  sendAtRest(walk, keyOf(data, place), {
    value: { step: place.step, phase: data.phases[place.phase], unit: data.unit },
  });
}

/** The place one quantity on or back, or null at either end. */
function beside({ data }, /** @type {Place} */ { step, phase }, way) {
  const last = data.phases.length;
  const count = (step - 1) * last + phase + way;
  if (count < 0 || count >= last * data.words.length) return null;
  return { step: Math.floor(count / last) + 1, phase: count % last };
}

function pause(walk) {
  clearInterval(walk.playing);
  walk.playing = 0;
}

function play(walk) {
  if (!beside(walk, walk.place, 1)) go(walk, { step: 1, phase: 0 });
  walk.playing = setInterval(() => {
    const next = document.contains(walk.root) || walk.root?.isConnected ? beside(walk, walk.place, 1) : null;
    if (next) go(walk, next);
    else pause(walk);
    walk.again();
  }, BEAT);
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene, walk) {
  const { height, narrow, values, memory } = scene;
  const data = /** @type {Data} */ (scene.data);
  const place = { step: values("@t"), phase: values("@phase") };
  Object.assign(walk, { again: scene.again, root: pen.parent, place });
  const roll = rolledTo(memory, place.step, data.words.join(" "), still());
  if (roll !== place.step) scene.again();
  const chain = chainPlaces(scene, data.words.length, roll);
  const foot = height - (narrow ? 84 : 112);
  const rows = rowPlaces(narrow ? 4 : 8, foot, narrow);
  const to = (/** @type {Place | null} */ next) => {
    pause(walk);
    if (next) go(walk, next);
    scene.again();
  };
  const open = (step, unit) => {
    pause(walk);
    scene.send({ step, phase: data.phases[place.phase], unit });
  };
  past(pen, scene, chain, rows, place);
  for (const column of chain.columns) {
    if (column.seen > 0)
      drawColumn(pen, scene, {
        ...column,
        small: chain.small,
        rows,
        place,
        press: () => to({ step: column.step, phase: place.phase }),
        open: (unit) => open(column.step, unit),
      });
  }
  names(pen, scene, chain, rows);
  edges(pen, scene, chain, rows);
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
 * The hidden state on its way along the chain, from h₀ on.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function past(pen, scene, chain, rows, place) {
  const { colour, narrow } = scene;
  const y = (rows.cell.top + rows.cell.foot) / 2;
  const opacity = scene.dim("past") ? DIM : null;
  pen.group({ key: "past", opacity }, (its) => {
    chain.columns.forEach(({ step, x, wide, big, seen }, i) => {
      const before = chain.columns[i - 1];
      if (!seen || !(before ? before.seen : leads(chain))) return;
      const from = before ? before.x + stripAt(before) + 12 : x - chain.lead + (narrow ? 18 : 24);
      const to = x + (big > 0.5 ? 8 : stripAt({ wide, big }) - 12);
      const reached = step < place.step || (step === place.step && place.phase >= 2);
      its.line(from, y, to, y, {
        key: `way${step}`,
        stroke: colour.weight,
        width: reached ? 4 : 1.5,
        "stroke-opacity": reached ? 0.45 : 0.6,
        dash: reached ? null : "4 4",
      });
      if (reached) its.beads(`M${from.toFixed(1)} ${y}H${to.toFixed(1)}`, colour.activation, { key: `beads${step}` });
      its.node("path", {
        key: `head${step}`,
        d: "M0 0L-8 -4.5L-8 4.5z",
        fill: colour.weight,
        transform: `translate(${(to + 2).toFixed(1)} ${y})`,
      });
    });
    const first = chain.columns[0];
    if (leads(chain)) {
      its.text(first.x - chain.lead + (narrow ? 8 : 11), y + 5, "h₀", {
        key: "h0",
        size: 15,
        bold: true,
        fill: colour.activation,
        anchor: "middle",
      });
      if (!narrow)
        its.text(first.x - chain.lead + 11, y + 22, "= 0", {
          key: "zero",
          size: 13,
          fill: colour.quiet,
          anchor: "middle",
        });
    }
  });
}

/** Whether there is room for h₀ before the first column. */
const leads = (chain) => chain.columns[0].seen === 1 && chain.columns[0].x >= chain.lead - 1;

/**
 * The names of the rows, before the first column.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function names(pen, scene, chain, rows) {
  const { narrow, colour } = scene;
  const first = chain.columns[0];
  if (narrow || !leads(chain)) return;
  const write = (part, y, text, fill, how = {}) =>
    pen.text(first.x - 4, y, text, {
      key: text,
      size: 14,
      bold: true,
      fill,
      anchor: "end",
      opacity: scene.dim(part) ? DIM : null,
      ...how,
    });
  write("loss", rows.loss.top + 16, "J(t)", colour.loss);
  write("loss", rows.bars.foot - 1, "nats", colour.quiet, { size: 13, bold: false });
  write("output", rows.output.foot - 18, "ŷₜ", colour.activation);
  write("embedding", rows.embedding.foot - 4, "eₜ", colour.input);
  write("word", rows.word.foot - 10, "xₜ", colour.input);
}

/**
 * How many steps are beyond either edge.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function edges(pen, { width, colour }, chain, rows) {
  const y = rows.cell.top - 5;
  const unseen = chain.columns.map(({ seen }) => !seen);
  const left = unseen.indexOf(false);
  const right = [...unseen].reverse().indexOf(false);
  if (left > 0) pen.text(6, y, `‹ ${left}`, { key: "left", size: 13, fill: colour.quiet });
  if (right > 0) pen.text(width - 6, y, `${right} ›`, { key: "right", size: 13, fill: colour.quiet, anchor: "end" });
}
