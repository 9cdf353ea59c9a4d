// Two runs, with E learned and with E frozen: which words are nearest to one of their own group, and both losses.

import { line } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf } from "./frozen_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { FrozenPlaces, FrozenScene } from "./frozen_places.js" */
/** @typedef {(pen: Pen, scene: FrozenScene, at: FrozenPlaces, run: number) => void} DrawRun */

const RUNS = /** @type {const} */ (["learned", "frozen"]);

/** @param {Component<Scripts["frozen"]>} component */
export default function frozen(component) {
  return mainPicture(component, (pen, /** @type {FrozenScene} */ scene) => {
    const at = placesOf(scene);
    RUNS.forEach((name, run) => pen.part(scene, name, (its) => drawField(its, scene, at, run)));
    pen.part(scene, "losses", (its) => drawLosses(its, scene, at));
  });
}

/** @param {string} name @returns {NameOf<"frozen">} */
const nameOf = (name) => /** @type {NameOf<"frozen">} */ (name);

/** @param {FrozenScene} scene @param {number} run */
const inkOf = ({ colour }, run) => (run ? colour.weight : colour.input);

/**
 * A run: how many words are nearest to one of their group, and all of the words.
 *
 * @type {DrawRun}
 */
function drawField(pen, scene, at, run) {
  const { data, colour, text, hidden, narrow } = scene;
  const left = at.left(run);
  const asked = hidden(RUNS[run]);
  const ink = inkOf(scene, run);
  const said = `E ${RUNS[run]}:`;
  const [size, count] = narrow ? [16, asked ? "?" : text(RUNS[run])] : [24, asked ? "?" : text(RUNS[run])];
  pen.text(left, at.title, said, { key: "said", size, bold: true, fill: ink });
  const x = left + textWidth(said, size, true) + 12;
  pen.markedText(x, at.title, count, run === 1 && !asked, { key: "count", size, bold: true });
  const all = narrow ? `of ${text("words")}` : `of ${text("words")} nearest to their own group`;
  const after = x + textWidth(count, size, true) + 12;
  pen.text(after, at.title, all, {
    key: "all",
    size: narrow ? 14 : 17,
    fill: colour.quiet,
    room: left + at.wide - after,
  });
  data.words.forEach((_, w) => drawWord(pen, scene, at, run, w));
  if (!narrow) drawGroups(pen, scene, at, run);
  drawNearest(pen, scene, at, run);
}

/** @type {DrawRun} */
function drawGroups(pen, { data, colour }, at, run) {
  data.groups.forEach((name, g) => {
    const { column } = at.columns.places[data.groupOf.indexOf(g)];
    const look = { key: `group ${g}`, size: 14, fill: colour.quiet, room: at.column - 4 };
    pen.text(at.left(run) + column * at.column, at.top - 4, name, look);
  });
}

/**
 * A word, filled if the nearest word is of its group.
 *
 * @param {Pen} pen @param {FrozenScene} scene @param {FrozenPlaces} at @param {number} run @param {number} w
 */
function drawWord(pen, scene, at, run, w) {
  const { data, colour, values, hidden, send, narrow } = scene;
  const { x, y, wide, high } = boxOf(at, run, w);
  const asked = hidden(nameOf(`right ${run} ${w}`));
  const right = asked ? 0 : values(nameOf(`right ${run} ${w}`));
  const chosen = w === data.chosen;
  const ink = inkOf(scene, run);
  const word = data.words[w];
  pen.button(
    run ? `${word}, frozen` : word,
    () => send({ word }),
    (its) => {
      const look = { r: 3, fill: ink, "fill-opacity": 0.06 + 0.44 * right, stroke: chosen ? colour.ink : null };
      its.rect(x, y, wide, high, { ...look, line: 2 });
      if (narrow) return;
      const fill = right > 0.5 ? colour.ink : colour.quiet;
      its.text(x + 4, y + high / 2 + at.size * 0.34, word, { size: at.size, bold: chosen, fill, room: wide - 6 });
    },
    { key: `word ${w}`, chosen },
  );
}

