// The steps of training as a strip: loss and precision as curves, the moment shown, and a player.

import { line } from "../../drawing/d3.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { drag } from "../../drawing/hand.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./layout.js" */
/** @import { Draw, VectorsScene } from "./vectors_scene.js" */
/** @typedef {ReturnType<typeof scalesOf>} Scales */

const PLAYED = 5000; // duration of the whole training in the player, in ms

/** @type {Draw} */
export function drawSteps(pen, scene, at) {
  const { colour } = scene;
  const { left, top, wide, high } = at.strip;
  const scales = scalesOf(scene, at);
  pen.line(left, top + high, left + wide, top + high, { stroke: colour.line, width: 1 });
  lossAxis(pen, scene, at, scales.most);
  stepAxis(pen, scene, at, scales);
  drawCurves(pen, scene, at, scales);
  if (!at.small) nameCurves(pen, scene, at);
  drawMoment(pen, scene, at, scales);
  dragMoment(pen, scene, at, scales.last);
  drawPlayer(pen, scene, at, scales.last);
}

/** @param {VectorsScene} scene @param {Places} at */
function scalesOf({ data }, at) {
  const { left, top, wide, high } = at.strip;
  const last = data.steps.length - 1;
  const finite = Array.from(data.losses).filter(Number.isFinite);
  const most = Math.max(...finite) || 1;
  return {
    last,
    most,
    across: (/** @type {number} */ place) => left + (place / Math.max(last, 1)) * wide,
    loss: (/** @type {number} */ loss) => top + high - (loss / most) * high,
    share: (/** @type {number} */ value) => top + high - value * high,
  };
}

/**
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Places} at
 * @param {number} most the largest loss
 */
function lossAxis(pen, { colour, data }, at, most) {
  const { left, top, high } = at.strip;
  const look = /** @type {const} */ ({ size: 13, fill: colour.loss, anchor: "end" });
  pen.group({ key: "axis y", "data-axis": "y", "data-title": data.curve }, (its) => {
    its.text(left - 7, top + 6, formatNumber(most), look);
    its.text(left - 7, top + high + 4, "0", look);
  });
}

/**
 * The labels of the snapshots' steps, as many as fit; on the right the last one and the name of the axis.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {Scales} scales
 */
function stepAxis(pen, { colour, data }, at, { last, across }) {
  const { left, top, wide, high } = at.strip;
  const y = top + high + 18;
  const look = { size: 13, fill: colour.quiet };
  const label = (/** @type {number} */ i) => `${data.steps[i]}`;
  const name = data.axis === "step" ? "step" : "dimensions d";
  const stop = left + wide - textWidth(label(last), 13) - 14;
  pen.group({ key: "axis x", "data-axis": "x", "data-title": name }, (its) => {
    let end = -Infinity;
    for (let i = 0; i < last; i++) {
      const half = textWidth(label(i), 13) / 2;
      if (across(i) - half < end + 44 || across(i) + half > stop - textWidth(name, 13) - 12) continue;
      its.text(across(i), y, label(i), { key: `tick ${i}`, anchor: i ? "middle" : "start", ...look });
      end = across(i) + half;
    }
    its.text(left + wide, y, label(last), { key: "last", anchor: "end", ...look });
    its.text(stop, y, name, { key: "name", anchor: "end", ...look });
  });
}

/** @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {Scales} scales */
function drawCurves(pen, { colour, data, memory }, at, { across, loss, share }) {
  const { left, top, wide, high } = at.strip;
  const shape = `${left} ${top} ${wide} ${high}`;
  /** @type {(values: Float64Array, scale: (value: number) => number) => string} */
  const path = (values, scale) =>
    line(
      (_, i) => across(i),
      (/** @type {number} */ value) => scale(value),
    )(Array.from(values)) ?? "";
  if (memory.curves?.shape !== shape)
    memory.curves = { shape, loss: path(data.losses, loss), precision: path(data.precision, share) };
  pen.path(memory.curves.loss, { key: "loss", stroke: colour.loss, width: 3 });
  pen.path(memory.curves.precision, { key: "precision", stroke: colour.activation, width: 3, dash: "7 4" });
}

