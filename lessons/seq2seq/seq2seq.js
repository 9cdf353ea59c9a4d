// An encoder–decoder with attention: the encoder's states in a row, the pencil of α from the state being written to
// all of them, their mix, and the words. Below, what one vector alone gives; beside, all of α as a map.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth } from "../../ui/browser/pen.js";
import { canvasIn, sharpness } from "../shared/canvas.js";
import { signs, SIGNS_WIDE } from "../shared/signs.js";
import { alphaMap } from "./alpha_map.js";
import { places } from "./places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["seq2seq"]} Data */

const DIM = 0.18;
const WIDER = 1.06; // bold letters with subscripts are wider than they are measured
const SEEN = 0.2; // weights of earlier steps from which on their line stays
const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** @param {Component<Data>} component */
export default function seq2seq(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = places(scene, {
      source: scene.data.source,
      rows: [scene.data.attention.words, scene.data.vector.words],
    });
    const now = moment(scene);
    scene.tell(now.step, false);
    paintStates(pen, scene, at, now);
    part(pen, scene, "pencil", (its) => pencil(its, scene, at, now));
    part(pen, scene, "encoder", (its) => encoder(its, scene, at, now));
    part(pen, scene, "decoder", (its) => decoder(its, scene, at, now));
    part(pen, scene, "vector", (its) => oneVector(its, scene, at, now));
    if (at.map) part(pen, scene, "map", (its) => alphaMap(its, scene, at.map, now));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

// The step that is shown and what its α is: as computed, or all of it on the place that is pointed at.
function moment(scene) {
  const { data, memory, values, hidden } = scene;
  if (memory.data !== data) Object.assign(memory, { data, over: null });
  const last = data.attention.words.length - 1;
  const exact = Math.min(Math.max(values("step") - 1, 0), last);
  const step = Math.round(exact);
  const places = data.source.length;
  const covered = hidden("a1");
  const over =
    !covered && !hidden("instead") && memory.over && memory.over.j < places && memory.over.i <= last
      ? memory.over
      : null;
  const unknown = (i) => hidden("word") && i >= step; // a word that is to be predicted
  const row = (i) => data.weights.subarray(i * places, (i + 1) * places);
  const [before, after] = [Math.floor(exact), Math.ceil(exact)];
  const between = (j) => row(before)[j] + (row(after)[j] - row(before)[j]) * (exact - before);
  const mine = over && over.i === step ? over : null; // the place that is pointed at, at this step
  const weights = Array.from({ length: places }, (_, j) => (mine ? Number(j === mine.j) : between(j)));
  return { exact, step, last, places, covered, over, mine, weights, row, unknown };
}

// --- the states as small squares of their numbers --------------------------------------------------

function paintStates(pen, scene, at, now) {
  const { width, height, data, memory, colour, dim } = scene;
  if (memory.floats !== data) {
    const floats = (bytes) =>
      new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    Object.assign(memory, {
      floats: data,
      states: floats(data.states),
      decoder: floats(data.decoder),
      contexts: floats(data.contexts),
      vector: floats(data.vectorState),
    });
  }
  const { wide, high } = at.state;
  const { strip } = headingOfVector(scene, at, now);
  const stamp = [
    strip.left,
    now.exact,
    now.mine?.j,
    now.covered,
    colour.background,
    wide,
    at.rows.context,
    width,
    dim("encoder"),
    dim("decoder"),
    dim("pencil"),
    dim("vector"),
  ].join();
  const whole = memory.painted === data ? stamp : `${stamp} ${(memory.turn = (memory.turn ?? 0) + 1)}`;
  memory.painted = data;
  canvasIn(
    pen,
    { key: "states", left: 0, top: 0, width, height, sharp: sharpness(pen.parent), stamp: whole },
    (brush) => {
      const put = (values, count, x, y, alpha) =>
        square(brush, data.signed, values, count, { left: x - wide / 2, top: y, wide, high }, alpha);
      const of = (values, i) => values.subarray(i * data.width, (i + 1) * data.width);
      for (let j = 0; j < now.places; j++)
        put(of(memory.states, j), data.width, at.x(j), at.rows.encoder, dim("encoder") ? DIM : 1);
      for (let i = 0; i <= now.last; i++)
        if (i <= now.step)
          put(
            of(memory.decoder, i),
            data.width,
            at.to(i),
            at.rows.decoder,
            dim("decoder") ? DIM : i === now.step ? 1 : 0.55,
          );
      if (!now.covered)
        put(
          now.mine ? of(memory.states, now.mine.j) : of(memory.contexts, now.step),
          data.width,
          at.to(now.exact),
          at.rows.context,
          dim("pencil") ? DIM : 1,
        );
      square(brush, data.signed, memory.vector, data.vectorWidth, strip, dim("vector") ? DIM : 1);
    },
  );
}

function square(brush, colours, values, count, { left, top, wide, high }, alpha) {
  const columns = Math.max(Math.round(Math.sqrt((count * wide) / high)), 2);
  const rows = Math.ceil(count / columns);
  const half = (colours.length - 1) / 2;
  brush.globalAlpha = alpha;
  for (let k = 0; k < count; k++) {
    const [column, row] = [k % columns, Math.floor(k / columns)];
    brush.fillStyle = colours[Math.round(half * (1 + Math.min(Math.max(values[k], -1), 1)))];
    brush.fillRect(
      left + (column / columns) * wide,
      top + (row / rows) * high,
      wide / columns + 0.3,
      high / rows + 0.3,
    );
  }
  brush.globalAlpha = 1;
}

// --- the pencil of weights -------------------------------------------------------------------------

function pencil(pen, scene, at, now) {
  const { colour, data, text } = scene;
  const foot = at.rows.encoder + at.state.high;
  const way = (j, x, y) => {
    const middle = (foot + y) / 2;
    return `M${at.x(j)} ${foot + 3}C${at.x(j)} ${middle} ${x} ${middle} ${x} ${y}`;
  };
  for (let i = 0; i < now.step; i++) {
    now.row(i).forEach((alpha, j) => {
      if (alpha >= SEEN)
        pen.path(way(j, at.to(i), at.rows.decoder - 3), {
          key: `past ${i} ${j}`,
          stroke: colour.weight,
          width: 1 + 3 * alpha,
          "stroke-opacity": 0.22,
        });
    });
  }
  const x = at.to(now.exact);
  const top = at.rows.context - 4;
  if (now.covered) {
    for (let j = 0; j < now.places; j++)
      pen.path(way(j, x, top), {
        key: `line ${j}`,
        stroke: colour.weight,
        width: 1.5,
        dash: "3 5",
        "stroke-opacity": 0.6,
      });
  } else {
    now.weights.forEach((alpha, j) =>
      pen.path(way(j, x, top), {
        key: `line ${j}`,
        stroke: colour.weight,
        width: 1 + 11 * alpha,
        "stroke-opacity": 0.25 + 0.75 * alpha,
        "stroke-linecap": "round",
      }),
    );
    const most = now.weights.indexOf(Math.max(...now.weights));
    pen.beads(way(most, x, top), colour.background, { key: "flow", width: 3 });
    // On the side that the line does not turn to.
    const right =
      at.x(most) - at.zone.left < 130 || (x <= at.x(most) && at.x(most) + 130 < at.zone.left + at.zone.wide);
    const shown = now.mine ? "1, if forced" : data.forced[now.step] === most ? `${text("a1")}, forced` : text("a1");
    pen.text(at.x(most) + (right ? 14 : -14), foot + 24, `α = ${shown}`, {
      key: "alpha",
      size: at.size + 1,
      bold: true,
      fill: colour.weight,
      anchor: right ? "start" : "end",
      halo: true,
    });
  }
  const { wide, high } = at.state;
  pen.rect(x - wide / 2 - 1, at.rows.context - 1, wide + 2, high + 2, {
    key: "context",
    stroke: colour.activation,
    line: 2,
    r: 2,
    fill: now.covered ? colour.background : "none",
  });
  const name = `c${sub(now.step + 1)}`;
  const left = x - wide / 2 - 30 > at.zone.left;
  pen.text(left ? x - wide / 2 - 8 : x + wide / 2 + 8, at.rows.context + high / 2 + 6, name, {
    key: "name",
    size: at.small ? 15 : 19,
    bold: true,
    fill: colour.activation,
    anchor: left ? "end" : "start",
    halo: true,
  });
  if (now.covered)
    pen.text(x, at.rows.context + high / 2 + 7, "?", {
      key: "unknown",
      size: 20,
      bold: true,
      fill: colour.activation,
      anchor: "middle",
    });
  const end = at.rows.decoder - 3;
  pen.line(x, at.rows.context + high + 1, x, end - 6, { key: "down", stroke: colour.activation, width: 2.5 });
  pen.head(x, end, 90, colour.activation, 9);
}

// --- the encoder -----------------------------------------------------------------------------------

function encoder(pen, scene, at, now) {
  const { colour, data, memory, again, send, hidden } = scene;
  const title = at.small ? "Encoder: states hⱼ" : "Encoder: one state hⱼ after each word xⱼ of the source";
  pen.text(at.zone.left, at.rows.title, title, {
    size: at.small ? 13 : 15,
    bold: true,
    fill: colour.input,
    room: at.zone.wide - SIGNS_WIDE - 12,
  });
  signs(pen, { x: at.zone.left + at.zone.wide - SIGNS_WIDE, y: at.rows.title, fills: data.signed });
  const { wide, high } = at.state;
  const still = now.covered || hidden("instead");
  const point = (j) => {
    const over = j === null ? null : { i: now.step, j };
    if (memory.over?.i === over?.i && memory.over?.j === over?.j) return;
    memory.over = over;
    again();
  };
  data.source.forEach((word, j) => {
    const [x, alpha] = [at.x(j), now.covered ? 0 : now.weights[j]];
    const forced = data.forced[now.step] === j;
    const name = `${forced ? "Release" : "Force"} α of step ${now.step + 1} on ${word}, place ${j + 1}`;
    const node = pen.button(
      name,
      () => send({ force: [now.step + 1, j + 1], step: now.step + 1 }),
      (its) => {
        its.rect(
          x - at.above.pitch / 2,
          at.rows.encoder - (at.above.upright ? 22 : 6),
          at.above.pitch,
          high + (at.above.upright ? 26 : 10),
          { fill: "transparent", r: 2 },
        );
        its.rect(x - wide / 2 - 1, at.rows.encoder - 1, wide + 2, high + 2, {
          stroke: alpha > 0.5 ? colour.weight : forced ? colour.gradient : colour.input,
          line: alpha > 0.5 ? 3.5 : 1.5,
          r: 2,
        });
        written(its, word, x, at.rows.encoder - 8, {
          slope: -at.above.slope,
          size: at.above.size,
          bold: alpha > 0.5,
          fill: alpha > 0.5 ? colour.weight : colour.ink,
        });
      },
      { key: `state ${j}`, disabled: still, chosen: still ? undefined : forced },
    );
    node.onpointerenter = still ? null : () => point(j);
    node.onpointerleave = still ? null : () => point(null);
    node.onfocus = still ? null : (event) => event.target.matches(":focus-visible") && point(j);
    node.onblur = still ? null : () => point(null);
  });
}

/** A word below or above a state: upright, or at a slope where words do not fit side by side. */
function written(pen, word, x, y, { slope, ...how }) {
  if (!slope) return pen.text(x, y, word, { ...how, anchor: "middle" });
  return pen.text(0, 0, word, {
    ...how,
    anchor: "start",
    transform: `translate(${x - 3 + 0.3 * how.size * Math.sin((-slope * Math.PI) / 180)} ${y}) rotate(${slope})`,
  });
}

// --- the decoder, and what one vector gives --------------------------------------------------------

function decoder(pen, scene, at, now) {
  const { colour, data } = scene;
  const { words, right } = data.attention;
  const { wide, high } = at.state;
  words.forEach((word, i) => {
    const x = at.to(i);
    const mine = now.mine && i === now.step;
    const shown = mine ? data.instead[i][now.mine.j] : word;
    const here = i === now.step;
    pen.rect(x - wide / 2 - 1, at.rows.decoder - 1, wide + 2, high + 2, {
      key: `box ${i}`,
      stroke: here ? colour.activation : i < now.step ? colour.activation : colour.line,
      line: here ? 3 : 1.5,
      r: 2,
      dash: i > now.step ? "3 3" : null,
    });
    if (i && i <= now.step)
      arrow(
        pen,
        at.to(i - 1) + wide / 2 + 2,
        at.to(i) - wide / 2 - 2,
        at.rows.decoder + high / 2,
        colour.activation,
        `to ${i}`,
      );
    const good = mine ? shown === data.target[i] : right[i];
    chip(pen, scene, at, {
      word: now.unknown(i) ? "?" : shown,
      i,
      x,
      y: at.rows.written,
      good,
      here,
      later: i > now.step,
      mark: here,
    });
  });
  const label = at.small ? "Decoder: states sᵢ" : "Decoder with attention: states sᵢ";
  const y = at.rows.context + high / 2 + 5;
  const long = textWidth(label, at.small ? 13 : 15, true);
  const before = at.to(now.exact) - at.zone.left > long + 60;
  const x = before ? at.zone.left : at.zone.left + at.zone.wide;
  pen.text(x, y, label, {
    key: "title",
    size: at.small ? 13 : 15,
    bold: true,
    anchor: before ? "start" : "end",
    fill: colour.activation,
    halo: true,
  });
  if (now.mine && !at.map)
    pen.text(
      at.zone.left + at.zone.wide,
      y - 20,
      `p = ${formatShare(data.insteadProbabilities[now.step * now.places + now.mine.j])}`,
      { key: "chance", size: 14, anchor: "end" },
    );
}

function arrow(pen, from, to, y, stroke, key) {
  if (to - from < 8) return;
  pen.line(from, y, to - 5, y, { key, stroke, width: 2 });
  pen.head(to, y, 0, stroke, 7);
}

const formatShare = (value) => value.toFixed(2);

// A word of a translation that is pressed to go to its step; a wrong one is struck through.
function chip(pen, { colour, move }, at, { word, i, x, y, good, here, later, mark, key = "word", pressed = true }) {
  const size = at.below.size;
  const bold = here || !good;
  const upright = at.below.upright;
  const fill = good ? colour.ink : colour.gradient;
  const draw = (its) => {
    const wide = textWidth(word, size, bold);
    its.rect(x - at.below.pitch / 2 + 1, y + 2, at.below.pitch - 2, at.below.high, { fill: "transparent" });
    if (upright) {
      if (mark) its.mark(x - wide / 2 - 5, y + 4, wide + 10, size * 1.35);
      its.text(x, y + 4 + size, word, {
        size,
        bold,
        anchor: "middle",
        fill: mark ? colour.onMark : fill,
        "text-decoration": good ? null : "line-through",
      });
    } else {
      its.text(0, 0, word, {
        size,
        bold,
        fill,
        "text-decoration": good ? null : "line-through",
        transform: `translate(${x - 4} ${y + 14}) rotate(${at.below.slope})`,
      });
      if (mark) its.circle(x, y + 5, 3, { fill: colour.activation });
    }
  };
  if (!pressed) return pen.group({ key: `${key} ${i}`, opacity: later ? 0.5 : null }, draw);
  return pen.button(`Step ${i + 1}, ${word}${good ? "" : ", wrong"}`, () => move("step", i + 1, true), draw, {
    key: `${key} ${i}`,
    opacity: later && good ? 0.5 : null,
    chosen: here,
  });
}

// The words above what one vector gives, and between them the strip of its numbers.
function headingOfVector({ data }, at, now) {
  const target = data.target.slice(0, -1); // without </s>
  const hits = target.filter((word, i) => word === data.vector.words[i]).length;
  const said = now.unknown(now.step) ? "" : `${hits} of ${target.length} words right`;
  const name = `h${sub(now.places)}`;
  const title = at.small ? `One vector ${name}` : `A second model has no attention, only its last ${name}:`;
  const size = at.small ? 13 : 15;
  const left = at.zone.left + WIDER * textWidth(title, size, true) + 12;
  const wide = at.zone.left + at.zone.wide - WIDER * textWidth(said, size, true) - 12 - left;
  const strip = { left, top: at.rows.vector + (at.small ? 5 : 7), wide: Math.max(wide, 0), high: at.small ? 13 : 16 };
  return { title, said, size, strip, wrong: hits < target.length };
}

function oneVector(pen, scene, at, now) {
  const { colour, data } = scene;
  const { words, right } = data.vector;
  const { title, said, size, strip, wrong } = headingOfVector(scene, at, now);
  const y = at.rows.vector + (at.small ? 16 : 20);
  pen.line(at.zone.left, at.rows.vector + 1, at.zone.left + at.zone.wide, at.rows.vector + 1, {
    stroke: colour.line,
    width: 1.5,
    key: "rule",
  });
  pen.text(at.zone.left, y, title, { size, bold: true, fill: colour.loss });
  pen.rect(strip.left - 1, strip.top - 1, strip.wide + 2, strip.high + 2, {
    key: "strip",
    stroke: colour.loss,
    line: 1.5,
    r: 2,
  });
  pen.text(at.zone.left + at.zone.wide, y, said, {
    size,
    bold: true,
    anchor: "end",
    fill: wrong ? colour.gradient : colour.ink,
  });
  words.forEach((word, i) =>
    chip(pen, scene, at, {
      word: now.unknown(i) ? "?" : word,
      i,
      x: at.to(i),
      y: y + 4,
      good: right[i] || now.unknown(i),
      here: false,
      later: i > now.step && right[i],
      mark: false,
      key: "vector",
      pressed: false,
    }),
  );
}