/** @param {FrozenPlaces} at @param {number} run @param {number} w */
function boxOf(at, run, w) {
  const { column, row } = at.columns.places[w];
  return {
    x: at.left(run) + column * at.column,
    y: at.top + row * at.pitch,
    wide: at.column - (at.narrow ? 3 : 6),
    high: at.pitch - 2,
  };
}

/**
 * The word whose row is nearest to that of the chosen one.
 *
 * @type {DrawRun}
 */
function drawNearest(pen, scene, at, run) {
  const { data, colour, final, hidden, narrow } = scene;
  const asked = hidden(nameOf(`near ${run}`));
  const near = Math.round(final(nameOf(`near ${run}`)));
  const said = `${data.words[data.chosen]} → ${asked ? "?" : data.words[near]}`;
  const size = narrow ? 15 : 18;
  pen.text(at.left(run), at.foot + size + 2, said, { key: "nearest", size, bold: true, room: at.wide });
  if (!narrow) {
    const note = { key: "note", size: 15, fill: colour.quiet };
    pen.text(at.left(run) + textWidth(said, size, true) + 14, at.foot + size + 2, "nearest row; press a word", note);
  }
  if (asked) return;
  const { x, y, wide, high } = boxOf(at, run, near);
  pen.rect(x, y, wide, high, { key: "near", r: 3, stroke: colour.ink, line: 2, dash: "4 3" });
}

/**
 * Both losses over the steps, and a line at the step shown, which can be dragged.
 *
 * @param {Pen} pen @param {FrozenScene} scene @param {FrozenPlaces} at
 */
function drawLosses(pen, scene, at) {
  const { data, colour, values, narrow } = scene;
  const size = narrow ? 13 : 15;
  drawAxes(pen, scene, at, size);
  const count = data.steps.length;
  RUNS.forEach((name, run) => {
    const points = data.steps.map(
      (step, n) => /** @type {[number, number]} */ ([at.x(step + 1), at.y(data.losses[run * count + n])]),
    );
    const look = { key: `loss ${name}`, stroke: inkOf(scene, run), width: 3, dash: run ? "8 5" : null };
    pen.path(line()(points) ?? "", look);
  });
  const x = at.x(values("step") + 1);
  const grip = {
    class: "handle",
    "data-n": "at",
    "data-per": (at.losses.right - at.losses.left) / count,
    "data-way": "x",
  };
  pen.group({ key: "cursor", ...grip, style: "cursor: ew-resize; touch-action: pan-y" }, (its) => {
    its.rect(at.losses.left, at.losses.top, at.losses.right - at.losses.left, at.low - at.losses.top, {
      fill: "transparent",
    });
    its.line(x, at.losses.top - 6, x, at.low, { stroke: colour.ink, width: 2 });
    its.circle(x, at.losses.top - 6, 6, { fill: colour.ink });
  });
  if (narrow) return;
  RUNS.forEach((name, run) => {
    const y = at.losses.top + 24 + run * 30;
    const said = `${name} ${formatNumber(scene.final(nameOf(`loss ${run}`)))}`;
    pen.text(at.losses.right + 14, y, said, { key: `end ${name}`, size: 18, bold: true, fill: inkOf(scene, run) });
  });
}

/** @param {Pen} pen @param {FrozenScene} scene @param {FrozenPlaces} at @param {number} size */
function drawAxes(pen, { data, colour, narrow }, at, size) {
  const last = data.steps[data.steps.length - 1] + 1;
  pen.axis("x", at.x, {
    at: at.low + size + 3,
    ticks: narrow ? [1, 10, 100, 1000] : [1, 10, 100, 1000, last],
    size,
    title: "training step + 1 (log scale)",
    titled: { x: at.losses.right, y: at.low + 2 * size + 6, size, anchor: "end", fill: colour.quiet },
  });
  pen.axis("y", at.y, {
    at: at.losses.left - 8,
    ticks: narrow ? [1, 3] : [1, 2, 5],
    size,
    lines: [at.losses.left, at.losses.right],
    look: { stroke: colour.line },
    title: "validation loss, nats (log scale)",
    titled: {
      x: at.losses.left + 0.4 * (at.losses.right - at.losses.left),
      y: at.losses.top + size,
      size,
      fill: colour.quiet,
    },
  });
}