/** @type {Draw} */
function nameCurves(pen, { colour, data }, at) {
  const { left, top, wide, high } = at.strip;
  pen.text(left, top - 10, data.curve, { size: 14, bold: true, fill: colour.loss });
  if (!data.precision.length) return;
  const fill = colour.activation;
  const name = "- - precision@5 of all planted words";
  pen.text(left + wide, top - 10, name, { size: 14, bold: true, fill, anchor: "end" });
  pen.text(left + wide + 7, top + 6, "1", { size: 13, fill });
  pen.text(left + wide + 7, top + high + 4, "0", { size: 13, fill });
}

/**
 * The moment that is shown, as a line with a dot on each curve.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {Scales} scales
 */
function drawMoment(pen, { colour, data, memory }, at, { across, loss, share, last }) {
  const { left, top, wide, high } = at.strip;
  const x = across(memory.place);
  pen.line(x, top - 4, x, top + high, { key: "now", stroke: colour.ink, width: 2 });
  const dot = { stroke: colour.background, line: 2 };
  pen.circle(x, loss(data.losses[memory.snapshot]), 7, { key: "dot", fill: colour.loss, ...dot });
  const precision = data.precision.length ? data.precision[memory.snapshot] : null;
  if (precision !== null) pen.circle(x, share(precision), 7, { key: "hit", fill: colour.activation, ...dot });
  const step = `${data.axis === "step" ? "step" : "d ="} ${data.steps[memory.snapshot]}`;
  const text = precision !== null && !at.small ? `${step}, precision ${precision.toFixed(2)}` : step;
  const flip = memory.place > last / 2;
  pen.text(x + (flip ? -11 : 11), top + high / 2 + 6, text, {
    key: "label",
    size: at.small ? 13 : 15,
    bold: true,
    anchor: flip ? "end" : "start",
    halo: true,
    room: flip ? x - left : left + wide - x,
  });
}

/**
 * An invisible cover of the strip: dragging it moves the time.
 *
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Places} at
 * @param {number} last snapshot
 */
function dragMoment(pen, { data, memory, move, again }, at, last) {
  const { left, top, wide, high } = at.strip;
  const cover = pen.rect(left - 8, top - 6, wide + 16, high + 12, { key: "cover", fill: "transparent", class: "grab" });
  const placeAt = (/** @type {number} */ across) => Math.min(Math.max((across - left) / wide, 0), 1) * last;
  /** @type {(place: number, settled: boolean) => void} */
  const put = (place, settled) => {
    memory.exact = settled ? null : place;
    move("step", data.steps[Math.round(place)], settled);
    again();
  };
  drag(cover, {
    down: (across) => {
      memory.playing = 0;
      return { place: placeAt(across) };
    },
    start: (began) => put(began.place, false),
    move: (began, across) => put((began.place = placeAt(across)), false),
    up: (began) => put(began.place, true),
  });
}

/**
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Places} at
 * @param {number} last snapshot
 */
function drawPlayer(pen, scene, at, last) {
  const { colour, memory } = scene;
  const [x, y] = [at.small ? 18 : 26, at.strip.top + at.strip.high / 2];
  pen.button(
    memory.playing ? "Stop" : "Play the training",
    () => playOrStop(pen, scene, last),
    (its) => {
      its.circle(x, y, at.small ? 13 : 17, { fill: colour.background, stroke: colour.loss, line: 2 });
      if (memory.playing) its.rect(x - 5, y - 5, 10, 10, { r: 1, fill: colour.loss });
      else its.path(`M${x - 4} ${y - 7}L${x + 8} ${y}L${x - 4} ${y + 7}z`, { fill: colour.loss, stroke: colour.loss });
    },
    { key: "player" },
  );
}

/**
 * Start the player from the current moment, or from the beginning if that is the end; or stop it.
 *
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {number} last snapshot
 */
function playOrStop(pen, { memory, data, move, again }, last) {
  const began = memory.playing > 0 ? 0 : performance.now();
  memory.playing = began;
  if (!began) {
    memory.exact = null;
    move("step", data.steps[Math.round(memory.place)], true);
    return;
  }
  const from = memory.place >= last ? 0 : memory.place;
  /** @param {number} time */
  const next = (time) => {
    if (memory.playing !== began) return;
    const place = Math.min(from + (Math.max(time - began, 0) / PLAYED) * last, last);
    const done = place >= last || !pen.parent.isConnected;
    memory.exact = done ? null : place;
    if (done) memory.playing = 0;
    move("step", data.steps[Math.round(place)], done);
    again();
    if (!done) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  again();
}
